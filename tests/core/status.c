/* SPDX-License-Identifier: MIT */
/* Each status has words of its own; an explanation names the parameter. */
#include "unit.h"

#include <string.h>

#include "argon2fast.h"

static void test_words(void **state)
{
    (void)state;
    for (int s = A2F_OK; s <= A2F_SYSTEM; s++) {
        const char *text = a2f_status_text((enum a2f_status)s);

        assert_non_null(text);
        assert_true(strlen(text) > 3);
        for (int other = A2F_OK; other < s; other++)
            assert_string_not_equal(text,
                                    a2f_status_text((enum a2f_status)other));
    }
    assert_non_null(a2f_status_text((enum a2f_status)99));
}

static void test_explain(void **state)
{
    const struct a2f_why low = {"memory_kib", 5, 64, 1000};
    const struct a2f_why high = {"passes", 70, 0, 64};
    const struct a2f_why syntax = {"version", 0, 0, 0};
    const struct a2f_why line = {"id in the key file", 17, 0, 0};
    char text[200];
    size_t len = a2f_explain(A2F_BAD_PARAM, &low, text, sizeof text);

    (void)state;
    assert_int_equal(len, strlen(text));
    assert_non_null(strstr(text, "memory_kib"));
    assert_non_null(strstr(text, "5"));
    assert_non_null(strstr(text, "64"));
    a2f_explain(A2F_OVER_LIMIT, &high, text, sizeof text);
    assert_non_null(strstr(text, "passes"));
    assert_non_null(strstr(text, "70"));
    assert_non_null(strstr(text, "64"));
    a2f_explain(A2F_BAD_HASH, &syntax, text, sizeof text);
    assert_non_null(strstr(text, "version"));
    a2f_explain(A2F_BAD_PARAM, &line, text, sizeof text);
    assert_non_null(strstr(text, ": id in the key file in line 17"));
    len = a2f_explain(A2F_MISMATCH, NULL, text, sizeof text);
    assert_int_equal(len, strlen(text));
    assert_non_null(strstr(text, a2f_status_text(A2F_MISMATCH)));
}

static void test_little_room(void **state)
{
    const struct a2f_why why = {"passes", 70, 0, 64};
    char whole[200], text[200];
    size_t len = a2f_explain(A2F_OVER_LIMIT, &why, whole, sizeof whole);

    (void)state;
    for (size_t size = 0; size <= len + 1; size++) {
        memset(text, '#', sizeof text);
        assert_int_equal(a2f_explain(A2F_OVER_LIMIT, &why, text, size), len);
        assert_int_equal(text[size], '#');
        if (size == 0)
            continue;
        assert_int_equal(strlen(text), size - 1);
        assert_memory_equal(text, whole, size - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_explain),
        cmocka_unit_test(test_little_room),
    };

    return RUN(tests);
}
