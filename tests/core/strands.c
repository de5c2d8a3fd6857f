/* SPDX-License-Identifier: MIT */
/*
 * Every kernel, groups of 1 to 8 strands, rounds of 128 columns and whole
 * segments: after each pass all blocks are those of the naive Argon2.
 */
#include "unit.h"

#include <stdlib.h>

#include "compare.h"
#include "support.h"

enum { LANES = 4, JOBS = 2, STRANDS = LANES * JOBS };

enum { PASSES = 3 };

/* What two jobs of one cost come to: after[k] is the naive matrix of each
 * after k passes. */
struct fixture {
    struct a2f_params params;
    struct naive after[PASSES + 1][JOBS];
};

static void start(struct fixture *f)
{
    static const struct a2f_input inputs[JOBS] = {
        {.password = {"one", 3}, .salt = {"saltsalt", 8}},
        {.password = {"two", 3}, .salt = {"pepperpepper", 12}},
    };

    for (uint32_t k = 0; k <= PASSES; k++)
        for (size_t job = 0; job < JOBS; job++) {
            f->after[k][job] = naive_start(&f->params, &inputs[job]);
            for (uint32_t pass = 0; pass < k; pass++)
                naive_pass(&f->after[k][job], pass);
        }
}

static void end(struct fixture *f)
{
    for (uint32_t k = 0; k <= PASSES; k++)
        for (size_t job = 0; job < JOBS; job++)
            free(f->after[k][job].block);
}

/* One pass, in groups of at most `group` strands and rounds of `columns`. */
static void advance_pass(const struct a2f_matrix *m, uint32_t pass,
                         unsigned group, uint32_t columns)
{
    uint32_t segment = m->length / 4;

    for (uint32_t slice = 0; slice < 4; slice++)
        for (uint32_t from = 0; from < segment; from += columns)
            for (unsigned first = 0; first < STRANDS; first += group) {
                bool seeded = pass == 0 && slice == 0 && from == 0;
                struct a2f_place at = {pass, slice, seeded ? 2 : from};
                uint32_t left = segment - from;

                a2f_strands_advance(
                    m, at, from + (left < columns ? left : columns), first,
                    STRANDS - first < group ? STRANDS - first : group);
            }
}

static void check_passes(const struct fixture *f,
                         const struct a2f_kernel *kernel, unsigned group,
                         uint32_t columns)
{
    struct a2f_matrix m = {
        .kernel = kernel,
        .strands = STRANDS,
        .lanes = LANES,
        .length = f->params.memory_kib / (4 * LANES) * 4,
        .passes = PASSES,
        .version = f->params.version,
        .type = f->params.type,
    };

    m.blocks = aligned_alloc(64, STRANDS * m.length * sizeof *m.blocks);
    assert_non_null(m.blocks);
    for (size_t job = 0; job < JOBS; job++)
        matrix_load(&m, job, &f->after[0][job]);
    for (uint32_t pass = 0; pass < PASSES; pass++) {
        advance_pass(&m, pass, group, columns);
        for (size_t job = 0; job < JOBS; job++)
            assert_true(matrix_agrees(&m, job, &f->after[pass + 1][job], pass));
    }
    free(m.blocks);
}

static void check_cost(struct a2f_params params)
{
    struct fixture f = {.params = params};
    const struct a2f_kernel *kernel;

    start(&f);
    for (size_t k = 0; (kernel = a2f_kernel_at(k)) != NULL; k++)
        for (unsigned group = 1; group <= A2F_GROUP; group++) {
            if (!a2f_kernel_usable(kernel))
                continue;
            check_passes(&f, kernel, group, 128);
            if (params.memory_kib / (4 * LANES) > 128 && group % 4 == 1)
                check_passes(&f, kernel, group, UINT32_MAX / 2);
        }
    end(&f);
}

static void check_type(enum a2f_type type)
{
    static const uint32_t segments[] = {2, 3, 127, 128, 129, 257};

    for (size_t i = 0; i < sizeof segments / sizeof *segments; i++)
        check_cost((struct a2f_params){
            .type = type,
            .version = i % 2 ? 0x10 : 0x13,
            .memory_kib = 4 * LANES * segments[i] + (uint32_t)i,
            .passes = PASSES,
            .lanes = LANES,
            .tag_len = 32,
        });
}

static void test_d(void **state)
{
    (void)state;
    check_type(A2F_D);
}

static void test_i(void **state)
{
    (void)state;
    check_type(A2F_I);
}

static void test_id(void **state)
{
    (void)state;
    check_type(A2F_ID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_d),
        cmocka_unit_test(test_i),
        cmocka_unit_test(test_id),
    };

    return RUN(tests);
}
