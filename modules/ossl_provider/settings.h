/* SPDX-License-Identifier: MIT */
/*
 * What one KDF context was told: the parameters of the three KDFs, with their
 * names, types, defaults and ranges. Setting is all or nothing.
 */
#ifndef A2F_OSSL_SETTINGS_H
#define A2F_OSSL_SETTINGS_H

#include "provider.h"

enum a2f_octets_key { A2F_PASS, A2F_SALT, A2F_SECRET, A2F_AD, A2F_OCTETS };

enum a2f_number_key {
    A2F_SIZE, /* of the tag, bytes */
    A2F_ITER,
    A2F_THREADS,
    A2F_LANES,
    A2F_MEMCOST, /* KiB */
    A2F_EARLY_CLEAN,
    A2F_VERSION_KEY,
    A2F_NUMBERS
};

/* A copy of ours, never in the secure heap: that may be small, and everything
 * that is derived from these lies outside of it, too. */
struct a2f_octets {
    void *data; /* NULL: empty */
    size_t len;
    bool cleaned; /* by early_clean: not to be taken for an empty one */
};

struct a2f_settings {
    struct a2f_octets octets[A2F_OCTETS];
    uint32_t number[A2F_NUMBERS];
};

/* The defaults. What was there is forgotten, not freed. */
void a2f_settings_init(struct a2f_settings *settings);

/* Takes over all of params (NULL: none), or, on false, nothing. Then an error
 * says what is wrong. Unknown keys are ignored. */
bool a2f_settings_set(const struct a2f_provider *provider,
                      struct a2f_settings *settings, const OSSL_PARAM *params);

/* A deep copy, secrets included, into what was not initialized. */
bool a2f_settings_copy(const struct a2f_provider *provider,
                       struct a2f_settings *to,
                       const struct a2f_settings *from);

/* Wipes and frees all octets. */
void a2f_settings_free(const struct a2f_provider *provider,
                       struct a2f_settings *settings);

/* Wipes one string and remembers that it was there. */
void a2f_settings_clean(const struct a2f_provider *provider,
                        struct a2f_settings *settings, enum a2f_octets_key key);

/* Whether params has `size`, which a derivation must know. */
bool a2f_settings_has_size(const OSSL_PARAM *params);

extern const OSSL_PARAM a2f_settings_table[]; /* for settable_ctx_params */

#endif
