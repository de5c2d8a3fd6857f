/* SPDX-License-Identifier: MIT */
/*
 * Little-endian loads and stores, and rotation. Every integer that Argon2 and
 * BLAKE2b read or write is little-endian (RFC 9106 section 3.1, LE32, LE64).
 */
#ifndef A2F_BYTES_H
#define A2F_BYTES_H

#include <stdint.h>

static inline void a2f_store32(uint8_t out[4], uint32_t x)
{
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t)(x >> (8 * i));
}

static inline void a2f_store64(uint8_t out[8], uint64_t x)
{
    for (int i = 0; i < 8; i++)
        out[i] = (uint8_t)(x >> (8 * i));
}

static inline uint64_t a2f_load64(const uint8_t in[8])
{
    uint64_t x = 0;

    for (int i = 0; i < 8; i++)
        x |= (uint64_t)in[i] << (8 * i);
    return x;
}

/* n is 1 to 63. */
static inline uint64_t a2f_rotr64(uint64_t x, unsigned n)
{
    return (x >> n) | (x << (64 - n));
}

#endif
