/* SPDX-License-Identifier: MIT */
/*
 * How close a hash comes to what the machine allows. A block of a lone lane is
 * waited for and then compressed; with several lanes a thread compresses one
 * while another one's is on its way. The parts are measured apart: a block in
 * the cache, a read of 1 KiB that the next one depends on, anywhere in the
 * memory, and such a read where Argon2 reads, which favours recent blocks.
 */
#include "bench.h"

#include <string.h>

#include "simd/block.h"

static const struct bench_cost rows[] = {
    {19456, 2, 1}, {65536, 1, 1},  {65536, 3, 1},  {65536, 1, 4},
    {65536, 3, 4}, {262144, 3, 1}, {262144, 3, 4}, {1048576, 1, 4}};

/* Work for a few milliseconds. */
static const struct bench_cost in_cache = {1024, 64, 1};
enum { READS = 32768 };

static bool compress(const struct bench_contender *c,
                     const struct bench_cost *cost, uint8_t tag[BENCH_TAG])
{
    (void)cost;
    return bench_derive(*(struct a2f_engine **)c->state, &in_cache, 1, tag);
}

/* Of each cache line a word: they all go into where the next block is. */
static uint64_t read_block(const struct a2f_block *block, uint64_t x)
{
    uint64_t sum = 0;

    for (unsigned w = 0; w < A2F_BLOCK_WORDS; w += 8)
        sum ^= block->w[w];
    return (x + sum) * 6364136223846793005 + 1442695040888963407;
}

static bool read_anywhere(const struct bench_contender *c,
                          const struct bench_cost *cost, uint8_t tag[BENCH_TAG])
{
    const struct a2f_block *blocks =
        bench_memory((size_t)cost->memory_kib * A2F_BLOCK_BYTES);
    uint64_t x = 1;

    (void)c;
    if (!blocks)
        return false;
    for (unsigned i = 0; i < READS; i++)
        x = read_block(blocks + ((x >> 32) * cost->memory_kib >> 32), x);
    memcpy(tag, &x, sizeof x); /* or a compiler would leave it out */
    return true;
}

/* RFC 9106 section 3.4.2, in a window of three quarters of the memory before
 * the block that is written, which may be in the cache for that. */
static bool read_as_argon2(const struct bench_contender *c,
                           const struct bench_cost *cost,
                           uint8_t tag[BENCH_TAG])
{
    static uint32_t head; /* goes on from run to run, all through memory */
    const uint32_t n = cost->memory_kib;
    struct a2f_block *blocks = bench_memory((size_t)n * A2F_BLOCK_BYTES);
    uint64_t x = 1;

    (void)c;
    if (!blocks)
        return false;
    for (unsigned i = 0; i < READS; i++, head++) {
        uint64_t j = x >> 32;
        uint64_t back = (uint64_t)(n / 4 * 3) * (j * j >> 32) >> 32;
        struct a2f_block *next = blocks + head % n;

        /* What is written is known in advance and need not be waited for. */
        a2f_block_prefetch(blocks + (head + 2) % n);
        x = read_block(blocks + (head % n + n - 1 - back) % n, x);
        for (unsigned w = 0; w < A2F_BLOCK_WORDS; w += 8)
            next->w[w] ^= x;
    }
    memcpy(tag, &x, sizeof x);
    return true;
}

/* The times of a block: `wait` when it has to be waited for. References of half
 * of the first pass are known in advance, and of p lanes p are on the way. */
static void print_limits(const struct bench_race *race)
{
    double whole = bench_median(race, 0), block = bench_median(race, 1);
    double anywhere = bench_median(race, 2), wait = bench_median(race, 3);
    double lanes = race->cost.lanes;
    double known = 0.5 / race->cost.passes;
    double plain = lanes == 1         ? block + anywhere
                   : block > anywhere ? block
                                      : anywhere;
    double limit = (block + wait * (1 - known)) / lanes;

    if (limit < block)
        limit = block;
    if (whole > 0)
        printf("  %s of block and read anywhere: %.0f ns; the hash takes %.2f "
               "of it\n  limit: %.0f ns; the hash takes %.2f of it\n",
               lanes == 1 ? "sum" : "larger", plain, whole / plain, limit,
               whole / limit);
}

static void add_part(struct bench_race *race, const char *name, double units,
                     bool (*run)(const struct bench_contender *,
                                 const struct bench_cost *,
                                 uint8_t tag[BENCH_TAG]),
                     void *state)
{
    struct bench_contender *c = bench_race_add(race, name, state);

    c->units = units;
    c->run = run;
    c->untagged = true;
}

static bool run_row(const struct bench_options *options,
                    const struct bench_cost *cost)
{
    struct bench_race *race =
        bench_race_new("roofline", "warm", "block", *cost);
    struct bench_contender *c;
    struct bench_ours ours;
    bool good;

    if (!bench_ours_open(&ours, options, true, 1, cost))
        return false;
    c = bench_ours_add(race, &ours, 0, 1);
    c->units = (double)cost->memory_kib * cost->passes;
    add_part(race, "a block in the cache",
             (double)in_cache.memory_kib * in_cache.passes, compress,
             &ours.engine[0]);
    add_part(race, "a read anywhere", READS, read_anywhere, NULL);
    add_part(race, "a read where Argon2 reads", READS, read_as_argon2, NULL);
    race->renew = bench_ours_renew;
    race->renew_ctx = &ours;
    good = bench_race_run(race, options);
    print_limits(race);
    bench_ours_close(&ours);
    bench_memory_renew(NULL);
    return good;
}

bool bench_roofline(const struct bench_options *options,
                    const struct bench_peers *peers)
{
    struct bench_cost chosen[BENCH_ROWS];
    unsigned n = bench_rows(options, rows, sizeof rows / sizeof *rows, chosen);

    (void)peers;
    for (unsigned i = 0; i < n; i++)
        if (!run_row(options, &chosen[i]))
            return false;
    return true;
}
