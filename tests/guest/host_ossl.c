/* SPDX-License-Identifier: MIT */
/* libcrypto with the provider; each session a library context. */
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "client.h"
#include "guest.h"
#include "watch.h"

static const char *const names[] = {"ARGON2D", "ARGON2I", "ARGON2ID"};

struct session {
    struct client client;
    EVP_KDF *kdfs[3];
};

static void close_session(void *arg)
{
    struct session *s = arg;

    for (int i = 0; i < 3; i++)
        EVP_KDF_free(s->kdfs[i]);
    client_close(&s->client);
    free(s);
}

static void *open_session(void)
{
    struct session *s = calloc(1, sizeof *s);
    bool good;

    if (s == NULL)
        return NULL;
    good = client_open(&s->client, NULL);
    for (int i = 0; i < 3 && good; i++) {
        s->kdfs[i] = EVP_KDF_fetch(s->client.libctx, names[i], NULL);
        good = s->kdfs[i] != NULL;
    }
    ERR_clear_error();
    if (good)
        return s;
    close_session(s);
    return NULL;
}

static enum guest_answer error_answer(void)
{
    int reason = take_error(NULL);

    if (reason == ERR_R_MALLOC_FAILURE || reason == 0)
        return GUEST_NO_MEMORY;
    /* What libcrypto itself says where it could not allocate. */
    return (reason & ERR_RFLAG_FATAL) ? GUEST_REFUSED : GUEST_ODD;
}

static enum guest_answer ask(void *arg, const struct guest_case *c,
                             const char *password)
{
    struct session *s = arg;
    struct args args = {.n = 0};
    uint8_t tag[sizeof c->tag];
    EVP_KDF_CTX *ctx = EVP_KDF_CTX_new(s->kdfs[c->type]);
    enum guest_answer answer;

    args_text(&args, "pass", password);
    args_text(&args, "salt", GUEST_SALT);
    args_u32(&args, "iter", c->passes);
    args_u32(&args, "memcost", c->memory);
    args_u32(&args, "lanes", c->lanes);
    args_u32(&args, "threads", c->lanes < 4 ? c->lanes : 4);
    ERR_clear_error();
    if (ctx == NULL || EVP_KDF_derive(ctx, tag, sizeof tag, args.list) != 1)
        answer = error_answer();
    else
        answer = memcmp(tag, c->tag, sizeof tag) == 0 ? GUEST_YES : GUEST_NO;
    EVP_KDF_CTX_free(ctx);
    return answer;
}

/* ---- libcrypto's own allocations fail, too ---- */

static void *allocate(size_t size, const char *file, int line)
{
    (void)file, (void)line;
    return watch_fails() ? NULL : malloc(size);
}

static void *reallocate(void *old, size_t size, const char *file, int line)
{
    (void)file, (void)line;
    return watch_fails() ? NULL : realloc(old, size);
}

static void release(void *memory, const char *file, int line)
{
    (void)file, (void)line;
    free(memory);
}

static const struct guest_host host = {
    .name = "OpenSSL",
    .module = "/argon2fast.so",
    .open = open_session,
    .close = close_session,
    .ask = ask,
};

int main(void)
{
    if (CRYPTO_set_mem_functions(allocate, reallocate, release) != 1)
        return 2;
    return guest_main(&host, getenv("A2F_GUEST"));
}
