/* SPDX-License-Identifier: MIT */
/* argon2fast as a contender: an engine for each kernel, cold or kept. */
#include "bench.h"

#include <sched.h>
#include <string.h>

const char bench_password[10] = "a password";
const char bench_salt[16] = "sixteen bytes it";

unsigned bench_cores(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    return (unsigned)CPU_COUNT(&set);
}

struct a2f_params bench_params(const struct bench_cost *cost)
{
    return (struct a2f_params){.type = A2F_ID,
                               .version = 0x13,
                               .memory_kib = cost->memory_kib,
                               .passes = cost->passes,
                               .lanes = cost->lanes,
                               .tag_len = BENCH_TAG,
                               .salt_len = sizeof bench_salt};
}

static bool make_engine(struct bench_ours *ours, unsigned i)
{
    struct a2f_config config = {
        .limits = {.memory_kib = UINT32_MAX,
                   .passes = UINT32_MAX,
                   .lanes = UINT32_MAX,
                   .work = UINT64_MAX},
        .keep_kib = ours->kept ? UINT32_MAX : 0,
        .threads = ours->threads,
        .keep_threads = ours->kept,
        .kernel = ours->kernel[i],
    };

    return a2f_new(&config, &ours->engine[i]) == A2F_OK;
}

bool bench_ours_open(struct bench_ours *ours,
                     const struct bench_options *options, bool kept,
                     unsigned threads, const struct bench_cost *cost)
{
    const char *name;
    uint64_t kib = 0;

    *ours = (struct bench_ours){.kept = kept, .threads = threads};
    for (size_t i = 0; (name = a2f_kernel_name(NULL, i)) != NULL; i++) {
        if (options->kernel && strcmp(options->kernel, name) != 0)
            continue;
        kib += kept ? cost->memory_kib : 0;
        if (ours->n == BENCH_KERNELS ||
            (ours->n > 0 && kib > options->memory_kib))
            break;
        ours->kernel[ours->n] = name;
        if (!make_engine(ours, ours->n))
            break;
        ours->n++;
    }
    if (ours->n == 0)
        fprintf(stderr, "bench: there is no such kernel here\n");
    return ours->n > 0;
}

void bench_ours_close(struct bench_ours *ours)
{
    for (unsigned i = 0; i < ours->n; i++)
        a2f_free(ours->engine[i]);
    ours->n = 0;
}

/* All go before the first comes back, or each would get its old pages. */
void bench_ours_renew(void *ctx)
{
    struct bench_ours *ours = ctx;

    for (unsigned i = 0; i < ours->n; i++) {
        a2f_free(ours->engine[i]);
        ours->engine[i] = NULL;
    }
    for (unsigned i = 0; i < ours->n; i++)
        if (!make_engine(ours, i))
            ours->engine[i] = NULL;
    bench_memory_renew(NULL);
}

struct a2f_input bench_input(void)
{
    return (struct a2f_input){
        .password = {bench_password, sizeof bench_password},
        .salt = {bench_salt, sizeof bench_salt}};
}

bool bench_derive(struct a2f_engine *engine, const struct bench_cost *cost,
                  unsigned threads, uint8_t tag[BENCH_TAG])
{
    struct a2f_params params = bench_params(cost);
    struct a2f_input input = bench_input();
    struct a2f_run run = {.threads = threads};

    return engine && a2f_derive(engine, &params, &input, tag, &run) == A2F_OK;
}

/* state is where the engine's address is, as that changes. */
static bool derive(const struct bench_contender *c,
                   const struct bench_cost *cost, uint8_t tag[BENCH_TAG])
{
    return bench_derive(*(struct a2f_engine **)c->state, cost, c->threads, tag);
}

struct bench_contender *bench_ours_add(struct bench_race *race,
                                       struct bench_ours *ours, unsigned i,
                                       unsigned threads)
{
    char name[64];
    struct bench_contender *c;

    snprintf(name, sizeof name, "argon2fast %s, %u thread%s", ours->kernel[i],
             threads, threads > 1 ? "s" : "");
    c = bench_race_add(race, name, &ours->engine[i]);
    c->kernel = ours->kernel[i];
    c->threads = threads;
    c->kept = ours->kept;
    c->run = derive;
    return c;
}
