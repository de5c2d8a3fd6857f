/* SPDX-License-Identifier: MIT */
/*
 * Argon2 as RFC 9106 section 3 writes it, block by block in one plain matrix:
 * no views, rounds, strands or layouts. What fill.c and view.h are compared
 * with. It shares BLAKE2b and the scalar G with the core, which have tests of
 * their own.
 */
#ifndef NAIVE_H
#define NAIVE_H

#include "argon2fast.h"
#include "simd/block.h"

struct naive {
    const struct a2f_params *params;
    uint32_t columns; /* q */
    uint8_t h0[64];
    struct a2f_block *block; /* B[i][j] is block[i * columns + j] */
};

struct naive_place {
    uint32_t pass, slice, lane, index; /* index: column within the segment */
};

/* Section 3.4: the lane and column that J1 and J2 refer to. */
struct naive_refer {
    uint32_t lane, column;
};
struct naive_refer naive_refer(uint32_t lanes, uint32_t columns,
                               struct naive_place at, uint32_t j1, uint32_t j2);

/* Steps 1 to 4: a matrix with its first two columns; free its block. */
struct naive naive_start(const struct a2f_params *params,
                         const struct a2f_input *input);
/* Steps 5 and 6: one pass. */
void naive_pass(struct naive *naive, uint32_t pass);
/* Steps 7 and 8. */
void naive_tag(const struct naive *naive, uint8_t *tag);

#endif
