/* SPDX-License-Identifier: MIT */
/*
 * What the peers have in common. Their libraries are loaded at run time: one
 * program serves machines with and without them, and several builds of one
 * library can race each other.
 */
#include "bench.h"

#include <dlfcn.h>

#include "arena.h"

void *bench_library(const char *const *names)
{
    void *library = NULL;

    for (; *names && !library; names++)
        library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    return library;
}

struct bench_peer *bench_peer_add(struct bench_peers *peers, const char *name)
{
    static struct bench_peer beyond;
    struct bench_peer *peer = &beyond;

    if (peers->n < BENCH_PEERS)
        peer = &peers->peer[peers->n++];
    else
        bench_peer_lacks(name, "too many peers");
    *peer = (struct bench_peer){.keeps = false};
    snprintf(peer->name, sizeof peer->name, "%s", name);
    return peer;
}

void bench_peer_lacks(const char *name, const char *why)
{
    printf("left out: %s (%s)\n", name, why);
}

struct bench_contender *bench_peer_enter(struct bench_race *race,
                                         const struct bench_peer *peer,
                                         unsigned threads, bool kept)
{
    char name[64];
    struct bench_contender *c;

    snprintf(name, sizeof name, "%s, %u thread%s", peer->name, threads,
             threads > 1 ? "s" : "");
    c = bench_race_add(race, name, (void *)peer);
    c->threads = threads;
    c->kept = kept;
    c->run = peer->derive;
    return c;
}

static struct a2f_arena shared;

void bench_memory_renew(void *ctx)
{
    (void)ctx;
    a2f_arena_release(&shared);
}

void *bench_memory(size_t bytes)
{
    if (shared.size < bytes) {
        a2f_arena_release(&shared);
        if (!a2f_arena_reserve(&shared, bytes, false))
            return NULL;
        while (a2f_arena_ready(&shared, bytes))
            ;
    }
    return shared.blocks;
}
