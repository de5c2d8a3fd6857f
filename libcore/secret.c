/* SPDX-License-Identifier: MIT */
/* Wiping, comparing and making secrets. */
#include "secret.h"

#include <string.h>

#include "cpu.h"
#include "sys.h"

/* More than a kernel and the frames between it and the engine use. */
#define STACK_WIPED 24576

void a2f_wipe(void *data, size_t len)
{
    if (len == 0)
        return;
    memset(data, 0, len);
    /* Tells the compiler that somebody reads the zeroes. */
    __asm__ volatile("" : : "r"(data) : "memory");
}

bool a2f_equal(const void *a, const void *b, size_t len)
{
    const volatile unsigned char *x = a, *y = b;
    unsigned difference = 0;

    for (size_t i = 0; i < len; i++)
        difference |= (unsigned)(x[i] ^ y[i]);
    /* difference is below 256: bit 8 of the sum is set unless it is 0. */
    return ((difference + 255) >> 8) == 0;
}

enum a2f_status a2f_random(void *data, size_t len)
{
    if (a2f_sys_random(data, len))
        return A2F_OK;
    a2f_wipe(data, len);
    return A2F_SYSTEM;
}

__attribute__((noinline)) void a2f_wipe_traces(void)
{
    unsigned char below[STACK_WIPED];

    a2f_wipe(below, sizeof below);
    a2f_cpu_clear();
}
