/* SPDX-License-Identifier: MIT */
/*
 * The caller and its workers. Work is handed out by one atomic counter of
 * tasks left; whoever finishes the last one wakes the caller. Between runs
 * workers spin for some ten microseconds, for the next round of the same hash,
 * and then sleep on that counter. There is no condition variable: those of
 * glibc 2.25 to 2.40 can lose a wake-up, and a hash would never end.
 */
#include "pool.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "secret.h"
#include "sys.h"

/* Looks before a wait becomes a sleep. */
#define SPINS 2000
/* `left` of a pool whose workers are to end. */
#define QUIT UINT32_MAX

struct a2f_pool {
    pid_t owner; /* a forked child has this memory, but not the workers */
    unsigned workers;
    /* The work at hand: written by the caller while nothing is left, read by
     * those who have taken a task. */
    void (*task)(void *ctx, uint32_t i);
    void *ctx;
    atomic_uint left;    /* tasks not taken, or QUIT; workers sleep on 0 */
    atomic_uint running; /* tasks not finished; the caller sleeps on it */
    /* Whether a wake-up is worth a system call. */
    atomic_uint asleep;  /* workers */
    atomic_bool waiting; /* the caller */
    pthread_t threads[];
};

static void pause_cpu(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Does one task when one is left. */
static bool do_one(struct a2f_pool *pool)
{
    unsigned left = atomic_load(&pool->left);

    do {
        if (left == 0 || left == QUIT)
            return false;
    } while (!atomic_compare_exchange_weak(&pool->left, &left, left - 1));
    pool->task(pool->ctx, left - 1);
    if (atomic_fetch_sub(&pool->running, 1) == 1 && atomic_load(&pool->waiting))
        a2f_sys_wake(&pool->running, 1);
    return true;
}

static void sleep_until_work(struct a2f_pool *pool)
{
    for (int i = 0; i < SPINS; i++) {
        if (atomic_load(&pool->left) != 0)
            return;
        pause_cpu();
    }
    a2f_wipe_traces();
    atomic_fetch_add(&pool->asleep, 1);
    while (atomic_load(&pool->left) == 0)
        a2f_sys_sleep(&pool->left, 0);
    atomic_fetch_sub(&pool->asleep, 1);
}

static void *worker(void *arg)
{
    struct a2f_pool *pool = arg;

    while (atomic_load(&pool->left) != QUIT) {
        sleep_until_work(pool);
        while (do_one(pool))
            ;
    }
    a2f_wipe_traces();
    return NULL;
}

static size_t pool_size(unsigned workers)
{
    return sizeof(struct a2f_pool) + workers * sizeof(pthread_t);
}

struct a2f_pool *a2f_pool_new(unsigned workers)
{
    struct a2f_pool *pool;

    if (workers == 0)
        return NULL;
    pool = a2f_sys_alloc(pool_size(workers));
    if (pool == NULL)
        return NULL;
    pool->owner = getpid();
    while (pool->workers < workers &&
           a2f_sys_thread(&pool->threads[pool->workers], worker, pool))
        pool->workers++;
    if (pool->workers > 0)
        return pool;
    a2f_pool_free(pool);
    return NULL;
}

unsigned a2f_pool_workers(const struct a2f_pool *pool)
{
    return pool != NULL ? pool->workers : 0;
}

/* Hands out what `left` becomes, and wakes as many as it is worth. */
static void set_left(struct a2f_pool *pool, uint32_t left, uint32_t wake)
{
    atomic_store(&pool->left, left);
    if (atomic_load(&pool->asleep) > 0)
        a2f_sys_wake(&pool->left, wake);
}

static void wait_for_workers(struct a2f_pool *pool)
{
    unsigned running;

    for (int i = 0; i < SPINS; i++) {
        if (atomic_load(&pool->running) == 0)
            return;
        pause_cpu();
    }
    atomic_store(&pool->waiting, true);
    while ((running = atomic_load(&pool->running)) > 0)
        a2f_sys_sleep(&pool->running, running);
    atomic_store(&pool->waiting, false);
}

void a2f_pool_run(struct a2f_pool *pool, uint32_t n,
                  void (*task)(void *ctx, uint32_t i), void *ctx)
{
    if (pool == NULL || n < 2) {
        for (uint32_t i = 0; i < n; i++)
            task(ctx, i);
        return;
    }
    pool->task = task;
    pool->ctx = ctx;
    atomic_store(&pool->running, n);
    set_left(pool, n, n - 1); /* from here on workers take tasks */
    while (do_one(pool))
        ;
    wait_for_workers(pool);
}

void a2f_pool_free(struct a2f_pool *pool)
{
    if (pool == NULL)
        return;
    if (pool->owner == getpid()) {
        set_left(pool, QUIT, pool->workers);
        for (unsigned i = 0; i < pool->workers; i++)
            pthread_join(pool->threads[i], NULL);
    }
    a2f_sys_free(pool, pool_size(pool->workers));
}
