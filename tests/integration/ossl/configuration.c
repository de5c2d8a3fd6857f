/* SPDX-License-Identifier: MIT */
/*
 * The keys of the provider's section: what each one does, and that a bad value
 * keeps the provider from loading and is named.
 */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include <openssl/proverr.h>

static void test_bad_values(void **state)
{
    static const struct {
        const char *key, *value;
    } bad[] = {
        {"max_threads", "0"},
        {"max_threads", "4097"},
        {"max_threads", "two"},
        {"max_threads", "-1"},
        {"max_threads", "+1"},
        {"max_threads", "1.0"},
        {"max_threads", "2 # two"}, /* a comment, so this is good: see below */
        {"max_threads", "0x2"},
        {"max_threads", "18446744073709551617"}, /* 2^64+1 */
        {"max_memcost_kib", "7"},
        {"max_memcost_kib", "4294967296"},
        {"max_memcost_kib", "64M"},
        {"max_iter", "0"},
        {"max_iter", "4294967296"},
        {"max_lanes", "0"},
        {"max_lanes", "16777216"},
        {"max_concurrent_kib", "18014398509481984"}, /* 2^54 */
        {"max_concurrent_kib", "none"},
        {"keep_kib", "18014398509481984"},
        {"keep_kib", ""},
        {"keep_threads", "yes"},
        {"keep_threads", "2"},
        {"strict_threads", "2"},
        {"strict_threads", "on"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        char lines[128], data[256];
        bool good = strchr(bad[i].value, '#') != NULL;

        snprintf(lines, sizeof lines, "%s = %s\n", bad[i].key, bad[i].value);
        ERR_clear_error();
        if (client_open(&client, lines) != good)
            fail_msg("%s", lines);
        if (!good) {
            char start[128];

            assert_int_equal(take_error(data), ERR_R_PASSED_INVALID_ARGUMENT);
            snprintf(start, sizeof start, "%s = %s: ", bad[i].key,
                     bad[i].value);
            if (strncmp(data, start, strlen(start)) != 0)
                fail_msg("%s", data);
        }
        client_close(&client);
    }
}

static void test_good_values(void **state)
{
    static const char lines[] = "max_threads = 4096\n"
                                "max_memcost_kib = 4294967295\n"
                                "max_iter = 4294967295\n"
                                "max_lanes = 16777215\n"
                                "max_concurrent_kib = 18014398509481983\n"
                                "keep_kib = 18014398509481983\n"
                                "keep_threads = 1\n"
                                "strict_threads = 0\n"
                                "a_key_of_another_time = ignored\n";

    (void)state;
    assert_true(client_open(&client, lines));
    EVP_KDF_CTX *ctx = standard_kdf();
    assert_standard(ctx);
    EVP_KDF_CTX_free(ctx);
    client_close(&client);
}

/* At a ceiling things go well, above it the error says which. */
static void test_ceilings(void **state)
{
    static const struct {
        const char *key;
        uint32_t at, above;
        int reason;
        const char *data;
    } cases[] = {
        {"memcost", 128, 129, REASON_MEMORY,
         "memcost is 129, but 0 to 128 is allowed"},
        {"iter", 3, 4, PROV_R_INVALID_ITERATION_COUNT,
         "iter is 4, but 0 to 3 is allowed"},
        {"lanes", 2, 3, PROV_R_FAILED_TO_SET_PARAMETER,
         "lanes is 3, but 0 to 2 is allowed"},
    };

    (void)state;
    assert_true(client_open(&client, "max_memcost_kib = 128\nmax_iter = 3\n"
                                     "max_lanes = 2\n"));
    for (size_t i = 0; i < COUNT(cases); i++) {
        EVP_KDF_CTX *ctx = standard_kdf();
        struct args args = {.n = 0};
        char data[256];
        uint8_t tag[TAG];

        args_u32(&args, cases[i].key, cases[i].at);
        assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, args.list), 1);
        args.n = 0;
        args_u32(&args, cases[i].key, cases[i].above);
        assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, args.list), 0);
        assert_int_equal(take_error(data), cases[i].reason);
        assert_string_equal(data, cases[i].data);
        EVP_KDF_CTX_free(ctx);
    }
    /* The self-test is not held to them. */
    assert_int_equal(OSSL_PROVIDER_self_test(client.provider), 1);
    client_close(&client);
}

static void derive_threads(uint32_t threads, const char *refusal)
{
    EVP_KDF_CTX *ctx = standard_kdf();
    struct wanted wanted = standard;
    struct args args = {.n = 0};
    char data[256];
    uint8_t tag[TAG];

    wanted.lanes = 8;
    args_u32(&args, "lanes", 8);
    args_u32(&args, "threads", threads);
    if (refusal == NULL) {
        assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, args.list), 1);
        assert_true(is_tag_of(&wanted, tag, sizeof tag));
    } else {
        assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, args.list), 0);
        assert_int_equal(take_error(data), REASON_THREADS);
        assert_string_equal(data, refusal);
    }
    EVP_KDF_CTX_free(ctx);
}

static void test_threads(void **state)
{
    (void)state;
    assert_true(client_open(&client, "max_threads = 2\n"));
    for (uint32_t threads = 1; threads <= 8; threads++)
        derive_threads(threads, NULL);
    derive_threads(9, "requested more threads (9) than lanes (8)");
    client_close(&client);
    assert_true(client_open(&client, "max_threads = 2\nstrict_threads = 1\n"));
    derive_threads(2, NULL);
    derive_threads(3, "requested 3 threads, available: 2");
    derive_threads(9, "requested 9 threads, available: 2");
    client_close(&client);
}

/* Two library contexts of one process, each with a configuration of its own. */
static void test_two_contexts(void **state)
{
    struct client other;

    (void)state;
    assert_true(client_open(&other, "max_iter = 1\n"));
    assert_true(client_open(&client, "max_iter = 2\n"));
    EVP_KDF_CTX *ctx = standard_kdf();
    assert_standard(ctx);
    EVP_KDF_CTX *low = client_kdf(&other, "ARGON2ID");
    struct args args;
    uint8_t tag[TAG];
    args_standard(&args);
    assert_int_equal(EVP_KDF_derive(low, tag, sizeof tag, args.list), 0);
    assert_int_equal(take_error(NULL), PROV_R_INVALID_ITERATION_COUNT);
    EVP_KDF_CTX_free(low);
    client_close(&other);
    assert_standard(ctx);
    EVP_KDF_CTX_free(ctx);
    client_close(&client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_values),   cmocka_unit_test(test_good_values),
        cmocka_unit_test(test_ceilings),     cmocka_unit_test(test_threads),
        cmocka_unit_test(test_two_contexts),
    };

    return RUN(tests);
}
