/* SPDX-License-Identifier: MIT */
/*
 * BLAKE2b (RFC 7693, unkeyed) and Argon2's variable-length hash H' (RFC 9106
 * section 3.3).
 */
#ifndef A2F_BLAKE2B_H
#define A2F_BLAKE2B_H

#include <stddef.h>
#include <stdint.h>

#define A2F_BLAKE2B_MAX 64

struct a2f_blake2b {
    uint64_t h[8];
    uint64_t bytes; /* hashed so far; 2^64 are never reached here */
    uint8_t buffer[128];
    size_t used;
    size_t out_len;
};

/* out_len is 1 to 64. */
void a2f_blake2b_init(struct a2f_blake2b *state, size_t out_len);
void a2f_blake2b_update(struct a2f_blake2b *state, const void *data,
                        size_t len);
/* Writes out_len bytes and wipes the state. */
void a2f_blake2b_final(struct a2f_blake2b *state, uint8_t *out);

/* H'^out_len(in), out_len at least 1. */
void a2f_blake2b_long(uint8_t *out, uint32_t out_len, const void *in,
                      size_t len);

#endif
