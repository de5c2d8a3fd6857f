/* SPDX-License-Identifier: MIT */
/*
 * An engine from the inside, for engine.c and batch.c alone. A job is what a
 * caller asks for; a task is what has to be computed for it.
 */
#ifndef A2F_ENGINE_H
#define A2F_ENGINE_H

#include "argon2fast.h"
#include "keys.h"
#include "lease.h"
#include "simd/kernel.h"

struct a2f_engine {
    struct a2f_limits limits; /* resolved */
    const struct a2f_kernel *kernel;
    const struct a2f_keys *keys; /* borrowed; NULL: none */
    struct a2f_stock stock;
};

struct a2f_task {
    struct a2f_params params; /* salt_len is input.salt's length */
    struct a2f_input input;
    const struct a2f_key *key; /* whose secret is input's; NULL: none */
    uint8_t *tag;              /* params.tag_len bytes */
    /* Between a2f_task_begin and a2f_task_end: */
    uint8_t *salt;
    uint8_t *expected; /* the tag to verify */
    size_t size;       /* of the allocation that begins at salt */
};

/* All checks, and then the salt: fresh, given or decoded. Sets the job's
 * status and why; the task needs an end only after A2F_OK. */
enum a2f_status a2f_task_begin(const struct a2f_engine *engine,
                               struct a2f_task *task, struct a2f_job *job);

/* Compares or encodes the tag when the job's status is A2F_OK; wipes. */
void a2f_task_end(struct a2f_task *task, struct a2f_job *job);

/* The threads that a call may use. */
unsigned a2f_threads(const struct a2f_engine *engine,
                     const struct a2f_run *run);

/* Memory and workers for n tasks of this cost. A2F_NO_MEMORY. */
enum a2f_status a2f_compute_lease(struct a2f_engine *engine,
                                  const struct a2f_params *cost, size_t n,
                                  const struct a2f_run *run,
                                  struct a2f_lease *lease);

/* The tags of n tasks that agree in type, version, memory, passes and lanes, in
 * a lease for at least as much. A2F_CANCELLED. */
enum a2f_status a2f_compute(const struct a2f_engine *engine,
                            struct a2f_lease *lease,
                            const struct a2f_task *const *tasks, size_t n,
                            const struct a2f_run *run);

#endif
