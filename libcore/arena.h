/* SPDX-License-Identifier: MIT */
/*
 * Block memory: aligned pages, made present just ahead of the first pass,
 * wiped as far as they were written, and either kept or given back.
 */
#ifndef A2F_ARENA_H
#define A2F_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "simd/block.h"

struct a2f_arena {
    struct a2f_block *blocks;
    size_t size;    /* bytes mapped; 0: no memory */
    size_t wanted;  /* prefix that this use will write */
    size_t present; /* prefix that is populated */
    size_t written; /* prefix that may hold secrets */
};

/* Room for at least size bytes, all zero. False: no memory. With `exact` not
 * a page more, for a budget's sake; else up to a huge page more, which is the
 * faster the smaller the size. */
bool a2f_arena_reserve(struct a2f_arena *arena, size_t size, bool exact);

/* The next piece, of at most A2F_ARENA_PIECE bytes and within what is wanted,
 * becomes present; true while some of `upto` is not. */
#define A2F_ARENA_PIECE ((size_t)16 << 20)
bool a2f_arena_ready(struct a2f_arena *arena, size_t upto);

/* Wipes part i of n of the written prefix; a2f_arena_wiped when all are. */
void a2f_arena_wipe(struct a2f_arena *arena, size_t i, size_t n);
void a2f_arena_wiped(struct a2f_arena *arena);

/* Gives the memory back to the system. */
void a2f_arena_release(struct a2f_arena *arena);

#endif
