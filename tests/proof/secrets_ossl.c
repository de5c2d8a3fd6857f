/* SPDX-License-Identifier: MIT */
/*
 * What the OpenSSL provider leaves in a host. A context keeps password and
 * pepper until it is freed, reset, given others, or told to clean early; that
 * is its contract, and the control here.
 */
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "secret_host.h"
#include "support.h"

#define COST "m=1024,t=2,p=4"
#define TAG  32

static EVP_KDF *kdf;
static struct a2f_params params;

static void load_provider(void)
{
    char path[4096];
    const char *build = getenv("BUILD");

    (void)snprintf(path, sizeof path, "%s/ossl-modules",
                   build != NULL ? build : "build");
    (void)OSSL_PROVIDER_set_default_search_path(NULL, path);
    if (OSSL_PROVIDER_load(NULL, "argon2fast") != NULL)
        kdf = EVP_KDF_fetch(NULL, "ARGON2ID", "provider=argon2fast");
    if (kdf == NULL) {
        puts("Bail out! no provider");
        exit(1);
    }
}

/* The parameters of COST with the secrets in it; one more may come on top. */
struct list {
    uint32_t lanes, passes, memory, threads, extra;
    OSSL_PARAM params[10];
};

static OSSL_PARAM octets(const char *key, char *text)
{
    return OSSL_PARAM_construct_octet_string(key, text, strlen(text));
}

static void make_list(struct list *list, const char *extra, uint32_t value)
{
    struct secrets *secrets = secrets_lend();
    static char salt[] = SALT;
    OSSL_PARAM *p = list->params;

    list->lanes = 4;
    list->passes = 2;
    list->memory = 1024;
    list->threads = 2;
    list->extra = value;
    *p++ = octets(OSSL_KDF_PARAM_PASSWORD, secrets->password);
    *p++ = octets(OSSL_KDF_PARAM_SECRET, secrets->pepper);
    *p++ = octets(OSSL_KDF_PARAM_SALT, salt);
    *p++ = OSSL_PARAM_construct_uint32("lanes", &list->lanes);
    *p++ = OSSL_PARAM_construct_uint32("iter", &list->passes);
    *p++ = OSSL_PARAM_construct_uint32("memcost", &list->memory);
    *p++ = OSSL_PARAM_construct_uint32("threads", &list->threads);
    if (extra != NULL)
        *p++ = OSSL_PARAM_construct_uint32(extra, &list->extra);
    *p = OSSL_PARAM_construct_end();
}

static int derive(EVP_KDF_CTX *ctx, size_t len, const OSSL_PARAM *list)
{
    static unsigned char tag[TAG];
    int code = EVP_KDF_derive(ctx, tag, len, list);

    a2f_wipe(tag, sizeof tag);
    ERR_clear_error();
    return code;
}

static EVP_KDF_CTX *new_context(void)
{
    EVP_KDF_CTX *ctx = EVP_KDF_CTX_new(kdf);

    if (ctx == NULL)
        abort();
    return ctx;
}

/* ---- ways to end ---- */

static void test_derive(const char *name, size_t len, const char *extra,
                        uint32_t value, int wanted)
{
    EVP_KDF_CTX *ctx = new_context();
    struct list list;

    make_list(&list, extra, value);
    tap_ok(derive(ctx, len, list.params) == wanted, "%s: as wanted", name);
    EVP_KDF_CTX_free(ctx);
    secrets_wipe();
    expect_nothing(name, &(struct hashed){.params = &params,
                                          .pepper = true,
                                          .dumped = extra == NULL});
}

/* The context lives on. */
static void test_early_clean(void)
{
    EVP_KDF_CTX *ctx = new_context();
    struct list list;

    make_list(&list, "early_clean", 1);
    tap_ok(derive(ctx, TAG, list.params) == 1, "early_clean: as wanted");
    secrets_wipe();
    expect_nothing("early_clean",
                   &(struct hashed){.params = &params, .pepper = true});
    EVP_KDF_CTX_free(ctx);
}

static void test_reset(void)
{
    EVP_KDF_CTX *ctx = new_context(), *copy;
    struct list list;

    make_list(&list, NULL, 0);
    tap_ok(EVP_KDF_CTX_set_params(ctx, list.params) == 1,
           "parameters: as wanted");
    copy = EVP_KDF_CTX_dup(ctx);
    secrets_wipe();
    expect_found("a context's own copy",
                 &(struct hashed){.params = &params, .pepper = true});
    EVP_KDF_CTX_reset(ctx);
    EVP_KDF_CTX_free(copy);
    expect_nothing("a context that was reset, and a copy that was freed",
                   &(struct hashed){.params = &params, .pepper = true});
    EVP_KDF_CTX_free(ctx);
}

static void test_other_secrets(void)
{
    EVP_KDF_CTX *ctx = new_context();
    struct list list;
    OSSL_PARAM others[3];
    static char text[] = "nothing to hide";

    make_list(&list, NULL, 0);
    (void)EVP_KDF_CTX_set_params(ctx, list.params);
    others[0] = octets(OSSL_KDF_PARAM_PASSWORD, text);
    others[1] = octets(OSSL_KDF_PARAM_SECRET, text);
    others[2] = OSSL_PARAM_construct_end();
    (void)EVP_KDF_CTX_set_params(ctx, others);
    secrets_wipe();
    expect_nothing("a context with another password",
                   &(struct hashed){.params = &params, .pepper = true});
    EVP_KDF_CTX_free(ctx);
}

int main(void)
{
    if (a2f_params_read((struct a2f_span){COST, strlen(COST)}, &params, NULL) !=
        A2F_OK)
        return 1;
    secrets_start();
    load_provider();
    test_derive("derive", TAG, NULL, 0, 1);
    test_derive("a bad number of passes", TAG, "iter", 0, 0);
    test_derive("more threads than lanes", TAG, "lanes", 1, 0);
    test_derive("memory over the ceiling", TAG, "memcost", UINT32_MAX, 0);
    test_derive("a tag too short", 3, NULL, 0, 0);
    test_derive("a size that is another", TAG, "size", TAG + 1, 0);
    test_early_clean();
    test_reset();
    test_other_secrets();
    EVP_KDF_free(kdf);
    return tap_done();
}
