/* SPDX-License-Identifier: MIT */
/* CPUs that are not here: what is offered when one reading is missing. */
#include "unit.h"

#include "cpu.h"

static const struct a2f_cpuid whole = {13, UINT32_MAX, UINT32_MAX, UINT64_MAX};

enum { ALL = A2F_CPU_SSSE3 | A2F_CPU_AVX2 | A2F_CPU_AVX512F };

static void test_leaves(void **state)
{
    struct a2f_cpuid id = whole;

    (void)state;
    assert_int_equal(a2f_cpu_x86(id), ALL);
    id.leaves = 7;
    assert_int_equal(a2f_cpu_x86(id), ALL);
    id.leaves = 6;
    assert_int_equal(a2f_cpu_x86(id), A2F_CPU_SSSE3);
    id.leaves = 0;
    assert_int_equal(a2f_cpu_x86(id), 0);
}

/* Intel SDM volume 2, CPUID: the bits by number. */
static void test_leaf_1(void **state)
{
    static const struct {
        unsigned bit;
        uint32_t left;
    } cases[] = {
        {0, 0},                             /* SSE3 */
        {9, 0},                             /* SSSE3 */
        {19, A2F_CPU_SSSE3},                /* SSE4.1 */
        {20, A2F_CPU_SSSE3},                /* SSE4.2 */
        {27, A2F_CPU_SSSE3},                /* OSXSAVE */
        {28, A2F_CPU_SSSE3},                /* AVX */
        {12, A2F_CPU_SSSE3 | A2F_CPU_AVX2}, /* FMA */
        {29, A2F_CPU_SSSE3 | A2F_CPU_AVX2}, /* F16C */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct a2f_cpuid id = whole;

        id.leaf1_ecx &= ~(UINT32_C(1) << cases[i].bit);
        assert_int_equal(a2f_cpu_x86(id), cases[i].left);
    }
}

static void test_leaf_7(void **state)
{
    struct a2f_cpuid id = whole;

    (void)state;
    id.leaf7_ebx = ~(UINT32_C(1) << 16);
    assert_int_equal(a2f_cpu_x86(id), A2F_CPU_SSSE3 | A2F_CPU_AVX2);
    id.leaf7_ebx = ~(UINT32_C(1) << 5);
    assert_int_equal(a2f_cpu_x86(id), A2F_CPU_SSSE3);
}

/* What the system does not save, nobody may use. */
static void test_saved_registers(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 10; bit++) {
        struct a2f_cpuid id = whole;
        uint32_t left = bit == 1 || bit == 2   ? A2F_CPU_SSSE3
                        : bit >= 5 && bit <= 7 ? A2F_CPU_SSSE3 | A2F_CPU_AVX2
                                               : ALL;

        id.xcr0 = ~(UINT64_C(1) << bit);
        assert_int_equal(a2f_cpu_x86(id), left);
    }
}

static void test_aarch64(void **state)
{
    const uint64_t sha3 = 1u << 17, sve = 1u << 22, sve2 = 1u << 1;

    (void)state;
    assert_int_equal(a2f_cpu_aarch64(0, 0), 0);
    assert_int_equal(a2f_cpu_aarch64(sha3, 0), A2F_CPU_SHA3);
    assert_int_equal(a2f_cpu_aarch64(0, sve2), 0);
    assert_int_equal(a2f_cpu_aarch64(sve, 0), 0);
    assert_int_equal(a2f_cpu_aarch64(sve, sve2), A2F_CPU_SVE2);
    assert_int_equal(a2f_cpu_aarch64(sve | sha3, sve2),
                     A2F_CPU_SHA3 | A2F_CPU_SVE2);
    assert_int_equal(a2f_cpu_aarch64(~sha3, 0), 0);
}

/* The compiler's own idea of this CPU. */
static void test_this_cpu(void **state)
{
    (void)state;
    assert_int_equal(a2f_cpu(), a2f_cpu());
#if defined(__x86_64__)
    __builtin_cpu_init();
    assert_int_equal((a2f_cpu() & A2F_CPU_SSSE3) != 0,
                     __builtin_cpu_supports("ssse3") != 0);
    assert_int_equal((a2f_cpu() & A2F_CPU_AVX2) != 0,
                     __builtin_cpu_supports("avx2") != 0);
    assert_int_equal((a2f_cpu() & A2F_CPU_AVX512F) != 0,
                     __builtin_cpu_supports("avx512f") != 0);
#endif
}

/* Registers that nothing between writing and reading has a use for. */
static void test_clear(void **state)
{
    const uint64_t secret = UINT64_C(0x0123456789abcdef);
    uint64_t low = 0, high = 0;

    (void)state;
#if defined(__x86_64__)
    __asm__ volatile("movq %0, %%xmm15" : : "r"(secret) : "xmm15");
    a2f_cpu_clear();
    __asm__ volatile("movq %%xmm15, %0" : "=r"(low));
    if (a2f_cpu() & A2F_CPU_AVX512F) {
        __asm__ volatile("vpbroadcastq %0, %%zmm31" : : "r"(secret));
        a2f_cpu_clear();
        __asm__ volatile("vextracti32x4 $1, %%zmm31, %%xmm0\n\t"
                         "movq %%xmm0, %0"
                         : "=r"(high)
                         :
                         : "xmm0");
    }
#elif defined(__aarch64__)
    __asm__ volatile("dup v31.2d, %0" : : "r"(secret) : "v31");
    a2f_cpu_clear();
    __asm__ volatile("mov %0, v31.d[0]\n\tmov %1, v31.d[1]"
                     : "=r"(low), "=r"(high));
#else
    a2f_cpu_clear();
#endif
    assert_true(low != secret && high != secret);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaves),  cmocka_unit_test(test_leaf_1),
        cmocka_unit_test(test_leaf_7),  cmocka_unit_test(test_saved_registers),
        cmocka_unit_test(test_aarch64), cmocka_unit_test(test_this_cpu),
        cmocka_unit_test(test_clear),
    };

    return RUN(tests);
}
