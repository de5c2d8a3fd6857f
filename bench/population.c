/* SPDX-License-Identifier: MIT */
/*
 * What part of a cold hash is spent on getting memory: the same memory taken,
 * made present and given back without a hash in between, as the arena does it
 * and page by page, as a program does that knows nothing of it.
 */
#include "bench.h"

#include <sys/mman.h>

#include "arena.h"

static const struct bench_cost rows[] = {
    {65536, 1, 1}, {65536, 1, 4}, {65536, 3, 1}, {262144, 1, 1}};

static bool populate(const struct bench_contender *c,
                     const struct bench_cost *cost, uint8_t tag[BENCH_TAG])
{
    size_t bytes = (size_t)cost->memory_kib * A2F_BLOCK_BYTES;
    struct a2f_arena arena;

    (void)c;
    (void)tag;
    if (!a2f_arena_reserve(&arena, bytes, false))
        return false;
    while (a2f_arena_ready(&arena, bytes))
        ;
    a2f_arena_release(&arena);
    return true;
}

static bool touch(const struct bench_contender *c,
                  const struct bench_cost *cost, uint8_t tag[BENCH_TAG])
{
    size_t bytes = (size_t)cost->memory_kib * A2F_BLOCK_BYTES;
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)c;
    (void)tag;
    if (memory == MAP_FAILED)
        return false;
    for (size_t i = 0; i < bytes; i += 4096)
        *(volatile char *)(memory + i) = 1;
    munmap(memory, bytes);
    return true;
}

static bool run_row(const struct bench_options *options,
                    const struct bench_cost *cost)
{
    struct bench_race *race =
        bench_race_new("population", "cold", "hash", *cost);
    struct bench_contender *c;
    struct bench_ours ours;
    bool good;

    if (!bench_ours_open(&ours, options, false, 1, cost))
        return false;
    bench_ours_add(race, &ours, 0, 1);
    c = bench_race_add(race, "its memory alone", NULL);
    c->run = populate;
    c->untagged = true;
    c = bench_race_add(race, "as much, touched page by page", NULL);
    c->run = touch;
    c->untagged = true;
    good = bench_race_run(race, options);
    bench_ours_close(&ours);
    return good;
}

bool bench_population(const struct bench_options *options,
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
