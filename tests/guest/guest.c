/* SPDX-License-Identifier: MIT */
/* The runner; see guest.h. Here: answers, what stays as it was, small stacks.
 */
#include "guest.h"

#include <argon2.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "self.h"
#include "support.h"
#include "watch.h"

/* A child that hangs is ended by a signal. */
enum { CHILD_SECONDS = 60, STACK = 128 << 10 };

struct guest_case guest_cases[GUEST_CASES] = {
    [SMALL] = {.type = Argon2_id, .memory = 256, .passes = 1, .lanes = 4},
    [BIG] = {.type = Argon2_id, .memory = 65536, .passes = 1, .lanes = 4},
    [FRESH] = {.type = Argon2_id,
               .memory = 64,
               .passes = 1,
               .lanes = 2,
               .fresh = true},
    [BUSY] = {.type = Argon2_d, .memory = 4096, .passes = 1, .lanes = 3},
    {.type = Argon2_id, .memory = 8, .passes = 1, .lanes = 1},
    {.type = Argon2_i, .memory = 1024, .passes = 3, .lanes = 2},
    {.type = Argon2_id, .memory = 19456, .passes = 2, .lanes = 1},
    {.type = Argon2_id, .memory = 2048, .passes = 4, .lanes = 16},
    {.type = Argon2_i, .memory = 100, .passes = 10, .lanes = 1},
    {.type = Argon2_id, .memory = 12345, .passes = 1, .lanes = 7},
    {.type = Argon2_d, .memory = 64, .passes = 2, .lanes = 8},
    {.type = Argon2_id, .memory = 32768, .passes = 1, .lanes = 2},
};

static bool make_cases(void)
{
    for (int i = 0; i < GUEST_CASES; i++) {
        struct guest_case *c = &guest_cases[i];

        if (argon2_hash(c->passes, c->memory, c->lanes, GUEST_PASSWORD,
                        strlen(GUEST_PASSWORD), GUEST_SALT, strlen(GUEST_SALT),
                        c->tag, sizeof c->tag, c->phc, sizeof c->phc,
                        (argon2_type)c->type, ARGON2_VERSION_13) != ARGON2_OK)
            return false;
    }
    return true;
}

bool guest_right(const struct guest_host *host, void *session)
{
    return host->ask(session, &guest_cases[SMALL], GUEST_PASSWORD) == GUEST_YES;
}

bool guest_child(bool (*what)(const struct guest_host *host, void *session),
                 const struct guest_host *host, void *session)
{
    int status = -1;
    pid_t pid;

    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        signal(SIGALRM, SIG_DFL);
        alarm(CHILD_SECONDS);
        bool good = what(host, session);
        fflush(stdout);
        _exit(!good);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return false;
    if (WIFSIGNALED(status))
        tap_note("a child was ended by signal %d", WTERMSIG(status));
    return status == 0;
}

unsigned guest_times(unsigned full)
{
    const char *percent = getenv("GUEST_PERCENT");
    unsigned long part = percent != NULL ? strtoul(percent, NULL, 10) : 100;
    unsigned long times = full * part / 100;

    return times > 0 ? (unsigned)times : 1;
}

double guest_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- answers ---- */

static void test_answers(const struct guest_host *host)
{
    void *session = host->open();
    bool good = session != NULL;

    for (int i = 0; i < GUEST_CASES && good; i++) {
        const struct guest_case *c = &guest_cases[i];
        enum guest_answer right = host->ask(session, c, GUEST_PASSWORD),
                          wrong = host->ask(session, c, "incorrect horse");

        good = right == GUEST_YES && wrong == GUEST_NO;
        if (!good)
            tap_note("case %d: right %d, wrong %d", i, right, wrong);
    }
    tap_ok(good, "yes to the right password, no to a wrong one, in %d costs",
           GUEST_CASES);
    if (session != NULL)
        host->close(session);
}

/* ---- what stays as it was ---- */

static bool leaves_alone(const struct guest_host *host, void *session)
{
    bool good = guest_right(host, session); /* once, for what is made lazily */

    self_be_odd();
    for (int i = SMALL; i <= FRESH && good; i++) {
        struct self *before = self_look();

        good =
            host->ask(session, &guest_cases[i], GUEST_PASSWORD) == GUEST_YES &&
            host->ask(session, &guest_cases[i], "x") == GUEST_NO &&
            self_same(before);
    }
    return good;
}

static bool opens_quietly(const struct guest_host *host, void *session)
{
    struct self *before;
    void *own;

    self_be_odd();
    own = host->open(); /* what the host itself makes once */
    if (own == NULL)
        return false;
    host->close(own);
    before = self_look();
    own = host->open();
    if (own == NULL || !guest_right(host, own))
        return false;
    host->close(own);
    (void)session;
    return self_same(before);
}

static void test_self(const struct guest_host *host)
{
    void *session = host->open();

    tap_ok(session != NULL && guest_child(leaves_alone, host, session),
           "a call leaves signal masks and handlers, limits, descriptors, "
           "threads, rounding and the rest as they were");
    if (session != NULL)
        host->close(session);
    tap_ok(guest_child(opens_quietly, host, NULL), "so do opening and closing");
}

/* ---- small stacks ---- */

struct small {
    const struct guest_host *host;
    bool good;
};

static void *use_all(void *arg)
{
    struct small *small = arg;
    const struct guest_host *host = small->host;
    void *session = host->open();

    small->good = session != NULL;
    for (int i = SMALL; i <= FRESH && small->good; i++)
        small->good =
            host->ask(session, &guest_cases[i], GUEST_PASSWORD) == GUEST_YES &&
            host->ask(session, &guest_cases[i], "x") == GUEST_NO;
    if (session != NULL)
        host->close(session);
    return NULL;
}

/* Bytes of a stack that begin to differ from the pattern. */
static size_t used(const unsigned char *stack, size_t size)
{
    size_t untouched = 0;

    while (untouched < size && stack[untouched] == 0xA5)
        untouched++;
    return size - untouched;
}

static void test_small_stack(const struct guest_host *host)
{
    struct small small = {host, false};
    void *stack = aligned_alloc(4096, STACK);
    pthread_attr_t attr;
    pthread_t thread;

    if (stack == NULL || pthread_attr_init(&attr) != 0 ||
        pthread_attr_setstack(&attr, stack, STACK) != 0)
        abort();
    memset(stack, 0xA5, STACK);
    bool ran = pthread_create(&thread, &attr, use_all, &small) == 0 &&
               pthread_join(thread, NULL) == 0;
    tap_ok(ran && small.good,
           "a host's thread with a stack of %d KiB is enough", STACK >> 10);
    tap_note("%zu KiB of it were used, by host and guest",
             used(stack, STACK) >> 10);
    pthread_attr_destroy(&attr);
    free(stack);
}

/* ---- all ---- */

int guest_main(const struct guest_host *host, const char *what)
{
    void *session;

    random_start();
    if (!make_cases() || (session = host->open()) == NULL ||
        !guest_right(host, session) || !watch_module(host->module)) {
        tap_ok(false, "%s: a host that works", host->name);
        return tap_done();
    }
    host->close(session);
    if (what != NULL && strcmp(what, "soak") == 0) {
        guest_soak(host);
        return tap_done();
    }
    test_answers(host);
    test_self(host);
    if (!host->one_thread)
        test_small_stack(host);
    guest_test_forks(host);
    guest_test_limits(host);
    guest_test_failures(host);
    if (!host->one_thread)
        guest_test_reload(host);
    return tap_done();
}
