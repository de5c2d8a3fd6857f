/* SPDX-License-Identifier: MIT */
/*
 * One race. Machines drift and neighbours make noise, so contenders take turns
 * and only medians, and ratios of times taken in the same round, are trusted.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Rounds between two changes of memory: where pages lie matters. */
#define RENEW_ROUNDS 4

static uint64_t now_ns(void)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

struct bench_race *bench_race_new(const char *section, const char *mode,
                                  const char *unit, struct bench_cost cost)
{
    static struct bench_race race; /* one at a time */

    race = (struct bench_race){
        .section = section, .mode = mode, .unit = unit, .cost = cost};
    snprintf(race.row, sizeof race.row, "m=%u,t=%u,p=%u", cost.memory_kib,
             cost.passes, cost.lanes);
    return &race;
}

struct bench_contender *bench_race_add(struct bench_race *race,
                                       const char *name, void *state)
{
    static struct bench_contender beyond; /* runs in no race */
    struct bench_contender *c = &beyond;

    if (race->n < BENCH_CONTENDERS)
        c = &race->contenders[race->n++];
    else
        fprintf(stderr, "bench: %s: too many contenders\n", name);
    *c = (struct bench_contender){.threads = 1, .units = 1, .state = state};
    snprintf(c->name, sizeof c->name, "%s", name);
    return c;
}

/* One run, timed. False: its tag is not the race's. */
static bool run_one(struct bench_race *race, struct bench_contender *c,
                    uint8_t expected[BENCH_TAG], bool *have_tag, uint64_t *ns)
{
    uint8_t tag[BENCH_TAG] = {0};
    uint64_t start;

    if (c->failed)
        return true;
    start = now_ns();
    c->failed = !c->run(c, &race->cost, tag);
    *ns = now_ns() - start;
    if (c->failed) {
        printf("  %s: cannot do this, and is left out\n", c->name);
        return true;
    }
    if (c->untagged)
        return true;
    if (!*have_tag)
        memcpy(expected, tag, BENCH_TAG);
    *have_tag = true;
    if (memcmp(expected, tag, BENCH_TAG) == 0)
        return true;
    fprintf(stderr, "bench: %s %s: %s: the tag is wrong\n", race->section,
            race->row, c->name);
    return false;
}

static bool run_untimed(struct bench_race *race, uint8_t expected[BENCH_TAG],
                        bool *have_tag)
{
    uint64_t ignored;

    for (unsigned i = 0; i < race->n; i++)
        if (!run_one(race, &race->contenders[i], expected, have_tag, &ignored))
            return false;
    return true;
}

bool bench_race_run(struct bench_race *race,
                    const struct bench_options *options)
{
    uint8_t expected[BENCH_TAG];
    bool have_tag = false;
    uint64_t end = now_ns() + (uint64_t)(options->seconds * 1e9);
    unsigned round = 0;

    /* What is kept has to be there first. */
    if (race->renew && !run_untimed(race, expected, &have_tag))
        return false;
    while (round < BENCH_ROUNDS_MAX &&
           (round < options->rounds || now_ns() < end)) {
        if (race->renew && round > 0 && round % RENEW_ROUNDS == 0) {
            race->renew(race->renew_ctx);
            if (!run_untimed(race, expected, &have_tag))
                return false;
        }
        for (unsigned i = 0; i < race->n; i++) {
            struct bench_contender *c =
                &race->contenders[(i + round) % race->n];
            if (!run_one(race, c, expected, &have_tag, &c->ns[round]))
                return false;
        }
        round++;
    }
    race->rounds = round;
    bench_print_race(race);
    bench_report_race(race);
    return true;
}
