/* SPDX-License-Identifier: MIT */
/* The compression function G word by word as RFC 9106 sections 3.5 and 3.6
 * have it: every machine's fallback, and the oracle of the other kernels, with
 * which it shares no code. */
#include "../bytes.h"
#include "kernel.h"

/* Figure 19's addition: a + b + 2 * trunc(a) * trunc(b). */
static inline uint64_t add(uint64_t a, uint64_t b)
{
    return a + b + 2 * (uint64_t)(uint32_t)a * (uint32_t)b;
}

/* GB, section 3.6. */
static inline void gb(uint64_t *a, uint64_t *b, uint64_t *c, uint64_t *d)
{
    *a = add(*a, *b);
    *d = a2f_rotr64(*d ^ *a, 32);
    *c = add(*c, *d);
    *b = a2f_rotr64(*b ^ *c, 24);
    *a = add(*a, *b);
    *d = a2f_rotr64(*d ^ *a, 16);
    *c = add(*c, *d);
    *b = a2f_rotr64(*b ^ *c, 63);
}

/*
 * P, section 3.6, over eight 16-byte registers: register i is the two words at
 * w[i * step], so step is 2 for a row of the matrix and 16 for a column.
 */
static inline void permute(uint64_t *w, unsigned step)
{
#define V(i) (w + (i) / 2 * step + (i) % 2)
    gb(V(0), V(4), V(8), V(12));
    gb(V(1), V(5), V(9), V(13));
    gb(V(2), V(6), V(10), V(14));
    gb(V(3), V(7), V(11), V(15));
    gb(V(0), V(5), V(10), V(15));
    gb(V(1), V(6), V(11), V(12));
    gb(V(2), V(7), V(8), V(13));
    gb(V(3), V(4), V(9), V(14));
#undef V
}

const struct a2f_block *a2f_fill_block_scalar(const struct a2f_block *prev,
                                              const struct a2f_block *ref,
                                              struct a2f_block *next,
                                              bool xor_old,
                                              const struct a2f_view *view)
{
    struct a2f_block r, z; /* R and Z of section 3.5 */

    for (unsigned i = 0; i < A2F_BLOCK_WORDS; i++)
        r.w[i] = prev->w[i] ^ ref->w[i];
    z = r;
    for (unsigned row = 0; row < 8; row++)
        permute(z.w + 16 * row, 2);
    for (unsigned column = 0; column < 8; column++)
        permute(z.w + 2 * column, 16);
    for (unsigned i = 0; i < A2F_BLOCK_WORDS; i++)
        next->w[i] = (xor_old ? next->w[i] : 0) ^ r.w[i] ^ z.w[i];
    if (view == NULL)
        return NULL;
    ref = view->blocks + a2f_refer(view, next->w[0]);
    a2f_block_prefetch(ref);
    return ref;
}
