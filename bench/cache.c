/* SPDX-License-Identifier: MIT */
/*
 * The compression alone: many passes over a megabyte, which stays in the
 * cache. Each kernel, and each peer beside the kernel that is its like.
 */
#include "bench.h"

#include <string.h>

static unsigned find_kernel(const struct bench_ours *ours, const char *name)
{
    for (unsigned i = 0; i < ours->n; i++)
        if (strcmp(ours->kernel[i], name) == 0)
            return i;
    return 0;
}

bool bench_cache(const struct bench_options *options,
                 const struct bench_peers *peers)
{
    const struct bench_cost cost = {1024, options->quick ? 40 : 200, 1};
    struct bench_race *race = bench_race_new("cache", "warm", "block", cost);
    struct bench_ours ours;
    bool good;

    if (!bench_ours_open(&ours, options, true, 1, &cost))
        return false;
    for (unsigned i = 0; i < ours.n; i++)
        bench_ours_add(race, &ours, i, 1);
    for (unsigned i = 0; i < peers->n; i++) {
        const struct bench_peer *peer = &peers->peer[i];

        bench_peer_enter(race, peer, 1, peer->keeps)->versus =
            find_kernel(&ours, peer->tier);
    }
    for (unsigned i = 0; i < race->n; i++)
        race->contenders[i].units = (double)cost.memory_kib * cost.passes;
    race->renew = bench_ours_renew;
    race->renew_ctx = &ours;
    good = bench_race_run(race, options);
    bench_ours_close(&ours);
    bench_memory_renew(NULL);
    return good;
}
