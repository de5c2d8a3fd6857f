/* SPDX-License-Identifier: MIT */
/*
 * The parameters of the three KDFs: names, defaults, ranges, every width of
 * number, and that setting them is all or nothing.
 */
#include "fixture.h"

#include <string.h>

#include <openssl/proverr.h>

static void assert_number_refused(const char *key, uint32_t value, int reason)
{
    struct args args = {.n = 0};

    args_u32(&args, key, value);
    assert_refused(&args, reason);
}

/* ---- names, defaults, ranges ---- */

static void test_names(void **state)
{
    static const char *const names[] = {"ARGON2D", "ARGON2I", "ARGON2ID",
                                        "argon2d", "Argon2i", "argon2Id"};
    (void)state;
    for (int i = 0; i < 6; i++) {
        EVP_KDF_CTX *ctx = client_kdf(&client, names[i]);
        struct wanted wanted = standard;
        struct args args;
        uint8_t tag[TAG];

        wanted.type = i % 3;
        args_standard(&args);
        assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, args.list), 1);
        assert_true(is_tag_of(&wanted, tag, sizeof tag));
        EVP_KDF_CTX_free(ctx);
    }
}

static bool is_fetched(const char *properties)
{
    EVP_KDF *kdf = EVP_KDF_fetch(client.libctx, "ARGON2ID", properties);
    bool found = kdf != NULL;

    EVP_KDF_free(kdf);
    ERR_clear_error();
    return found;
}

static void test_properties(void **state)
{
    (void)state;
    assert_true(is_fetched("provider=argon2fast"));
    assert_true(is_fetched("?provider=another"));
    assert_false(is_fetched("provider=default"));
    assert_false(is_fetched("fips=yes"));
}

static void test_defaults(void **state)
{
    const struct wanted wanted = {2,    0x13,       8,    3,   1,
                                  NULL, "somesalt", NULL, NULL};
    EVP_KDF_CTX *ctx = client_kdf(&client, "ARGON2ID");
    struct args args = {.n = 0};
    uint8_t tag[64];

    (void)state;
    args_text(&args, "salt", "somesalt");
    assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, args.list), 1);
    assert_true(is_tag_of(&wanted, tag, sizeof tag));
    EVP_KDF_CTX_free(ctx);
}

static void test_everything_set(void **state)
{
    const struct wanted wanted = {2,          0x10,       100,      4,     3,
                                  "password", "somesalt", "pepper", "data"};
    EVP_KDF_CTX *ctx = client_kdf(&client, "ARGON2ID");
    struct args args = {.n = 0};
    uint8_t tag[100];

    (void)state;
    args_text(&args, "pass", "password");
    args_text(&args, "salt", "somesalt");
    args_text(&args, "secret", "pepper");
    args_text(&args, "ad", "data");
    args_u32(&args, "iter", 4);
    args_u32(&args, "memcost", 100);
    args_u32(&args, "lanes", 3);
    args_u32(&args, "threads", 2);
    args_u32(&args, "version", 0x10);
    args_u32(&args, "size", sizeof tag);
    args_add(&args, OSSL_PARAM_construct_utf8_string(
                        "properties", (char *)"provider=default", 0));
    assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, args.list), 1);
    assert_true(is_tag_of(&wanted, tag, sizeof tag));
    EVP_KDF_CTX_free(ctx);
}

static void test_ranges(void **state)
{
    (void)state;
    assert_number_refused("iter", 0, PROV_R_INVALID_ITERATION_COUNT);
    assert_number_refused("lanes", 0, PROV_R_FAILED_TO_SET_PARAMETER);
    assert_number_refused("lanes", 0x1000000, PROV_R_FAILED_TO_SET_PARAMETER);
    assert_number_refused("threads", 0, REASON_THREADS);
    assert_number_refused("threads", 0x1000000, REASON_THREADS);
    assert_number_refused("threads", 3, REASON_THREADS); /* of 2 lanes */
    assert_number_refused("memcost", 7, REASON_MEMORY);
    assert_number_refused("memcost", 15, REASON_MEMORY); /* 8 for a lane */
    assert_number_refused("size", 3, PROV_R_INVALID_OUTPUT_LENGTH);
    assert_number_refused("version", 0x0f, PROV_R_INVALID_MODE);
    assert_number_refused("version", 0x11, PROV_R_INVALID_MODE);
    assert_number_refused("version", 0x14, PROV_R_INVALID_MODE);
}

static void test_salt(void **state)
{
    EVP_KDF_CTX *ctx = client_kdf(&client, "ARGON2ID");
    struct args args = {.n = 0};
    uint8_t tag[TAG];

    (void)state;
    assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, NULL), 0);
    assert_int_equal(take_error(NULL), PROV_R_MISSING_SALT);
    EVP_KDF_CTX_free(ctx);
    args_text(&args, "salt", "7 bytes");
    assert_refused(&args, PROV_R_INVALID_SALT_LENGTH);
    args.n = 0;
    args_octets(&args, "salt", NULL, 0);
    assert_refused(&args, PROV_R_INVALID_SALT_LENGTH);
}

/* ---- widths ---- */

#define NUMBER(c_type, type, literal)                                          \
    {                                                                          \
#c_type " " #literal, OSSL_PARAM_##type, sizeof(c_type),               \
        {                                                                      \
            (const void *)&(const c_type)                                      \
            {                                                                  \
                literal                                                        \
            }                                                                  \
        }                                                                      \
    }

static const struct width {
    const char *what;
    unsigned type;
    size_t size;
    struct {
        const void *data;
    } value;
} twos[] =
    {
        NUMBER(int8_t, INTEGER, 2),
        NUMBER(uint8_t, UNSIGNED_INTEGER, 2),
        NUMBER(int16_t, INTEGER, 2),
        NUMBER(uint16_t, UNSIGNED_INTEGER, 2),
        NUMBER(int, INTEGER, 2),
        NUMBER(unsigned, UNSIGNED_INTEGER, 2),
        NUMBER(int32_t, INTEGER, 2),
        NUMBER(uint32_t, UNSIGNED_INTEGER, 2),
        NUMBER(long, INTEGER, 2),
        NUMBER(int64_t, INTEGER, 2),
        NUMBER(uint64_t, UNSIGNED_INTEGER, 2),
        NUMBER(size_t, UNSIGNED_INTEGER, 2),
        NUMBER(double, REAL, 2),
        NUMBER(__int128, INTEGER, 2),
        NUMBER(unsigned __int128, UNSIGNED_INTEGER, 2),
},
  outside[] =
      {
          NUMBER(int8_t, INTEGER, -1),
          NUMBER(int, INTEGER, -1),
          NUMBER(int, INTEGER, -2147483647),
          NUMBER(int64_t, INTEGER, -4294967294),
          NUMBER(int64_t, INTEGER, 4294967298),
          NUMBER(uint64_t, UNSIGNED_INTEGER, 4294967298),
          NUMBER(uint64_t, UNSIGNED_INTEGER, 0x8000000000000002),
          NUMBER(__int128, INTEGER, -1),
          NUMBER(double, REAL, -2),
          NUMBER(double, REAL, 2.5),
          NUMBER(double, REAL, 4294967298.0),
          NUMBER(double, REAL, 1e300),
          NUMBER(double, REAL, 0.0 / 0.0),
},
  no_numbers[] = {
      NUMBER(float, REAL, 2),
      NUMBER(uint32_t, UTF8_STRING, 2),
      NUMBER(uint32_t, OCTET_STRING, 2),
      {"nothing", OSSL_PARAM_UNSIGNED_INTEGER, 4, {NULL}},
      {"no bytes", OSSL_PARAM_UNSIGNED_INTEGER, 0, {""}},
};
static void add_width(struct args *args, const char *key, const struct width *w)
{
    args_add(args, (OSSL_PARAM){key, w->type, (void *)w->value.data, w->size,
                                OSSL_PARAM_UNMODIFIED});
}

/* Each key in turn; 2 means something for all of these. */
static void test_widths(void **state)
{
    static const char *const keys[] = {"iter", "lanes", "threads",
                                       "early_clean"};
    (void)state;
    for (size_t k = 0; k < COUNT(keys); k++)
        for (size_t i = 0; i < COUNT(twos); i++) {
            EVP_KDF_CTX *ctx = standard_kdf();
            struct args args = {.n = 0};

            add_width(&args, keys[k], &twos[i]);
            if (EVP_KDF_CTX_set_params(ctx, args.list) != 1)
                fail_msg("%s as %s", keys[k], twos[i].what);
            assert_standard(ctx);
            EVP_KDF_CTX_free(ctx);
        }
}

static void test_outside_of_every_range(void **state)
{
    static const struct {
        const char *key;
        int reason;
    } keys[] = {
        {"size", PROV_R_INVALID_OUTPUT_LENGTH},
        {"iter", PROV_R_INVALID_ITERATION_COUNT},
        {"threads", REASON_THREADS},
        {"lanes", PROV_R_FAILED_TO_SET_PARAMETER},
        {"memcost", REASON_MEMORY},
        {"early_clean", PROV_R_FAILED_TO_SET_PARAMETER},
        {"version", PROV_R_INVALID_MODE},
    };
    (void)state;
    for (size_t k = 0; k < COUNT(keys); k++) {
        struct args args;

        for (size_t i = 0; i < COUNT(outside); i++) {
            args.n = 0;
            add_width(&args, keys[k].key, &outside[i]);
            assert_refused(&args, keys[k].reason);
        }
        for (size_t i = 0; i < COUNT(no_numbers); i++) {
            args.n = 0;
            add_width(&args, keys[k].key, &no_numbers[i]);
            assert_refused(&args, PROV_R_FAILED_TO_GET_PARAMETER);
        }
    }
}

static void test_octet_types(void **state)
{
    static const char *const keys[] = {"pass", "salt", "secret", "ad"};
    (void)state;
    for (size_t k = 0; k < COUNT(keys); k++) {
        struct args args = {.n = 0};

        args_add(&args, OSSL_PARAM_construct_utf8_string(
                            keys[k], (char *)"a string", 0));
        assert_refused(&args, PROV_R_FAILED_TO_GET_PARAMETER);
        args.n = 0;
        args_octets(&args, keys[k], NULL, 8);
        assert_refused(&args, PROV_R_FAILED_TO_GET_PARAMETER);
    }
    struct args args = {.n = 0};
    args_octets(&args, "properties", "a=b", 3);
    assert_refused(&args, PROV_R_FAILED_TO_GET_PARAMETER);
}

static void test_null_is_empty(void **state)
{
    EVP_KDF_CTX *ctx = standard_kdf();
    struct wanted wanted = standard;
    struct args args = {.n = 0};
    uint8_t tag[TAG];

    (void)state;
    wanted.pass = NULL;
    args_text(&args, "secret", "pepper");
    args_text(&args, "ad", "data");
    assert_int_equal(EVP_KDF_CTX_set_params(ctx, args.list), 1);
    args.n = 0;
    args_octets(&args, "pass", NULL, 0);
    args_octets(&args, "secret", NULL, 0);
    args_octets(&args, "ad", "", 0);
    assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, args.list), 1);
    assert_true(is_tag_of(&wanted, tag, sizeof tag));
    EVP_KDF_CTX_free(ctx);
}

/* ---- setting ---- */

static void test_all_or_nothing(void **state)
{
    EVP_KDF_CTX *ctx = standard_kdf();
    struct args args = {.n = 0};

    (void)state;
    args_text(&args, "pass", "another");
    args_text(&args, "salt", "another salt");
    args_text(&args, "secret", "pepper");
    args_u32(&args, "iter", 5);
    args_u32(&args, "version", 0x10);
    args_u32(&args, "lanes", 0); /* bad */
    args_u32(&args, "memcost", 128);
    assert_int_equal(EVP_KDF_CTX_set_params(ctx, args.list), 0);
    assert_int_equal(take_error(NULL), PROV_R_FAILED_TO_SET_PARAMETER);
    assert_standard(ctx);
    EVP_KDF_CTX_free(ctx);
}

static void test_repeated_key(void **state)
{
    struct args args = {.n = 0};

    (void)state;
    args_u32(&args, "iter", 2);
    args_u32(&args, "iter", 2);
    assert_refused(&args, REASON_REPEATED);
    args.n = 0;
    args_text(&args, "pass", "password");
    args_text(&args, "iteration", "an unknown key");
    args_text(&args, "pass", "password");
    assert_refused(&args, REASON_REPEATED);
}

static void test_unknown_keys(void **state)
{
    EVP_KDF_CTX *ctx = standard_kdf();
    struct args args = {.n = 0};

    (void)state;
    args_text(&args, "digest", "SHA256");
    args_text(&args, "digest", "SHA512");
    args_text(&args, "PASS", "keys are case-sensitive");
    assert_int_equal(EVP_KDF_CTX_set_params(ctx, args.list), 1);
    assert_standard(ctx);
    EVP_KDF_CTX_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_properties),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_everything_set),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_salt),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_outside_of_every_range),
        cmocka_unit_test(test_octet_types),
        cmocka_unit_test(test_null_is_empty),
        cmocka_unit_test(test_all_or_nothing),
        cmocka_unit_test(test_repeated_key),
        cmocka_unit_test(test_unknown_keys),
    };

    return cmocka_run_group_tests(tests, open_client, close_client);
}
