/* SPDX-License-Identifier: MIT */
/* libsodium's crypto_pwhash: Argon2id of one lane, in memory of its own. */
#include "bench.h"

#define NAME "libsodium"

#if __has_include(<sodium.h>)
#include <dlfcn.h>
#include <sodium.h>

static bool derive(const struct bench_contender *c,
                   const struct bench_cost *cost, uint8_t tag[BENCH_TAG])
{
    const struct bench_peer *peer = c->state;
    __typeof__(crypto_pwhash) *call = (__typeof__(crypto_pwhash) *)peer->call;

    _Static_assert(sizeof bench_salt == crypto_pwhash_SALTBYTES, "its salt");
    return call(tag, BENCH_TAG, bench_password, sizeof bench_password,
                (const unsigned char *)bench_salt, cost->passes,
                (size_t)cost->memory_kib * 1024,
                crypto_pwhash_ALG_ARGON2ID13) == 0;
}

void bench_peer_sodium(struct bench_peers *peers)
{
    const char *names[] = {"libsodium.so.26", "libsodium.so.23", NULL};
    void *library = bench_library(names);
    void *call = library ? dlsym(library, "crypto_pwhash") : NULL;
    __typeof__(sodium_init) *init =
        call ? (__typeof__(sodium_init) *)dlsym(library, "sodium_init") : NULL;
    struct bench_peer *peer;

    /* Its kernel is chosen there. */
    if (!init || init() < 0) {
        bench_peer_lacks(NAME, "no such library");
        return;
    }
    peer = bench_peer_add(peers, NAME);
    peer->one_lane = true;
    peer->call = call;
    peer->derive = derive;
}
#else
void bench_peer_sodium(struct bench_peers *peers)
{
    (void)peers;
    bench_peer_lacks(NAME, "built without sodium.h");
}
#endif
