/* SPDX-License-Identifier: MIT */
/*
 * NEON with SVE2's XAR, for CPUs without FEAT_SHA3. It works word by word, and
 * a NEON register is the low part of an SVE one, so any vector length serves.
 */
#ifndef __ARM_FEATURE_SVE2
#error "neon_sve2.c needs its flags line in the Makefile"
#endif
#include "neon.inc.h"

#define FILL_BLOCK a2f_fill_block_neon_sve2

#define VXR(n)                                                                 \
    static inline __attribute__((always_inline)) vec vxr##n(vec a, vec b)      \
    {                                                                          \
        __asm__("xar %Z0.d, %Z0.d, %Z1.d, #" #n : "+w"(a) : "w"(b));           \
        return a;                                                              \
    }
VXR(32) VXR(24) VXR(16) VXR(63)

#include "round.inc.h"
