/* SPDX-License-Identifier: MIT */
/* What the 128-bit x86 kernels have in common: 2 words to a vector. */
#include <emmintrin.h>

#include "kernel.h"

#define W 2
typedef __m128i vec;

#define vload(p)     _mm_load_si128((const vec *)(p))
#define vstore(p, a) _mm_store_si128((vec *)(p), a)
#define vxor(a, b)   _mm_xor_si128(a, b)
#define vadd(a, b)   _mm_add_epi64(a, b)
#define vmul32(a, b) _mm_mul_epu32(a, b)
#define vxr32(a, b)  _mm_shuffle_epi32(vxor(a, b), 0xb1)
#define vshr63(a)    _mm_srli_epi64(a, 63)
#define vfirst(a)    ((uint64_t)_mm_cvtsi128_si64(a))

static inline __attribute__((always_inline)) void vtile(vec *v)
{
    vec a = v[0], b = v[2];

    v[0] = _mm_unpacklo_epi64(a, b);
    v[2] = _mm_unpackhi_epi64(a, b);
}
