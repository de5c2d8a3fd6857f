/* SPDX-License-Identifier: MIT */
/*
 * The OpenSSL provider between this program, which is the core it talks to,
 * and parameter arrays from anywhere. Any allocation may fail; nothing leaks,
 * and what a context is told survives being duplicated.
 */
#include "fuzz.h"

#include <openssl/core_dispatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argon2fast_ossl.h"

/* ---- the core ---- */

static struct {
    const char *config; /* a number for one option, or NULL */
    unsigned option;
    unsigned fail_at; /* this allocation; 0: none */
    unsigned allocations, alive, errors;
} core;

/* What bounds each derivation, whatever the contexts ask for. */
static int get_core_params(const OSSL_CORE_HANDLE *handle, OSSL_PARAM *params)
{
    static const struct {
        const char *key, *value;
    } bounds[] = {{"max_memcost_kib", "64"},
                  {"max_iter", "3"},
                  {"max_lanes", "5"},
                  {"max_threads", "1"}};

    (void)handle;
    for (unsigned n = 0; params[n].key != NULL; n++) {
        for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
            if (strcmp(params[n].key, bounds[i].key) == 0)
                *(const char **)params[n].data = bounds[i].value;
        if (core.config != NULL && n == core.option)
            *(const char **)params[n].data = core.config;
    }
    return 1;
}

static void new_error(const OSSL_CORE_HANDLE *handle)
{
    (void)handle;
    core.errors++;
}

static void set_error_debug(const OSSL_CORE_HANDLE *handle, const char *file,
                            int line, const char *function)
{
    (void)handle;
    FUZZ_CHECK(file != NULL && line > 0 && function != NULL);
}

static void vset_error(const OSSL_CORE_HANDLE *handle, uint32_t reason,
                       const char *format, va_list args)
{
    char text[1024];

    (void)handle;
    FUZZ_CHECK(reason != 0);
    if (format != NULL)
        FUZZ_CHECK(vsnprintf(text, sizeof text, format, args) > 0);
}

static void *zalloc(size_t size, const char *file, int line)
{
    void *memory;

    (void)file;
    (void)line;
    if (++core.allocations == core.fail_at)
        return NULL;
    memory = calloc(1, size);
    FUZZ_CHECK(memory != NULL);
    core.alive++;
    return memory;
}

static void clear_free(void *memory, size_t size, const char *file, int line)
{
    (void)file;
    (void)line;
    memset(memory, 0, size); /* a sanitizer knows whether it is that long */
    core.alive--;
    free(memory);
}

static const OSSL_DISPATCH upcalls[] = {
    {OSSL_FUNC_CORE_GET_PARAMS, (void (*)(void))get_core_params},
    {OSSL_FUNC_CORE_NEW_ERROR, (void (*)(void))new_error},
    {OSSL_FUNC_CORE_SET_ERROR_DEBUG, (void (*)(void))set_error_debug},
    {OSSL_FUNC_CORE_VSET_ERROR, (void (*)(void))vset_error},
    {OSSL_FUNC_CRYPTO_ZALLOC, (void (*)(void))zalloc},
    {OSSL_FUNC_CRYPTO_CLEAR_FREE, (void (*)(void))clear_free},
    {0, NULL},
};

/* ---- the provider ---- */

typedef void function(void);

static function *find(const OSSL_DISPATCH *table, int id)
{
    while (table->function_id != 0 && table->function_id != id)
        table++;
    FUZZ_CHECK(table->function_id == id);
    return table->function;
}

static struct {
    OSSL_FUNC_kdf_newctx_fn *newctx;
    OSSL_FUNC_kdf_dupctx_fn *dupctx;
    OSSL_FUNC_kdf_freectx_fn *freectx;
    OSSL_FUNC_kdf_reset_fn *reset;
    OSSL_FUNC_kdf_derive_fn *derive;
    OSSL_FUNC_kdf_set_ctx_params_fn *set;
    OSSL_FUNC_kdf_get_ctx_params_fn *get;
} kdf;

static OSSL_FUNC_provider_get_params_fn *get_provider;

static void choose_kdf(const OSSL_DISPATCH *answers, void *provider, unsigned n)
{
    const OSSL_ALGORITHM *kdfs;
    const OSSL_DISPATCH *table;
    int no_store;

    kdfs = ((OSSL_FUNC_provider_query_operation_fn *)find(
        answers, OSSL_FUNC_PROVIDER_QUERY_OPERATION))(provider, OSSL_OP_KDF,
                                                      &no_store);
    table = kdfs[n].implementation;
    kdf.newctx = (OSSL_FUNC_kdf_newctx_fn *)find(table, OSSL_FUNC_KDF_NEWCTX);
    kdf.dupctx = (OSSL_FUNC_kdf_dupctx_fn *)find(table, OSSL_FUNC_KDF_DUPCTX);
    kdf.freectx =
        (OSSL_FUNC_kdf_freectx_fn *)find(table, OSSL_FUNC_KDF_FREECTX);
    kdf.reset = (OSSL_FUNC_kdf_reset_fn *)find(table, OSSL_FUNC_KDF_RESET);
    kdf.derive = (OSSL_FUNC_kdf_derive_fn *)find(table, OSSL_FUNC_KDF_DERIVE);
    kdf.set = (OSSL_FUNC_kdf_set_ctx_params_fn *)find(
        table, OSSL_FUNC_KDF_SET_CTX_PARAMS);
    kdf.get = (OSSL_FUNC_kdf_get_ctx_params_fn *)find(
        table, OSSL_FUNC_KDF_GET_CTX_PARAMS);
    get_provider = (OSSL_FUNC_provider_get_params_fn *)find(
        answers, OSSL_FUNC_PROVIDER_GET_PARAMS);
}

/* ---- parameters ---- */

enum { PARAMS = 12 };

struct list {
    OSSL_PARAM at[PARAMS + 1];
    unsigned n;
};

static const char *const keys[] = {
    "pass",    "salt",   "secret",    "ad",      "size",        "iter",
    "threads", "lanes",  "memcost",   "version", "early_clean", "properties",
    "name",    "status", "buildinfo", ""};

/* Key, type, length, and so many bytes, of which there are just those; a
 * length of 255 stands for NULL, and the one after it for what that claims. */
static void add_param(struct list *list, struct fuzz_input *in)
{
    const char *key = keys[fuzz_take_range(in, 0, 15)];
    unsigned type = fuzz_take_range(in, 0, 7);
    size_t len = fuzz_take_byte(in);
    struct a2f_span value = {NULL, 0};

    if (list->n == PARAMS)
        return;
    if (len < 255)
        value = fuzz_take_span(in, len);
    list->at[list->n++] =
        (OSSL_PARAM){.key = key,
                     .data_type = type,
                     .data = len < 255 ? fuzz_copy(value) : NULL,
                     .data_size = len < 255 ? value.len : fuzz_take_byte(in)};
}

static void clear(struct list *list)
{
    for (unsigned i = 0; i < list->n; i++)
        free(list->at[i].data);
    *list = (struct list){.n = 0};
}

/* ---- a life ---- */

static int derive(void *ctx, size_t len, const OSSL_PARAM *params)
{
    unsigned char *out = malloc(len > 0 ? len : 1);
    int ok;

    FUZZ_CHECK(out != NULL);
    ok = kdf.derive(ctx, out, len, params);
    free(out);
    return ok;
}

/* Both derive the same, or neither does. */
static void check_dup(void *ctx)
{
    unsigned char a[32], b[32];
    void *copy = kdf.dupctx(ctx);

    if (copy == NULL) {
        FUZZ_CHECK(core.fail_at != 0 && core.allocations >= core.fail_at);
        return;
    }
    int first = kdf.derive(copy, a, sizeof a, NULL);
    kdf.freectx(copy);
    int second = kdf.derive(ctx, b, sizeof b, NULL);
    FUZZ_CHECK(first == second && (!first || memcmp(a, b, sizeof a) == 0));
}

/* Who asks for a pointer has a place for one, whatever length he claims. */
static int get(void *ctx, void *provider, struct list *list)
{
    for (unsigned i = 0; i < list->n; i++)
        if (list->at[i].data_type == OSSL_PARAM_UTF8_PTR)
            list->at[i].data_type = OSSL_PARAM_UTF8_STRING;
    FUZZ_CHECK(kdf.get(ctx, list->at) == 1);
    return get_provider(provider, list->at);
}

static void live(void *ctx, void *provider, struct fuzz_input *in)
{
    struct list list = {.n = 0};

    while (in->left > 0) {
        unsigned before = core.errors;
        int ok = 1;

        switch (fuzz_take_range(in, 0, 7)) {
        case 0:
            ok = kdf.set(ctx, list.at);
            clear(&list);
            break;
        case 1:
            ok = derive(ctx, fuzz_take_byte(in), list.at);
            clear(&list);
            break;
        case 2:
            check_dup(ctx);
            break;
        case 3:
            kdf.reset(ctx);
            break;
        case 4:
            ok = get(ctx, provider, &list);
            clear(&list);
            break;
        default:
            add_param(&list, in);
        }
        FUZZ_CHECK(ok || core.errors > before);
    }
    clear(&list);
}

/* First, an option of the configuration and its text, and which allocation is
 * to fail. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    const OSSL_DISPATCH *answers;
    void *provider, *ctx;
    char *config = fuzz_take_string(&in);

    memset(&core, 0, sizeof core);
    core.option = fuzz_take_range(&in, 4, 7); /* none of the bounds */
    core.config = *config != '\0' ? config : NULL;
    core.fail_at = fuzz_take_byte(&in);
    if (argon2fast_provider_init(NULL, upcalls, &answers, &provider) == 1) {
        choose_kdf(answers, provider, fuzz_take_range(&in, 0, 2));
        ctx = kdf.newctx(provider);
        if (ctx != NULL) {
            live(ctx, provider, &in);
            kdf.freectx(ctx);
        }
        ((OSSL_FUNC_provider_teardown_fn *)find(
            answers, OSSL_FUNC_PROVIDER_TEARDOWN))(provider);
    } else {
        FUZZ_CHECK(core.errors > 0);
    }
    FUZZ_CHECK(core.alive == 0);
    free(config);
    return 0;
}
