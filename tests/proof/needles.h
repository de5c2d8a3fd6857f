/* SPDX-License-Identifier: MIT */
/*
 * What must not be found in a process after a hash: password and pepper, H0,
 * the first and the last blocks of RFC 9106 section 3.2, and the tag. A needle
 * is 8 bytes of one of them, so parts of a secret are found as well, in blocks
 * of every layout. Only for processes that are not themselves searched.
 */
#ifndef NEEDLES_H
#define NEEDLES_H

#include <stddef.h>

#include "argon2fast.h"

enum secret {
    PASSWORD,
    PEPPER,
    INITIAL_HASH, /* H0 */
    FIRST_BLOCK,  /* B[i][0] and B[i][1] of every lane */
    LAST_BLOCK,   /* those of the last column, and C, their sum */
    RAW_TAG,
    SECRETS
};

/* Room for each secret's words. */
#define NEEDLES_MAX 8192

struct needle {
    uint64_t word;
    enum secret secret;
};

struct needles {
    struct needle list[NEEDLES_MAX]; /* sorted by word */
    size_t n;
    uint64_t filter[1024]; /* a bit for each hash of a word */
};

/* Those of one hash, which is computed here; without `all` of what is known
 * before the first pass only. */
void needles_make(struct needles *needles, const struct a2f_params *params,
                  const struct a2f_input *input, bool all);

/* Looks at every 8 bytes, at any alignment; counts per secret what is there. */
void needles_count(const struct needles *needles, const void *data, size_t len,
                   size_t found[SECRETS]);

const char *secret_name(enum secret secret);

#endif
