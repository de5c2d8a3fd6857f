/* SPDX-License-Identifier: MIT */
/*
 * What a CPU and its system say of themselves, in the terms of the kernel
 * table. The readings are judged by pure functions, so that CPUs can be tested
 * that are not here.
 */
#ifndef A2F_CPU_H
#define A2F_CPU_H

#include <stdint.h>

/* Each stands for all that the compiler flag of that name implies, and for the
 * system saving the registers. */
enum a2f_cpu {
    A2F_CPU_SSSE3 = 1 << 0,
    A2F_CPU_AVX2 = 1 << 1,
    A2F_CPU_AVX512F = 1 << 2,
    A2F_CPU_SHA3 = 1 << 3,
    A2F_CPU_SVE2 = 1 << 4,
};

/* What this CPU offers; found out once. */
uint32_t a2f_cpu(void);

/* Zeroes the calling thread's vector registers: words of a block or of a
 * password stay in them for long, and are part of a core dump. */
void a2f_cpu_clear(void);

/* x86: CPUID's highest leaf, ECX of leaf 1, EBX of leaf 7, and XCR0; what is
 * beyond the highest leaf, or is not to be read without OSXSAVE, is ignored. */
struct a2f_cpuid {
    uint32_t leaves, leaf1_ecx, leaf7_ebx;
    uint64_t xcr0;
};

#define A2F_CPUID1_OSXSAVE (UINT32_C(1) << 27)

static inline uint32_t a2f_cpu_x86(struct a2f_cpuid id)
{
    const uint32_t ssse3 = 1u << 0 | 1u << 9; /* SSE3, SSSE3 */
    /* SSE4.1, SSE4.2, POPCNT, OSXSAVE, AVX */
    const uint32_t avx =
        ssse3 | 1u << 19 | 1u << 20 | 1u << 23 | A2F_CPUID1_OSXSAVE | 1u << 28;
    const uint32_t fma_f16c = 1u << 12 | 1u << 29; /* clang's -mavx512f */
    const uint32_t avx2 = 1u << 5, avx512f = 1u << 16;
    const uint64_t ymm = 1u << 1 | 1u << 2; /* XMM and YMM state */
    const uint64_t zmm = ymm | 1u << 5 | 1u << 6 | 1u << 7;
    uint32_t has = 0;

    if (id.leaves >= 1 && (id.leaf1_ecx & ssse3) == ssse3)
        has |= A2F_CPU_SSSE3;
    if (id.leaves >= 7 && (id.leaf1_ecx & avx) == avx &&
        (id.leaf7_ebx & avx2) && (id.xcr0 & ymm) == ymm)
        has |= A2F_CPU_AVX2;
    if ((has & A2F_CPU_AVX2) && (id.leaf1_ecx & fma_f16c) == fma_f16c &&
        (id.leaf7_ebx & avx512f) && (id.xcr0 & zmm) == zmm)
        has |= A2F_CPU_AVX512F;
    return has;
}

/* aarch64 Linux: AT_HWCAP and AT_HWCAP2. */
static inline uint32_t a2f_cpu_aarch64(uint64_t hwcap, uint64_t hwcap2)
{
    const uint64_t sha3 = 1u << 17, sve = 1u << 22, sve2 = 1u << 1;

    return (hwcap & sha3 ? (uint32_t)A2F_CPU_SHA3 : 0) |
           ((hwcap & sve) && (hwcap2 & sve2) ? (uint32_t)A2F_CPU_SVE2 : 0);
}

#endif
