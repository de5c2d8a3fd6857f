/* SPDX-License-Identifier: MIT */
/* Block memory; see arena.h. Every kind of advice is optional. */
#include "arena.h"

#include "argon2fast.h"
#include "sys.h"

#define HUGE_PAGE  ((size_t)2 << 20)
#define SMALL_PAGE ((size_t)4096) /* or a part of one */
/* From here on one huge page costs less than the small pages that would do. */
#define WORTH_HUGE ((size_t)32 << 10)

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

/* Whole huge pages; NULL when there is no room for the detour. */
static void *map_huge(size_t size)
{
    char *all = a2f_sys_map(size + HUGE_PAGE);
    size_t head;

    if (all == NULL)
        return NULL;
    head = round_up((size_t)(uintptr_t)all, HUGE_PAGE) - (uintptr_t)all;
    if (head > 0)
        a2f_sys_unmap(all, head);
    if (head < HUGE_PAGE)
        a2f_sys_unmap(all + head + size, HUGE_PAGE - head);
    a2f_sys_huge(all + head, size);
    return all + head;
}

bool a2f_arena_reserve(struct a2f_arena *arena, size_t size, bool exact)
{
    const size_t page = a2f_sys_page();
    void *memory = NULL;

    *arena = (struct a2f_arena){0};
    if (size > SIZE_MAX - 2 * HUGE_PAGE)
        return false;
    arena->wanted = round_up(size, page);
    if (size >= (exact ? HUGE_PAGE : WORTH_HUGE)) {
        arena->size = round_up(size, exact ? page : HUGE_PAGE);
        memory = map_huge(arena->size);
    }
    if (memory == NULL) {
        arena->size = arena->wanted;
        memory = a2f_sys_map(arena->size);
    }
    if (memory == NULL) {
        *arena = (struct a2f_arena){0};
        return false;
    }
    a2f_sys_private(memory, arena->size);
    arena->blocks = memory;
    return true;
}

bool a2f_arena_ready(struct a2f_arena *arena, size_t upto)
{
    size_t piece;
    char *from = (char *)arena->blocks + arena->present;

    if (arena->present >= upto)
        return false;
    piece = arena->wanted - arena->present;
    if (piece > A2F_ARENA_PIECE)
        piece = A2F_ARENA_PIECE;
    if (!a2f_sys_populate(from, piece))
        for (size_t i = 0; i < piece; i += SMALL_PAGE)
            *(volatile char *)(from + i) = 0;
    arena->present += piece;
    return arena->present < upto;
}

void a2f_arena_wipe(struct a2f_arena *arena, size_t i, size_t n)
{
    size_t part = round_up(arena->written / n, SMALL_PAGE);
    size_t from = i * part;
    size_t left = from < arena->written ? arena->written - from : 0;

    a2f_wipe((char *)arena->blocks + from,
             i + 1 < n && part < left ? part : left);
}

void a2f_arena_wiped(struct a2f_arena *arena)
{
    arena->written = 0;
}

void a2f_arena_release(struct a2f_arena *arena)
{
    if (arena->size > 0)
        a2f_sys_unmap(arena->blocks, arena->size);
    *arena = (struct a2f_arena){0};
}
