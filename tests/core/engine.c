/* SPDX-License-Identifier: MIT */
/*
 * The public calls: what they return, what they refuse and in which order, and
 * cancelling.
 */
#include "unit.h"

#include <string.h>

#include "argon2fast.h"

static const struct a2f_params cheap = {A2F_ID, 0x13, 64, 2, 2, 32, 16};
/* More than one round, more than one huge page. */
static const struct a2f_params costly = {A2F_ID, 0x13, 16384, 2, 4, 32, 16};

static struct a2f_engine *new_engine(const struct a2f_config *config)
{
    struct a2f_engine *engine = NULL;

    assert_int_equal(a2f_new(config, &engine), A2F_OK);
    assert_non_null(engine);
    return engine;
}

static struct a2f_input password(const char *text)
{
    return (struct a2f_input){.password = {text, strlen(text)}};
}

static struct a2f_span span(const char *text)
{
    return (struct a2f_span){text, strlen(text)};
}

static bool all_zero(const void *data, size_t len)
{
    const unsigned char *bytes = data;

    while (len > 0 && bytes[len - 1] == 0)
        len--;
    return len == 0;
}

static void test_hash_and_verify(void **state)
{
    struct a2f_engine *engine = new_engine(NULL);
    struct a2f_input right = password("password"), wrong = password("Password");
    char text[A2F_TEXT_MAX], other[A2F_TEXT_MAX];

    (void)state;
    assert_int_equal(a2f_hash(engine, &cheap, &right, text, sizeof text, NULL),
                     A2F_OK);
    assert_int_equal(strncmp(text, "$argon2id$v=19$m=64,t=2,p=2$", 28), 0);
    assert_int_equal(a2f_verify(engine, span(text), &right, NULL), A2F_OK);
    assert_int_equal(a2f_verify(engine, span(text), &wrong, NULL),
                     A2F_MISMATCH);
    right.password.len--;
    assert_int_equal(a2f_verify(engine, span(text), &right, NULL),
                     A2F_MISMATCH);
    right.password.len = 0;
    assert_int_equal(a2f_verify(engine, span(text), &right, NULL),
                     A2F_MISMATCH);
    /* a fresh salt each time */
    right = password("password");
    assert_int_equal(
        a2f_hash(engine, &cheap, &right, other, sizeof other, NULL), A2F_OK);
    assert_string_not_equal(text, other);
    a2f_free(engine);
    a2f_free(NULL);
}

static void test_secret_and_ad(void **state)
{
    struct a2f_engine *engine = new_engine(NULL);
    struct a2f_input input = password("");
    char text[A2F_TEXT_MAX];

    (void)state;
    input.secret = span("pepper");
    input.ad = span("user 7");
    assert_int_equal(a2f_hash(engine, &cheap, &input, text, sizeof text, NULL),
                     A2F_OK);
    assert_int_equal(a2f_verify(engine, span(text), &input, NULL), A2F_OK);
    input.ad = span("user 8");
    assert_int_equal(a2f_verify(engine, span(text), &input, NULL),
                     A2F_MISMATCH);
    input.ad = span("user 7");
    input.secret.len--;
    assert_int_equal(a2f_verify(engine, span(text), &input, NULL),
                     A2F_MISMATCH);
    a2f_free(engine);
}

static void test_given_salt(void **state)
{
    struct a2f_engine *engine = new_engine(NULL);
    struct a2f_input input = password("password");
    char text[A2F_TEXT_MAX], other[A2F_TEXT_MAX];

    (void)state;
    input.salt = span("somesalt");
    assert_int_equal(a2f_hash(engine, &cheap, &input, text, sizeof text, NULL),
                     A2F_OK);
    assert_non_null(strstr(text, "$c29tZXNhbHQ$"));
    assert_int_equal(
        a2f_hash(engine, &cheap, &input, other, sizeof other, NULL), A2F_OK);
    assert_string_equal(text, other);
    /* verify takes the salt of the text */
    input.salt = span("anothersalt");
    assert_int_equal(a2f_verify(engine, span(text), &input, NULL), A2F_OK);
    a2f_free(engine);
}

static void test_room(void **state)
{
    struct a2f_engine *engine = new_engine(NULL);
    struct a2f_input input = password("password");
    struct a2f_why why = {0};
    struct a2f_run run = {.why = &why};
    char text[A2F_TEXT_MAX];
    size_t needed;

    (void)state;
    assert_int_equal(a2f_hash(engine, &cheap, &input, text, sizeof text, NULL),
                     A2F_OK);
    needed = strlen(text) + 1;
    assert_int_equal(a2f_hash(engine, &cheap, &input, text, needed, &run),
                     A2F_OK);
    for (size_t size = 0; size < needed; size++) {
        memset(text, '#', sizeof text);
        assert_int_equal(a2f_hash(engine, &cheap, &input, text, size, &run),
                         A2F_BAD_PARAM);
        assert_string_equal(why.what, "size");
        assert_int_equal(text[0], size > 0 ? '\0' : '#');
        assert_int_equal(text[size], '#');
    }
    a2f_free(engine);
}

/* Each refusal names its parameter, and leaves nothing in the output. */
static void check_refusal(struct a2f_engine *engine, struct a2f_params params,
                          struct a2f_input input, enum a2f_status expected,
                          const char *name)
{
    struct a2f_why why = {0};
    struct a2f_run run = {.why = &why};
    uint8_t tag[64];

    memset(tag, '#', sizeof tag);
    assert_int_equal(a2f_derive(engine, &params, &input, tag, &run), expected);
    assert_string_equal(why.what, name);
    if (params.tag_len <= sizeof tag)
        assert_true(all_zero(tag, params.tag_len));
}

static void test_refusals(void **state)
{
    const struct a2f_config config = {.limits = {.memory_kib = 1000,
                                                 .passes = 5,
                                                 .lanes = 4,
                                                 .work = 3000,
                                                 .password = 10,
                                                 .salt = 20,
                                                 .secret = 8,
                                                 .ad = 9,
                                                 .tag = 40}};
    struct a2f_engine *engine = new_engine(&config);
    struct a2f_input input = password("password");
    struct a2f_params params = cheap;

    (void)state;
    input.salt = span("somesalt");
#define REFUSED(member, x, status, name)                                       \
    params = cheap;                                                            \
    params.member = (x);                                                       \
    check_refusal(engine, params, input, status, name)
    REFUSED(memory_kib, 15, A2F_BAD_PARAM, "memory_kib");
    REFUSED(memory_kib, 1001, A2F_OVER_LIMIT, "memory_kib");
    REFUSED(passes, 0, A2F_BAD_PARAM, "passes");
    REFUSED(passes, 6, A2F_OVER_LIMIT, "passes");
    REFUSED(lanes, 0, A2F_BAD_PARAM, "lanes");
    REFUSED(lanes, 5, A2F_OVER_LIMIT, "lanes");
    REFUSED(version, 0x12, A2F_BAD_PARAM, "version");
    REFUSED(tag_len, 3, A2F_BAD_PARAM, "tag");
    REFUSED(tag_len, 41, A2F_OVER_LIMIT, "tag");
    params = cheap;
    params.passes = 4;
    params.memory_kib = 751;
    check_refusal(engine, params, input, A2F_OVER_LIMIT, "work");
#undef REFUSED
#define REFUSED(member, length, status, name)                                  \
    {                                                                          \
        struct a2f_input in = input;                                           \
                                                                               \
        in.member = (struct a2f_span){"123456789012345678901", length};        \
        check_refusal(engine, cheap, in, status, name);                        \
    }
    REFUSED(password, 11, A2F_OVER_LIMIT, "password");
    REFUSED(salt, 0, A2F_BAD_PARAM, "salt");
    REFUSED(salt, 7, A2F_BAD_PARAM, "salt");
    REFUSED(salt, 21, A2F_OVER_LIMIT, "salt");
    REFUSED(secret, 9, A2F_OVER_LIMIT, "secret");
    REFUSED(ad, 10, A2F_OVER_LIMIT, "ad");
    REFUSED(password, (size_t)1 << 32, A2F_BAD_PARAM, "password");
    REFUSED(salt, (size_t)1 << 32, A2F_BAD_PARAM, "salt");
    REFUSED(secret, (size_t)1 << 32, A2F_BAD_PARAM, "secret");
    REFUSED(ad, (size_t)1 << 32, A2F_BAD_PARAM, "ad");
#undef REFUSED
    a2f_free(engine);
}

static int count_down(void *ctx)
{
    int *left = ctx;

    return *left > 0 && --*left == 0;
}

static void test_cancel(void **state)
{
    struct a2f_config config = {.threads = 2, .keep_kib = 1 << 20};
    struct a2f_engine *engine = new_engine(&config);
    struct a2f_input input = password("password");
    char text[A2F_TEXT_MAX];
    int left;
    struct a2f_run run = {.poll = count_down, .poll_ctx = &left};

    (void)state;
    for (int stop = 1; stop < 8; stop++) {
        left = stop;
        memset(text, '#', sizeof text);
        assert_int_equal(
            a2f_hash(engine, &costly, &input, text, sizeof text, &run),
            A2F_CANCELLED);
        assert_int_equal(text[0], '\0');
    }
    left = 0;
    assert_int_equal(a2f_hash(engine, &costly, &input, text, sizeof text, &run),
                     A2F_OK);
    left = 1;
    assert_int_equal(a2f_verify(engine, span(text), &input, &run),
                     A2F_CANCELLED);
    left = 0;
    assert_int_equal(a2f_verify(engine, span(text), &input, &run), A2F_OK);
    a2f_free(engine);
}

static void test_in_flight(void **state)
{
    struct a2f_config config = {.in_flight_kib = 100};
    struct a2f_engine *engine = new_engine(&config);
    struct a2f_input input = password("password");
    struct a2f_params params = cheap;
    char text[A2F_TEXT_MAX];

    (void)state;
    for (int i = 0; i < 3; i++) {
        params.memory_kib = 96;
        assert_int_equal(
            a2f_hash(engine, &params, &input, text, sizeof text, NULL), A2F_OK);
        params.memory_kib = 104;
        assert_int_equal(
            a2f_hash(engine, &params, &input, text, sizeof text, NULL),
            A2F_NO_MEMORY);
        assert_int_equal(text[0], '\0');
    }
    a2f_free(engine);
}

static void test_kernels(void **state)
{
    struct a2f_engine *engine = (void *)"";
    struct a2f_config config = {.kernel = "no such kernel"};
    const char *name = a2f_kernel_name(NULL, 0), *last = NULL;
    char text[200];
    size_t len;

    (void)state;
    assert_int_equal(a2f_new(&config, &engine), A2F_BAD_PARAM);
    assert_null(engine);
    engine = new_engine(NULL);
    assert_string_equal(a2f_kernel_name(engine, 0), name);
    len = a2f_describe(engine, text, sizeof text);
    assert_int_equal(len, strlen(text));
    assert_non_null(strstr(text, A2F_VERSION));
    assert_non_null(strstr(text, name));
    assert_true(a2f_describe(engine, text, 4) > 4);
    assert_int_equal(strlen(text), 3);
    assert_true(a2f_describe(engine, NULL, 0) > 4);
    a2f_free(engine);
    for (size_t i = 0; (name = a2f_kernel_name(NULL, i)) != NULL; i++) {
        config.kernel = last = name;
        engine = new_engine(&config);
        assert_string_equal(a2f_kernel_name(engine, 5), name);
        a2f_free(engine);
    }
    assert_string_equal(last, "scalar");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash_and_verify),
        cmocka_unit_test(test_secret_and_ad),
        cmocka_unit_test(test_given_salt),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_in_flight),
        cmocka_unit_test(test_kernels),
    };

    return RUN(tests);
}
