/* SPDX-License-Identifier: MIT */
/* Asks the CPU and the system, and clears registers; see cpu.h. Built with no
 * ISA flags. */
#include "cpu.h"

#include <stdatomic.h>
#include <stddef.h>

#if defined(__x86_64__)
#include <cpuid.h>

#define VECTORS                                                                \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",    \
        "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"

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

/* SSE, AVX, masks and both halves of AVX-512's: the bits of XCR0. */
#define VECTOR_STATE 0xe6

void a2f_cpu_clear(void)
{
    /* An XSAVE area that says of each of them: as after a reset. */
    _Alignas(64) unsigned char initial[576] = {0};

    if (a2f_cpu() & A2F_CPU_AVX2)
        __asm__ volatile("stmxcsr 24(%0)\n\t" /* not that, though */
                         "xrstor (%0)"
                         :
                         : "r"(initial), "a"(VECTOR_STATE), "d"(0)
                         : VECTORS, "memory");
    else
        __asm__ volatile(".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n\t"
                         "pxor %%xmm\\i, %%xmm\\i\n\t"
                         ".endr"
                         :
                         :
                         : VECTORS);
}
#elif defined(__aarch64__)
#include <sys/auxv.h>

static uint32_t detect(void)
{
    return a2f_cpu_aarch64(getauxval(AT_HWCAP), getauxval(AT_HWCAP2));
}

/* Writing one clears what SVE has above it, too. */
void a2f_cpu_clear(void)
{
    __asm__ volatile(".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,"
                     "19,20,21,22,23,24,25,26,27,28,29,30,31\n\t"
                     "movi v\\i\\().2d, #0\n\t"
                     ".endr"
                     :
                     :
                     : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8",
                       "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16",
                       "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24",
                       "v25", "v26", "v27", "v28", "v29", "v30", "v31");
}
#else
static uint32_t detect(void)
{
    return 0;
}

void a2f_cpu_clear(void)
{
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
