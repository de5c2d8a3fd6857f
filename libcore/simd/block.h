/* SPDX-License-Identifier: MIT */
/*
 * A block: 1 KiB, 128 words, an 8 x 8 matrix of 16-byte registers in RFC 9106
 * section 3.5. Its words are kept TRANSPOSED for vectors of W words: with the
 * block as 8 rows of 16 words, vector k of group g holds word k of the rows
 * g*W .. g*W+W-1. The permutation P is then its plain scalar round, W rows at
 * a time. With W = 1 the order is the RFC's. Word 0 is first for every W.
 */
#ifndef A2F_SIMD_BLOCK_H
#define A2F_SIMD_BLOCK_H

#include <stdalign.h>
#include <stdint.h>

#define A2F_BLOCK_BYTES 1024
#define A2F_BLOCK_WORDS 128

struct a2f_block {
    alignas(64) uint64_t w[A2F_BLOCK_WORDS];
};

/* Where word i of the RFC's order lies in a block for vectors of W words. */
static inline unsigned a2f_block_pos(unsigned W, unsigned i)
{
    unsigned row = i / 16, k = i % 16;

    return (row / W * 16 + k) * W + row % W;
}

/* Always inline: GCC drops such a call, as one without effect. */
static inline __attribute__((always_inline)) void
a2f_block_prefetch(const struct a2f_block *block)
{
#pragma GCC unroll 16
    for (unsigned i = 0; i < A2F_BLOCK_WORDS; i += 8)
        __builtin_prefetch(block->w + i);
}

#endif
