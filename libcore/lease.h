/* SPDX-License-Identifier: MIT */
/*
 * What an engine lends to its calls: block memory and workers, within its
 * budgets. One mutex guards the stock; a call works on its lease without
 * locks. A forked child starts an empty stock of its own and touches nothing
 * of its parent's, whose lock may be held for ever.
 */
#ifndef A2F_LEASE_H
#define A2F_LEASE_H

#include <stdatomic.h>

#include "arena.h"
#include "argon2fast.h"
#include "pool.h"

struct a2f_shelf; /* the stock of one process */

struct a2f_stock {
    uint64_t keep_kib, in_flight_kib;
    unsigned threads;
    bool keep_threads;
    _Atomic(struct a2f_shelf *) shelf;
};

struct a2f_lease {
    struct a2f_shelf *shelf;
    struct a2f_arena arena;
    size_t bytes;          /* asked for, and counted as in flight */
    struct a2f_pool *pool; /* NULL: no workers */
};

/* Takes budgets from a configuration. A2F_NO_MEMORY. */
enum a2f_status a2f_stock_init(struct a2f_stock *stock,
                               const struct a2f_config *config);
void a2f_stock_free(struct a2f_stock *stock);

/* Block memory of at least so many bytes and at most threads - 1 workers;
 * fewer, when the budget or the system has no more. A2F_NO_MEMORY: over
 * in_flight_kib, or refused by the system; the lease is empty then. */
enum a2f_status a2f_lease_take(struct a2f_stock *stock, size_t bytes,
                               unsigned threads, struct a2f_lease *lease);

/* Ends a lease, which is empty then: wipes the memory and keeps or releases it;
 * with `abandon` it is released at once, and the kernel zeroes it before
 * anybody else sees it. */
void a2f_lease_end(struct a2f_stock *stock, struct a2f_lease *lease,
                   bool abandon);

#endif
