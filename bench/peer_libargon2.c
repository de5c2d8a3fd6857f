/* SPDX-License-Identifier: MIT */
/*
 * libargon2, as the distribution built it or as somebody else did. It takes its
 * block memory from malloc or, to be as warm as a kept engine, from us.
 */
#include "bench.h"

#if __has_include(<argon2.h>)
#include <argon2.h>
#include <dlfcn.h>
#include <string.h>

/* Its callbacks have no context: whether there was memory shows in the run. */
static int take_kept(uint8_t **memory, size_t bytes)
{
    *memory = bench_memory(bytes);
    return *memory ? ARGON2_OK : ARGON2_MEMORY_ALLOCATION_ERROR;
}

static void leave_kept(uint8_t *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

static bool derive(const struct bench_contender *c,
                   const struct bench_cost *cost, uint8_t tag[BENCH_TAG])
{
    const struct bench_peer *peer = c->state;
    __typeof__(argon2id_ctx) *call = (__typeof__(argon2id_ctx) *)peer->call;
    char password[sizeof bench_password], salt[sizeof bench_salt];
    argon2_context context = {
        .out = tag,
        .outlen = BENCH_TAG,
        .pwd = (uint8_t *)password,
        .pwdlen = sizeof password,
        .salt = (uint8_t *)salt,
        .saltlen = sizeof salt,
        .t_cost = cost->passes,
        .m_cost = cost->memory_kib,
        .lanes = cost->lanes,
        .threads = c->threads,
        .version = ARGON2_VERSION_13,
        .allocate_cbk = c->kept ? take_kept : NULL,
        .free_cbk = c->kept ? leave_kept : NULL,
    };

    memcpy(password, bench_password, sizeof password);
    memcpy(salt, bench_salt, sizeof salt);
    return call(&context) == ARGON2_OK;
}

bool bench_peer_libargon2(struct bench_peers *peers, const char *name,
                          const char *path, const char *tier)
{
    const char *names[] = {path ? path : "libargon2.so.1", NULL};
    void *library = bench_library(names);
    void *call = library ? dlsym(library, "argon2id_ctx") : NULL;
    struct bench_peer *peer;

    if (!call) {
        bench_peer_lacks(name, dlerror());
        return false;
    }
    peer = bench_peer_add(peers, name);
    snprintf(peer->tier, sizeof peer->tier, "%s", tier ? tier : "");
    peer->keeps = true;
    peer->threads = true;
    peer->call = call;
    peer->derive = derive;
    return true;
}
#else
bool bench_peer_libargon2(struct bench_peers *peers, const char *name,
                          const char *path, const char *tier)
{
    (void)peers;
    (void)path;
    (void)tier;
    bench_peer_lacks(name, "built without argon2.h");
    return false;
}
#endif
