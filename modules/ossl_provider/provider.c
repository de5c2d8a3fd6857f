/* SPDX-License-Identifier: MIT */
/*
 * The provider argon2fast, as the core of OpenSSL sees it: made from a table of
 * upcalls, it answers with a table of its own. It needs nothing newer than
 * OpenSSL 3.0, and calls libcrypto through the upcalls alone.
 */
#include "provider.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/params.h>

#include "argon2fast_ossl.h"
#include "errors.h"
#include "kdf.h"
#include "selftest.h"
#include "values.h"

/* ---- memory ---- */

void *a2f_provider_alloc(const struct a2f_provider *provider, size_t size)
{
    void *memory = provider->zalloc(size, __FILE__, __LINE__);

    if (memory == NULL)
        A2F_RAISE(provider, ERR_R_MALLOC_FAILURE, NULL);
    return memory;
}

void a2f_provider_free(const struct a2f_provider *provider, void *memory,
                       size_t size)
{
    if (memory != NULL)
        provider->clear_free(memory, size, __FILE__, __LINE__);
}

/* ---- what the core asks ---- */

static OSSL_FUNC_provider_teardown_fn teardown;
static OSSL_FUNC_provider_gettable_params_fn gettable_params;
static OSSL_FUNC_provider_get_params_fn get_params;
static OSSL_FUNC_provider_query_operation_fn query_operation;
static OSSL_FUNC_provider_get_reason_strings_fn get_reason_strings;
static OSSL_FUNC_provider_self_test_fn self_test;

/* Joins what threads are kept; in a forked child there are none to join. */
static void teardown(void *provctx)
{
    struct a2f_provider *provider = provctx;

    a2f_free(provider->engine);
    a2f_provider_free(provider, provider, sizeof *provider);
}

static const OSSL_PARAM *gettable_params(void *provctx)
{
    static const OSSL_PARAM table[] = {
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0),
        OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL),
        OSSL_PARAM_END,
    };

    (void)provctx;
    return table;
}

static bool answer(const struct a2f_provider *provider, OSSL_PARAM *p)
{
    if (strcmp(p->key, OSSL_PROV_PARAM_NAME) == 0)
        return a2f_value_put_text(p, "argon2fast Argon2 Provider");
    if (strcmp(p->key, OSSL_PROV_PARAM_VERSION) == 0)
        return a2f_value_put_text(p, A2F_VERSION);
    if (strcmp(p->key, OSSL_PROV_PARAM_BUILDINFO) == 0)
        return a2f_value_put_text(p, provider->build_info);
    if (strcmp(p->key, OSSL_PROV_PARAM_STATUS) == 0)
        return a2f_value_put_number(p, atomic_load(&provider->healthy));
    return true;
}

static int get_params(void *provctx, OSSL_PARAM params[])
{
    for (; params->key != NULL; params++)
        if (!answer(provctx, params)) {
            A2F_RAISE((struct a2f_provider *)provctx,
                      PROV_R_FAILED_TO_GET_PARAMETER,
                      "%s does not fit into what was asked for", params->key);
            return 0;
        }
    return 1;
}

static const OSSL_ALGORITHM *query_operation(void *provctx, int operation,
                                             int *no_store)
{
    (void)provctx;
    *no_store = 0;
    return operation == OSSL_OP_KDF ? a2f_kdfs : NULL;
}

static const OSSL_ITEM *get_reason_strings(void *provctx)
{
    (void)provctx;
    return a2f_reasons;
}

/* A wrong tag is for good: no more contexts are made. */
static int self_test(void *provctx)
{
    struct a2f_provider *provider = provctx;
    bool wrong, ok = a2f_self_test(provider, &wrong);

    if (wrong)
        atomic_store(&provider->healthy, false);
    return ok;
}

static const OSSL_DISPATCH answers[] = {
    {OSSL_FUNC_PROVIDER_TEARDOWN, (void (*)(void))teardown},
    {OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, (void (*)(void))gettable_params},
    {OSSL_FUNC_PROVIDER_GET_PARAMS, (void (*)(void))get_params},
    {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query_operation},
    {OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, (void (*)(void))get_reason_strings},
    {OSSL_FUNC_PROVIDER_SELF_TEST, (void (*)(void))self_test},
    {0, NULL},
};

/* ---- the beginning ---- */

/* False: this is not a core of OpenSSL 3.0 or later. */
static bool take_upcalls(struct a2f_provider *provider, const OSSL_DISPATCH *in)
{
    for (; in->function_id != 0; in++)
        switch (in->function_id) {
        case OSSL_FUNC_CORE_GET_PARAMS:
            provider->get_params = OSSL_FUNC_core_get_params(in);
            break;
        case OSSL_FUNC_CORE_NEW_ERROR:
            provider->new_error = OSSL_FUNC_core_new_error(in);
            break;
        case OSSL_FUNC_CORE_SET_ERROR_DEBUG:
            provider->set_error_debug = OSSL_FUNC_core_set_error_debug(in);
            break;
        case OSSL_FUNC_CORE_VSET_ERROR:
            provider->vset_error = OSSL_FUNC_core_vset_error(in);
            break;
        case OSSL_FUNC_CRYPTO_ZALLOC:
            provider->zalloc = OSSL_FUNC_CRYPTO_zalloc(in);
            break;
        case OSSL_FUNC_CRYPTO_CLEAR_FREE:
            provider->clear_free = OSSL_FUNC_CRYPTO_clear_free(in);
            break;
        default:
            break;
        }
    return provider->get_params != NULL && provider->new_error != NULL &&
           provider->set_error_debug != NULL && provider->vset_error != NULL &&
           provider->zalloc != NULL && provider->clear_free != NULL;
}

/* Unlike in other hosts the caller chooses each cost; only the configuration
 * bounds it, and with no word there, RFC 9106. */
static enum a2f_status start_engine(struct a2f_provider *provider)
{
    const struct a2f_provider_config *c = &provider->config;
    const struct a2f_config config = {
        .limits = {.memory_kib = (uint32_t)c->max_memcost_kib,
                   .passes = (uint32_t)c->max_iter,
                   .lanes = (uint32_t)c->max_lanes,
                   .work = UINT64_MAX,
                   .password = UINT32_MAX,
                   .salt = UINT32_MAX,
                   .secret = UINT32_MAX,
                   .ad = UINT32_MAX,
                   .tag = UINT32_MAX},
        .keep_kib = c->keep_kib,
        .in_flight_kib = c->max_concurrent_kib,
        .threads = (unsigned)c->max_threads,
        .keep_threads = c->keep_threads != 0,
    };
    enum a2f_status s = a2f_new(&config, &provider->engine);

    if (s == A2F_OK)
        a2f_describe(provider->engine, provider->build_info,
                     sizeof provider->build_info);
    return s;
}

int argon2fast_provider_init(const OSSL_CORE_HANDLE *handle,
                             const OSSL_DISPATCH *in, const OSSL_DISPATCH **out,
                             void **provctx)
{
    struct a2f_provider upcalls = {.handle = handle}, *provider;

    if (!take_upcalls(&upcalls, in))
        return 0;
    provider = a2f_provider_alloc(&upcalls, sizeof *provider);
    if (provider == NULL)
        return 0;
    *provider = upcalls;
    atomic_init(&provider->healthy, true);
    if (!a2f_config_read(provider))
        goto fail;
    if (start_engine(provider) != A2F_OK) {
        A2F_RAISE(provider, ERR_R_MALLOC_FAILURE, NULL);
        goto fail;
    }
    *out = answers;
    *provctx = provider;
    return 1;
fail:
    a2f_provider_free(provider, provider, sizeof *provider);
    return 0;
}
