/* SPDX-License-Identifier: MIT */
/* The transposed layout of a block. */
#include "unit.h"

#include <string.h>

#include "simd/block.h"

static void test_layout(void **state)
{
    (void)state;
    for (unsigned width = 1; width <= 8; width *= 2) {
        unsigned char seen[A2F_BLOCK_WORDS] = {0};

        for (unsigned i = 0; i < A2F_BLOCK_WORDS; i++) {
            unsigned pos = a2f_block_pos(width, i);
            unsigned row = i / 16, word = i % 16;

            assert_true(pos < A2F_BLOCK_WORDS);
            assert_int_equal(seen[pos]++, 0);
            /* element row % W of vector `word` of group row / W */
            assert_int_equal(pos % width, row % width);
            assert_int_equal(pos / width, row / width * 16 + word);
        }
        assert_int_equal(a2f_block_pos(width, 0), 0);
    }
}

static void test_plain_layout(void **state)
{
    (void)state;
    for (unsigned i = 0; i < A2F_BLOCK_WORDS; i++)
        assert_int_equal(a2f_block_pos(1, i), i);
}

static void test_size(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct a2f_block), A2F_BLOCK_BYTES);
    assert_int_equal(alignof(struct a2f_block), 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_plain_layout),
        cmocka_unit_test(test_size),
    };

    return RUN(tests);
}
