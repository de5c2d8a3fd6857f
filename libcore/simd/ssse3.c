/* SPDX-License-Identifier: MIT */
/* SSSE3: rotations by whole bytes are one byte shuffle. */
#ifndef __SSSE3__
#error "ssse3.c needs its flags line in the Makefile"
#endif
#include <tmmintrin.h>

#include "sse.inc.h"

#define FILL_BLOCK a2f_fill_block_ssse3

#define ROTATE(n)   _mm_setr_epi8(ROTATED_BYTES(n, 0), ROTATED_BYTES(n, 8))
#define vxr24(a, b) _mm_shuffle_epi8(vxor(a, b), ROTATE(3))
#define vxr16(a, b) _mm_shuffle_epi8(vxor(a, b), ROTATE(2))

#include "round.inc.h"
