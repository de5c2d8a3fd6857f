/* SPDX-License-Identifier: MIT */
/* The parameters of the KDFs; see settings.h. */
#include "settings.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/params.h>

#include "argon2fast_ossl.h"
#include "errors.h"
#include "values.h"

/* ---- the table ---- */

static const struct octets_rule {
    const char *key;
    uint32_t min; /* bytes; the most is 2^32-1 */
    uint32_t reason;
} octets_rules[A2F_OCTETS] = {
    [A2F_PASS] = {OSSL_KDF_PARAM_PASSWORD, 0, PROV_R_LENGTH_TOO_LARGE},
    [A2F_SALT] = {OSSL_KDF_PARAM_SALT, 8, PROV_R_INVALID_SALT_LENGTH},
    [A2F_SECRET] = {OSSL_KDF_PARAM_SECRET, 0, PROV_R_LENGTH_TOO_LARGE},
    [A2F_AD] = {OSSL_KDF_PARAM_ARGON2_AD, 0, PROV_R_LENGTH_TOO_LARGE},
};

static const struct number_rule {
    const char *key;
    uint32_t standard, min, max;
    uint32_t reason;
} number_rules[A2F_NUMBERS] = {
    [A2F_SIZE] = {OSSL_KDF_PARAM_SIZE, 64, 4, UINT32_MAX,
                  PROV_R_INVALID_OUTPUT_LENGTH},
    [A2F_ITER] = {OSSL_KDF_PARAM_ITER, 3, 1, UINT32_MAX,
                  PROV_R_INVALID_ITERATION_COUNT},
    [A2F_THREADS] = {OSSL_KDF_PARAM_THREADS, 1, 1, 0xFFFFFF,
                     PROV_R_INVALID_THREAD_POOL_SIZE},
    [A2F_LANES] = {OSSL_KDF_PARAM_ARGON2_LANES, 1, 1, 0xFFFFFF,
                   PROV_R_FAILED_TO_SET_PARAMETER},
    [A2F_MEMCOST] = {OSSL_KDF_PARAM_ARGON2_MEMCOST, 8, 8, UINT32_MAX,
                     PROV_R_INVALID_MEMORY_SIZE},
    [A2F_EARLY_CLEAN] = {OSSL_KDF_PARAM_EARLY_CLEAN, 0, 0, UINT32_MAX,
                         PROV_R_FAILED_TO_SET_PARAMETER},
    [A2F_VERSION_KEY] = {OSSL_KDF_PARAM_ARGON2_VERSION, 0x13, 0x10, 0x13,
                         PROV_R_INVALID_MODE},
};

const OSSL_PARAM a2f_settings_table[] = {
    OSSL_PARAM_octet_string(OSSL_KDF_PARAM_PASSWORD, NULL, 0),
    OSSL_PARAM_octet_string(OSSL_KDF_PARAM_SALT, NULL, 0),
    OSSL_PARAM_octet_string(OSSL_KDF_PARAM_SECRET, NULL, 0),
    OSSL_PARAM_octet_string(OSSL_KDF_PARAM_ARGON2_AD, NULL, 0),
    OSSL_PARAM_uint32(OSSL_KDF_PARAM_SIZE, NULL),
    OSSL_PARAM_uint32(OSSL_KDF_PARAM_ITER, NULL),
    OSSL_PARAM_uint32(OSSL_KDF_PARAM_THREADS, NULL),
    OSSL_PARAM_uint32(OSSL_KDF_PARAM_ARGON2_LANES, NULL),
    OSSL_PARAM_uint32(OSSL_KDF_PARAM_ARGON2_MEMCOST, NULL),
    OSSL_PARAM_uint32(OSSL_KDF_PARAM_EARLY_CLEAN, NULL),
    OSSL_PARAM_uint32(OSSL_KDF_PARAM_ARGON2_VERSION, NULL),
    OSSL_PARAM_utf8_string(OSSL_KDF_PARAM_PROPERTIES, NULL, 0),
    OSSL_PARAM_END,
};

/* A key's place among all: octets, then numbers, then properties. */
enum { PROPERTIES = A2F_OCTETS + A2F_NUMBERS, KEYS };

static unsigned find_key(const char *key)
{
    for (unsigned i = 0; i < A2F_OCTETS; i++)
        if (strcmp(key, octets_rules[i].key) == 0)
            return i;
    for (unsigned i = 0; i < A2F_NUMBERS; i++)
        if (strcmp(key, number_rules[i].key) == 0)
            return A2F_OCTETS + i;
    return strcmp(key, OSSL_KDF_PARAM_PROPERTIES) == 0 ? PROPERTIES : KEYS;
}

/* ---- checking ---- */

/* What a call would change: spans of the caller's, and numbers. */
struct change {
    bool given[KEYS];
    struct a2f_span octets[A2F_OCTETS];
    uint32_t number[A2F_NUMBERS];
};

static bool check_octets(const struct a2f_provider *provider,
                         const OSSL_PARAM *p, const struct octets_rule *rule,
                         struct a2f_span *octets)
{
    if (a2f_value_octets(p, octets) != A2F_VALUE_OK) {
        A2F_RAISE(provider, PROV_R_FAILED_TO_GET_PARAMETER,
                  "%s must be an octet string", rule->key);
        return false;
    }
    if (octets->len < rule->min || octets->len > UINT32_MAX) {
        A2F_RAISE(provider, rule->reason, "%s must have %lu to %lu bytes",
                  rule->key, (unsigned long)rule->min,
                  (unsigned long)UINT32_MAX);
        return false;
    }
    return true;
}

static bool check_number(const struct a2f_provider *provider,
                         const OSSL_PARAM *p, const struct number_rule *rule,
                         uint32_t *number)
{
    switch (a2f_value_u32(p, number)) {
    case A2F_VALUE_OK:
        break;
    case A2F_VALUE_TYPE:
        A2F_RAISE(provider, PROV_R_FAILED_TO_GET_PARAMETER,
                  "%s must be a number", rule->key);
        return false;
    case A2F_VALUE_RANGE:
        A2F_RAISE(provider, rule->reason,
                  "%s must be a whole number from %lu to %lu", rule->key,
                  (unsigned long)rule->min, (unsigned long)rule->max);
        return false;
    }
    if (*number < rule->min || *number > rule->max) {
        A2F_RAISE_RANGE(provider, rule->reason, rule->key, *number, rule->min,
                        rule->max);
        return false;
    }
    if (rule == &number_rules[A2F_VERSION_KEY] && *number != rule->min &&
        *number != rule->max) {
        A2F_RAISE(provider, rule->reason, "%s is neither 0x10 nor 0x13",
                  rule->key);
        return false;
    }
    return true;
}

static bool check_param(const struct a2f_provider *provider,
                        const OSSL_PARAM *p, struct change *change)
{
    unsigned key = find_key(p->key), number = key - A2F_OCTETS;

    if (key == KEYS)
        return true;
    if (change->given[key]) {
        A2F_RAISE(provider, PROV_R_REPEATED_PARAMETER, "%s is given twice",
                  p->key);
        return false;
    }
    change->given[key] = true;
    if (key < A2F_OCTETS)
        return check_octets(provider, p, &octets_rules[key],
                            &change->octets[key]);
    if (key < PROPERTIES)
        return check_number(provider, p, &number_rules[number],
                            &change->number[number]);
    /* For fetching digests, which OpenSSL's own Argon2 must do. */
    if (p->data_type != OSSL_PARAM_UTF8_STRING) {
        A2F_RAISE(provider, PROV_R_FAILED_TO_GET_PARAMETER,
                  "%s must be a UTF-8 string", p->key);
        return false;
    }
    return true;
}

/* ---- changing ---- */

static bool copy_octets(const struct a2f_provider *provider,
                        struct a2f_octets *to, struct a2f_span from)
{
    *to = (struct a2f_octets){NULL, from.len, false};
    if (from.len == 0)
        return true;
    to->data = a2f_provider_alloc(provider, from.len);
    if (to->data == NULL)
        return false;
    memcpy(to->data, from.data, from.len);
    return true;
}

static void free_octets(const struct a2f_provider *provider,
                        struct a2f_octets *octets)
{
    a2f_provider_free(provider, octets->data, octets->len);
    *octets = (struct a2f_octets){NULL, 0, false};
}

static bool apply(const struct a2f_provider *provider,
                  struct a2f_settings *settings, const struct change *change)
{
    struct a2f_settings fresh = {0}; /* the new strings, then the old ones */
    bool ok = true;

    for (unsigned i = 0; i < A2F_OCTETS && ok; i++)
        if (change->given[i])
            ok = copy_octets(provider, &fresh.octets[i], change->octets[i]);
    if (!ok)
        goto out;
    for (unsigned i = 0; i < A2F_OCTETS; i++)
        if (change->given[i]) {
            struct a2f_octets old = settings->octets[i];

            settings->octets[i] = fresh.octets[i];
            fresh.octets[i] = old;
        }
    for (unsigned i = 0; i < A2F_NUMBERS; i++)
        if (change->given[A2F_OCTETS + i])
            settings->number[i] = change->number[i];
out:
    a2f_settings_free(provider, &fresh);
    return ok;
}

bool a2f_settings_set(const struct a2f_provider *provider,
                      struct a2f_settings *settings, const OSSL_PARAM *params)
{
    struct change change = {0};

    if (params == NULL)
        return true;
    for (; params->key != NULL; params++)
        if (!check_param(provider, params, &change))
            return false;
    return apply(provider, settings, &change);
}

/* ---- the rest of a life ---- */

void a2f_settings_init(struct a2f_settings *settings)
{
    *settings = (struct a2f_settings){0};
    for (unsigned i = 0; i < A2F_NUMBERS; i++)
        settings->number[i] = number_rules[i].standard;
}

bool a2f_settings_copy(const struct a2f_provider *provider,
                       struct a2f_settings *to, const struct a2f_settings *from)
{
    bool ok = true;

    *to = *from;
    for (unsigned i = 0; i < A2F_OCTETS; i++)
        to->octets[i] = (struct a2f_octets){NULL, 0, false};
    for (unsigned i = 0; i < A2F_OCTETS && ok; i++) {
        const struct a2f_octets *o = &from->octets[i];

        ok = copy_octets(provider, &to->octets[i],
                         (struct a2f_span){o->data, o->len});
        to->octets[i].cleaned = o->cleaned;
    }
    if (!ok)
        a2f_settings_free(provider, to);
    return ok;
}

void a2f_settings_free(const struct a2f_provider *provider,
                       struct a2f_settings *settings)
{
    for (unsigned i = 0; i < A2F_OCTETS; i++)
        free_octets(provider, &settings->octets[i]);
}

void a2f_settings_clean(const struct a2f_provider *provider,
                        struct a2f_settings *settings, enum a2f_octets_key key)
{
    free_octets(provider, &settings->octets[key]);
    settings->octets[key].cleaned = true;
}

bool a2f_settings_has_size(const OSSL_PARAM *params)
{
    if (params != NULL)
        for (; params->key != NULL; params++)
            if (strcmp(params->key, OSSL_KDF_PARAM_SIZE) == 0)
                return true;
    return false;
}
