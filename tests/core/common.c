/* SPDX-License-Identifier: MIT */
/*
 * The table of common passwords: everything listed is found however its
 * letters are written, and little else is.
 */
#include "unit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argon2fast.h"

/* The list the table was made from; the tests run in the root of the tree. */
#define LIST "libcore/common/passwords.txt"

static bool is_common(const char *text, size_t len)
{
    /* of just this size, so that a sanitizer sees a read past its end */
    char *copy = malloc(len + 1);
    bool common;

    assert_non_null(copy);
    memcpy(copy, text, len);
    common = a2f_is_common((struct a2f_span){copy, len});
    free(copy);
    return common;
}

static char upper(char c)
{
    return (char)toupper((unsigned char)c);
}

static void test_listed(void **state)
{
    FILE *list = fopen(LIST, "r");
    char line[128];
    unsigned n = 0;

    (void)state;
    assert_non_null(list);
    while (fgets(line, sizeof line, list) != NULL) {
        size_t len = strcspn(line, "\n");

        assert_true(is_common(line, len));
        for (size_t i = n % 2; i < len; i += 2)
            line[i] = upper(line[i]);
        assert_true(is_common(line, len));
        for (size_t i = 0; i < len; i++)
            line[i] = upper(line[i]);
        assert_true(is_common(line, len));
        n++;
    }
    fclose(list);
    assert_int_equal(n, 10000);
}

/* A fixed stream: xorshift64 (Marsaglia, 2003). */
static uint64_t next(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

/* As long as what is listed: longer ones are never found. */
static void test_random(void **state)
{
    static const char chars[] = "abcdefghijklmnopqrstuvwxyz0123456789"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%&*-_.";
    uint64_t x = 0x9e3779b97f4a7c15;
    unsigned found = 0;

    (void)state;
    for (unsigned n = 0; n < 1000000; n++) {
        char text[16];
        size_t len = 8 + next(&x) % 9;

        for (size_t i = 0; i < len; i++)
            text[i] = chars[next(&x) % (sizeof chars - 1)];
        found += a2f_is_common((struct a2f_span){text, len});
    }
    print_message("# %u of 1,000,000 taken for common\n", found);
    assert_true(found < 1000000 / 4000);
    /* nor is the figure good because nothing is looked at */
    assert_true(found > 0);
}

static void test_near(void **state)
{
    char longest[200];

    (void)state;
    memset(longest, '1', sizeof longest);
    assert_true(is_common("123456", 6));
    assert_true(is_common("LetMeIn", 7));
    assert_false(is_common("123456\0", 7));
    assert_false(is_common(" 123456", 7));
    assert_false(is_common("pa\xdfword", 7));
    /* only ASCII letters are folded: '[' is not '{', nor '@' '`' */
    assert_false(is_common("PASSWOR\x44\xc3", 9));
    assert_false(a2f_is_common((struct a2f_span){NULL, 0}));
    for (size_t len = 17; len <= sizeof longest; len++)
        assert_false(is_common(longest, len));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_listed),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_near),
    };

    return RUN(tests);
}
