/* SPDX-License-Identifier: MIT */
/* What the aarch64 kernels have in common: 2 words to a vector, 32 registers.
 */
#include <arm_neon.h>

#include "kernel.h"

#define W 2
typedef uint64x2_t vec;

#define vload(p)     vld1q_u64(p)
#define vstore(p, a) vst1q_u64(p, a)
#define vxor(a, b)   veorq_u64(a, b)
#define vadd(a, b)   vaddq_u64(a, b)
#define vmul32(a, b) vmull_u32(vmovn_u64(a), vmovn_u64(b))
#define vfirst(a)    vgetq_lane_u64(a, 0)

static inline __attribute__((always_inline)) void vtile(vec *v)
{
    vec a = v[0], b = v[2];

    v[0] = vzip1q_u64(a, b);
    v[2] = vzip2q_u64(a, b);
}
