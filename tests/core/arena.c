/* SPDX-License-Identifier: MIT */
/* Block memory: alignment, pieces, wiping in parts, and refusals. */
#include "unit.h"

#include <string.h>

#include "arena.h"
#include "sys.h"

#define MIB ((size_t)1 << 20)

static bool all_zero(const struct a2f_arena *arena, size_t len)
{
    const unsigned char *bytes = (const unsigned char *)arena->blocks;

    for (size_t i = 0; i < len; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static void test_reserve(void **state)
{
    static const size_t sizes[] = {8192,    8193,           512 << 10,
                                   2 * MIB, 2 * MIB + 1024, 35 * MIB};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct a2f_arena arena;

        assert_true(a2f_arena_reserve(&arena, sizes[i], false));
        assert_true(arena.size >= sizes[i]);
        assert_int_equal((uintptr_t)arena.blocks % 64, 0);
        if (sizes[i] >= 2 * MIB)
            assert_int_equal((uintptr_t)arena.blocks % (2 * MIB), 0);
        assert_int_equal(arena.written, 0);
        assert_true(all_zero(&arena, sizes[i]));
        memset(arena.blocks, 1, sizes[i]);
        a2f_arena_release(&arena);
        assert_int_equal(arena.size, 0);
        a2f_arena_release(&arena);
        /* a budget may count on it */
        assert_true(a2f_arena_reserve(&arena, sizes[i], true));
        assert_in_range(arena.size, sizes[i], sizes[i] + a2f_sys_page() - 1);
        a2f_arena_release(&arena);
    }
}

/* No call makes more present than a piece, and all of them what is needed. */
static void check_ready(struct a2f_arena *arena, size_t upto)
{
    bool more = true;

    for (unsigned calls = 0; more; calls++) {
        size_t before = arena->present;

        assert_true(calls < 10);
        more = a2f_arena_ready(arena, upto);
        assert_true(arena->present >= before);
        assert_true(arena->present - before <= A2F_ARENA_PIECE);
        assert_int_equal(more, arena->present < upto);
        assert_true(arena->present <= arena->size);
    }
    assert_true(arena->present >= upto);
}

static void test_ready(void **state)
{
    struct a2f_arena arena;

    (void)state;
    for (unsigned broken = 0; broken < 2; broken++) {
        assert_true(a2f_arena_reserve(&arena, 35 * MIB, false));
        /* without MADV_POPULATE_WRITE pages are touched */
        a2f_sys_fail(broken, true);
        check_ready(&arena, 1);
        check_ready(&arena, 17 * MIB);
        check_ready(&arena, 17 * MIB);
        check_ready(&arena, 35 * MIB);
        a2f_sys_fail(0, false);
        assert_true(all_zero(&arena, 35 * MIB));
        a2f_arena_release(&arena);
    }
}

static void test_wipe(void **state)
{
    static const size_t written[] = {0,     1,     1024,          4096,
                                     65536, 66560, 3 * MIB + 1024};
    struct a2f_arena arena;

    (void)state;
    assert_true(a2f_arena_reserve(&arena, 4 * MIB, false));
    for (size_t w = 0; w < sizeof written / sizeof *written; w++)
        for (size_t parts = 1; parts <= 9; parts++) {
            memset(arena.blocks, 0xAA, written[w]);
            arena.written = written[w];
            for (size_t i = parts; i-- > 0;)
                a2f_arena_wipe(&arena, i, parts);
            assert_true(all_zero(&arena, written[w] + 4096));
            a2f_arena_wiped(&arena);
            assert_int_equal(arena.written, 0);
        }
    a2f_arena_release(&arena);
}

static void test_refusals(void **state)
{
    struct a2f_arena arena;

    (void)state;
    assert_false(a2f_arena_reserve(&arena, SIZE_MAX, false));
    assert_int_equal(arena.size, 0);
    assert_false(a2f_arena_reserve(&arena, SIZE_MAX / 2, false));
    assert_int_equal(arena.size, 0);
    a2f_sys_fail(1, true);
    assert_false(a2f_arena_reserve(&arena, 4 * MIB, false));
    a2f_sys_fail(0, false);
    assert_int_equal(arena.size, 0);
    a2f_arena_release(&arena);
    /* No room for the detour to a huge page's edge is no refusal. */
    a2f_sys_fail(1, false);
    assert_true(a2f_arena_reserve(&arena, 4 * MIB, false));
    a2f_sys_fail(0, false);
    memset(arena.blocks, 1, 4 * MIB);
    a2f_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reserve),
        cmocka_unit_test(test_ready),
        cmocka_unit_test(test_wipe),
        cmocka_unit_test(test_refusals),
    };

    return RUN(tests);
}
