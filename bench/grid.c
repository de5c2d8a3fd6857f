/* SPDX-License-Identifier: MIT */
/*
 * Whole hashes at the costs that are in use. Cold: every hash takes new memory
 * from the system, as the first one of a process does. Warm: in memory that is
 * kept, by whoever is able to keep it.
 */
#include "bench.h"

static const struct bench_cost rows[] = {
    {19456, 2, 1},  {47104, 1, 1},  {65536, 1, 1},  {65536, 3, 1},
    {65536, 4, 1},  {65536, 1, 4},  {65536, 3, 4},  {65536, 4, 4},
    {262144, 1, 1}, {262144, 3, 1}, {262144, 1, 4}, {262144, 3, 4},
    {1048576, 1, 4}};

static void add_peers(struct bench_race *race, const struct bench_peers *peers,
                      bool kept)
{
    for (unsigned i = 0; i < peers->n; i++) {
        const struct bench_peer *peer = &peers->peer[i];

        if (*peer->tier || (kept && !peer->keeps) ||
            (peer->one_lane && race->cost.lanes > 1))
            continue;
        bench_peer_enter(race, peer, 1, kept);
        /* What its plain functions do: a thread for each lane. */
        if (peer->threads && race->cost.lanes > 1)
            bench_peer_enter(race, peer, race->cost.lanes, kept);
    }
}

static bool run_row(const struct bench_options *options,
                    const struct bench_peers *peers,
                    const struct bench_cost *cost, bool kept)
{
    struct bench_race *race =
        bench_race_new("grid", kept ? "warm" : "cold", "hash", *cost);
    unsigned cores = bench_cores();
    struct bench_ours ours;
    bool good;

    if (!bench_ours_open(&ours, options, kept, cores, cost))
        return false;
    for (unsigned i = 0; i < ours.n; i++)
        bench_ours_add(race, &ours, i, 1);
    if (cost->lanes > 1 && cores > 1)
        bench_ours_add(race, &ours, 0,
                       cores < cost->lanes ? cores : cost->lanes);
    add_peers(race, peers, kept);
    race->renew = kept ? bench_ours_renew : NULL;
    race->renew_ctx = &ours;
    good = bench_race_run(race, options);
    bench_ours_close(&ours);
    bench_memory_renew(NULL);
    return good;
}

bool bench_grid(const struct bench_options *options,
                const struct bench_peers *peers)
{
    struct bench_cost chosen[BENCH_ROWS];
    unsigned n = bench_rows(options, rows, sizeof rows / sizeof *rows, chosen);

    for (unsigned i = 0; i < n; i++)
        if (!run_row(options, peers, &chosen[i], false) ||
            !run_row(options, peers, &chosen[i], true))
            return false;
    return true;
}
