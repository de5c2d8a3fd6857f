/* SPDX-License-Identifier: MIT */
/*
 * BLAKE2b, RFC 7693, and H', RFC 9106 section 3.3. A hash of Argon2 compresses
 * a few hundred blocks here and tens of thousands in the kernels, so clarity
 * wins.
 */
#include "blake2b.h"

#include <string.h>

#include "argon2fast.h"
#include "bytes.h"

#define BLOCK  128
#define ROUNDS 12

static const uint64_t iv[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
    0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
    0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

/* Which message word goes where, by round modulo 10 (RFC 7693 section 2.7). */
static const uint8_t sigma[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

static inline void mix(uint64_t v[16], unsigned a, unsigned b, unsigned c,
                       unsigned d, uint64_t x, uint64_t y)
{
    v[a] += v[b] + x;
    v[d] = a2f_rotr64(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = a2f_rotr64(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = a2f_rotr64(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = a2f_rotr64(v[b] ^ v[c], 63);
}

/* RFC 7693 section 3.2, function F, over state->buffer. */
static void compress(struct a2f_blake2b *state, bool last)
{
    uint64_t v[16], m[16];

    for (unsigned i = 0; i < 16; i++)
        m[i] = a2f_load64(state->buffer + 8 * i);
    for (unsigned i = 0; i < 8; i++) {
        v[i] = state->h[i];
        v[i + 8] = iv[i];
    }
    v[12] ^= state->bytes;
    if (last)
        v[14] = ~v[14];
    for (unsigned r = 0; r < ROUNDS; r++) {
        const uint8_t *s = sigma[r % 10];

        for (unsigned i = 0; i < 4; i++)
            mix(v, i, i + 4, i + 8, i + 12, m[s[2 * i]], m[s[2 * i + 1]]);
        for (unsigned i = 0; i < 4; i++)
            mix(v, i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12,
                m[s[2 * i + 8]], m[s[2 * i + 9]]);
    }
    for (unsigned i = 0; i < 8; i++)
        state->h[i] ^= v[i] ^ v[i + 8];
}

void a2f_blake2b_init(struct a2f_blake2b *state, size_t out_len)
{
    memset(state, 0, sizeof *state);
    memcpy(state->h, iv, sizeof iv);
    /* Parameter block: digest length, no key, fan-out 1, depth 1. */
    state->h[0] ^= 0x01010000 ^ out_len;
    state->out_len = out_len;
}

void a2f_blake2b_update(struct a2f_blake2b *state, const void *data, size_t len)
{
    const uint8_t *in = data;

    while (len > 0) {
        size_t n = BLOCK - state->used;

        /* A full buffer waits: the last block is compressed differently. */
        if (n == 0) {
            state->bytes += BLOCK;
            compress(state, false);
            state->used = 0;
            continue;
        }
        if (n > len)
            n = len;
        memcpy(state->buffer + state->used, in, n);
        state->used += n;
        in += n;
        len -= n;
    }
}

void a2f_blake2b_final(struct a2f_blake2b *state, uint8_t *out)
{
    uint8_t digest[A2F_BLAKE2B_MAX];

    state->bytes += state->used;
    memset(state->buffer + state->used, 0, BLOCK - state->used);
    compress(state, true);
    for (unsigned i = 0; i < 8; i++)
        a2f_store64(digest + 8 * i, state->h[i]);
    memcpy(out, digest, state->out_len);
    a2f_wipe(digest, sizeof digest);
    a2f_wipe(state, sizeof *state);
}

void a2f_blake2b_long(uint8_t *out, uint32_t out_len, const void *in,
                      size_t len)
{
    struct a2f_blake2b state;
    uint8_t prefix[4], v[A2F_BLAKE2B_MAX];
    uint32_t left = out_len;

    a2f_store32(prefix, out_len);
    a2f_blake2b_init(&state, left <= sizeof v ? left : sizeof v);
    a2f_blake2b_update(&state, prefix, sizeof prefix);
    a2f_blake2b_update(&state, in, len);
    if (left <= sizeof v) {
        a2f_blake2b_final(&state, out);
        return;
    }
    /* V1, V2, ..: the first half of each, then the whole of a last one. */
    a2f_blake2b_final(&state, v);
    for (;;) {
        memcpy(out, v, 32);
        out += 32;
        left -= 32;
        if (left <= sizeof v)
            break;
        a2f_blake2b_init(&state, sizeof v);
        a2f_blake2b_update(&state, v, sizeof v);
        a2f_blake2b_final(&state, v);
    }
    a2f_blake2b_init(&state, left);
    a2f_blake2b_update(&state, v, sizeof v);
    a2f_blake2b_final(&state, out);
    a2f_wipe(v, sizeof v);
}
