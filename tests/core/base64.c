/* SPDX-License-Identifier: MIT */
/* Base64 and its padding; tests/core/phc.c writes and reads all values. */
#include "unit.h"

#include <string.h>

#include "base64.h"

static void test_lengths(void **state)
{
    (void)state;
    for (uint64_t bytes = 0; bytes < 100; bytes++) {
        assert_int_equal(a2f_base64_chars(bytes), (bytes * 8 + 5) / 6);
        assert_int_equal(a2f_base64_bytes(a2f_base64_chars(bytes)), bytes);
    }
}

static void test_padding(void **state)
{
    static const struct {
        const char *text;
        size_t left; /* 0: refused */
    } cases[] = {
        {"QQ", 2},    {"QQ==", 2},   {"QUI", 3},      {"QUI=", 3},
        {"QUJD", 4},  {"QQ=", 0},    {"QQ===", 0},    {"QUI==", 0},
        {"QUJD=", 0}, {"QUJD==", 0}, {"QUJD====", 0}, {"QR==", 0},
        {"QUJ=", 0},  {"Q", 0},      {"Q===", 0},     {"=QQ=", 0},
        {"Q=Q=", 0},  {"QU-_", 0},   {"QU I", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct a2f_span text = {cases[i].text, strlen(cases[i].text)};

        assert_int_equal(a2f_base64_unpad(&text), cases[i].left > 0);
        if (cases[i].left > 0)
            assert_int_equal(text.len, cases[i].left);
    }
}

/* A key is decoded where it was read. */
static void test_in_place(void **state)
{
    char text[] = "YSBzZWNyZXQgb2YgMTgrIGJ5dGVz";

    (void)state;
    a2f_base64_decode((struct a2f_span){text, strlen(text)}, (uint8_t *)text);
    assert_memory_equal(text, "a secret of 18+ bytes", 21);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_padding),
        cmocka_unit_test(test_in_place),
    };

    return RUN(tests);
}
