/* SPDX-License-Identifier: MIT */
/*
 * What a login costs elsewhere: the methods of crypt(3) at the cost the
 * distribution's library chooses, and scrypt, beside our presets.
 */
#include "bench.h"

#include <dlfcn.h>
#include <string.h>

#if __has_include(<crypt.h>)
#include <crypt.h>

static __typeof__(crypt) *call_crypt;

static bool run_crypt(const struct bench_contender *c,
                      const struct bench_cost *cost, uint8_t tag[BENCH_TAG])
{
    const char *hash = call_crypt("a password", c->state);

    (void)cost;
    (void)tag;
    return hash && *hash != '*';
}

static void add_method(struct bench_race *race, void *library, const char *name,
                       const char *prefix, unsigned long count)
{
    static char settings[8][CRYPT_GENSALT_OUTPUT_SIZE];
    static unsigned used;
    __typeof__(crypt_gensalt_rn) *gensalt =
        (__typeof__(crypt_gensalt_rn) *)dlsym(library, "crypt_gensalt_rn");
    char *setting = settings[used++ % 8];
    struct bench_contender *c;

    if (!gensalt ||
        !gensalt(prefix, count, NULL, 0, setting, CRYPT_GENSALT_OUTPUT_SIZE)) {
        bench_peer_lacks(name, "not in this libcrypt");
        return;
    }
    c = bench_race_add(race, name, setting);
    c->run = run_crypt;
    c->untagged = true;
}

static void add_crypt(struct bench_race *race)
{
    const char *names[] = {"libcrypt.so.2", "libcrypt.so.1", NULL};
    void *library = bench_library(names);

    if (library)
        call_crypt = (__typeof__(crypt) *)dlsym(library, "crypt");
    if (!library || !call_crypt) {
        bench_peer_lacks("crypt(3)", "no libcrypt");
        return;
    }
    add_method(race, library, "yescrypt, default cost", "$y$", 0);
    add_method(race, library, "sha512crypt, default cost", "$6$", 0);
    add_method(race, library, "bcrypt, default cost", "$2b$", 0);
    add_method(race, library, "bcrypt, cost 12", "$2b$", 12);
}
#else
static void add_crypt(struct bench_race *race)
{
    (void)race;
    bench_peer_lacks("crypt(3)", "built without crypt.h");
}
#endif

#if __has_include(<openssl/evp.h>)
#include <openssl/evp.h>

static __typeof__(EVP_PBE_scrypt) *call_scrypt;

static bool run_scrypt(const struct bench_contender *c,
                       const struct bench_cost *cost, uint8_t tag[BENCH_TAG])
{
    const uint64_t *n = c->state;

    (void)cost;
    return call_scrypt(bench_password, sizeof bench_password,
                       (const unsigned char *)bench_salt, sizeof bench_salt, *n,
                       8, 1, 1 << 30, tag, BENCH_TAG) == 1;
}

static void add_scrypt(struct bench_race *race)
{
    static uint64_t costs[] = {1 << 15, 1 << 17};
    const char *names[] = {"libcrypto.so.4", "libcrypto.so.3", NULL};
    void *library = bench_library(names);

    if (library)
        call_scrypt =
            (__typeof__(EVP_PBE_scrypt) *)dlsym(library, "EVP_PBE_scrypt");
    if (!library || !call_scrypt) {
        bench_peer_lacks("scrypt", "no libcrypto");
        return;
    }
    for (unsigned i = 0; i < sizeof costs / sizeof *costs; i++) {
        char name[64];
        struct bench_contender *c;

        snprintf(name, sizeof name, "scrypt, N=%llu, r=8, p=1",
                 (unsigned long long)costs[i]);
        c = bench_race_add(race, name, &costs[i]);
        c->run = run_scrypt;
        c->untagged = true;
    }
}
#else
static void add_scrypt(struct bench_race *race)
{
    (void)race;
    bench_peer_lacks("scrypt", "built without openssl/evp.h");
}
#endif

/* The preset owasp, beside the race's own default. */
static bool run_owasp(const struct bench_contender *c,
                      const struct bench_cost *cost, uint8_t tag[BENCH_TAG])
{
    const struct bench_cost owasp = {19456, 2, 1};

    (void)cost;
    return bench_derive(*(struct a2f_engine **)c->state, &owasp, 1, tag);
}

bool bench_context(const struct bench_options *options,
                   const struct bench_peers *peers)
{
    const struct bench_cost preset = {65536, 3, 4};
    struct bench_race *race = bench_race_new("context", "cold", "hash", preset);
    struct bench_contender *c;
    struct bench_ours ours;
    bool good;

    (void)peers;
    if (!bench_ours_open(&ours, options, false, 1, &preset))
        return false;
    c = bench_ours_add(race, &ours, 0, 1);
    snprintf(c->name, sizeof c->name, "argon2fast, preset default");
    c = bench_race_add(race, "argon2fast, preset owasp", &ours.engine[0]);
    c->kernel = ours.kernel[0];
    c->run = run_owasp;
    c->untagged = true;
    add_crypt(race);
    add_scrypt(race);
    good = bench_race_run(race, options);
    bench_ours_close(&ours);
    return good;
}
