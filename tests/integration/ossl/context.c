/* SPDX-License-Identifier: MIT */
/*
 * What a context of the three KDFs does in its life, the lengths of tags, what
 * the error queue then holds, and what the provider says of itself.
 */
#include "fixture.h"

#include <string.h>

#include <openssl/proverr.h>

/* ---- the life of a context ---- */

static void test_derive_twice(void **state)
{
    EVP_KDF_CTX *ctx = standard_kdf();
    struct wanted wanted = standard;
    struct args args = {.n = 0};
    uint8_t tag[2 * TAG];

    (void)state;
    assert_standard(ctx);
    assert_standard(ctx);
    /* Parameters of a derivation stay; its length does not. */
    wanted.passes = 5;
    args_u32(&args, "iter", 5);
    args_u32(&args, "size", sizeof tag);
    assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, args.list), 1);
    assert_true(is_tag_of(&wanted, tag, sizeof tag));
    assert_int_equal(EVP_KDF_derive(ctx, tag, TAG, NULL), 1);
    assert_true(is_tag_of(&wanted, tag, TAG));
    EVP_KDF_CTX_free(ctx);
}

static void test_reset(void **state)
{
    const struct wanted wanted = {2,    0x13,       8,    3,   1,
                                  NULL, "somesalt", NULL, NULL};
    EVP_KDF_CTX *ctx = standard_kdf();
    struct args args = {.n = 0};
    uint8_t tag[TAG];

    (void)state;
    EVP_KDF_CTX_reset(ctx);
    assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, NULL), 0);
    assert_int_equal(take_error(NULL), PROV_R_MISSING_SALT);
    args_text(&args, "salt", "somesalt");
    assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, args.list), 1);
    assert_true(is_tag_of(&wanted, tag, sizeof tag));
    EVP_KDF_CTX_free(ctx);
}

static void test_dup(void **state)
{
    EVP_KDF_CTX *ctx = standard_kdf(), *copy;
    struct wanted wanted = standard;
    struct args args = {.n = 0};
    uint8_t tag[TAG];

    (void)state;
    wanted.secret = "pepper";
    wanted.ad = "data";
    args_text(&args, "secret", "pepper");
    args_text(&args, "ad", "data");
    assert_int_equal(EVP_KDF_CTX_set_params(ctx, args.list), 1);
    copy = EVP_KDF_CTX_dup(ctx);
    assert_non_null(copy);
    /* What befalls the one leaves the other alone. */
    EVP_KDF_CTX_reset(ctx);
    EVP_KDF_CTX_free(ctx);
    assert_int_equal(EVP_KDF_derive(copy, tag, sizeof tag, NULL), 1);
    assert_true(is_tag_of(&wanted, tag, sizeof tag));
    EVP_KDF_CTX_free(copy);
}

static void assert_cleaned(EVP_KDF_CTX *ctx, int reason)
{
    uint8_t tag[TAG];

    assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, NULL), 0);
    assert_int_equal(take_error(NULL), reason);
}

static void test_early_clean(void **state)
{
    EVP_KDF_CTX *ctx = standard_kdf(), *copy;
    struct args args = {.n = 0};

    (void)state;
    args_u32(&args, "early_clean", 1);
    assert_int_equal(EVP_KDF_CTX_set_params(ctx, args.list), 1);
    assert_standard(ctx);
    assert_cleaned(ctx, PROV_R_MISSING_PASS);
    copy = EVP_KDF_CTX_dup(ctx);
    assert_cleaned(copy, PROV_R_MISSING_PASS);
    EVP_KDF_CTX_free(copy);
    args.n = 0;
    args_text(&args, "pass", "password");
    args_u32(&args, "early_clean", 0);
    assert_int_equal(EVP_KDF_CTX_set_params(ctx, args.list), 1);
    assert_standard(ctx);
    assert_standard(ctx);
    EVP_KDF_CTX_free(ctx);
}

static void test_early_clean_of_a_secret(void **state)
{
    EVP_KDF_CTX *ctx = standard_kdf();
    struct args args = {.n = 0};
    uint8_t tag[TAG];

    (void)state;
    args_text(&args, "secret", "pepper");
    args_u32(&args, "early_clean", 0xFFFFFFFF);
    assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, args.list), 1);
    args.n = 0;
    args_text(&args, "pass", "password");
    assert_int_equal(EVP_KDF_CTX_set_params(ctx, args.list), 1);
    assert_cleaned(ctx, PROV_R_MISSING_SECRET);
    args_octets(&args, "secret", NULL, 0); /* an empty one on purpose */
    assert_int_equal(EVP_KDF_CTX_set_params(ctx, args.list), 1);
    assert_standard(ctx);
    EVP_KDF_CTX_free(ctx);
}

static void test_gettable(void **state)
{
    EVP_KDF_CTX *ctx = client_kdf(&client, "ARGON2ID");
    size_t size = 0;
    uint8_t small = 7;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string("pass", NULL, 0),
                           OSSL_PARAM_construct_size_t("size", &size),
                           OSSL_PARAM_construct_end()};
    OSSL_PARAM narrow[] = {
        {"size", OSSL_PARAM_UNSIGNED_INTEGER, &small, 1, OSSL_PARAM_UNMODIFIED},
        OSSL_PARAM_construct_end()};

    (void)state;
    assert_true(EVP_KDF_CTX_get_kdf_size(ctx) == SIZE_MAX);
    assert_int_equal(EVP_KDF_CTX_get_params(ctx, params), 1);
    assert_true(size == SIZE_MAX);
    assert_int_equal(EVP_KDF_CTX_get_params(ctx, &params[2]), 1);
    assert_int_equal(EVP_KDF_CTX_get_params(ctx, narrow), 1);
    assert_int_equal(small, 7);
    EVP_KDF_CTX_free(ctx);
}

/* ---- lengths ---- */

static void test_lengths(void **state)
{
    static const size_t lengths[] = {4, 5, 31, 63, 64, 65, 96, 127, 128, 1024};
    EVP_KDF_CTX *ctx = standard_kdf();
    uint8_t tag[1024];

    (void)state;
    for (size_t i = 0; i < COUNT(lengths); i++) {
        assert_int_equal(EVP_KDF_derive(ctx, tag, lengths[i], NULL), 1);
        assert_true(is_tag_of(&standard, tag, lengths[i]));
    }
    for (size_t len = 0; len < 4; len++) {
        assert_int_equal(EVP_KDF_derive(ctx, tag, len, NULL), 0);
        assert_int_equal(take_error(NULL), PROV_R_INVALID_OUTPUT_LENGTH);
    }
    /* Refused before a byte is written: 2^32+32 is not 32. */
    assert_int_equal(EVP_KDF_derive(ctx, tag, ((size_t)1 << 32) + 32, NULL), 0);
    assert_int_equal(take_error(NULL), PROV_R_INVALID_OUTPUT_LENGTH);
    assert_int_equal(EVP_KDF_derive(ctx, NULL, 32, NULL), 0);
    assert_int_equal(take_error(NULL), ERR_R_PASSED_NULL_PARAMETER);
    EVP_KDF_CTX_free(ctx);
}

static void test_size(void **state)
{
    EVP_KDF_CTX *ctx = standard_kdf();
    struct args args = {.n = 0};
    uint8_t tag[TAG];

    (void)state;
    /* An earlier size gives way to the length .. */
    args_u32(&args, "size", 48);
    assert_int_equal(EVP_KDF_CTX_set_params(ctx, args.list), 1);
    assert_standard(ctx);
    /* .. one of the same call must agree. */
    assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, args.list), 0);
    assert_int_equal(take_error(NULL), PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    args.n = 0;
    args_u32(&args, "size", sizeof tag);
    assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, args.list), 1);
    assert_true(is_tag_of(&standard, tag, sizeof tag));
    EVP_KDF_CTX_free(ctx);
}

/* Memory that is no multiple of 4 * lanes is cut, but hashed as it was given.
 */
static void test_odd_memory(void **state)
{
    struct wanted wanted = standard;
    EVP_KDF_CTX *ctx = standard_kdf();
    uint8_t tag[TAG];

    (void)state;
    for (uint32_t memory = 24; memory < 60; memory++) {
        struct args args = {.n = 0};

        wanted.memory = memory;
        wanted.lanes = 3;
        args_u32(&args, "memcost", memory);
        args_u32(&args, "lanes", 3);
        assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, args.list), 1);
        assert_true(is_tag_of(&wanted, tag, sizeof tag));
    }
    EVP_KDF_CTX_free(ctx);
}

/* ---- errors ---- */

static void test_error_queue(void **state)
{
    EVP_KDF_CTX *ctx = standard_kdf();
    struct args args = {.n = 0};
    char data[256], text[256];

    (void)state;
    args_u32(&args, "threads", 3);
    uint8_t tag[TAG];
    assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, args.list), 0);
    ERR_error_string_n(ERR_peek_error(), text, sizeof text);
    assert_non_null(strstr(text, ":argon2fast:")); /* our library's name */
    assert_non_null(strstr(text, ":invalid thread pool size"));
    assert_int_equal(take_error(data), REASON_THREADS);
    assert_string_equal(data, "requested more threads (3) than lanes (2)");
    args.n = 0;
    args_u32(&args, "memcost", 15);
    args_u32(&args, "threads", 1);
    assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, args.list), 0);
    assert_int_equal(take_error(data), REASON_MEMORY);
    assert_string_equal(data, "memcost is 15, but 16 to 4294967295 is allowed");
    EVP_KDF_CTX_free(ctx);
}

static void test_nothing_secret_in_errors(void **state)
{
    EVP_KDF_CTX *ctx = client_kdf(&client, "ARGON2ID");
    struct args args = {.n = 0};
    char data[256];

    (void)state;
    args_text(&args, "pass", "hunter2");
    args_text(&args, "salt", "hunter3");
    assert_int_equal(EVP_KDF_CTX_set_params(ctx, args.list), 0);
    assert_int_equal(take_error(data), PROV_R_INVALID_SALT_LENGTH);
    assert_null(strstr(data, "hunter"));
    EVP_KDF_CTX_free(ctx);
}

/* ---- the provider itself ---- */

static void test_provider_params(void **state)
{
    const char *name = NULL, *version = NULL, *build = NULL;
    int status = 0;
    char copy[64] = "", narrow[2] = "";
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_ptr("name", (char **)&name, 0),
        OSSL_PARAM_construct_utf8_ptr("version", (char **)&version, 0),
        OSSL_PARAM_construct_utf8_ptr("buildinfo", (char **)&build, 0),
        OSSL_PARAM_construct_int("status", &status),
        OSSL_PARAM_construct_utf8_string("name", copy, sizeof copy),
        OSSL_PARAM_construct_int("unknown", &status),
        OSSL_PARAM_construct_end()};
    OSSL_PARAM bad[] = {
        OSSL_PARAM_construct_utf8_string("name", narrow, sizeof narrow),
        OSSL_PARAM_construct_end()};

    (void)state;
    assert_int_equal(OSSL_PROVIDER_get_params(client.provider, params), 1);
    assert_string_equal(name, "argon2fast Argon2 Provider");
    assert_string_equal(copy, name);
    assert_non_null(strchr(version, '.'));
    assert_non_null(strstr(build, "kernel "));
    assert_int_equal(status, 1);
    assert_int_equal(OSSL_PROVIDER_get_params(client.provider, bad), 0);
    assert_int_equal(take_error(NULL), PROV_R_FAILED_TO_GET_PARAMETER);
    assert_non_null(OSSL_PROVIDER_gettable_params(client.provider));
}

static void test_self_test(void **state)
{
    (void)state;
    assert_int_equal(OSSL_PROVIDER_self_test(client.provider), 1);
    EVP_KDF_CTX_free(client_kdf(&client, "ARGON2ID"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derive_twice),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_dup),
        cmocka_unit_test(test_early_clean),
        cmocka_unit_test(test_early_clean_of_a_secret),
        cmocka_unit_test(test_gettable),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_odd_memory),
        cmocka_unit_test(test_error_queue),
        cmocka_unit_test(test_nothing_secret_in_errors),
        cmocka_unit_test(test_provider_params),
        cmocka_unit_test(test_self_test),
    };

    return cmocka_run_group_tests(tests, open_client, close_client);
}
