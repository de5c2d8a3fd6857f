/* SPDX-License-Identifier: MIT */
/* AVX2: 4 words to a vector; rotations by whole bytes are byte shuffles. */
#ifndef __AVX2__
#error "avx2.c needs its flags line in the Makefile"
#endif
#include <immintrin.h>

#include "kernel.h"

#define FILL_BLOCK a2f_fill_block_avx2
#define W          4
typedef __m256i vec;

#define ROTATE(n)                                                              \
    _mm256_setr_epi8(ROTATED_BYTES(n, 0), ROTATED_BYTES(n, 8),                 \
                     ROTATED_BYTES(n, 0), ROTATED_BYTES(n, 8))

#define vload(p)     _mm256_load_si256((const vec *)(p))
#define vstore(p, a) _mm256_store_si256((vec *)(p), a)
#define vxor(a, b)   _mm256_xor_si256(a, b)
#define vadd(a, b)   _mm256_add_epi64(a, b)
#define vmul32(a, b) _mm256_mul_epu32(a, b)
#define vxr32(a, b)  _mm256_shuffle_epi32(vxor(a, b), 0xb1)
#define vxr24(a, b)  _mm256_shuffle_epi8(vxor(a, b), ROTATE(3))
#define vxr16(a, b)  _mm256_shuffle_epi8(vxor(a, b), ROTATE(2))
#define vshr63(a)    _mm256_srli_epi64(a, 63)
#define vfirst(a)    ((uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(a)))

static inline __attribute__((always_inline)) void vtile(vec *v)
{
    vec a0 = _mm256_unpacklo_epi64(v[0], v[2]);
    vec a1 = _mm256_unpackhi_epi64(v[0], v[2]);
    vec a2 = _mm256_unpacklo_epi64(v[4], v[6]);
    vec a3 = _mm256_unpackhi_epi64(v[4], v[6]);

    v[0] = _mm256_permute2x128_si256(a0, a2, 0x20);
    v[2] = _mm256_permute2x128_si256(a1, a3, 0x20);
    v[4] = _mm256_permute2x128_si256(a0, a2, 0x31);
    v[6] = _mm256_permute2x128_si256(a1, a3, 0x31);
}

#include "round.inc.h"
