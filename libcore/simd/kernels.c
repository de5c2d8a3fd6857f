/* SPDX-License-Identifier: MIT */
/* Which kernels there are, what this CPU can run, and which one to use. Built
 * with NO ISA flags: it runs before anything is known about the CPU. */
#include "kernel.h"

#include <string.h>

#include "../cpu.h"

/* Fastest first: the first that works is used. */
static const struct a2f_kernel kernels[] = {
#if defined(__x86_64__)
    {"avx512", 8, A2F_CPU_SSSE3 | A2F_CPU_AVX2 | A2F_CPU_AVX512F,
     a2f_fill_block_avx512},
    {"avx2", 4, A2F_CPU_SSSE3 | A2F_CPU_AVX2, a2f_fill_block_avx2},
    {"ssse3", 2, A2F_CPU_SSSE3, a2f_fill_block_ssse3},
    {"sse2", 2, 0, a2f_fill_block_sse2},
#elif defined(__aarch64__)
    {"neon_sha3", 2, A2F_CPU_SHA3, a2f_fill_block_neon_sha3},
    {"neon_sve2", 2, A2F_CPU_SVE2, a2f_fill_block_neon_sve2},
    {"neon", 2, 0, a2f_fill_block_neon},
#endif
    {"scalar", 1, 0, a2f_fill_block_scalar},
};

const struct a2f_kernel *a2f_kernel_at(size_t index)
{
    return index < sizeof kernels / sizeof *kernels ? &kernels[index] : NULL;
}

bool a2f_kernel_usable(const struct a2f_kernel *kernel)
{
    return (kernel->needs & ~a2f_cpu()) == 0;
}

/* One block of words that look random, against scalar's. */
static bool check_one(const struct a2f_kernel *kernel, bool xor_old, bool look)
{
    struct a2f_block s[3], k[3];
    struct a2f_view view = {
        .blocks = s, .stride = 1, .lanes = 1, .length = 3, .same = 3};
    const struct a2f_view *seen = look ? &view : NULL;
    uint64_t x = 1;
    bool same;

    for (unsigned i = 0; i < 3 * A2F_BLOCK_WORDS; i++) {
        unsigned b = i / A2F_BLOCK_WORDS, word = i % A2F_BLOCK_WORDS;

        x = x * 6364136223846793005 + 1442695040888963407;
        s[b].w[word] = x ^ (x >> 29);
        k[b].w[a2f_block_pos(kernel->width, word)] = s[b].w[word];
    }
    same = a2f_fill_block_scalar(&s[0], &s[1], &s[2], xor_old, seen) ==
           kernel->fill_block(&k[0], &k[1], &k[2], xor_old, seen);
    for (unsigned i = 0; i < A2F_BLOCK_WORDS; i++)
        same &= s[2].w[i] == k[2].w[a2f_block_pos(kernel->width, i)];
    return same;
}

bool a2f_kernel_check(const struct a2f_kernel *kernel)
{
    return check_one(kernel, false, false) && check_one(kernel, true, true);
}

const struct a2f_kernel *a2f_kernel_find(const char *name)
{
    const struct a2f_kernel *kernel;

    for (size_t i = 0; (kernel = a2f_kernel_at(i)) != NULL; i++)
        if (a2f_kernel_usable(kernel) &&
            (name != NULL ? strcmp(kernel->name, name) == 0
                          : a2f_kernel_check(kernel)))
            return kernel;
    return NULL;
}
