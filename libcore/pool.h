/* SPDX-License-Identifier: MIT */
/*
 * Threads: the caller plus workers that wait for it. A pool belongs to one
 * caller at a time. Workers are a help, never a need: with none (or a NULL
 * pool) the caller does all the work, and the result is the same.
 */
#ifndef A2F_POOL_H
#define A2F_POOL_H

#include <stddef.h>
#include <stdint.h>

struct a2f_pool;

/* A pool with at most this many workers: as many as the system grants. NULL
 * when none are to be had. */
struct a2f_pool *a2f_pool_new(unsigned workers);

/* How many workers it has; NULL has none. */
unsigned a2f_pool_workers(const struct a2f_pool *pool);

/* Calls task(ctx, i) for each i below n, on the caller and the workers, in any
 * order; returns when all have returned. n < 2^31. */
void a2f_pool_run(struct a2f_pool *pool, uint32_t n,
                  void (*task)(void *ctx, uint32_t i), void *ctx);

/* Ends the workers and waits for them; only in the process that made them. */
void a2f_pool_free(struct a2f_pool *pool);

#endif
