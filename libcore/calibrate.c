/* SPDX-License-Identifier: MIT */
/*
 * Parameters for this machine, by the procedure of RFC 9106 section 4: as much
 * memory as there may be, then as many passes as the time allows; where one
 * pass is too slow, less memory.
 */
#include "argon2fast.h"

#include <string.h>
#include <time.h>

struct calibration {
    struct a2f_engine *engine;
    struct a2f_run run;
    struct a2f_why why;
    double target_ms;
};

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* The best of two or three runs: what else the machine does only makes it
 * slower, and can make one run slower by any amount. */
static enum a2f_status measure(struct calibration *c,
                               const struct a2f_params *params, double *ms)
{
    static const uint8_t salt[16];
    const struct a2f_input input = {.password = {salt, sizeof salt},
                                    .salt = {salt, sizeof salt}};
    uint8_t tag[32];
    struct a2f_params p = *params;
    double spent = 0, best = 0;

    p.tag_len = sizeof tag;
    for (int i = 0; i < 2 || (i < 3 && spent <= c->target_ms); i++) {
        double start = now_ms(), took;
        enum a2f_status s = a2f_derive(c->engine, &p, &input, tag, &c->run);

        if (s != A2F_OK)
            return s;
        took = now_ms() - start;
        spent += took;
        if (i == 0 || took < best)
            best = took;
    }
    *ms = best;
    return A2F_OK;
}

/* Rounds down to whole MiB where there are some, else to whole segments. */
static uint32_t tidy(double memory_kib, uint32_t least)
{
    uint32_t m = memory_kib < (double)least ? least : (uint32_t)memory_kib;

    return m >= 2048 ? m / 1024 * 1024 : m / least * least;
}

/* Doubles the memory while one pass stays within the time; where a ceiling or
 * the time stops it, settles on what is left of either. */
static enum a2f_status find_memory(struct calibration *c,
                                   struct a2f_params *params, uint32_t most,
                                   double *ms)
{
    const uint32_t least = 8 * params->lanes;
    uint32_t next = most < 1024 ? most : 1024;

    params->passes = 1;
    for (;;) {
        enum a2f_status s;
        double fits;

        params->memory_kib = next > least ? next : least;
        s = measure(c, params, ms);
        /* A ceiling of memory, or of work, for one pass: now it is known. */
        if (s == A2F_OVER_LIMIT && c->why.value == params->memory_kib &&
            c->why.max >= least) {
            most = (uint32_t)c->why.max;
            next = most;
            continue;
        }
        if (s != A2F_OK)
            return s;
        /* At most twice as much at a time: time does not grow evenly. */
        fits = (double)params->memory_kib * c->target_ms / *ms;
        if (fits > 2.0 * params->memory_kib)
            fits = 2.0 * params->memory_kib;
        if (fits > most)
            fits = most;
        next = tidy(fits, least);
        if (next <= params->memory_kib)
            break;
    }
    if (next < params->memory_kib)
        params->memory_kib = next;
    return A2F_OK;
}

/* As many passes as fit, and as the engine's ceilings have it. */
static enum a2f_status find_passes(struct calibration *c,
                                   struct a2f_params *params)
{
    enum a2f_status s;
    double ms;

    for (;;) {
        s = measure(c, params, &ms);
        if (s == A2F_OVER_LIMIT && c->why.value > 0 && params->passes > 1) {
            params->passes =
                (uint32_t)((double)params->passes * (double)c->why.max /
                           (double)c->why.value);
            if (params->passes == 0)
                params->passes = 1;
            continue;
        }
        if (s != A2F_OK || ms <= c->target_ms * 1.05 || params->passes == 1)
            return s;
        /* ms is above the target, so these are fewer. */
        params->passes = (uint32_t)((double)params->passes * c->target_ms / ms);
        if (params->passes == 0)
            params->passes = 1;
    }
}

enum a2f_status a2f_calibrate(struct a2f_engine *engine, uint32_t time_ms,
                              uint32_t memory_kib, struct a2f_params *params,
                              const struct a2f_run *run)
{
    struct calibration c = {.engine = engine, .target_ms = time_ms};
    struct a2f_params p = *params;
    enum a2f_status s;
    double ms = 0;

    memset(params, 0, sizeof *params);
    if (run != NULL)
        c.run = *run;
    c.run.why = &c.why;
    if (memory_kib == 0)
        memory_kib = UINT32_MAX;
    if (time_ms == 0) {
        c.why = (struct a2f_why){"time_ms", 0, 1, UINT32_MAX};
        s = A2F_BAD_PARAM;
    } else if (memory_kib / 8 < p.lanes) {
        c.why = (struct a2f_why){"memory_kib", memory_kib,
                                 8 * (uint64_t)p.lanes, UINT32_MAX};
        s = A2F_BAD_PARAM;
    } else {
        s = find_memory(&c, &p, memory_kib, &ms);
    }
    if (s == A2F_OK) {
        p.passes = ms < c.target_ms ? (uint32_t)(c.target_ms / ms) : 1;
        s = find_passes(&c, &p);
    }
    if (run != NULL && run->why != NULL)
        *run->why = c.why;
    if (s == A2F_OK)
        *params = p;
    return s;
}
