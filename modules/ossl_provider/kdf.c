/* SPDX-License-Identifier: MIT */
/*
 * ARGON2D, ARGON2I and ARGON2ID: contexts that hold settings, and derive, which
 * is one call of the core. OpenSSL lets one thread at a time use a context.
 */
#include "kdf.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/params.h>

#include "argon2fast_ossl.h"
#include "errors.h"
#include "settings.h"
#include "values.h"

struct kdf {
    struct a2f_provider *provider;
    enum a2f_type type;
    struct a2f_settings settings;
};

/* ---- contexts ---- */

static OSSL_FUNC_kdf_newctx_fn new_d, new_i, new_id;
static OSSL_FUNC_kdf_dupctx_fn dup_kdf;
static OSSL_FUNC_kdf_freectx_fn free_kdf;
static OSSL_FUNC_kdf_reset_fn reset;

static void *new_kdf(struct a2f_provider *provider, enum a2f_type type)
{
    struct kdf *kdf;

    if (!atomic_load(&provider->healthy)) {
        A2F_RAISE(provider, PROV_R_SELF_TEST_KAT_FAILURE, NULL);
        return NULL;
    }
    kdf = a2f_provider_alloc(provider, sizeof *kdf);
    if (kdf == NULL)
        return NULL;
    kdf->provider = provider;
    kdf->type = type;
    a2f_settings_init(&kdf->settings);
    return kdf;
}

static void *new_d(void *provctx)
{
    return new_kdf(provctx, A2F_D);
}

static void *new_i(void *provctx)
{
    return new_kdf(provctx, A2F_I);
}

static void *new_id(void *provctx)
{
    return new_kdf(provctx, A2F_ID);
}

static void *dup_kdf(void *ctx)
{
    const struct kdf *from = ctx;
    struct kdf *kdf = a2f_provider_alloc(from->provider, sizeof *kdf);

    if (kdf == NULL)
        return NULL;
    *kdf = *from;
    if (!a2f_settings_copy(kdf->provider, &kdf->settings, &from->settings)) {
        a2f_provider_free(kdf->provider, kdf, sizeof *kdf);
        return NULL;
    }
    return kdf;
}

static void free_kdf(void *ctx)
{
    struct kdf *kdf = ctx;

    if (kdf == NULL)
        return;
    a2f_settings_free(kdf->provider, &kdf->settings);
    a2f_provider_free(kdf->provider, kdf, sizeof *kdf);
}

static void reset(void *ctx)
{
    struct kdf *kdf = ctx;

    a2f_settings_free(kdf->provider, &kdf->settings);
    a2f_settings_init(&kdf->settings);
}

/* ---- parameters ---- */

static OSSL_FUNC_kdf_settable_ctx_params_fn settable;
static OSSL_FUNC_kdf_set_ctx_params_fn set_params;
static OSSL_FUNC_kdf_gettable_ctx_params_fn gettable;
static OSSL_FUNC_kdf_get_ctx_params_fn get_params;

static const OSSL_PARAM *settable(void *ctx, void *provctx)
{
    (void)ctx;
    (void)provctx;
    return a2f_settings_table;
}

static int set_params(void *ctx, const OSSL_PARAM params[])
{
    struct kdf *kdf = ctx;

    return a2f_settings_set(kdf->provider, &kdf->settings, params);
}

static const OSSL_PARAM *gettable(void *ctx, void *provctx)
{
    static const OSSL_PARAM table[] = {
        OSSL_PARAM_size_t(OSSL_KDF_PARAM_SIZE, NULL), OSSL_PARAM_END};

    (void)ctx;
    (void)provctx;
    return table;
}

/* A tag may have any length, which OpenSSL spells SIZE_MAX. What cannot be
 * answered is left as it is: a caller sees that in return_size. */
static int get_params(void *ctx, OSSL_PARAM params[])
{
    (void)ctx;
    if (params != NULL)
        for (; params->key != NULL; params++)
            if (strcmp(params->key, OSSL_KDF_PARAM_SIZE) == 0)
                (void)a2f_value_put_number(params, SIZE_MAX);
    return 1;
}

/* ---- derive ---- */

static OSSL_FUNC_kdf_derive_fn derive;

/* What the core need not know of, in the order OpenSSL's own Argon2 has. */
static bool check_strings(const struct kdf *kdf)
{
    const struct a2f_octets *octets = kdf->settings.octets;
    uint32_t reason;

    if (octets[A2F_SALT].len == 0)
        reason = PROV_R_MISSING_SALT;
    else if (octets[A2F_PASS].cleaned)
        reason = PROV_R_MISSING_PASS;
    else if (octets[A2F_SECRET].cleaned)
        reason = PROV_R_MISSING_SECRET;
    else
        return true;
    A2F_RAISE(kdf->provider, reason, NULL);
    return false;
}

static bool check_length(const struct kdf *kdf, size_t len, bool size_given)
{
    if (size_given && kdf->settings.number[A2F_SIZE] != len) {
        A2F_RAISE(kdf->provider, PROV_R_OUTPUT_BUFFER_TOO_SMALL,
                  "size is %lu, the length to derive is %zu",
                  (unsigned long)kdf->settings.number[A2F_SIZE], len);
        return false;
    }
    if (len < 4 || len > UINT32_MAX) {
        A2F_RAISE_RANGE(kdf->provider, PROV_R_INVALID_OUTPUT_LENGTH, "length",
                        len, 4, UINT32_MAX);
        return false;
    }
    return true;
}

/* A caller asks for threads it thinks it has; unless told to be strict, it is
 * given those that there are, for the tag is the same. */
static bool check_threads(const struct kdf *kdf)
{
    const struct a2f_provider_config *config = &kdf->provider->config;
    uint32_t threads = kdf->settings.number[A2F_THREADS];
    uint32_t lanes = kdf->settings.number[A2F_LANES];

    if (config->strict_threads && threads > config->max_threads) {
        A2F_RAISE(kdf->provider, PROV_R_INVALID_THREAD_POOL_SIZE,
                  "requested %lu threads, available: %lu",
                  (unsigned long)threads, (unsigned long)config->max_threads);
        return false;
    }
    if (threads > lanes) {
        A2F_RAISE(kdf->provider, PROV_R_INVALID_THREAD_POOL_SIZE,
                  "requested more threads (%lu) than lanes (%lu)",
                  (unsigned long)threads, (unsigned long)lanes);
        return false;
    }
    return true;
}

/* A refusal of the core, in OpenSSL's words. */
static void raise_status(const struct kdf *kdf, enum a2f_status status,
                         const struct a2f_why *why)
{
    static const struct {
        const char *what; /* the core's name .. */
        const char *key;  /* .. and ours */
        uint32_t reason;
    } words[] = {
        {"memory_kib", OSSL_KDF_PARAM_ARGON2_MEMCOST,
         PROV_R_INVALID_MEMORY_SIZE},
        {"passes", OSSL_KDF_PARAM_ITER, PROV_R_INVALID_ITERATION_COUNT},
        {"lanes", OSSL_KDF_PARAM_ARGON2_LANES, PROV_R_FAILED_TO_SET_PARAMETER},
    };

    if (status == A2F_NO_MEMORY) {
        /* The reason callers look for; it must be the first one raised. */
        A2F_RAISE(kdf->provider, ERR_R_MALLOC_FAILURE,
                  "cannot have %lu KiB of memory",
                  (unsigned long)kdf->settings.number[A2F_MEMCOST]);
        return;
    }
    for (size_t i = 0; why->what != NULL && i < sizeof words / sizeof *words;
         i++)
        if (strcmp(why->what, words[i].what) == 0) {
            A2F_RAISE_RANGE(kdf->provider, words[i].reason, words[i].key,
                            why->value, why->min, why->max);
            return;
        }
    A2F_RAISE(kdf->provider, ERR_R_INTERNAL_ERROR, "%s",
              a2f_status_text(status));
}

static struct a2f_span span_of(const struct kdf *kdf, enum a2f_octets_key key)
{
    const struct a2f_octets *o = &kdf->settings.octets[key];

    return (struct a2f_span){o->data, o->len};
}

static bool compute(const struct kdf *kdf, unsigned char *out, size_t len)
{
    const uint32_t *number = kdf->settings.number;
    const struct a2f_params params = {
        .type = kdf->type,
        .version = number[A2F_VERSION_KEY],
        .memory_kib = number[A2F_MEMCOST],
        .passes = number[A2F_ITER],
        .lanes = number[A2F_LANES],
        .tag_len = (uint32_t)len,
    };
    const struct a2f_input input = {
        .password = span_of(kdf, A2F_PASS),
        .salt = span_of(kdf, A2F_SALT),
        .secret = span_of(kdf, A2F_SECRET),
        .ad = span_of(kdf, A2F_AD),
    };
    struct a2f_why why;
    const struct a2f_run run = {.threads = number[A2F_THREADS], .why = &why};
    enum a2f_status s =
        a2f_derive(kdf->provider->engine, &params, &input, out, &run);

    if (s != A2F_OK)
        raise_status(kdf, s, &why);
    return s == A2F_OK;
}

static int derive(void *ctx, unsigned char *out, size_t len,
                  const OSSL_PARAM params[])
{
    struct kdf *kdf = ctx;
    struct a2f_settings *settings = &kdf->settings;

    if (!a2f_settings_set(kdf->provider, settings, params))
        return 0;
    if (out == NULL) {
        A2F_RAISE(kdf->provider, ERR_R_PASSED_NULL_PARAMETER, NULL);
        return 0;
    }
    if (!check_strings(kdf) ||
        !check_length(kdf, len, a2f_settings_has_size(params)) ||
        !check_threads(kdf) || !compute(kdf, out, len))
        return 0;
    if (settings->number[A2F_EARLY_CLEAN] != 0) {
        a2f_settings_clean(kdf->provider, settings, A2F_PASS);
        if (settings->octets[A2F_SECRET].len > 0)
            a2f_settings_clean(kdf->provider, settings, A2F_SECRET);
    }
    return 1;
}

/* ---- the tables ---- */

#define ENTRY(id, function)                                                    \
    {                                                                          \
        OSSL_FUNC_KDF_##id, (void (*)(void))function                           \
    }
#define KDF(new_ctx)                                                           \
    {                                                                          \
        ENTRY(NEWCTX, new_ctx), ENTRY(DUPCTX, dup_kdf),                        \
            ENTRY(FREECTX, free_kdf), ENTRY(RESET, reset),                     \
            ENTRY(DERIVE, derive), ENTRY(SETTABLE_CTX_PARAMS, settable),       \
            ENTRY(SET_CTX_PARAMS, set_params),                                 \
            ENTRY(GETTABLE_CTX_PARAMS, gettable),                              \
            ENTRY(GET_CTX_PARAMS, get_params),                                 \
        {                                                                      \
            0, NULL                                                            \
        }                                                                      \
    }

static const OSSL_DISPATCH argon2d[] = KDF(new_d);
static const OSSL_DISPATCH argon2i[] = KDF(new_i);
static const OSSL_DISPATCH argon2id[] = KDF(new_id);

#define PROPERTIES "provider=argon2fast"

const OSSL_ALGORITHM a2f_kdfs[] = {
    {"ARGON2D", PROPERTIES, argon2d, "Argon2d, RFC 9106"},
    {"ARGON2I", PROPERTIES, argon2i, "Argon2i, RFC 9106"},
    {"ARGON2ID", PROPERTIES, argon2id, "Argon2id, RFC 9106"},
    {NULL, NULL, NULL, NULL},
};
