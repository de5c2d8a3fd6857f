/* SPDX-License-Identifier: MIT */
/*
 * OpenSSL's built-in ARGON2ID, which libcrypto has since 3.2, from its default
 * provider and in a library context of its own: no configuration is read, so
 * that no other provider answers.
 */
#include "bench.h"

#define NAME "OpenSSL"

#if __has_include(<openssl/kdf.h>)
#include <dlfcn.h>
#include <openssl/crypto.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <string.h>

/* What is used of libcrypto. */
static struct {
    __typeof__(OSSL_LIB_CTX_new) *context_new;
    __typeof__(OSSL_LIB_CTX_free) *context_free;
    __typeof__(EVP_KDF_fetch) *fetch;
    __typeof__(EVP_KDF_CTX_new) *new;
    __typeof__(EVP_KDF_CTX_free) *free;
    __typeof__(EVP_KDF_derive) *derive;
    __typeof__(OpenSSL_version) *version;
} crypto;

static bool derive(const struct bench_contender *c,
                   const struct bench_cost *cost, uint8_t tag[BENCH_TAG])
{
    const struct bench_peer *peer = c->state;
    EVP_KDF_CTX *ctx = crypto.new(peer->call);
    char password[sizeof bench_password], salt[sizeof bench_salt];
    uint32_t memory = cost->memory_kib, passes = cost->passes;
    uint32_t lanes = cost->lanes, threads = c->threads;
    const OSSL_PARAM params[] = {
        {"pass", OSSL_PARAM_OCTET_STRING, password, sizeof password, 0},
        {"salt", OSSL_PARAM_OCTET_STRING, salt, sizeof salt, 0},
        {"memcost", OSSL_PARAM_UNSIGNED_INTEGER, &memory, sizeof memory, 0},
        {"iter", OSSL_PARAM_UNSIGNED_INTEGER, &passes, sizeof passes, 0},
        {"lanes", OSSL_PARAM_UNSIGNED_INTEGER, &lanes, sizeof lanes, 0},
        {"threads", OSSL_PARAM_UNSIGNED_INTEGER, &threads, sizeof threads, 0},
        {NULL, 0, NULL, 0, 0},
    };
    bool done;

    memcpy(password, bench_password, sizeof password);
    memcpy(salt, bench_salt, sizeof salt);
    done = ctx && crypto.derive(ctx, tag, BENCH_TAG, params) == 1;
    crypto.free(ctx);
    return done;
}

static bool load(void *library)
{
#define FIND(member, name)                                                     \
    ((crypto.member = (__typeof__(name) *)dlsym(library, #name)) != NULL)
    return library && FIND(context_new, OSSL_LIB_CTX_new) &&
           FIND(context_free, OSSL_LIB_CTX_free) &&
           FIND(fetch, EVP_KDF_fetch) && FIND(new, EVP_KDF_CTX_new) &&
           FIND(free, EVP_KDF_CTX_free) && FIND(derive, EVP_KDF_derive) &&
           FIND(version, OpenSSL_version);
#undef FIND
}

void bench_peer_openssl(struct bench_peers *peers)
{
    const char *names[] = {"libcrypto.so.4", "libcrypto.so.3", NULL};
    void *library = bench_library(names);
    OSSL_LIB_CTX *context;
    int (*set_max_threads)(OSSL_LIB_CTX *, uint64_t);
    struct bench_peer *peer;
    EVP_KDF *kdf;

    if (!load(library)) {
        bench_peer_lacks(NAME, "no libcrypto of version 3");
        return;
    }
    context = crypto.context_new();
    kdf = crypto.fetch(context, "ARGON2ID", "provider=default");
    if (!kdf) {
        char why[128];

        snprintf(why, sizeof why, "%s has no ARGON2ID",
                 crypto.version(OPENSSL_VERSION));
        bench_peer_lacks(NAME, why);
        crypto.context_free(context);
        return;
    }
    peer = bench_peer_add(peers, NAME);
    peer->call = kdf;
    peer->derive = derive;
    /* Declared by headers of 3.2 and later only. */
    set_max_threads = (int (*)(OSSL_LIB_CTX *, uint64_t))dlsym(
        library, "OSSL_set_max_threads");
    peer->threads = set_max_threads && set_max_threads(context, 64) == 1;
}
#else
void bench_peer_openssl(struct bench_peers *peers)
{
    (void)peers;
    bench_peer_lacks(NAME, "built without openssl/kdf.h");
}
#endif
