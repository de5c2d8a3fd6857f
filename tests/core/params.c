/* SPDX-License-Identifier: MIT */
/* Ranges, ceilings and the params string. */
#include "unit.h"

#include <string.h>

#include "params.h"

static const struct a2f_params good = {A2F_ID, 0x13, 64, 3, 4, 32, 16};

/* One member changed, and the name that is to be refused (NULL: none is). */
#define CHANGE(member, x, name)                                                \
    {                                                                          \
        struct a2f_params params = good;                                       \
        struct a2f_why why = {0};                                              \
        enum a2f_status s;                                                     \
                                                                               \
        params.member = (x);                                                   \
        s = a2f_params_check(&params, &why);                                   \
        expect(s, &why, name, A2F_BAD_PARAM);                                  \
        assert_int_equal(a2f_params_check(&params, NULL), s);                  \
    }

static void expect(enum a2f_status s, const struct a2f_why *why,
                   const char *name, enum a2f_status refusal)
{
    if (name == NULL) {
        assert_int_equal(s, A2F_OK);
        return;
    }
    assert_int_equal(s, refusal);
    assert_string_equal(why->what, name);
    assert_true(why->value < why->min || why->value > why->max ||
                strcmp(name, "version") == 0);
}

static void test_ranges(void **state)
{
    (void)state;
    CHANGE(type, A2F_D, NULL);
    CHANGE(type, A2F_I, NULL);
    CHANGE(type, (enum a2f_type)3, "type");
    CHANGE(version, 0x10, NULL);
    CHANGE(version, 0x12, "version");
    CHANGE(version, 0, "version");
    CHANGE(version, 0x14, "version");
    CHANGE(passes, 0, "passes");
    CHANGE(passes, UINT32_MAX, NULL);
    CHANGE(lanes, 0, "lanes");
    CHANGE(lanes, 8, NULL);
    CHANGE(lanes, 9, "memory_kib");
    CHANGE(lanes, 0x1000000, "lanes");
    CHANGE(memory_kib, 32, NULL);
    CHANGE(memory_kib, 31, "memory_kib");
    CHANGE(memory_kib, 0, "memory_kib");
    CHANGE(memory_kib, UINT32_MAX, NULL);
    CHANGE(salt_len, 8, NULL);
    CHANGE(salt_len, 7, "salt");
    CHANGE(tag_len, 4, NULL);
    CHANGE(tag_len, 3, "tag");
    CHANGE(tag_len, UINT32_MAX, NULL);
}

static void test_most_lanes(void **state)
{
    struct a2f_params params = good;

    (void)state;
    params.lanes = A2F_LANES_MAX;
    params.memory_kib = 8 * A2F_LANES_MAX;
    assert_int_equal(a2f_params_check(&params, NULL), A2F_OK);
    params.memory_kib--;
    assert_int_equal(a2f_params_check(&params, NULL), A2F_BAD_PARAM);
}

static void test_default_limits(void **state)
{
    struct a2f_limits none = {0}, some = {.passes = 7, .work = UINT64_MAX};
    struct a2f_limits limits = a2f_limits_resolve(&none);

    (void)state;
    assert_int_equal(limits.memory_kib, 262144);
    assert_int_equal(limits.passes, 64);
    assert_int_equal(limits.lanes, 16);
    assert_int_equal(limits.work, 4194304);
    assert_int_equal(limits.password, 65536);
    assert_int_equal(limits.salt, 1024);
    assert_int_equal(limits.secret, 1024);
    assert_int_equal(limits.ad, 65536);
    assert_int_equal(limits.tag, 1024);
    assert_int_equal(limits.text, A2F_TEXT_MAX - 1);
    limits = a2f_limits_resolve(&some);
    assert_int_equal(limits.passes, 7);
    assert_true(limits.work == UINT64_MAX);
    assert_int_equal(limits.lanes, 16);
}

static void test_ceilings(void **state)
{
    static const struct {
        struct a2f_params params;
        const char *name;
    } cases[] = {
        {{A2F_ID, 0x13, 262144, 16, 16, 1024, 1024}, NULL},
        {{A2F_ID, 0x13, 262145, 1, 1, 32, 16}, "memory_kib"},
        {{A2F_ID, 0x13, 65536, 64, 1, 32, 16}, NULL},
        {{A2F_ID, 0x13, 65537, 64, 1, 32, 16}, "work"},
        {{A2F_ID, 0x13, 64, 65, 1, 32, 16}, "passes"},
        {{A2F_ID, 0x13, 262144, 1, 17, 32, 16}, "lanes"},
        {{A2F_ID, 0x13, 64, 1, 1, 1025, 16}, "tag"},
        {{A2F_ID, 0x13, 64, 1, 1, 32, 1025}, "salt"},
        {{A2F_ID, 0x13, UINT32_MAX, UINT32_MAX, 1, 32, 16}, "memory_kib"},
    };
    const struct a2f_limits none = {0};
    const struct a2f_limits limits = a2f_limits_resolve(&none);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct a2f_why why = {0};

        expect(a2f_params_limit(&cases[i].params, &limits, &why), &why,
               cases[i].name, A2F_OVER_LIMIT);
    }
}

/* The product does not wrap: 2^32-1 times itself is more than any ceiling. */
static void test_work_does_not_wrap(void **state)
{
    const struct a2f_limits limits = {
        UINT32_MAX, UINT32_MAX, UINT32_MAX, 1ull << 33, UINT32_MAX,
        UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    struct a2f_params params = good;

    (void)state;
    params.memory_kib = params.passes = UINT32_MAX;
    assert_int_equal(a2f_params_limit(&params, &limits, NULL), A2F_OVER_LIMIT);
    params.memory_kib = params.passes = 65536;
    assert_int_equal(a2f_params_limit(&params, &limits, NULL), A2F_OK);
}

static void test_inputs(void **state)
{
    const struct a2f_limits none = {0};
    const struct a2f_limits limits = a2f_limits_resolve(&none);
    struct a2f_input input = {
        .password = {"", 65536}, .secret = {"", 1024}, .ad = {"", 65536}};
    struct a2f_why why = {0};

    (void)state;
    assert_int_equal(a2f_input_check(&input, &limits, &why), A2F_OK);
    input.ad.len++;
    expect(a2f_input_check(&input, &limits, &why), &why, "ad", A2F_OVER_LIMIT);
    input.secret.len++;
    expect(a2f_input_check(&input, &limits, &why), &why, "secret",
           A2F_OVER_LIMIT);
    input.password.len++;
    expect(a2f_input_check(&input, &limits, &why), &why, "password",
           A2F_OVER_LIMIT);
    /* More than RFC 9106 has a field for is an error of the caller. */
    input.ad.len = (size_t)UINT32_MAX + 1;
    expect(a2f_input_check(&input, &limits, &why), &why, "ad", A2F_BAD_PARAM);
}

static void test_types(void **state)
{
    enum a2f_type type = A2F_D;

    (void)state;
    assert_true(a2f_type_read("id", 2, &type) && type == A2F_ID);
    assert_true(a2f_type_read("id", 1, &type) && type == A2F_I);
    assert_true(a2f_type_read("d", 1, &type) && type == A2F_D);
    assert_false(a2f_type_read("", 0, &type));
    assert_false(a2f_type_read("ID", 2, &type));
    assert_false(a2f_type_read("idd", 3, &type));
    assert_string_equal(a2f_type_name(A2F_D), "d");
    assert_string_equal(a2f_type_name(A2F_I), "i");
    assert_string_equal(a2f_type_name(A2F_ID), "id");
}

static void assert_params(const struct a2f_params *a,
                          const struct a2f_params *b)
{
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->version, b->version);
    assert_int_equal(a->memory_kib, b->memory_kib);
    assert_int_equal(a->passes, b->passes);
    assert_int_equal(a->lanes, b->lanes);
    assert_int_equal(a->tag_len, b->tag_len);
    assert_int_equal(a->salt_len, b->salt_len);
}

static void test_params_string(void **state)
{
    static const struct {
        const char *text;
        struct a2f_params params;
        const char *written;
    } cases[] = {
        {NULL, {A2F_ID, 0x13, 65536, 3, 4, 32, 16}, "m=65536,t=3,p=4"},
        {"default", {A2F_ID, 0x13, 65536, 3, 4, 32, 16}, "m=65536,t=3,p=4"},
        {"rfc9106", {A2F_ID, 0x13, 65536, 3, 4, 32, 16}, "m=65536,t=3,p=4"},
        {"rfc9106-high",
         {A2F_ID, 0x13, 2097152, 1, 4, 32, 16},
         "m=2097152,t=1,p=4"},
        {"owasp", {A2F_ID, 0x13, 19456, 2, 1, 32, 16}, "m=19456,t=2,p=1"},
        {"m=8,t=1,p=1", {A2F_ID, 0x13, 8, 1, 1, 32, 16}, "m=8,t=1,p=1"},
        {"p=1,m=8,t=1", {A2F_ID, 0x13, 8, 1, 1, 32, 16}, "m=8,t=1,p=1"},
        {"m=8,t=1,p=1,type=id,v=19,saltlen=16,len=32",
         {A2F_ID, 0x13, 8, 1, 1, 32, 16},
         "m=8,t=1,p=1"},
        {"type=d,v=16,m=8,t=1,p=1,saltlen=8,len=4",
         {A2F_D, 0x10, 8, 1, 1, 4, 8},
         "m=8,t=1,p=1,type=d,v=16,saltlen=8,len=4"},
        {"m=4294967295,t=4294967295,p=16777215,type=i,v=16,"
         "saltlen=4294967295,len=4294967295",
         {A2F_I, 0x10, UINT32_MAX, UINT32_MAX, 0xFFFFFF, UINT32_MAX,
          UINT32_MAX},
         "m=4294967295,t=4294967295,p=16777215,type=i,v=16,"
         "saltlen=4294967295,len=4294967295"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text;
        struct a2f_span span = {text, text == NULL ? 0 : strlen(text)};
        struct a2f_params params, again;
        char written[128];

        assert_int_equal(a2f_params_read(span, &params, NULL), A2F_OK);
        assert_params(&params, &cases[i].params);
        assert_int_equal(a2f_params_write(&params, written, sizeof written),
                         A2F_OK);
        assert_string_equal(written, cases[i].written);
        span = (struct a2f_span){written, strlen(written)};
        assert_int_equal(a2f_params_read(span, &again, NULL), A2F_OK);
        assert_params(&again, &params);
    }
}

static void test_bad_params_string(void **state)
{
    static const char *const bad[] = {
        "",
        ",",
        "Default",
        "default ",
        "rfc",
        "m=8",
        "m=8,t=1",
        "t=1,p=1",
        "m=8,t=1,p=1,",
        ",m=8,t=1,p=1",
        "m=8,,t=1,p=1",
        "m=8;t=1;p=1",
        "m=8, t=1,p=1",
        " m=8,t=1,p=1",
        "m=8,t=1,p=1 ",
        "m=8,t=1,p=1\n",
        "M=8,t=1,p=1",
        "m=8,t=1,p=1,m=8",
        "m=8,t=1,p=1,x=1",
        "m=8,t=1,p=1,type=x",
        "m=8,t=1,p=1,type=",
        "m=8,t=1,p=1,type=ID",
        "m=8,t=1,p=1,type=id,type=id",
        "m=8,t=1,p=1,v=18",
        "m=8,t=1,p=1,v=0x13",
        "m=8,t=1,p=1,saltlen=7",
        "m=8,t=1,p=1,len=3",
        "m=8,t=1,p=1,len",
        "m=08,t=1,p=1",
        "m=+8,t=1,p=1",
        "m=-8,t=1,p=1",
        "m=,t=1,p=1",
        "m=8k,t=1,p=1",
        "m=4294967296,t=1,p=1",
        "m=99999999999999999999,t=1,p=1",
        "m=7,t=1,p=1",
        "m=15,t=1,p=2",
        "m=8,t=0,p=1",
        "m=8,t=1,p=0",
        "m=4294967295,t=1,p=16777216",
        "default,len=16",
    };
    static const struct a2f_params zero;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct a2f_params params = good;
        struct a2f_why why = {0};
        struct a2f_span span = {bad[i], strlen(bad[i])};

        assert_int_equal(a2f_params_read(span, &params, &why), A2F_BAD_PARAM);
        assert_non_null(why.what);
        assert_memory_equal(&params, &zero, sizeof params);
        assert_int_equal(a2f_params_read(span, &params, NULL), A2F_BAD_PARAM);
    }
}

static void test_zero_byte_in_params_string(void **state)
{
    struct a2f_params params;

    (void)state;
    assert_int_equal(a2f_params_read(SPAN("m=8,t=1,p=1\0"), &params, NULL),
                     A2F_BAD_PARAM);
    assert_int_equal(a2f_params_read(SPAN("owasp\0"), &params, NULL),
                     A2F_BAD_PARAM);
}

static void test_little_room(void **state)
{
    (void)state;
    for (size_t size = 0; size < 16; size++) {
        char text[16] = "###############";
        enum a2f_status s = a2f_params_write(&good, text, size);

        assert_int_equal(s, size > strlen("m=64,t=3,p=4") ? A2F_OK
                                                          : A2F_BAD_PARAM);
        if (s != A2F_OK)
            assert_int_equal(text[0], size > 0 ? '\0' : '#');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_most_lanes),
        cmocka_unit_test(test_default_limits),
        cmocka_unit_test(test_ceilings),
        cmocka_unit_test(test_work_does_not_wrap),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_params_string),
        cmocka_unit_test(test_bad_params_string),
        cmocka_unit_test(test_zero_byte_in_params_string),
        cmocka_unit_test(test_little_room),
    };

    return RUN(tests);
}
