/* SPDX-License-Identifier: MIT */
/* A kernel is one implementation of the compression function G, RFC 9106
 * section 3.5. kernels.c knows all of them and which to use. */
#ifndef A2F_SIMD_KERNEL_H
#define A2F_SIMD_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "block.h"
#include "view.h"

/*
 * next = G(prev, ref), or with `xor_old` G(prev, ref) XOR next (a later pass of
 * version 0x13). Blocks are in the layout for the kernel's width; next may be
 * prev or ref. With a view, returns the block that the block after next refers
 * to, and has it on its way to the cache; else NULL.
 */
typedef const struct a2f_block *a2f_fill_block(const struct a2f_block *prev,
                                               const struct a2f_block *ref,
                                               struct a2f_block *next,
                                               bool xor_old,
                                               const struct a2f_view *view);

struct a2f_kernel {
    const char *name;
    unsigned width; /* words to a vector: the layout of its blocks */
    uint32_t needs; /* enum a2f_cpu (cpu.h): all that its flags imply */
    a2f_fill_block *fill_block;
};

a2f_fill_block a2f_fill_block_scalar, a2f_fill_block_sse2, a2f_fill_block_ssse3,
    a2f_fill_block_avx2, a2f_fill_block_avx512, a2f_fill_block_neon,
    a2f_fill_block_neon_sha3, a2f_fill_block_neon_sve2;

/* The index-th kernel of this build, fastest first; scalar is the last. */
const struct a2f_kernel *a2f_kernel_at(size_t index);

/* Whether this CPU (and its system) has what the kernel needs. */
bool a2f_kernel_usable(const struct a2f_kernel *kernel);

/* The usable kernel of that name, or with NULL the fastest that passes its
 * self-check against scalar. NULL: no such kernel here. */
const struct a2f_kernel *a2f_kernel_find(const char *name);

/* Whether blocks come out as scalar's, plain, and with xor_old and a view. */
bool a2f_kernel_check(const struct a2f_kernel *kernel);

#endif
