/* SPDX-License-Identifier: MIT */
/* NEON, the baseline of aarch64: rotations by shift and insert. */
#ifndef __ARM_NEON
#error "neon.c is for aarch64"
#endif
#include "neon.inc.h"

#define FILL_BLOCK a2f_fill_block_neon

#define vxr32(a, b)                                                            \
    vreinterpretq_u64_u32(vrev64q_u32(vreinterpretq_u32_u64(vxor(a, b))))
#define vxr24(a, b)  rotate(vxor(a, b), 24)
#define vxr16(a, b)  rotate(vxor(a, b), 16)
#define vxr63(a, b)  rotate(vxor(a, b), 63)
#define rotate(x, n) vsriq_n_u64(vshlq_n_u64(x, 64 - (n)), x, n)

#include "round.inc.h"
