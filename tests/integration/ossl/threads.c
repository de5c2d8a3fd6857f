/* SPDX-License-Identifier: MIT */
/*
 * The provider in programs with threads: more derivations at a time than
 * workers, in two library contexts; forks while it works; loading and unloading
 * while others derive. TAP.
 */
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "client.h"
#include "support.h"

#define CALLERS 64

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int count_threads(void)
{
    DIR *dir = opendir("/proc/self/task");
    int n = 0;

    if (dir == NULL)
        abort();
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        n += entry->d_name[0] != '.';
    closedir(dir);
    return n;
}

/* A thread that was joined is in /proc for a moment longer. */
static bool threads_become(int n)
{
    for (int i = 0; i < 1000 && count_threads() != n; i++)
        usleep(1000);
    return count_threads() == n;
}

/* What the threads derive: lanes = threads = 4. */
static const struct wanted wide = {2,          0x13,       256,  2,   4,
                                   "password", "somesalt", NULL, NULL};
static uint8_t wide_tag[TAG];

static EVP_KDF_CTX *wide_kdf(const struct client *client)
{
    EVP_KDF_CTX *ctx = client_kdf(client, "ARGON2ID");
    struct args args = {.n = 0};

    args_text(&args, "pass", wide.pass);
    args_text(&args, "salt", wide.salt);
    args_u32(&args, "iter", wide.passes);
    args_u32(&args, "memcost", wide.memory);
    args_u32(&args, "lanes", wide.lanes);
    args_u32(&args, "threads", wide.lanes);
    if (EVP_KDF_CTX_set_params(ctx, args.list) != 1)
        abort();
    return ctx;
}

static bool derives(EVP_KDF_CTX *ctx)
{
    uint8_t tag[TAG];

    return EVP_KDF_derive(ctx, tag, sizeof tag, NULL) == 1 &&
           memcmp(tag, wide_tag, sizeof tag) == 0;
}

/* ---- many callers, few workers ---- */

struct caller {
    pthread_t thread;
    const struct client *client;
    atomic_bool *quit; /* or NULL: after so many times */
    unsigned times;
    bool good;
};

static atomic_uint callers_left;

static void *call(void *arg)
{
    struct caller *caller = arg;
    EVP_KDF_CTX *ctx = wide_kdf(caller->client);

    caller->good = true;
    for (unsigned i = 0;
         caller->quit != NULL ? !atomic_load(caller->quit) : i < caller->times;
         i++)
        caller->good = derives(ctx) && caller->good;
    EVP_KDF_CTX_free(ctx);
    OPENSSL_thread_stop();
    atomic_fetch_sub(&callers_left, 1);
    return NULL;
}

static void start(struct caller *callers, unsigned n,
                  const struct client *clients, unsigned client_count,
                  unsigned times, atomic_bool *quit)
{
    atomic_store(&callers_left, n);
    for (unsigned i = 0; i < n; i++) {
        callers[i].client = &clients[i % client_count];
        callers[i].times = times;
        callers[i].quit = quit;
        if (pthread_create(&callers[i].thread, NULL, call, &callers[i]) != 0)
            abort();
    }
}

/* Whether all were right. */
static bool join(struct caller *callers, unsigned n)
{
    bool good = true;

    for (unsigned i = 0; i < n; i++) {
        pthread_join(callers[i].thread, NULL);
        good = callers[i].good && good;
    }
    return good;
}

/* 64 callers in two library contexts, each of which may have so many workers
 * and the caller. */
static void test_cap(int max_threads, bool keep)
{
    struct client clients[2];
    struct caller callers[CALLERS];
    char lines[128];
    int most = 0, before = count_threads();

    snprintf(lines, sizeof lines, "max_threads = %d\nkeep_threads = %d\n",
             max_threads, keep);
    for (int i = 0; i < 2; i++)
        if (!client_open(&clients[i], lines))
            abort();
    start(callers, CALLERS, clients, 2, 6, NULL);
    while (atomic_load(&callers_left) > 0) {
        int n = count_threads();

        most = n > most ? n : most;
        usleep(200);
    }
    tap_ok(join(callers, CALLERS),
           "%d callers finish, max_threads = %d, keep_threads = %d", CALLERS,
           max_threads, keep);
    /* Of each context one less than max_threads; /proc shows those that were
     * joined for a moment longer. Without a cap there would be 192. */
    if (!tap_ok(most <= before + CALLERS + 4 * max_threads,
                "no more workers than allowed"))
        tap_note("%d threads", most);
    for (int i = 0; i < 2; i++)
        client_close(&clients[i]);
    tap_ok(threads_become(before), "none is left");
}

/* As many workers as were asked for; kept ones can be counted. */
static void test_number(int threads)
{
    struct client client;
    struct args args = {.n = 0};
    uint8_t tag[TAG];
    int before = count_threads();

    if (!client_open(&client, "max_threads = 8\nkeep_threads = 1\n"))
        abort();
    EVP_KDF_CTX *ctx = wide_kdf(&client);
    args_u32(&args, "threads", (uint32_t)threads);
    tap_ok(EVP_KDF_derive(ctx, tag, sizeof tag, args.list) == 1 &&
               threads_become(before + threads - 1),
           "threads = %d: %d workers", threads, threads - 1);
    EVP_KDF_CTX_free(ctx);
    client_close(&client);
    (void)threads_become(before);
}

/* ---- fork ---- */

static bool sanitized(void)
{
    const char *san = getenv("SAN");

    return san != NULL && *san != '\0';
}

/* Whether a child, forked now, derives and exits within a second. */
static bool child_derives(EVP_KDF_CTX *ctx)
{
    double begin = now();
    pid_t pid = fork();
    int status = -1;

    if (pid == 0) {
        alarm(60);
        bool good = derives(ctx);
        if (sanitized())
            _exit(!good);
        exit(!good); /* with libcrypto's clean-up, and our teardown */
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) {
        tap_note("child's status %#x", (unsigned)status);
        return false;
    }
    if (now() - begin > 1) {
        tap_note("%.3f s", now() - begin);
        return false;
    }
    return true;
}

static void test_fork(bool keep)
{
    struct client client;
    struct caller callers[2];
    atomic_bool quit = false;
    bool good = true;
    EVP_KDF_CTX *ctx;

    if (!client_open(&client, keep ? "max_threads = 4\nkeep_threads = 1\n"
                                   : "max_threads = 4\n"))
        abort();
    ctx = wide_kdf(&client);
    start(callers, 2, &client, 1, 0, &quit);
    for (int i = 0; i < 40 && good; i++) {
        usleep(2000);
        good = child_derives(ctx);
    }
    tap_ok(good, "children derive and exit, keep_threads = %d", keep);
    atomic_store(&quit, true);
    tap_ok(join(callers, 2), "their parent goes on");
    EVP_KDF_CTX_free(ctx);
    client_close(&client);
}

static EVP_KDF_CTX *at_fork;
static atomic_bool fork_good = true;

static void derive_at_fork(void)
{
    if (at_fork != NULL && !derives(at_fork))
        atomic_store(&fork_good, false);
}

/* A program that derives in its own fork handlers. */
static void test_fork_handlers(void)
{
    struct client client;
    struct caller caller;
    atomic_bool quit = false;
    bool good = true;
    EVP_KDF_CTX *ctx;

    if (!client_open(&client, "max_threads = 2\nkeep_threads = 1\n"))
        abort();
    ctx = wide_kdf(&client);
    at_fork = wide_kdf(&client);
    pthread_atfork(derive_at_fork, derive_at_fork, derive_at_fork);
    start(&caller, 1, &client, 1, 0, &quit);
    for (int i = 0; i < 10 && good; i++)
        good = child_derives(ctx);
    atomic_store(&quit, true);
    tap_ok(join(&caller, 1) && good && atomic_load(&fork_good),
           "fork handlers may derive");
    EVP_KDF_CTX_free(at_fork);
    at_fork = NULL;
    EVP_KDF_CTX_free(ctx);
    client_close(&client);
}

/* ---- loading ---- */

static size_t count_mappings(void)
{
    FILE *file = fopen("/proc/self/maps", "r");
    size_t n = 0;

    if (file == NULL)
        abort();
    for (int c; (c = getc(file)) != EOF;)
        n += c == '\n';
    fclose(file);
    return n;
}

static bool load_once(void)
{
    struct client client;
    EVP_KDF_CTX *ctx;
    bool good;

    if (!client_open(&client, NULL))
        return false;
    ctx = wide_kdf(&client);
    good = derives(ctx);
    EVP_KDF_CTX_free(ctx);
    client_close(&client);
    return good;
}

static void test_loading(unsigned times)
{
    struct client client;
    struct caller callers[2];
    atomic_bool quit = false;
    bool good = true;
    size_t mappings = 0;

    if (!client_open(&client, "max_threads = 2\nkeep_threads = 1\n"))
        abort();
    start(callers, 2, &client, 1, 0, &quit);
    for (unsigned i = 0; i < times && good; i++) {
        good = load_once();
        if (i == times / 5)
            mappings = count_mappings();
    }
    tap_ok(good, "loaded and unloaded %u times while others derive", times);
    /* Some come and go with the threads that derive. */
    if (!tap_ok(count_mappings() < mappings + 50, "nothing stays mapped"))
        tap_note("%zu mappings, then %zu", mappings, count_mappings());
    atomic_store(&quit, true);
    tap_ok(join(callers, 2), "the others were right all the time");
    client_close(&client);
}

static void *do_nothing(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t thread;

    /* A sanitizer has a thread of its own from the first one on. */
    if (pthread_create(&thread, NULL, do_nothing, NULL) != 0 ||
        pthread_join(thread, NULL) != 0)
        return 1;
    oracle(&wide, wide_tag, sizeof wide_tag);
    for (int max = 1; max <= 8; max++)
        test_cap(max, max % 2 == 0);
    for (int threads = 1; threads <= 4; threads++)
        test_number(threads);
    if (sanitized()) {
        tap_ok(true, "forks # SKIP a sanitizer's allocator may hang in the "
                     "child of a process with threads");
    } else {
        test_fork(false);
        test_fork(true);
        test_fork_handlers();
    }
    test_loading(200); /* thousands: tests/guest */
    return tap_done();
}
