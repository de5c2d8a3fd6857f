/* SPDX-License-Identifier: MIT */
/* Asks the CPU and the system; see cpu.h. Built with no ISA flags. */
#include "cpu.h"

#include <stdatomic.h>
#include <stddef.h>

#if defined(__x86_64__)
#include <cpuid.h>

static uint32_t detect(void)
{
    struct a2f_cpuid id = {0};
    uint32_t eax, ebx, ecx, edx, low, high;

    id.leaves = (uint32_t)__get_cpuid_max(0, NULL);
    if (id.leaves >= 1) {
        __cpuid(1, eax, ebx, ecx, edx);
        id.leaf1_ecx = ecx;
    }
    if (id.leaves >= 7) {
        __cpuid_count(7, 0, eax, ebx, ecx, edx);
        id.leaf7_ebx = ebx;
    }
    if (id.leaf1_ecx & A2F_CPUID1_OSXSAVE) {
        /* The compiler's own name for it needs -mxsave. */
        __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        id.xcr0 = (uint64_t)high << 32 | low;
    }
    return a2f_cpu_x86(id);
}
#elif defined(__aarch64__)
#include <sys/auxv.h>

static uint32_t detect(void)
{
    return a2f_cpu_aarch64(getauxval(AT_HWCAP), getauxval(AT_HWCAP2));
}
#else
static uint32_t detect(void)
{
    return 0;
}
#endif

/* Asked once: a hypervisor may take a while to answer CPUID. */
uint32_t a2f_cpu(void)
{
    static const uint32_t known = UINT32_C(1) << 31;
    static _Atomic uint32_t features;
    uint32_t f = atomic_load(&features);

    if (f == 0) {
        f = detect() | known;
        atomic_store(&features, f);
    }
    return f & ~known;
}
