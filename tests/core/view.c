/* SPDX-License-Identifier: MIT */
/*
 * a2f_refer against the naive reading of RFC 9106 section 3.4. Nothing is read
 * at the place it names, so lanes go up to the RFC's 2^24-1.
 */
#include "unit.h"

#include "naive.h"
#include "params.h"
#include "simd/view.h"
#include "support.h"

static void check_place(uint32_t lanes, uint32_t columns, struct naive_place at,
                        uint64_t word)
{
    struct a2f_view view = {
        .stride = lanes + 3ull, .lane = at.lane, .length = columns};
    struct a2f_place place = {at.pass, at.slice, at.index};
    struct naive_refer ref =
        naive_refer(lanes, columns, at, (uint32_t)word, (uint32_t)(word >> 32));

    a2f_view_move(&view, lanes, place);
    assert_int_equal(a2f_refer(&view, word),
                     ref.column * (lanes + 3ull) + ref.lane);
}

/* J1 and J2 where rounding, wrapping and carries could go wrong, then any. */
static uint64_t pick_word(unsigned i)
{
    static const uint64_t extreme[] = {
        0,          1,          UINT32_MAX, 0x80000000,
        0xFFFF0000, UINT64_MAX, 1ull << 32, UINT64_MAX - UINT32_MAX};
    enum { EXTREMES = sizeof extreme / sizeof *extreme };

    return i < EXTREMES ? extreme[i] : random_u64();
}

static void check_all_places(uint32_t lanes, uint32_t columns)
{
    for (uint32_t pass = 0; pass < 3; pass++)
        for (uint32_t slice = 0; slice < 4; slice++)
            for (uint32_t index = pass + slice == 0 ? 2 : 0;
                 index < columns / 4; index++)
                for (unsigned i = 0; i < 16; i++) {
                    struct naive_place at = {pass, slice,
                                             random_range(0, lanes - 1), index};

                    check_place(lanes, columns, at, pick_word(i));
                }
}

static void test_all_places(void **state)
{
    (void)state;
    for (uint32_t lanes = 1; lanes <= 5; lanes++)
        for (uint32_t columns = 8; columns <= 64; columns += 4)
            check_all_places(lanes, columns);
}

static void test_many_lanes(void **state)
{
    static const uint32_t lanes[] = {255, 256, 65535, 65536, A2F_LANES_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++)
        check_all_places(lanes[i], 8);
}

/* 64-bit sums: with 4 GiB and more, 32 bits are not enough. */
static void test_long_lanes(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 60; i++) {
        uint32_t columns = 1u << random_range(12, 20);
        struct naive_place at = {random_range(0, 2), random_range(0, 3), 0, 0};

        at.lane = random_range(0, 4095);
        at.index = random_range(2, columns / 4 - 1);
        check_place(4096, columns, at, pick_word(i));
    }
}

/* Every word leads to a block that is finished or at least two columns back:
 * what lets lanes and slices run side by side. */
static void test_never_in_flight(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 200000; i++) {
        uint32_t lanes = random_range(1, 4), segment = random_range(3, 9);
        uint32_t columns = 4 * segment;
        struct a2f_place at = {random_range(0, 2), random_range(0, 3),
                               random_range(2, segment - 1)};
        struct a2f_view view = {.stride = lanes,
                                .lane = random_range(0, lanes - 1),
                                .length = columns};
        uint64_t block;
        uint32_t column, now = at.slice * segment + at.index;

        a2f_view_move(&view, lanes, at);
        block = a2f_refer(&view, random_u64());
        column = (uint32_t)(block / lanes);
        assert_true(column < columns);
        assert_true(column != now && column != now - 1);
        if (column / segment == at.slice) {
            assert_int_equal(block % lanes, view.lane);
            assert_true(column < now - 1);
        }
        if (at.pass == 0)
            assert_true(column < now - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_places),
        cmocka_unit_test(test_many_lanes),
        cmocka_unit_test(test_long_lanes),
        cmocka_unit_test(test_never_in_flight),
    };

    random_start();
    return RUN(tests);
}
