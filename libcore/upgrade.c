/* SPDX-License-Identifier: MIT */
/*
 * Old hashes: which of them a new one would differ from, and the new one in
 * the same call as the verdict on the password.
 */
#include "engine.h"

#include <string.h>

#include "params.h"
#include "phc.h"

/* Only a current key makes another one old. */
static bool key_is_old(const struct a2f_keys *keys, const struct a2f_phc *phc)
{
    const struct a2f_key *current = a2f_keys_current(keys);

    return current != NULL &&
           (phc->keyid.len == 0 || a2f_keys_find(keys, phc->keyid) != current);
}

static bool same(const struct a2f_params *a, const struct a2f_params *b)
{
    return a->type == b->type && a->version == b->version &&
           a->memory_kib == b->memory_kib && a->passes == b->passes &&
           a->lanes == b->lanes && a->tag_len == b->tag_len &&
           a->salt_len == b->salt_len;
}

enum a2f_status a2f_needs_rehash(struct a2f_span text,
                                 const struct a2f_params *params,
                                 const struct a2f_keys *keys, bool *needs,
                                 struct a2f_why *why)
{
    struct a2f_phc phc;
    enum a2f_status s;

    *needs = false;
    a2f_why_clear(why);
    s = a2f_params_check(params, why);
    if (s == A2F_OK)
        s = a2f_phc_parse(text, &a2f_phc_limits, &phc, why);
    if (s == A2F_OK)
        *needs = !same(&phc.params, params) || key_is_old(keys, &phc);
    return s;
}

/* Of each member the larger, as far as the ceilings let both together be. */
static struct a2f_params raised(const struct a2f_params *old,
                                const struct a2f_params *wanted,
                                const struct a2f_limits *limits)
{
    struct a2f_params p = *old;

#define RAISE(member)                                                          \
    p.member = wanted->member > p.member ? wanted->member : p.member
    RAISE(type);
    RAISE(version);
    RAISE(memory_kib);
    RAISE(passes);
    RAISE(lanes);
    RAISE(tag_len);
    RAISE(salt_len);
#undef RAISE
    return a2f_params_limit(&p, limits, NULL) == A2F_OK ? p : *old;
}

/* What to store for a password that is known to be right. */
static enum a2f_status renew(struct a2f_engine *engine, struct a2f_span hash,
                             const struct a2f_input *input,
                             const struct a2f_params *params, char *text,
                             size_t size, const struct a2f_run *run)
{
    struct a2f_input fresh = {.password = input->password, .ad = input->ad};
    bool keyed = a2f_keys_current(engine->keys) != NULL;
    struct a2f_phc phc;
    enum a2f_status s =
        a2f_phc_parse(hash, &engine->limits, &phc, run ? run->why : NULL);

    if (s != A2F_OK)
        return s;
    struct a2f_params p = raised(&phc.params, params, &engine->limits);
    bool old = key_is_old(engine->keys, &phc) || !same(&p, &phc.params);
    /* Without a current key, a hash that has one is as good as it gets. */
    if (!old || (phc.keyid.len > 0 && !keyed)) {
        memcpy(text, hash.data, hash.len);
        text[hash.len] = '\0';
        return A2F_OK;
    }
    if (!keyed)
        fresh.secret = input->secret;
    return a2f_hash(engine, &p, &fresh, text, size, run);
}

enum a2f_status a2f_verify_upgrade(struct a2f_engine *engine,
                                   struct a2f_span hash,
                                   const struct a2f_input *input,
                                   const struct a2f_params *params, char *text,
                                   size_t size, const struct a2f_run *run)
{
    struct a2f_why *why = run != NULL ? run->why : NULL;
    enum a2f_status s;

    a2f_why_clear(why);
    if (size > 0)
        text[0] = '\0';
    s = a2f_params_check(params, why);
    if (s == A2F_OK)
        s = a2f_params_limit(params, &engine->limits, why);
    if (s == A2F_OK && hash.len >= size)
        s = a2f_refuse(A2F_BAD_PARAM, why, "size", size, (uint64_t)hash.len + 1,
                       SIZE_MAX);
    if (s == A2F_OK)
        s = a2f_verify(engine, hash, input, run);
    if (s == A2F_OK)
        s = renew(engine, hash, input, params, text, size, run);
    return s;
}
