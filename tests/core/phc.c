/* SPDX-License-Identifier: MIT */
/*
 * PHC strings: base64 of every length and value, formatting, and the calls
 * that need no engine. tests/known/phc.txt has the malformed and foreign ones.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "params.h"
#include "phc.h"

static const struct a2f_params cost = {A2F_ID, 0x13, 64, 2, 1, 32, 16};

static struct a2f_span span(const char *text)
{
    return (struct a2f_span){text, strlen(text)};
}

/* The same by a table and a division, one bit group at a time. */
static void plain_base64(const uint8_t *in, size_t len, char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"
                                 "qrstuvwxyz0123456789+/";

    for (size_t bit = 0; bit < 8 * len; bit += 6) {
        unsigned group = 0;

        for (size_t i = bit; i < bit + 6; i++)
            group =
                group * 2 + (i < 8 * len ? in[i / 8] >> (7 - i % 8) & 1 : 0);
        *out++ = digits[group];
    }
    *out = '\0';
}

static void check_encode(const uint8_t *salt, size_t salt_len,
                         const uint8_t *tag, size_t tag_len)
{
    char text[4096], salt64[1600], tag64[1600], wanted[4096];
    uint8_t decoded[1500];
    const struct a2f_limits none = {.tag = UINT32_MAX, .salt = UINT32_MAX};
    const struct a2f_limits limits = a2f_limits_resolve(&none);
    struct a2f_phc phc;

    plain_base64(salt, salt_len, salt64);
    plain_base64(tag, tag_len, tag64);
    snprintf(wanted, sizeof wanted, "$argon2id$v=19$m=64,t=2,p=1$%s$%s", salt64,
             tag64);
    assert_int_equal(a2f_encode(&cost, (struct a2f_span){salt, salt_len},
                                (struct a2f_span){tag, tag_len}, text,
                                sizeof text, NULL),
                     A2F_OK);
    assert_string_equal(text, wanted);
    assert_int_equal(a2f_phc_parse(span(text), &limits, &phc, NULL), A2F_OK);
    assert_true(phc.canonical);
    assert_int_equal(phc.params.salt_len, salt_len);
    assert_int_equal(phc.params.tag_len, tag_len);
    a2f_base64_decode(phc.salt, decoded);
    assert_memory_equal(decoded, salt, salt_len);
    a2f_base64_decode(phc.tag, decoded);
    assert_memory_equal(decoded, tag, tag_len);
}

static void test_base64(void **state)
{
    uint8_t bytes[1200];

    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 167 + i / 256);
    for (size_t len = 8; len <= 200; len++)
        check_encode(bytes + len, len, bytes, len);
    check_encode(bytes, 8, bytes, 4);
    check_encode(bytes, 1024, bytes + 5, 1100);
    /* every value of every place of a group of four characters */
    for (unsigned value = 0; value < 256; value++)
        for (size_t at = 0; at < 3; at++) {
            memset(bytes, 0, 12);
            bytes[at] = (uint8_t)value;
            check_encode(bytes, 12, bytes, 12);
        }
}

/* All 256 characters at each place of the salt: just the 64 are taken. */
static void test_alphabet(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++)
        for (size_t at = 0; at < 4; at++) {
            char text[] = "$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHRz$c29tZQ";
            struct a2f_params params;
            bool in = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                      (c >= '0' && c <= '9') || c == '+' || c == '/';

            text[28 + at] = (char)c;
            assert_int_equal(a2f_parse((struct a2f_span){text, sizeof text - 1},
                                       &params, NULL, NULL),
                             in ? A2F_OK : A2F_BAD_HASH);
        }
}

/* A prefix of a good text is malformed, whatever lies behind it. */
static void test_truncated(void **state)
{
    static const char text[] = "$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHQ$c29tZQ";
    struct a2f_params params;
    bool canonical = true;

    (void)state;
    assert_int_equal(a2f_parse(SPAN(text), &params, NULL, NULL), A2F_OK);
    for (size_t len = 0; len < sizeof text - 1; len++) {
        /* on the heap, so that a sanitizer sees a read past the end */
        char *copy = malloc(len + 1);
        enum a2f_status s;

        assert_non_null(copy);
        memcpy(copy, text, len);
        s = a2f_parse((struct a2f_span){copy, len}, &params, &canonical, NULL);
        assert_int_equal(s, A2F_BAD_HASH);
        assert_false(canonical);
        assert_int_equal(params.memory_kib, 0);
        free(copy);
    }
    assert_int_equal(a2f_parse((struct a2f_span){NULL, 0}, &params, NULL, NULL),
                     A2F_BAD_HASH);
}

static void test_text_limit(void **state)
{
    char *text = malloc(A2F_TEXT_MAX + 1);
    struct a2f_params params;
    struct a2f_why why = {0};

    (void)state;
    assert_non_null(text);
    memset(text, 'A', A2F_TEXT_MAX + 1);
    assert_int_equal(a2f_parse((struct a2f_span){text, A2F_TEXT_MAX - 1},
                               &params, NULL, &why),
                     A2F_BAD_HASH);
    assert_int_equal(
        a2f_parse((struct a2f_span){text, A2F_TEXT_MAX}, &params, NULL, &why),
        A2F_OVER_LIMIT);
    assert_string_equal(why.what, "text");
    assert_int_equal(why.max, A2F_TEXT_MAX - 1);
    /* the length alone decides: nothing is read */
    assert_int_equal(
        a2f_parse((struct a2f_span){"", SIZE_MAX}, &params, NULL, &why),
        A2F_OVER_LIMIT);
    free(text);
}

static void test_encode_refusals(void **state)
{
    struct a2f_span eight = span("somesalt"), four = {"hash", 4};
    struct a2f_params params = cost;
    struct a2f_why why = {0};
    char text[128] = "#";

    (void)state;
    assert_int_equal(a2f_encode(&cost, eight, four, text, sizeof text, &why),
                     A2F_OK);
    assert_string_equal(text, "$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHQ$aGFzaA");
    for (size_t size = 0; size <= strlen("$argon2id$v=19$m=64,t=2,p=1$"
                                         "c29tZXNhbHQ$aGFzaA");
         size++) {
        text[0] = '#';
        assert_int_equal(a2f_encode(&cost, eight, four, text, size, &why),
                         A2F_BAD_PARAM);
        assert_string_equal(why.what, "size");
        assert_int_equal(text[0], size > 0 ? '\0' : '#');
    }
    eight.len = 7;
    assert_int_equal(a2f_encode(&cost, eight, four, text, sizeof text, &why),
                     A2F_BAD_PARAM);
    assert_string_equal(why.what, "salt");
    assert_int_equal(text[0], '\0');
    eight.len = 8;
    four.len = 3;
    assert_int_equal(a2f_encode(&cost, eight, four, text, sizeof text, &why),
                     A2F_BAD_PARAM);
    assert_string_equal(why.what, "tag");
    four.len = 4;
    params.memory_kib = 7;
    assert_int_equal(a2f_encode(&params, eight, four, text, sizeof text, &why),
                     A2F_BAD_PARAM);
    assert_string_equal(why.what, "memory_kib");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_base64),
        cmocka_unit_test(test_alphabet),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_text_limit),
        cmocka_unit_test(test_encode_refusals),
    };

    return RUN(tests);
}
