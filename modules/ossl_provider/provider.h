/* SPDX-License-Identifier: MIT */
/*
 * One loaded provider: what the core of OpenSSL gave it, how it is configured,
 * and its engine. There is one for each library context that loads the module,
 * and nothing outside of it changes.
 */
#ifndef A2F_OSSL_PROVIDER_H
#define A2F_OSSL_PROVIDER_H

#include <stdatomic.h>

#include <openssl/core.h>
#include <openssl/core_dispatch.h>

#include "argon2fast.h"
#include "config.h"

struct a2f_provider {
    const OSSL_CORE_HANDLE *handle;

    /* Upcalls; a core without one of them is refused. */
    OSSL_FUNC_core_get_params_fn *get_params;
    OSSL_FUNC_core_new_error_fn *new_error;
    OSSL_FUNC_core_set_error_debug_fn *set_error_debug;
    OSSL_FUNC_core_vset_error_fn *vset_error;
    OSSL_FUNC_CRYPTO_zalloc_fn *zalloc;
    OSSL_FUNC_CRYPTO_clear_free_fn *clear_free;

    struct a2f_provider_config config;
    struct a2f_engine *engine;
    char build_info[128]; /* names the kernel in use */
    atomic_bool healthy;  /* false once a self-test has failed */
};

/* Memory of the library context's allocator: zeroed, and wiped when freed.
 * NULL after an error was raised; freeing NULL is nothing. */
void *a2f_provider_alloc(const struct a2f_provider *provider, size_t size);
void a2f_provider_free(const struct a2f_provider *provider, void *memory,
                       size_t size);

#endif
