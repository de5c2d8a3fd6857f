/* SPDX-License-Identifier: MIT */
/*
 * Secrets as valgrind sees them. Memcheck follows every bit that is not
 * defined and reports a branch or an address that depends on one; so a secret
 * is memory that is said to be undefined, and a report is a leak.
 */
#ifndef TAINT_H
#define TAINT_H

#include <stdbool.h>
#include <stdint.h>
#include <valgrind/memcheck.h>

/* From here on these bytes are secret. */
static inline void hide(const void *data, size_t len)
{
    VALGRIND_MAKE_MEM_UNDEFINED(data, len);
}

/* Whether every byte has a bit that depends on a secret: what goes in hidden
 * must come out hidden, or nothing was followed at all. */
static inline bool is_hidden(const void *data, size_t len)
{
    const uint8_t *bytes = data;

    for (size_t i = 0; i < len; i++) {
        uint8_t bits = 0;

        if (VALGRIND_GET_VBITS(bytes + i, &bits, 1) != 1 || bits == 0)
            return false;
    }
    return len > 0;
}

/* How often valgrind has reported a branch or an address, so far. */
static inline unsigned reports(void)
{
    return VALGRIND_COUNT_ERRORS;
}

#endif
