/* SPDX-License-Identifier: MIT */
/* Decimals, words and bounded writing. */
#include "unit.h"

#include <string.h>

#include "text.h"

/* The decimal at the beginning of text; what is left to read goes to *left. */
static bool read(const char *text, uint32_t *value, size_t *left)
{
    struct a2f_reader in = {text, text + strlen(text)};
    bool ok = a2f_read_decimal(&in, value);

    *left = (size_t)(in.end - in.at);
    return ok;
}

static void test_decimal(void **state)
{
    static const struct {
        const char *text;
        uint32_t value;
        size_t left;
    } good[] = {{"0", 0, 0},     {"7", 7, 0},
                {"10", 10, 0},   {"4294967295", UINT32_MAX, 0},
                {"12,t", 12, 2}, {"0,", 0, 1},
                {"0x1", 0, 2}};
    static const char *const bad[] = {"",
                                      "00",
                                      "01",
                                      "-1",
                                      "+1",
                                      " 1",
                                      "x",
                                      ",",
                                      "4294967296",
                                      "9999999999",
                                      "42949672950",
                                      "00000000001",
                                      "18446744073709551617",
                                      "99999999999999999999999999"};
    uint32_t value;
    size_t left;

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(read(good[i].text, &value, &left));
        assert_int_equal(value, good[i].value);
        assert_int_equal(left, good[i].left);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(read(bad[i], &value, &left));
}

static void test_word(void **state)
{
    const char *text = "m=12";
    struct a2f_reader in = {text, text + 4};

    (void)state;
    assert_false(a2f_read_word(&in, "t="));
    assert_false(a2f_read_word(&in, "m=12,"));
    assert_ptr_equal(in.at, text);
    assert_true(a2f_read_word(&in, "m="));
    assert_ptr_equal(in.at, text + 2);
    assert_true(a2f_read_word(&in, ""));
    assert_true(a2f_read_word(&in, "12"));
    assert_ptr_equal(in.at, in.end);
    assert_false(a2f_read_word(&in, "1"));
}

static void test_write(void **state)
{
    (void)state;
    for (size_t size = 0; size <= 40; size++) {
        const char *whole = "a=18446744073709551615,b=0";
        char text[41];
        struct a2f_writer out = {text, size, 0};
        size_t kept = size == 0              ? 0
                      : size > strlen(whole) ? strlen(whole)
                                             : size - 1;

        memset(text, '#', sizeof text);
        a2f_write(&out, "a=");
        a2f_write_decimal(&out, UINT64_MAX);
        a2f_write_char(&out, ',');
        a2f_write(&out, "b=");
        a2f_write_decimal(&out, 0);
        assert_int_equal(a2f_write_end(&out), size > strlen(whole));
        assert_int_equal(out.len, strlen(whole));
        assert_memory_equal(text, whole, kept);
        if (size > 0)
            assert_int_equal(text[kept], '\0');
        for (size_t i = kept + (size > 0); i < sizeof text; i++)
            assert_int_equal(text[i], '#');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decimal),
        cmocka_unit_test(test_word),
        cmocka_unit_test(test_write),
    };

    return RUN(tests);
}
