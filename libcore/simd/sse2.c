/* SPDX-License-Identifier: MIT */
/* SSE2, the baseline of x86-64: rotations from shifts and 16-bit shuffles. */
#ifndef __SSE2__
#error "sse2.c needs its flags line in the Makefile"
#endif
#include "sse.inc.h"

#define FILL_BLOCK a2f_fill_block_sse2

#define vxr16(a, b)                                                            \
    _mm_shufflehi_epi16(_mm_shufflelo_epi16(vxor(a, b), 0x39), 0x39)

static inline __attribute__((always_inline)) vec vxr24(vec a, vec b)
{
    vec x = vxor(a, b);

    return vxor(_mm_srli_epi64(x, 24), _mm_slli_epi64(x, 40));
}

#include "round.inc.h"
