/* SPDX-License-Identifier: MIT */
/* AVX-512F: 8 words to a vector, a rotate instruction, 32 registers. */
#ifndef __AVX512F__
#error "avx512.c needs its flags line in the Makefile"
#endif
#include <immintrin.h>

#include "kernel.h"

#define FILL_BLOCK a2f_fill_block_avx512
#define W          8
typedef __m512i vec;

#define vload(p)     _mm512_load_si512(p)
#define vstore(p, a) _mm512_store_si512(p, a)
#define vxor(a, b)   _mm512_xor_si512(a, b)
#define vadd(a, b)   _mm512_add_epi64(a, b)
#define vmul32(a, b) _mm512_mul_epu32(a, b)
#define vxr32(a, b)  _mm512_ror_epi64(vxor(a, b), 32)
#define vxr24(a, b)  _mm512_ror_epi64(vxor(a, b), 24)
#define vxr16(a, b)  _mm512_ror_epi64(vxor(a, b), 16)
#define vxr63(a, b)  _mm512_ror_epi64(vxor(a, b), 63)
#define vfirst(a)    ((uint64_t)_mm_cvtsi128_si64(_mm512_castsi512_si128(a)))

/* 8 x 8 words: pairs, then pairs of pairs, then halves. */
static inline __attribute__((always_inline)) void vtile(vec *v)
{
    vec a0 = _mm512_unpacklo_epi64(v[0], v[2]);
    vec a1 = _mm512_unpackhi_epi64(v[0], v[2]);
    vec a2 = _mm512_unpacklo_epi64(v[4], v[6]);
    vec a3 = _mm512_unpackhi_epi64(v[4], v[6]);
    vec a4 = _mm512_unpacklo_epi64(v[8], v[10]);
    vec a5 = _mm512_unpackhi_epi64(v[8], v[10]);
    vec a6 = _mm512_unpacklo_epi64(v[12], v[14]);
    vec a7 = _mm512_unpackhi_epi64(v[12], v[14]);
    vec b0 = _mm512_shuffle_i64x2(a0, a2, 0x88);
    vec b1 = _mm512_shuffle_i64x2(a1, a3, 0x88);
    vec b2 = _mm512_shuffle_i64x2(a0, a2, 0xdd);
    vec b3 = _mm512_shuffle_i64x2(a1, a3, 0xdd);
    vec b4 = _mm512_shuffle_i64x2(a4, a6, 0x88);
    vec b5 = _mm512_shuffle_i64x2(a5, a7, 0x88);
    vec b6 = _mm512_shuffle_i64x2(a4, a6, 0xdd);
    vec b7 = _mm512_shuffle_i64x2(a5, a7, 0xdd);

    v[0] = _mm512_shuffle_i64x2(b0, b4, 0x88);
    v[2] = _mm512_shuffle_i64x2(b1, b5, 0x88);
    v[4] = _mm512_shuffle_i64x2(b2, b6, 0x88);
    v[6] = _mm512_shuffle_i64x2(b3, b7, 0x88);
    v[8] = _mm512_shuffle_i64x2(b0, b4, 0xdd);
    v[10] = _mm512_shuffle_i64x2(b1, b5, 0xdd);
    v[12] = _mm512_shuffle_i64x2(b2, b6, 0xdd);
    v[14] = _mm512_shuffle_i64x2(b3, b7, 0xdd);
}

#include "round.inc.h"
