/* SPDX-License-Identifier: MIT */
/*
 * Strands: lanes of one or several jobs that are filled in lockstep, block by
 * block (RFC 9106 section 3.2, steps 5 and 6), so that one computes while
 * another one's reference is on its way from memory.
 */
#ifndef A2F_STRANDS_H
#define A2F_STRANDS_H

#include "argon2fast.h"
#include "simd/kernel.h"

/* Strands in one lockstep: enough to hide a memory access, few enough for
 * their current blocks to stay in the first-level cache. */
#define A2F_GROUP 8

/* The matrix of all jobs; block (strand s, column c) is blocks[c * strands + s]
 * and strand s is lane s % lanes of job s / lanes. */
struct a2f_matrix {
    const struct a2f_kernel *kernel;
    struct a2f_block *blocks;
    uint64_t strands; /* jobs * lanes */
    uint32_t lanes;
    uint32_t length; /* columns, q in the RFC: a multiple of 4 */
    uint32_t passes;
    uint32_t version;
    enum a2f_type type;
};

/* Fills the columns of one segment from place `at` to index `to` for `count`
 * (at most A2F_GROUP) strands from `first` on. Between two calls at.index is a
 * multiple of 128, or 0 or 2 at a segment's beginning. */
void a2f_strands_advance(const struct a2f_matrix *matrix, struct a2f_place at,
                         uint32_t to, uint64_t first, unsigned count);

#endif
