/* SPDX-License-Identifier: MIT */
/*
 * What the core leaves in a process: after success and after each status, with
 * and without threads, kept memory and parked workers. The system fails where
 * the test says (sys.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argon2fast.h"
#include "secret_host.h"
#include "support.h"
#include "sys.h"

#define COST "m=1024,t=2,p=4"

static struct a2f_params params;

static struct a2f_span span(const char *text)
{
    return (struct a2f_span){text, strlen(text)};
}

/* ---- one call with the secrets there ---- */

struct call {
    const char *name;
    const char *cost; /* NULL: COST */
    struct a2f_config config;
    enum a2f_status wanted;
    unsigned cancel_at; /* the poll that says stop; 0: none */
    unsigned fail_at;   /* the system's call that fails; 0: none */
    bool fail_after;    /* and all that come after it */
    bool wrong;         /* the other password */
    bool dumped;        /* look into a core dump, too */
};

static unsigned polls;

static int poll(void *ctx)
{
    const unsigned *at = ctx;

    return ++polls == *at;
}

static struct a2f_engine *engine_of(const struct call *call)
{
    struct a2f_engine *engine;

    if (a2f_new(&call->config, &engine) != A2F_OK ||
        a2f_params_read(span(call->cost != NULL ? call->cost : COST), &params,
                        NULL) != A2F_OK)
        abort();
    return engine;
}

static struct a2f_input lend(const struct call *call)
{
    const struct secrets *secrets = secrets_lend();

    return (struct a2f_input){
        .password = span(call->wrong ? secrets->wrong : secrets->password),
        .salt = span(SALT),
        .secret = span(secrets->pepper)};
}

/* After the call, and again when the engine has ended. */
static void judge(const char *function, const struct call *call,
                  struct a2f_engine *engine, enum a2f_status s)
{
    struct hashed hashed = {
        .params = &params, .pepper = true, .dumped = call->dumped};
    char name[128];

    a2f_sys_fail(0, false);
    secrets_wipe();
    (void)snprintf(name, sizeof name, "%s, %s", function, call->name);
    if (!tap_ok(s == call->wanted, "%s: as wanted", name))
        tap_note("%s", a2f_status_text(s));
    expect_nothing(name, &hashed);
    a2f_free(engine);
    if (call->config.keep_kib > 0 || call->config.keep_threads) {
        (void)snprintf(name, sizeof name, "%s, %s, then a2f_free", function,
                       call->name);
        hashed.dumped = false;
        expect_nothing(name, &hashed);
    }
}

static void test_derive(const struct call *call)
{
    struct a2f_engine *engine = engine_of(call);
    unsigned at = call->cancel_at;
    struct a2f_run run = {.poll = poll, .poll_ctx = &at};
    struct a2f_input input = lend(call);
    static uint8_t tag[32];
    enum a2f_status s;

    polls = 0;
    a2f_sys_fail(call->fail_at, call->fail_after);
    s = a2f_derive(engine, &params, &input, tag, &run);
    a2f_wipe(tag, sizeof tag);
    judge("a2f_derive", call, engine, s);
}

/* The text was made before, of the right password. */
static void test_verify(const struct call *call, const char *text)
{
    struct a2f_engine *engine = engine_of(call);
    unsigned at = call->cancel_at;
    struct a2f_run run = {.poll = poll, .poll_ctx = &at};
    struct a2f_input input = lend(call);
    enum a2f_status s;

    polls = 0;
    a2f_sys_fail(call->fail_at, call->fail_after);
    s = a2f_verify(engine, span(text), &input, &run);
    judge("a2f_verify", call, engine, s);
}

static void test_batch(const struct call *call, const char *text)
{
    struct a2f_engine *engine = engine_of(call);
    unsigned at = call->cancel_at;
    struct a2f_run run = {.poll = poll, .poll_ctx = &at};
    static char out[256];
    struct a2f_job jobs[3] = {
        {.params = &params, .text = out, .size = sizeof out},
        {.hash = span(text)},
        {.hash = span("$argon2")}};
    enum a2f_status s;

    for (size_t i = 0; i < 3; i++)
        jobs[i].input = lend(call);
    polls = 0;
    s = a2f_batch(engine, jobs, 3, &run);
    judge("a2f_batch", call, engine, s);
}

static void make_text(char *text, size_t size)
{
    const struct call plain = {.name = "text"};
    struct a2f_engine *engine = engine_of(&plain);
    struct a2f_input input = lend(&plain);

    if (a2f_hash(engine, &params, &input, text, size, NULL) != A2F_OK)
        abort();
    a2f_free(engine);
    secrets_wipe();
    expect_nothing(
        "a2f_hash",
        &(struct hashed){.params = &params, .pepper = true, .dumped = true});
}

/* ---- the calls ---- */

#define KEEP        .keep_kib = 1 << 20
#define PARK        .keep_threads = true
#define CONFIG(...) .config = {__VA_ARGS__}

static const struct call derivations[] = {
    {.name = "one thread", CONFIG(.threads = 1), .dumped = true},
    {.name = "two threads", CONFIG(.threads = 2)},
    {.name = "kept memory", CONFIG(.threads = 2, KEEP), .dumped = true},
    {.name = "parked workers", CONFIG(.threads = 3, PARK)},
    {.name = "all kept", CONFIG(.threads = 4, PARK, KEEP), .dumped = true},
    {.name = "argon2i", CONFIG(.threads = 2), .cost = COST ",type=i"},
    {.name = "argon2d", CONFIG(.threads = 1), .cost = COST ",type=d"},
    {.name = "one lane", .cost = "m=1024,t=1,p=1", .dumped = true},
    {.name = "version 0x10", .cost = COST ",v=16"},
    {.name = "over a ceiling",
     CONFIG(.limits = {.memory_kib = 512}),
     .wanted = A2F_OVER_LIMIT},
    {.name = "no budget", CONFIG(.in_flight_kib = 8), .wanted = A2F_NO_MEMORY},
    {.name = "cancelled at once",
     CONFIG(.threads = 2),
     .wanted = A2F_CANCELLED,
     .cancel_at = 1},
    {.name = "cancelled later", .wanted = A2F_CANCELLED, .cancel_at = 5},
    {.name = "cancelled, kept",
     CONFIG(.threads = 2, KEEP, PARK),
     .wanted = A2F_CANCELLED,
     .cancel_at = 3,
     .dumped = true},
};

static const struct call verifications[] = {
    {.name = "right", CONFIG(.threads = 1), .dumped = true},
    {.name = "right, all kept", CONFIG(.threads = 2, KEEP, PARK)},
    {.name = "wrong",
     CONFIG(.threads = 2),
     .wanted = A2F_MISMATCH,
     .wrong = true},
    {.name = "over a ceiling",
     CONFIG(.limits = {.passes = 1}),
     .wanted = A2F_OVER_LIMIT},
    {.name = "no budget", CONFIG(.in_flight_kib = 8), .wanted = A2F_NO_MEMORY},
    {.name = "cancelled",
     CONFIG(.threads = 2),
     .wanted = A2F_CANCELLED,
     .cancel_at = 2},
};

static const struct call batches[] = {
    {.name = "three jobs", CONFIG(.threads = 2), .dumped = true},
    {.name = "cancelled",
     CONFIG(.threads = 2),
     .wanted = A2F_CANCELLED,
     .cancel_at = 2},
};

static void test_bad_texts(const char *text)
{
    static char bad[300];

    (void)snprintf(bad, sizeof bad, "%s$", text);
    test_verify(&(struct call){.name = "malformed", .wanted = A2F_BAD_HASH},
                bad);
    (void)snprintf(bad, sizeof bad, "$argon2id$v=19$m=64,t=1,p=1,keyid=aQ%s",
                   strchr(text + strlen("$argon2id$v=19$"), '$'));
    test_verify(&(struct call){.name = "a key", .wanted = A2F_NO_KEY}, bad);
}

/* Nothing but memory is needed, and that is asked for twice. */
static void test_system(void)
{
    const struct call none = {.name = "the system has nothing",
                              CONFIG(.threads = 3),
                              .wanted = A2F_NO_MEMORY,
                              .fail_at = 1,
                              .fail_after = true};

    test_derive(&none);
    for (unsigned at = 1; at <= 8; at++) {
        char name[64];
        const struct call call = {
            .name = name, CONFIG(.threads = 3), .fail_at = at};

        (void)snprintf(name, sizeof name, "call %u of the system fails", at);
        test_derive(&call);
    }
}

static void test_kernels(void)
{
    const char *kernel;

    for (size_t i = 0; (kernel = a2f_kernel_name(NULL, i)) != NULL; i++) {
        struct call call = {
            .name = kernel, CONFIG(.kernel = kernel), .dumped = true};

        test_derive(&call);
        call.cost = "m=1024,t=1,p=1";
        test_derive(&call);
    }
}

#define EACH(i, array)                                                         \
    size_t i = 0;                                                              \
    i < sizeof array / sizeof *array;                                          \
    i++

int main(void)
{
    static char text[256];

    secrets_start();
    (void)secrets_lend();
    if (a2f_params_read(span(COST), &params, NULL) != A2F_OK)
        abort();
    expect_found("a password that is there",
                 &(struct hashed){.params = &params});
    secrets_wipe();
    make_text(text, sizeof text);
    for (EACH(i, derivations))
        test_derive(&derivations[i]);
    test_kernels();
    for (EACH(i, verifications))
        test_verify(&verifications[i], text);
    test_bad_texts(text);
    for (EACH(i, batches))
        test_batch(&batches[i], text);
    test_system();
    return tap_done();
}
