/* SPDX-License-Identifier: MIT */
/* Wiping, comparing, and randomness that fails. */
#include "unit.h"

#include <string.h>

#include "argon2fast.h"
#include "sys.h"

static void test_wipe(void **state)
{
    unsigned char bytes[64];

    (void)state;
    for (size_t len = 0; len <= 62; len++) {
        memset(bytes, 0xAA, sizeof bytes);
        a2f_wipe(bytes + 1, len);
        assert_int_equal(bytes[0], 0xAA);
        for (size_t i = 1; i <= len; i++)
            assert_int_equal(bytes[i], 0);
        assert_int_equal(bytes[len + 1], 0xAA);
    }
    a2f_wipe(NULL, 0);
}

/* Every single bit counts, wherever it is. */
static void test_equal(void **state)
{
    unsigned char a[40], b[40];

    (void)state;
    memset(a, 0x5A, sizeof a);
    memcpy(b, a, sizeof b);
    assert_true(a2f_equal(a, b, sizeof a));
    assert_true(a2f_equal(NULL, NULL, 0));
    for (size_t bit = 0; bit < 8 * sizeof a; bit++) {
        b[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_false(a2f_equal(a, b, sizeof a));
        assert_true(a2f_equal(a, b, bit / 8));
        b[bit / 8] = a[bit / 8];
    }
    memset(a, 0xFF, sizeof a);
    memset(b, 0, sizeof b);
    assert_false(a2f_equal(a, b, sizeof a));
}

static void test_random(void **state)
{
    unsigned char a[300] = {0}, b[300] = {0};
    size_t zeroes = 0;

    (void)state;
    assert_int_equal(a2f_random(a, sizeof a - 1), A2F_OK);
    assert_int_equal(a2f_random(b, sizeof b - 1), A2F_OK);
    assert_false(a2f_equal(a, b, sizeof a));
    for (size_t i = 0; i < sizeof a; i++)
        zeroes += a[i] == 0;
    assert_true(zeroes < 20);
    assert_int_equal(a[sizeof a - 1], 0);
    assert_int_equal(a2f_random(a, 0), A2F_OK);
}

static void test_no_random(void **state)
{
    unsigned char bytes[16], zero[16] = {0};

    (void)state;
    memset(bytes, 0xAA, sizeof bytes);
    a2f_sys_fail(1, false);
    assert_int_equal(a2f_random(bytes, sizeof bytes), A2F_SYSTEM);
    a2f_sys_fail(0, false);
    assert_memory_equal(bytes, zero, sizeof bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wipe),
        cmocka_unit_test(test_equal),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_no_random),
    };

    return RUN(tests);
}
