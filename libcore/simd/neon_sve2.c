/* SPDX-License-Identifier: MIT */
/*
 * NEON with SVE2's XAR, for CPUs without FEAT_SHA3. It works word by word, and
 * a NEON register is the low part of an SVE one, so any vector length serves.
 * Compilers have no name for that register yet: so the instruction by number.
 */
#ifndef __ARM_FEATURE_SVE2
#error "neon_sve2.c needs its flags line in the Makefile"
#endif
#include "neon.inc.h"

#define FILL_BLOCK a2f_fill_block_neon_sve2

/* .La2f_v5 is 5, and so on. */
__asm__(".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,"
        "24,25,26,27,28,29,30,31\n.equ .La2f_v\\n,\\n\n.endr");
#define VXR(n)                                                                 \
    static inline __attribute__((always_inline)) vec vxr##n(vec a, vec b)      \
    {                                                                          \
        __asm__(".inst 0x04203400 | (((128-" #n ") >> 5) << 22) | "            \
                "(((128-" #n ") & 31) << 16) | (.La2f_%1 << 5) | .La2f_%0"     \
                : "+w"(a)                                                      \
                : "w"(b));                                                     \
        return a;                                                              \
    }
VXR(32) VXR(24) VXR(16) VXR(63)

#include "round.inc.h"
