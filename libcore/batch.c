/* SPDX-License-Identifier: MIT */
/*
 * Many jobs in one call. Jobs of equal cost run side by side, as if they were
 * lanes of one large job: a thread that advances several strands never waits
 * for memory. Block memory is leased once for as long as it fits.
 */
#include "engine.h"

#include <string.h>

#include "fill.h"
#include "params.h"
#include "sys.h"

/* Jobs that are looked at together for others of equal cost. */
#define WINDOW 256

/* Strands for each thread: two hide what a lone one waits for; with four and
 * more, bandwidth eats up what latency gave. */
#define STRANDS 2u
/* A smaller job lives in the caches, and a second one would drive it out. */
#define SIDE_BY_SIDE_KIB 16384u

static const struct a2f_run plain_run;

struct batch {
    struct a2f_engine *engine;
    const struct a2f_run *run;
    struct a2f_lease lease; /* lease.bytes 0: none */
    struct a2f_job *jobs;   /* of the window */
    struct a2f_task *tasks; /* tasks[i] for jobs[i] */
    bool pending[WINDOW];   /* begun and not ended */
    size_t n;
};

static bool same_cost(const struct a2f_params *a, const struct a2f_params *b)
{
    return a->type == b->type && a->version == b->version &&
           a->memory_kib == b->memory_kib && a->passes == b->passes &&
           a->lanes == b->lanes;
}

/* How many jobs of this cost to run side by side: enough strands for each
 * thread, in no more memory than one job may take. */
static size_t width_for(const struct a2f_engine *engine,
                        const struct a2f_params *cost,
                        const struct a2f_run *run)
{
    size_t fit = engine->limits.memory_kib / cost->memory_kib;
    size_t wanted = a2f_threads(engine, run);

    if (cost->memory_kib >= SIDE_BY_SIDE_KIB && cost->lanes < STRANDS)
        wanted *= STRANDS / cost->lanes;
    if (wanted > fit)
        wanted = fit;
    return wanted > 0 ? wanted : 1;
}

uint64_t a2f_batch_kib(const struct a2f_engine *engine,
                       const struct a2f_params *params, size_t n,
                       const struct a2f_run *run)
{
    uint64_t kib = params->memory_kib, budget = engine->stock.in_flight_kib;
    size_t width;

    if (a2f_params_check(params, NULL) != A2F_OK)
        return 0; /* no job of this cost will run */
    width = width_for(engine, params, run ? run : &plain_run);
    if (width > n)
        width = n;
    /* As run_some does it. */
    while (budget > 0 && width > 1 && width * kib > budget)
        width = (width + 1) / 2;
    return width * kib;
}

/* Makes the lease large enough for n jobs of this cost. */
static enum a2f_status extend_lease(struct batch *b,
                                    const struct a2f_params *cost, size_t n)
{
    size_t bytes = a2f_fill_bytes(cost, n);

    if (bytes > 0 && bytes <= b->lease.bytes)
        return A2F_OK;
    if (b->lease.bytes > 0)
        a2f_lease_end(&b->engine->stock, &b->lease, false);
    return a2f_compute_lease(b->engine, cost, n, b->run, &b->lease);
}

static void end_job(struct batch *b, size_t i, enum a2f_status s)
{
    b->jobs[i].status = s;
    a2f_task_end(&b->tasks[i], &b->jobs[i]);
    b->pending[i] = false;
}

/* Runs the first pending job together with others of its cost. */
static enum a2f_status run_some(struct batch *b, size_t first)
{
    const struct a2f_params *cost = &b->tasks[first].params;
    const struct a2f_task *tasks[WINDOW];
    size_t chosen[WINDOW], n = 0, width = width_for(b->engine, cost, b->run);
    enum a2f_status s;

    for (size_t i = first; i < b->n && n < width; i++)
        if (b->pending[i] && same_cost(cost, &b->tasks[i].params)) {
            tasks[n] = &b->tasks[i];
            chosen[n++] = i;
        }
    /* Where memory is short, fewer at a time; the others' turn comes. */
    for (;; n = (n + 1) / 2) {
        s = extend_lease(b, cost, n);
        if (s == A2F_OK || n == 1)
            break;
    }
    if (s == A2F_OK)
        s = a2f_compute(b->engine, &b->lease, tasks, n, b->run);
    for (size_t i = 0; i < n; i++)
        end_job(b, chosen[i], s);
    return s;
}

static enum a2f_status run_window(struct batch *b)
{
    enum a2f_status s = A2F_OK;

    for (size_t i = 0; i < b->n; i++)
        b->pending[i] =
            a2f_task_begin(b->engine, &b->tasks[i], &b->jobs[i]) == A2F_OK;
    for (size_t i = 0; i < b->n; i++)
        while (b->pending[i] && s != A2F_CANCELLED)
            s = run_some(b, i);
    for (size_t i = 0; i < b->n; i++)
        if (b->pending[i])
            end_job(b, i, s);
    return s;
}

static void set_all(struct a2f_job *jobs, size_t n, enum a2f_status s)
{
    for (size_t i = 0; i < n; i++) {
        jobs[i].status = s;
        jobs[i].why = (struct a2f_why){NULL, 0, 0, 0};
        if (jobs[i].params != NULL && jobs[i].size > 0)
            jobs[i].text[0] = '\0';
    }
}

enum a2f_status a2f_batch(struct a2f_engine *engine, struct a2f_job *jobs,
                          size_t n, const struct a2f_run *run)
{
    const size_t size = WINDOW * sizeof(struct a2f_task);
    struct batch b = {.engine = engine, .run = run ? run : &plain_run};
    enum a2f_status s = A2F_OK;

    b.tasks = a2f_sys_alloc(size);
    if (b.tasks == NULL) {
        set_all(jobs, n, A2F_NO_MEMORY);
        return A2F_OK;
    }
    for (size_t done = 0; done < n; done += b.n) {
        b.jobs = jobs + done;
        b.n = n - done < WINDOW ? n - done : WINDOW;
        if (s == A2F_CANCELLED)
            set_all(b.jobs, b.n, s);
        else
            s = run_window(&b);
    }
    if (b.lease.bytes > 0)
        a2f_lease_end(&engine->stock, &b.lease, s == A2F_CANCELLED);
    a2f_sys_free(b.tasks, size);
    return s == A2F_CANCELLED ? s : A2F_OK;
}
