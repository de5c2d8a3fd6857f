/* SPDX-License-Identifier: MIT */
/*
 * Which block may the next one refer to? RFC 9106 section 3.4: a view is the
 * set of candidates for one strand at one place, a2f_refer picks one of them
 * by 64 pseudo-random bits. Pure arithmetic, no memory is read.
 *
 * Block (lane l, column c) is blocks[c * stride + l], where blocks is the
 * first block of the job; stride is the lanes of all jobs side by side.
 */
#ifndef A2F_SIMD_VIEW_H
#define A2F_SIMD_VIEW_H

#include "block.h"

#define A2F_SLICES 4

struct a2f_view {
    const struct a2f_block *blocks;
    uint64_t stride;
    uint32_t lane;   /* the lane that is being filled */
    uint32_t lanes;  /* to choose among; 1: the own lane only */
    uint32_t length; /* columns of a lane, q in the RFC */
    uint32_t start;  /* column of the oldest candidate */
    uint32_t same;   /* candidates in the own lane, |W| in the RFC */
    uint32_t other;  /* candidates in each other lane */
};

/* The place where the next block goes; counted as RFC 9106 section 3.4 does. */
struct a2f_place {
    uint32_t pass;
    uint32_t slice;
    uint32_t index; /* column within the segment */
};

/* Moves a view of a job with this many lanes to a place. A segment has
 * length / 4 columns, and the first two columns of a lane are seeded, so the
 * own lane always has a candidate. */
static inline void a2f_view_move(struct a2f_view *view, uint32_t lanes,
                                 struct a2f_place at)
{
    uint32_t segment = view->length / A2F_SLICES;
    uint32_t finished = (at.pass == 0 ? at.slice : A2F_SLICES - 1) * segment;

    view->lanes = at.pass == 0 && at.slice == 0 ? 1 : lanes;
    view->start = at.pass == 0 ? 0 : (at.slice + 1) % A2F_SLICES * segment;
    view->same = finished + at.index - 1;
    view->other = finished - (at.index == 0);
}

/* The block, counted from view->blocks, that J1 || J2 = word refers to. */
static inline uint64_t a2f_refer(const struct a2f_view *view, uint64_t word)
{
    uint32_t j1 = (uint32_t)word, j2 = (uint32_t)(word >> 32);
    uint32_t lane = view->lanes == 1 ? view->lane : j2 % view->lanes;
    uint64_t area = lane == view->lane ? view->same : view->other;
    uint64_t x = (uint64_t)j1 * j1 >> 32;
    uint64_t column = view->start + area - 1 - (area * x >> 32);

    if (column >= view->length)
        column -= view->length;
    return column * view->stride + lane;
}

#endif
