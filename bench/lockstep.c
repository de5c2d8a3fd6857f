/* SPDX-License-Identifier: MIT */
/*
 * What it gains to advance the lanes of a slice in lockstep, on one thread: the
 * same hash with its lanes one after another, and one of a single lane.
 */
#include "bench.h"

#include "fill.h"

static const struct bench_cost rows[] = {
    {65536, 1, 4}, {65536, 3, 4}, {262144, 1, 4}, {262144, 3, 4}};

/* Where the lanes run one after another: block memory, kept. */
struct field {
    const struct a2f_kernel *kernel;
    struct a2f_arena arena;
};

static void fill_lanes(const struct a2f_matrix *m)
{
    for (uint32_t pass = 0; pass < m->passes; pass++)
        for (uint32_t slice = 0; slice < A2F_SLICES; slice++)
            for (uint32_t lane = 0; lane < m->lanes; lane++) {
                struct a2f_place at = {pass, slice, 0};

                if (pass == 0 && slice == 0)
                    at.index = 2; /* the first two columns are seeded */
                a2f_strands_advance(m, at, m->length / A2F_SLICES, lane, 1);
            }
}

static bool one_after_another(const struct bench_contender *c,
                              const struct bench_cost *cost,
                              uint8_t tag[BENCH_TAG])
{
    struct field *field = c->state;
    struct a2f_params params = bench_params(cost);
    struct a2f_input input = bench_input();
    struct a2f_run run = {.threads = 1};
    struct a2f_fill fill = {.arena = &field->arena, .run = &run};
    size_t bytes = a2f_fill_bytes(&params, 1);

    if (field->arena.size == 0 &&
        !a2f_arena_reserve(&field->arena, bytes, false))
        return false;
    while (a2f_arena_ready(&field->arena, bytes))
        ;
    field->arena.written = bytes;
    a2f_fill_init(&fill, field->kernel, &params, 1);
    if (a2f_fill_seed(&fill, 0, &params, &input) != A2F_OK)
        return false;
    fill_lanes(&fill.matrix);
    a2f_fill_tag(&fill, 0, tag, BENCH_TAG);
    a2f_arena_wipe(&field->arena, 0, 1);
    a2f_arena_wiped(&field->arena);
    return true;
}

/* Another hash, which makes as many blocks. */
static bool one_lane(const struct bench_contender *c,
                     const struct bench_cost *cost, uint8_t tag[BENCH_TAG])
{
    struct bench_cost alone = *cost;

    alone.lanes = 1;
    return bench_derive(*(struct a2f_engine **)c->state, &alone, 1, tag);
}

struct fields {
    struct bench_ours *ours;
    struct field *field;
};

static void renew(void *ctx)
{
    struct fields *fields = ctx;

    a2f_arena_release(&fields->field->arena);
    bench_ours_renew(fields->ours);
}

static bool run_row(const struct bench_options *options,
                    const struct bench_cost *cost)
{
    struct bench_race *race = bench_race_new("lockstep", "warm", "hash", *cost);
    struct bench_contender *c;
    struct bench_ours ours;
    struct field field = {.kernel = a2f_kernel_find(options->kernel)};
    struct fields fields = {&ours, &field};
    bool good;

    if (!bench_ours_open(&ours, options, true, 1, cost))
        return false;
    bench_ours_add(race, &ours, 0, 1);
    c = bench_race_add(race, "lanes one after another", &field);
    c->run = one_after_another;
    c = bench_race_add(race, "one lane, p=1", &ours.engine[0]);
    c->run = one_lane;
    c->untagged = true;
    race->renew = renew;
    race->renew_ctx = &fields;
    good = bench_race_run(race, options);
    a2f_arena_release(&field.arena);
    bench_ours_close(&ours);
    return good;
}

bool bench_lockstep(const struct bench_options *options,
                    const struct bench_peers *peers)
{
    struct bench_cost chosen[BENCH_ROWS];
    unsigned n = bench_rows(options, rows, sizeof rows / sizeof *rows, chosen);

    (void)peers;
    for (unsigned i = 0; i < n; i++)
        if (chosen[i].lanes > 1 && !run_row(options, &chosen[i]))
            return false;
    return true;
}
