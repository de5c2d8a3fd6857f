/* SPDX-License-Identifier: MIT */
/*
 * Many passwords: a2f_batch, which runs hashes side by side, and one a2f_hash
 * after another.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

static const struct bench_cost rows[] = {{1024, 3, 1},  {19456, 2, 1},
                                         {65536, 3, 1}, {65536, 1, 1},
                                         {65536, 3, 4}, {262144, 1, 1}};

enum { PASSWORDS_MAX = 256, TEXT = 160 };

/* What is to be hashed, and where it goes. */
struct crowd {
    struct bench_ours ours;
    struct a2f_params params;
    size_t n;
    struct a2f_job jobs[PASSWORDS_MAX];
    char salts[PASSWORDS_MAX][sizeof bench_salt];
    char texts[PASSWORDS_MAX][TEXT];
};

static void gather(struct crowd *crowd, const struct bench_cost *cost)
{
    crowd->params = bench_params(cost);
    crowd->n = cost->memory_kib < 16384 ? PASSWORDS_MAX : 16;
    for (size_t i = 0; i < crowd->n; i++) {
        memcpy(crowd->salts[i], bench_salt, sizeof bench_salt);
        crowd->salts[i][0] = (char)i;
        crowd->jobs[i] = (struct a2f_job){
            .params = &crowd->params,
            .input = {.password = {bench_password, sizeof bench_password},
                      .salt = {crowd->salts[i], sizeof crowd->salts[i]}},
            .text = crowd->texts[i],
            .size = TEXT};
    }
}

/* All texts in one tag. */
static void fold(const struct crowd *crowd, uint8_t tag[BENCH_TAG])
{
    for (size_t i = 0; i < crowd->n; i++)
        for (size_t k = 0; crowd->texts[i][k]; k++)
            tag[(i + k) % BENCH_TAG] =
                (uint8_t)(tag[(i + k) % BENCH_TAG] * 5 + crowd->texts[i][k]);
}

static bool one_by_one(const struct bench_contender *c,
                       const struct bench_cost *cost, uint8_t tag[BENCH_TAG])
{
    struct crowd *crowd = c->state;
    struct a2f_run run = {.threads = c->threads};

    (void)cost;
    for (size_t i = 0; i < crowd->n; i++)
        if (a2f_hash(crowd->ours.engine[0], &crowd->params,
                     &crowd->jobs[i].input, crowd->texts[i], TEXT,
                     &run) != A2F_OK)
            return false;
    fold(crowd, tag);
    return true;
}

static bool side_by_side(const struct bench_contender *c,
                         const struct bench_cost *cost, uint8_t tag[BENCH_TAG])
{
    struct crowd *crowd = c->state;
    struct a2f_run run = {.threads = c->threads};

    (void)cost;
    if (a2f_batch(crowd->ours.engine[0], crowd->jobs, crowd->n, &run) != A2F_OK)
        return false;
    for (size_t i = 0; i < crowd->n; i++)
        if (crowd->jobs[i].status != A2F_OK)
            return false;
    fold(crowd, tag);
    return true;
}

static void add(struct bench_race *race, struct crowd *crowd, bool batch,
                unsigned threads)
{
    char name[64];
    struct bench_contender *c;

    snprintf(name, sizeof name, "%s, %u thread%s",
             batch ? "side by side" : "one by one", threads,
             threads > 1 ? "s" : "");
    c = bench_race_add(race, name, crowd);
    c->kernel = crowd->ours.kernel[0];
    c->threads = threads;
    c->kept = true;
    c->units = (double)crowd->n;
    c->run = batch ? side_by_side : one_by_one;
}

static bool run_row(const struct bench_options *options, struct crowd *crowd,
                    const struct bench_cost *cost)
{
    struct bench_race *race = bench_race_new("batch", "warm", "hash", *cost);
    unsigned cores = bench_cores();
    bool good;

    if (!bench_ours_open(&crowd->ours, options, true, cores, cost))
        return false;
    gather(crowd, cost);
    add(race, crowd, false, 1);
    add(race, crowd, true, 1);
    /* One hash alone has work for as many threads as lanes. */
    if (cores > 1 && cost->lanes > 1)
        add(race, crowd, false, cores);
    if (cores > 1)
        add(race, crowd, true, cores);
    race->renew = bench_ours_renew;
    race->renew_ctx = &crowd->ours;
    good = bench_race_run(race, options);
    bench_ours_close(&crowd->ours);
    return good;
}

bool bench_side_by_side(const struct bench_options *options,
                        const struct bench_peers *peers)
{
    struct bench_cost chosen[BENCH_ROWS];
    unsigned n = bench_rows(options, rows, sizeof rows / sizeof *rows, chosen);
    struct crowd *crowd = calloc(1, sizeof *crowd);
    bool good = crowd != NULL;

    (void)peers;
    for (unsigned i = 0; i < n && good; i++)
        good = run_row(options, crowd, &chosen[i]);
    free(crowd);
    return good;
}
