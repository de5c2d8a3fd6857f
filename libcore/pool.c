/* SPDX-License-Identifier: MIT */
/*
 * The caller and its workers. Work is handed out by one atomic counter of
 * tasks left; whoever takes the last share wakes the caller. Between runs
 * workers spin for some ten microseconds, for the next round of the same hash,
 * and then sleep.
 */
#include "pool.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "secret.h"
#include "sys.h"

/* Looks before a wait becomes a sleep. */
#define SPINS 2000

struct a2f_pool {
    pid_t owner; /* a forked child has this memory, but not the workers */
    unsigned workers;
    /* The work at hand: written by the caller while nothing is left, read by
     * those who have taken a task. */
    void (*task)(void *ctx, uint32_t i);
    void *ctx;
    atomic_uint left;    /* tasks not taken */
    atomic_uint running; /* tasks not finished */
    atomic_bool quit;
    /* Sleep. The counters say whether a wake-up is worth a system call. */
    pthread_mutex_t lock;
    pthread_cond_t work; /* left > 0 or quit */
    pthread_cond_t done; /* running == 0 */
    atomic_uint asleep;  /* workers on `work` */
    atomic_bool waiting; /* the caller is on `done` */
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
        if (left == 0)
            return false;
    } while (!atomic_compare_exchange_weak(&pool->left, &left, left - 1));
    pool->task(pool->ctx, left - 1);
    if (atomic_fetch_sub(&pool->running, 1) == 1 &&
        atomic_load(&pool->waiting)) {
        pthread_mutex_lock(&pool->lock);
        pthread_cond_signal(&pool->done);
        pthread_mutex_unlock(&pool->lock);
    }
    return true;
}

static bool work_to_do(struct a2f_pool *pool)
{
    return atomic_load(&pool->left) > 0 || atomic_load(&pool->quit);
}

static void sleep_until_work(struct a2f_pool *pool)
{
    for (int i = 0; i < SPINS; i++) {
        if (work_to_do(pool))
            return;
        pause_cpu();
    }
    a2f_wipe_traces();
    pthread_mutex_lock(&pool->lock);
    atomic_fetch_add(&pool->asleep, 1);
    while (!work_to_do(pool))
        pthread_cond_wait(&pool->work, &pool->lock);
    atomic_fetch_sub(&pool->asleep, 1);
    pthread_mutex_unlock(&pool->lock);
}

static void *worker(void *arg)
{
    struct a2f_pool *pool = arg;

    while (!atomic_load(&pool->quit)) {
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
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->done, NULL);
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

static void wake_workers(struct a2f_pool *pool)
{
    if (atomic_load(&pool->asleep) == 0)
        return;
    pthread_mutex_lock(&pool->lock);
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
}

static void wait_for_workers(struct a2f_pool *pool)
{
    for (int i = 0; i < SPINS; i++) {
        if (atomic_load(&pool->running) == 0)
            return;
        pause_cpu();
    }
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->waiting, true);
    while (atomic_load(&pool->running) > 0)
        pthread_cond_wait(&pool->done, &pool->lock);
    atomic_store(&pool->waiting, false);
    pthread_mutex_unlock(&pool->lock);
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
    atomic_store(&pool->left, n); /* from here on workers take tasks */
    wake_workers(pool);
    while (do_one(pool))
        ;
    wait_for_workers(pool);
}

void a2f_pool_free(struct a2f_pool *pool)
{
    if (pool == NULL)
        return;
    if (pool->owner == getpid()) {
        atomic_store(&pool->quit, true);
        pthread_mutex_lock(&pool->lock);
        pthread_cond_broadcast(&pool->work);
        pthread_mutex_unlock(&pool->lock);
        for (unsigned i = 0; i < pool->workers; i++)
            pthread_join(pool->threads[i], NULL);
        pthread_cond_destroy(&pool->done);
        pthread_cond_destroy(&pool->work);
        pthread_mutex_destroy(&pool->lock);
    }
    a2f_sys_free(pool, sizeof *pool);
}
