/* SPDX-License-Identifier: MIT */
/* A dummy costs what it says and matches nothing. */
#include "unit.h"

#include <string.h>

#include "argon2fast.h"
#include "sys.h"

static void test_dummy(void **state)
{
    const struct a2f_params params = {A2F_I, 0x10, 72, 2, 2, 24, 12};
    const struct a2f_input input = {.password = {"", 0}};
    struct a2f_engine *engine = NULL;
    struct a2f_params read;
    char text[A2F_TEXT_MAX], other[A2F_TEXT_MAX];
    struct a2f_span span = {text, 0};
    bool canonical = false;

    (void)state;
    assert_int_equal(a2f_new(NULL, &engine), A2F_OK);
    assert_int_equal(a2f_dummy(&params, text, sizeof text, NULL), A2F_OK);
    assert_int_equal(a2f_dummy(&params, other, sizeof other, NULL), A2F_OK);
    assert_string_not_equal(text, other);
    span.len = strlen(text);
    assert_int_equal(a2f_parse(span, &read, &canonical, NULL), A2F_OK);
    assert_true(canonical);
    assert_memory_equal(&read, &params, sizeof read);
    assert_int_equal(a2f_verify(engine, span, &input, NULL), A2F_MISMATCH);
    a2f_free(engine);
}

static void test_refusals(void **state)
{
    struct a2f_params params = {A2F_ID, 0x13, 64, 2, 2, 32, 16};
    struct a2f_why why = {0};
    char text[A2F_TEXT_MAX] = "#";

    (void)state;
    params.passes = 0;
    assert_int_equal(a2f_dummy(&params, text, sizeof text, &why),
                     A2F_BAD_PARAM);
    assert_string_equal(why.what, "passes");
    assert_int_equal(text[0], '\0');
    params.passes = 1;
    text[0] = '#';
    assert_int_equal(a2f_dummy(&params, text, 10, &why), A2F_BAD_PARAM);
    assert_string_equal(why.what, "size");
    assert_int_equal(text[0], '\0');
    params.tag_len = UINT32_MAX;
    text[0] = '#';
    assert_int_equal(a2f_dummy(&params, text, sizeof text, &why),
                     A2F_BAD_PARAM);
    assert_int_equal(text[0], '\0');
}

static void test_no_random(void **state)
{
    const struct a2f_params params = {A2F_ID, 0x13, 64, 2, 2, 32, 16};
    char text[A2F_TEXT_MAX] = "#";

    (void)state;
    a2f_sys_fail(1, true);
    assert_int_equal(a2f_dummy(&params, text, sizeof text, NULL), A2F_SYSTEM);
    a2f_sys_fail(0, false);
    assert_int_equal(text[0], '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dummy),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_no_random),
    };

    return RUN(tests);
}
