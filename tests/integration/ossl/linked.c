/* SPDX-License-Identifier: MIT */
/*
 * The provider linked into a program. The core's derive function is wrapped
 * here, so that it can fail as no real machine does on demand.
 */
#include "fixture.h"

#include <string.h>

#include <openssl/proverr.h>

#include "argon2fast.h"
#include "argon2fast_ossl.h"

/* ---- the core, as it is or broken ---- */

enum a2f_status __real_a2f_derive(struct a2f_engine *,
                                  const struct a2f_params *,
                                  const struct a2f_input *, uint8_t *,
                                  const struct a2f_run *);
enum a2f_status __wrap_a2f_derive(struct a2f_engine *,
                                  const struct a2f_params *,
                                  const struct a2f_input *, uint8_t *,
                                  const struct a2f_run *);

static enum a2f_status pretend; /* A2F_OK: as it is */
static bool flip;               /* a bit of every tag */

enum a2f_status __wrap_a2f_derive(struct a2f_engine *engine,
                                  const struct a2f_params *params,
                                  const struct a2f_input *input, uint8_t *tag,
                                  const struct a2f_run *run)
{
    enum a2f_status s = pretend;

    if (run != NULL && run->why != NULL)
        *run->why = (struct a2f_why){NULL, 0, 0, 0};
    if (s == A2F_OK)
        s = __real_a2f_derive(engine, params, input, tag, run);
    if (flip)
        tag[0] ^= 1;
    return s;
}

static int open_linked(void **state)
{
    (void)state;
    client.libctx = OSSL_LIB_CTX_new();
    if (OSSL_PROVIDER_add_builtin(client.libctx, "argon2fast",
                                  argon2fast_provider_init) != 1)
        return -1;
    client.provider = OSSL_PROVIDER_load(client.libctx, "argon2fast");
    return client.provider != NULL ? 0 : -1;
}

/* ---- tests ---- */

/* The parameter names of 3.0's headers, and those they lack. */
static void test_header(void **state)
{
    EVP_KDF_CTX *ctx = client_kdf(&client, "ARGON2ID");
    struct wanted wanted = standard;
    struct args args = {.n = 0};
    uint8_t tag[TAG];

    (void)state;
    wanted.version = 0x10;
    wanted.ad = "data";
    args_text(&args, OSSL_KDF_PARAM_PASSWORD, "password");
    args_text(&args, OSSL_KDF_PARAM_SALT, "somesalt");
    args_text(&args, OSSL_KDF_PARAM_ARGON2_AD, "data");
    args_u32(&args, OSSL_KDF_PARAM_ITER, 2);
    args_u32(&args, OSSL_KDF_PARAM_ARGON2_MEMCOST, 64);
    args_u32(&args, OSSL_KDF_PARAM_ARGON2_LANES, 2);
    args_u32(&args, OSSL_KDF_PARAM_THREADS, 2);
    args_u32(&args, OSSL_KDF_PARAM_ARGON2_VERSION, 0x10);
    args_u32(&args, OSSL_KDF_PARAM_EARLY_CLEAN, 1);
    assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, args.list), 1);
    assert_true(is_tag_of(&wanted, tag, sizeof tag));
    assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, NULL), 0);
    assert_int_equal(take_error(NULL), PROV_R_MISSING_PASS);
    EVP_KDF_CTX_free(ctx);
}

/* What early_clean forgets it forgets when it has done its work, not before:
 * a derivation that failed can be tried again. */
static void test_early_clean_after_failure(void **state)
{
    EVP_KDF_CTX *ctx = standard_kdf();
    struct args args = {.n = 0};
    uint8_t tag[TAG];

    (void)state;
    args_u32(&args, "early_clean", 1);
    pretend = A2F_NO_MEMORY;
    assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, args.list), 0);
    assert_int_equal(take_error(NULL), ERR_R_MALLOC_FAILURE);
    pretend = A2F_OK;
    assert_standard(ctx);
    EVP_KDF_CTX_free(ctx);
}

/* Statuses this host never meets are errors all the same. */
static void test_every_status(void **state)
{
    (void)state;
    for (int s = A2F_MISMATCH; s <= A2F_SYSTEM; s++) {
        struct args args = {.n = 0};

        args_u32(&args, "iter", 1);
        pretend = (enum a2f_status)s;
        assert_refused(&args, s == A2F_NO_MEMORY ? ERR_R_MALLOC_FAILURE
                                                 : ERR_R_INTERNAL_ERROR);
    }
    pretend = A2F_OK;
}

static int status(void)
{
    int answer = -1;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_int("status", &answer),
                           OSSL_PARAM_construct_end()};

    assert_int_equal(OSSL_PROVIDER_get_params(client.provider, params), 1);
    return answer;
}

static void test_self_test(void **state)
{
    EVP_KDF *kdf;

    (void)state;
    pretend = A2F_NO_MEMORY;
    assert_int_equal(OSSL_PROVIDER_self_test(client.provider), 0);
    assert_int_equal(take_error(NULL), ERR_R_MALLOC_FAILURE);
    assert_int_equal(status(), 1);
    pretend = A2F_OK;
    assert_int_equal(OSSL_PROVIDER_self_test(client.provider), 1);

    kdf = EVP_KDF_fetch(client.libctx, "ARGON2ID", NULL);
    assert_non_null(kdf);
    flip = true;
    assert_int_equal(OSSL_PROVIDER_self_test(client.provider), 0);
    assert_int_equal(take_error(NULL), PROV_R_SELF_TEST_KAT_FAILURE);
    flip = false;
    assert_int_equal(status(), 0);
    assert_null(EVP_KDF_CTX_new(kdf)); /* for good */
    assert_int_equal(take_error(NULL), PROV_R_SELF_TEST_KAT_FAILURE);
    EVP_KDF_free(kdf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_early_clean_after_failure),
        cmocka_unit_test(test_every_status),
        cmocka_unit_test(test_self_test),
    };

    return cmocka_run_group_tests(tests, open_linked, close_client);
}
