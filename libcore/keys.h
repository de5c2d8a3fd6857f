/* SPDX-License-Identifier: MIT */
/*
 * Pepper keys: Argon2's secret (RFC 9106 section 3.1) under an id that the PHC
 * text names. argon2fast.h describes the file they come from.
 */
#ifndef A2F_KEYS_H
#define A2F_KEYS_H

#include "argon2fast.h"
#include "phc.h"

struct a2f_key {
    char id[A2F_KEYID_MAX + 1];
    struct a2f_span secret;
};

/* The key new hashes use, and the one that a text's keyid, still base64,
 * names; NULL: none such. keys may be NULL. */
const struct a2f_key *a2f_keys_current(const struct a2f_keys *keys);
const struct a2f_key *a2f_keys_find(const struct a2f_keys *keys,
                                    struct a2f_span keyid);

#endif
