/* SPDX-License-Identifier: MIT */
/*
 * Random derivations: ours against libargon2, and with the argument `builtin`
 * also against OpenSSL's own Argon2, errors included. TAP.
 */
#include <stdlib.h>
#include <string.h>

#include <argon2.h>

#include "client.h"
#include "support.h"

#define SETS      400
#define INPUT_MAX 200
#define TAG_MAX   200

static const char *const names[] = {"ARGON2D", "ARGON2I", "ARGON2ID"};

/* ---- what is derived ---- */

struct input {
    uint8_t bytes[INPUT_MAX];
    uint32_t len;
};

struct set {
    uint32_t type, version, memory, passes, lanes, threads, tag_len;
    struct input pass, salt, secret, ad;
};

static struct input random_input(uint32_t min)
{
    struct input input;

    input.len = random_range(min, random_range(0, 3) ? 24 : INPUT_MAX);
    random_bytes(input.bytes, input.len);
    return input;
}

static struct set random_set(void)
{
    struct set s;

    s.type = random_range(0, 2);
    s.version = random_range(0, 1) ? 0x13 : 0x10;
    s.lanes = random_range(1, 6);
    s.threads = random_range(1, s.lanes);
    s.memory = random_range(8 * s.lanes, 8 * s.lanes + 300);
    s.passes = random_range(1, 4);
    s.tag_len = random_range(4, TAG_MAX);
    s.pass = random_input(0);
    s.salt = random_input(8);
    s.secret = random_input(0);
    s.ad = random_input(0);
    return s;
}

static void explain(const struct set *s, const char *with)
{
    tap_note("%s v=%#x m=%u t=%u p=%u threads=%u tag=%u pass=%u salt=%u "
             "secret=%u ad=%u: differs from %s",
             names[s->type], s->version, s->memory, s->passes, s->lanes,
             s->threads, s->tag_len, s->pass.len, s->salt.len, s->secret.len,
             s->ad.len, with);
}

/* ---- who derives ---- */

static void derive_libargon2(struct set *s, uint8_t *tag)
{
    argon2_context context = {
        .out = tag,
        .outlen = s->tag_len,
        .pwd = s->pass.bytes,
        .pwdlen = s->pass.len,
        .salt = s->salt.bytes,
        .saltlen = s->salt.len,
        .secret = s->secret.bytes,
        .secretlen = s->secret.len,
        .ad = s->ad.bytes,
        .adlen = s->ad.len,
        .t_cost = s->passes,
        .m_cost = s->memory,
        .lanes = s->lanes,
        .threads = 1,
        .version = s->version,
        .flags = ARGON2_DEFAULT_FLAGS,
    };

    if (argon2_ctx(&context, (argon2_type)s->type) != ARGON2_OK)
        abort();
}

/* A context of the provider that properties name; ends the program if there is
 * none. */
static EVP_KDF_CTX *kdf_of(const struct client *client, const char *name,
                           const char *properties)
{
    EVP_KDF *kdf = EVP_KDF_fetch(client->libctx, name, properties);
    EVP_KDF_CTX *ctx = kdf != NULL ? EVP_KDF_CTX_new(kdf) : NULL;

    if (ctx == NULL) {
        fprintf(stderr, "%s of %s is not there\n", name, properties);
        exit(1);
    }
    EVP_KDF_free(kdf);
    return ctx;
}

static bool derive_openssl(const struct client *client, const struct set *s,
                           const char *properties, uint32_t threads,
                           uint8_t *tag)
{
    EVP_KDF_CTX *ctx = kdf_of(client, names[s->type], properties);
    struct args args = {.n = 0};
    bool ok;

    args_octets(&args, "pass", s->pass.bytes, s->pass.len);
    args_octets(&args, "salt", s->salt.bytes, s->salt.len);
    args_octets(&args, "secret", s->secret.bytes, s->secret.len);
    args_octets(&args, "ad", s->ad.bytes, s->ad.len);
    args_u32(&args, "iter", s->passes);
    args_u32(&args, "memcost", s->memory);
    args_u32(&args, "lanes", s->lanes);
    args_u32(&args, "threads", threads);
    args_u32(&args, "version", s->version);
    ok = EVP_KDF_derive(ctx, tag, s->tag_len, args.list) == 1;
    EVP_KDF_CTX_free(ctx);
    return ok;
}

static bool same_tags(const struct client *client, struct set *s, bool builtin)
{
    uint8_t ours[TAG_MAX], theirs[TAG_MAX];

    if (!derive_openssl(client, s, "provider=argon2fast", s->threads, ours)) {
        explain(s, "what derives at all");
        return false;
    }
    derive_libargon2(s, theirs);
    if (memcmp(ours, theirs, s->tag_len) != 0) {
        explain(s, "libargon2");
        return false;
    }
    /* More than one thread it must be allowed first; the tag is the same. */
    if (builtin && (!derive_openssl(client, s, "provider=default", 1, theirs) ||
                    memcmp(ours, theirs, s->tag_len) != 0)) {
        explain(s, "the built-in");
        return false;
    }
    return true;
}

/* ---- refusals ---- */

/* The reason the derivation is refused for, or 0. */
static int refusal(const struct client *client, const char *properties,
                   const char *key, uint32_t value)
{
    EVP_KDF_CTX *ctx = kdf_of(client, "ARGON2ID", properties);
    struct args args;
    uint8_t tag[TAG];
    int reason = 0;

    args_standard(&args);
    if (EVP_KDF_CTX_set_params(ctx, args.list) != 1)
        abort();
    args.n = 0;
    args_u32(&args, key, value);
    ERR_clear_error();
    if (EVP_KDF_derive(ctx, tag, sizeof tag, args.list) != 1)
        reason = take_error(NULL);
    EVP_KDF_CTX_free(ctx);
    return reason;
}

static void compare_refusals(const struct client *client)
{
    static const struct {
        const char *key;
        uint32_t value;
    } cases[] = {
        {"iter", 0},
        {"lanes", 0},
        {"lanes", 0x1000000},
        {"threads", 0},
        {"memcost", 7},
        {"memcost", 15},
        {"threads", 0x1000000},
        {"version", 0x11},
        {"version", 0},
        {"size", 3},
        {"size", 31},
        {"size", 32},
        {"lanes", 8},
        {"unknown", 1},
        {"early_clean", 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int ours = refusal(client, "provider=argon2fast", cases[i].key,
                           cases[i].value);
        int theirs =
            refusal(client, "provider=default", cases[i].key, cases[i].value);

        if (!tap_ok(ours == theirs, "the built-in's reason: %s = %u",
                    cases[i].key, cases[i].value))
            tap_note("ours %d, the built-in's %d", ours, theirs);
    }
}

int main(int argc, char **argv)
{
    bool builtin = argc > 1 && strcmp(argv[1], "builtin") == 0;
    struct client client;
    OSSL_PROVIDER *standard_provider;
    unsigned same = 0;

    random_start();
    if (!client_open(&client, NULL))
        return 1;
    standard_provider = OSSL_PROVIDER_load(client.libctx, "default");
    for (unsigned i = 0; i < SETS; i++) {
        struct set s = random_set();

        same += same_tags(&client, &s, builtin);
    }
    tap_ok(same == SETS, "%u of %u random derivations agree with libargon2%s",
           same, SETS, builtin ? " and the built-in" : "");
    if (builtin)
        compare_refusals(&client);
    OSSL_PROVIDER_unload(standard_provider);
    client_close(&client);
    return tap_done();
}
