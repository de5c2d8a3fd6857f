/* SPDX-License-Identifier: MIT */
/*
 * Which kernels there are, what this CPU can run, and which one to use. Built
 * with NO ISA flags: it runs before anything is known about the CPU.
 */
#include "kernel.h"

#include <string.h>

/* What a CPU may offer beyond its architecture's baseline. */
enum a2f_cpu {
    CPU_BASE = 0,
};

static const struct a2f_kernel kernels[] = {
    {"scalar", 1, CPU_BASE, a2f_fill_block_scalar},
};

static uint32_t detect(void)
{
    return 0;
}

const struct a2f_kernel *a2f_kernel_at(size_t index)
{
    return index < sizeof kernels / sizeof *kernels ? &kernels[index] : NULL;
}

bool a2f_kernel_usable(const struct a2f_kernel *kernel)
{
    return (kernel->needs & ~detect()) == 0;
}

/* Words that look random, the same every time (splitmix64). */
static void fill_pattern(struct a2f_block *block, uint64_t seed)
{
    for (unsigned i = 0; i < A2F_BLOCK_WORDS; i++) {
        uint64_t x = seed += 0x9e3779b97f4a7c15;

        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
        x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
        block->w[i] = x ^ (x >> 31);
    }
}

static void transpose(struct a2f_block *out, const struct a2f_block *in,
                      unsigned width)
{
    for (unsigned i = 0; i < A2F_BLOCK_WORDS; i++)
        out->w[a2f_block_pos(width, i)] = in->w[i];
}

static bool check_one(const struct a2f_kernel *kernel, bool xor, bool look)
{
    struct a2f_block in[3], mine[3], expected;
    const struct a2f_block *ref, *expected_ref;
    struct a2f_view view = {.blocks = mine, .stride = 1, .lanes = 1};

    view.length = view.same = 3;
    for (unsigned i = 0; i < 3; i++) {
        fill_pattern(&in[i], i + 1);
        transpose(&mine[i], &in[i], kernel->width);
    }
    expected_ref =
        a2f_fill_block_scalar(&in[0], &in[1], &in[2], xor, look ? &view : NULL);
    ref = kernel->fill_block(&mine[0], &mine[1], &mine[2], xor,
                             look ? &view : NULL);
    transpose(&expected, &in[2], kernel->width);
    return ref == expected_ref &&
           memcmp(&mine[2], &expected, sizeof expected) == 0;
}

bool a2f_kernel_check(const struct a2f_kernel *kernel)
{
    return check_one(kernel, false, false) && check_one(kernel, true, false) &&
           check_one(kernel, false, true) && check_one(kernel, true, true);
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
