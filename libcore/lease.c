/* SPDX-License-Identifier: MIT */
/* Lending block memory and workers; see lease.h. */
#include "lease.h"

#include <unistd.h>

#include "sys.h"

/* Arenas kept at the most; more would only be found by a longer search. */
#define KEPT_MAX 16

struct a2f_shelf {
    pid_t owner;
    pthread_mutex_t lock;
    struct a2f_arena kept[KEPT_MAX]; /* oldest first; each counts as far as
                                        it is present */
    unsigned kept_count;
    uint64_t kept_bytes;
    uint64_t leased_bytes;
    unsigned workers;        /* alive: leased or parked */
    struct a2f_pool *parked; /* NULL: none */
};

/* In pages that a forked child finds wiped, its owner with them: in another
 * namespace the child may have its parent's process id. */
static struct a2f_shelf *new_shelf(void)
{
    struct a2f_shelf *shelf = a2f_sys_map(sizeof *shelf);

    if (shelf != NULL) {
        a2f_sys_private(shelf, sizeof *shelf);
        shelf->owner = getpid();
        pthread_mutex_init(&shelf->lock, NULL);
    }
    return shelf;
}

static void free_shelf(struct a2f_shelf *shelf)
{
    for (unsigned i = 0; i < shelf->kept_count; i++)
        a2f_arena_release(&shelf->kept[i]);
    a2f_pool_free(shelf->parked);
    pthread_mutex_destroy(&shelf->lock);
    a2f_sys_unmap(shelf, sizeof *shelf);
}

/* This process's shelf. After a fork the parent's is left where it is: its
 * lock and lists may have been caught half-way. */
static struct a2f_shelf *find_shelf(struct a2f_stock *stock)
{
    struct a2f_shelf *shelf = atomic_load(&stock->shelf), *mine;

    if (shelf->owner == getpid())
        return shelf;
    mine = new_shelf();
    if (mine == NULL ||
        atomic_compare_exchange_strong(&stock->shelf, &shelf, mine))
        return mine;
    free_shelf(mine); /* another thread was first */
    return shelf;
}

enum a2f_status a2f_stock_init(struct a2f_stock *stock,
                               const struct a2f_config *config)
{
    struct a2f_shelf *shelf = new_shelf();

    stock->keep_kib = config->keep_kib;
    stock->in_flight_kib = config->in_flight_kib;
    stock->threads = config->threads > 0 ? config->threads : 1;
    stock->keep_threads = config->keep_threads;
    atomic_init(&stock->shelf, shelf);
    return shelf != NULL ? A2F_OK : A2F_NO_MEMORY;
}

void a2f_stock_free(struct a2f_stock *stock)
{
    struct a2f_shelf *shelf = atomic_load(&stock->shelf);

    if (shelf != NULL && shelf->owner == getpid())
        free_shelf(shelf);
}

/* ---- under the lock ---- */

static struct a2f_arena take_kept(struct a2f_shelf *shelf, unsigned i)
{
    struct a2f_arena arena = shelf->kept[i];

    shelf->kept_bytes -= arena.present;
    shelf->kept_count--;
    for (; i < shelf->kept_count; i++)
        shelf->kept[i] = shelf->kept[i + 1];
    return arena;
}

/* The smallest kept arena that is large enough, or one without memory. */
static struct a2f_arena find_kept(struct a2f_shelf *shelf, size_t bytes)
{
    unsigned best = KEPT_MAX;

    for (unsigned i = 0; i < shelf->kept_count; i++)
        if (shelf->kept[i].size >= bytes &&
            (best == KEPT_MAX || shelf->kept[i].size < shelf->kept[best].size))
            best = i;
    return best < KEPT_MAX ? take_kept(shelf, best) : (struct a2f_arena){0};
}

/* Puts an arena on the shelf, or gives back, in *out, one that must go. */
static bool keep(struct a2f_shelf *shelf, uint64_t keep_bytes,
                 const struct a2f_arena *arena, struct a2f_arena *out)
{
    if (arena->present == 0 || arena->present > keep_bytes) {
        *out = *arena;
        return true;
    }
    if (shelf->kept_count == KEPT_MAX ||
        shelf->kept_bytes > keep_bytes - arena->present) {
        *out = take_kept(shelf, 0);
        return false;
    }
    shelf->kept[shelf->kept_count++] = *arena;
    shelf->kept_bytes += arena->present;
    *out = (struct a2f_arena){0};
    return true;
}

/* ---- leases ---- */

/* Ends a pool. Only when its workers are gone may others take their place in
 * the budget. */
static void end_pool(struct a2f_shelf *shelf, struct a2f_pool *pool)
{
    unsigned workers = a2f_pool_workers(pool);

    if (pool == NULL)
        return;
    a2f_pool_free(pool);
    pthread_mutex_lock(&shelf->lock);
    shelf->workers -= workers;
    pthread_mutex_unlock(&shelf->lock);
}

static struct a2f_pool *take_pool(const struct a2f_stock *stock,
                                  struct a2f_shelf *shelf, unsigned wanted)
{
    struct a2f_pool *pool;
    unsigned granted, made;

    if (wanted == 0)
        return NULL;
    pthread_mutex_lock(&shelf->lock);
    pool = shelf->parked;
    shelf->parked = NULL;
    pthread_mutex_unlock(&shelf->lock);
    if (a2f_pool_workers(pool) == wanted)
        return pool;
    end_pool(shelf, pool);

    pthread_mutex_lock(&shelf->lock);
    granted = stock->threads - 1 - shelf->workers;
    if (granted > wanted)
        granted = wanted;
    shelf->workers += granted;
    pthread_mutex_unlock(&shelf->lock);
    pool = a2f_pool_new(granted);
    made = a2f_pool_workers(pool);
    if (made < granted) {
        pthread_mutex_lock(&shelf->lock);
        shelf->workers -= granted - made;
        pthread_mutex_unlock(&shelf->lock);
    }
    return pool;
}

enum a2f_status a2f_lease_take(struct a2f_stock *stock, size_t bytes,
                               unsigned threads, struct a2f_lease *lease)
{
    struct a2f_shelf *shelf = find_shelf(stock);
    uint64_t ceiling = stock->in_flight_kib < UINT64_MAX / 1024
                           ? stock->in_flight_kib * 1024
                           : UINT64_MAX;
    bool exact = stock->keep_kib > 0 || ceiling > 0, allowed;

    *lease = (struct a2f_lease){.shelf = shelf};
    if (shelf == NULL)
        return A2F_NO_MEMORY;
    pthread_mutex_lock(&shelf->lock);
    allowed = ceiling == 0 ||
              (bytes <= ceiling && shelf->leased_bytes <= ceiling - bytes);
    if (allowed) {
        lease->arena = find_kept(shelf, bytes);
        lease->arena.wanted = bytes;
        shelf->leased_bytes += bytes;
    }
    pthread_mutex_unlock(&shelf->lock);
    if (!allowed)
        return A2F_NO_MEMORY;
    lease->bytes = bytes;
    if (lease->arena.size == 0 &&
        !a2f_arena_reserve(&lease->arena, bytes, exact)) {
        a2f_lease_end(stock, lease, true);
        return A2F_NO_MEMORY;
    }
    lease->pool = take_pool(stock, shelf, threads - 1);
    return A2F_OK;
}

struct wipe {
    struct a2f_arena *arena;
    uint32_t parts;
};

static void wipe_part(void *ctx, uint32_t i)
{
    const struct wipe *w = ctx;

    a2f_arena_wipe(w->arena, i, w->parts);
}

static void return_arena(struct a2f_stock *stock, struct a2f_lease *lease,
                         bool abandon)
{
    struct a2f_shelf *shelf = lease->shelf;
    uint64_t keep_bytes = stock->keep_kib < UINT64_MAX / 1024
                              ? stock->keep_kib * 1024
                              : UINT64_MAX;
    struct a2f_arena out;
    bool settled = abandon;

    if (abandon)
        a2f_arena_release(&lease->arena);
    while (!settled) {
        pthread_mutex_lock(&shelf->lock);
        settled = keep(shelf, keep_bytes, &lease->arena, &out);
        pthread_mutex_unlock(&shelf->lock);
        a2f_arena_release(&out);
    }
}

static void return_pool(struct a2f_stock *stock, struct a2f_lease *lease)
{
    struct a2f_shelf *shelf = lease->shelf;
    struct a2f_pool *pool = lease->pool;

    if (pool == NULL)
        return;
    pthread_mutex_lock(&shelf->lock);
    if (stock->keep_threads && shelf->parked == NULL) {
        shelf->parked = pool;
        pool = NULL;
    }
    pthread_mutex_unlock(&shelf->lock);
    end_pool(shelf, pool);
}

void a2f_lease_end(struct a2f_stock *stock, struct a2f_lease *lease,
                   bool abandon)
{
    struct wipe wipe = {&lease->arena, 1 + a2f_pool_workers(lease->pool)};

    if (!abandon) {
        a2f_pool_run(lease->pool, wipe.parts, wipe_part, &wipe);
        a2f_arena_wiped(&lease->arena);
    }
    return_pool(stock, lease);
    return_arena(stock, lease, abandon);
    pthread_mutex_lock(&lease->shelf->lock);
    lease->shelf->leased_bytes -= lease->bytes;
    pthread_mutex_unlock(&lease->shelf->lock);
    *lease = (struct a2f_lease){0};
}
