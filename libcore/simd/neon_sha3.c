/* SPDX-License-Identifier: MIT */
/* NEON with FEAT_SHA3: XAR, exclusive or and rotate in one instruction. */
#ifndef __ARM_FEATURE_SHA3
#error "neon_sha3.c needs its flags line in the Makefile"
#endif
#include "neon.inc.h"

#define FILL_BLOCK a2f_fill_block_neon_sha3

#define vxr32(a, b) vxarq_u64(a, b, 32)
#define vxr24(a, b) vxarq_u64(a, b, 24)
#define vxr16(a, b) vxarq_u64(a, b, 16)
#define vxr63(a, b) vxarq_u64(a, b, 63)

#include "round.inc.h"
