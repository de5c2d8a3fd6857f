/* SPDX-License-Identifier: MIT */
/*
 * The engine: what a call is allowed (limits), what it borrows (lease), the
 * order of RFC 9106 section 3.2, and that nothing is left behind.
 */
#include "engine.h"

#include <string.h>

#include "base64.h"
#include "fill.h"
#include "params.h"
#include "phc.h"
#include "secret.h"
#include "sys.h"
#include "text.h"

enum a2f_status a2f_new(const struct a2f_config *config,
                        struct a2f_engine **engine)
{
    static const struct a2f_config good_guest;
    const struct a2f_kernel *kernel;
    struct a2f_engine *e;

    *engine = NULL;
    if (config == NULL)
        config = &good_guest;
    kernel = a2f_kernel_find(config->kernel);
    if (kernel == NULL)
        return A2F_BAD_PARAM;
    e = a2f_sys_alloc(sizeof *e);
    if (e == NULL)
        return A2F_NO_MEMORY;
    e->limits = a2f_limits_resolve(&config->limits);
    e->kernel = kernel;
    e->keys = config->keys;
    if (a2f_stock_init(&e->stock, config) != A2F_OK) {
        a2f_sys_free(e, sizeof *e);
        return A2F_NO_MEMORY;
    }
    *engine = e;
    return A2F_OK;
}

void a2f_free(struct a2f_engine *engine)
{
    if (engine == NULL)
        return;
    a2f_stock_free(&engine->stock);
    a2f_sys_free(engine, sizeof *engine);
}

/* ---- the computation ---- */

unsigned a2f_threads(const struct a2f_engine *engine, const struct a2f_run *run)
{
    unsigned threads = engine->stock.threads;

    return run->threads > 0 && run->threads < threads ? run->threads : threads;
}

enum a2f_status a2f_compute_lease(struct a2f_engine *engine,
                                  const struct a2f_params *cost, size_t n,
                                  const struct a2f_run *run,
                                  struct a2f_lease *lease)
{
    size_t bytes = a2f_fill_bytes(cost, n);
    uint64_t strands = (uint64_t)n * cost->lanes;
    unsigned threads = a2f_threads(engine, run);

    if (bytes == 0)
        return A2F_NO_MEMORY;
    if (threads > strands)
        threads = (unsigned)strands; /* more would have nothing to do */
    return a2f_lease_take(&engine->stock, bytes, threads, lease);
}

enum a2f_status a2f_compute(const struct a2f_engine *engine,
                            struct a2f_lease *lease,
                            const struct a2f_task *const *tasks, size_t n,
                            const struct a2f_run *run)
{
    struct a2f_fill fill = {
        .arena = &lease->arena, .pool = lease->pool, .run = run};
    enum a2f_status s = A2F_OK;

    a2f_fill_init(&fill, engine->kernel, &tasks[0]->params, n);
    for (size_t i = 0; i < n && s == A2F_OK; i++)
        s = a2f_fill_seed(&fill, i, &tasks[i]->params, &tasks[i]->input);
    if (s == A2F_OK)
        s = a2f_fill_matrix(&fill);
    for (size_t i = 0; i < n && s == A2F_OK; i++)
        a2f_fill_tag(&fill, i, tasks[i]->tag, tasks[i]->params.tag_len);
    a2f_wipe_traces();
    return s;
}

/* One task from lease to clean-up. */
static enum a2f_status compute_one(struct a2f_engine *engine,
                                   const struct a2f_task *task,
                                   const struct a2f_run *run)
{
    struct a2f_lease lease;
    enum a2f_status s =
        a2f_compute_lease(engine, &task->params, 1, run, &lease);

    if (s != A2F_OK)
        return s;
    s = a2f_compute(engine, &lease, &task, 1, run);
    a2f_lease_end(&engine->stock, &lease, s != A2F_OK);
    return s;
}

/* ---- one task ---- */

/* Room for a salt and two tags, in that order. */
static enum a2f_status task_alloc(struct a2f_task *task)
{
    const struct a2f_params *p = &task->params;
    uint64_t size = (uint64_t)p->salt_len + 2 * (uint64_t)p->tag_len;

    if (size <= SIZE_MAX)
        task->salt = a2f_sys_alloc((size_t)size);
    if (task->salt == NULL)
        return A2F_NO_MEMORY;
    task->size = (size_t)size;
    task->tag = task->salt + p->salt_len;
    task->expected = task->tag + p->tag_len;
    return A2F_OK;
}

static struct a2f_span keyid_of(const struct a2f_task *task)
{
    if (task->key == NULL)
        return (struct a2f_span){NULL, 0};
    return (struct a2f_span){task->key->id, strlen(task->key->id)};
}

static enum a2f_status begin_hash(const struct a2f_engine *engine,
                                  struct a2f_task *task, struct a2f_job *job)
{
    enum a2f_status s;

    task->params = *job->params;
    /* Who gives a salt wants the same text again, whatever key is current. */
    if (job->input.salt.len == 0 && job->input.secret.len == 0)
        task->key = a2f_keys_current(engine->keys);
    if (job->input.salt.len > 0)
        task->params.salt_len = (uint32_t)job->input.salt.len;
    s = a2f_params_check(&task->params, &job->why);
    if (s == A2F_OK)
        s = a2f_params_limit(&task->params, &engine->limits, &job->why);
    if (s == A2F_OK)
        s = a2f_phc_room(&task->params, keyid_of(task), job->size, &job->why);
    if (s == A2F_OK)
        s = task_alloc(task);
    if (s != A2F_OK)
        return s;
    if (job->input.salt.len == 0)
        return a2f_random(task->salt, task->params.salt_len);
    memcpy(task->salt, job->input.salt.data, task->params.salt_len);
    return A2F_OK;
}

static enum a2f_status begin_verify(const struct a2f_engine *engine,
                                    struct a2f_task *task, struct a2f_job *job)
{
    struct a2f_phc phc;
    enum a2f_status s;

    s = a2f_phc_parse(job->hash, &engine->limits, &phc, &job->why);
    if (s != A2F_OK)
        return s;
    if (phc.keyid.len > 0) {
        task->key = a2f_keys_find(engine->keys, phc.keyid);
        if (task->key == NULL)
            return a2f_refuse(A2F_NO_KEY, &job->why, "keyid", 0, 0, 0);
    }
    task->params = phc.params;
    s = task_alloc(task);
    if (s != A2F_OK)
        return s;
    a2f_base64_decode(phc.salt, task->salt);
    a2f_base64_decode(phc.tag, task->expected);
    return A2F_OK;
}

enum a2f_status a2f_task_begin(const struct a2f_engine *engine,
                               struct a2f_task *task, struct a2f_job *job)
{
    enum a2f_status s;

    memset(task, 0, sizeof *task);
    job->why = (struct a2f_why){NULL, 0, 0, 0};
    if (job->params != NULL && job->size > 0)
        job->text[0] = '\0';
    s = a2f_input_check(&job->input, &engine->limits, &job->why);
    if (s == A2F_OK)
        s = job->params != NULL ? begin_hash(engine, task, job)
                                : begin_verify(engine, task, job);
    task->input = job->input;
    task->input.salt = (struct a2f_span){task->salt, task->params.salt_len};
    if (task->key != NULL)
        task->input.secret = task->key->secret;
    job->status = s;
    if (s != A2F_OK)
        a2f_task_end(task, job);
    return s;
}

void a2f_task_end(struct a2f_task *task, struct a2f_job *job)
{
    uint32_t tag_len = task->params.tag_len;

    if (job->status == A2F_OK && job->params == NULL &&
        !a2f_equal(task->tag, task->expected, tag_len))
        job->status = A2F_MISMATCH;
    if (job->status == A2F_OK && job->params != NULL)
        job->status =
            a2f_phc_write(&task->params, keyid_of(task), task->input.salt,
                          (struct a2f_span){task->tag, tag_len}, job->text,
                          job->size, &job->why);
    a2f_sys_free(task->salt, task->size);
    memset(task, 0, sizeof *task);
}

/* ---- the public calls: one job each ---- */

static const struct a2f_run plain_run;

static enum a2f_status run_one(struct a2f_engine *engine, struct a2f_job *job,
                               const struct a2f_run *run)
{
    struct a2f_task task;

    if (run == NULL)
        run = &plain_run;
    if (a2f_task_begin(engine, &task, job) == A2F_OK) {
        job->status = compute_one(engine, &task, run);
        a2f_task_end(&task, job);
    }
    if (run->why != NULL)
        *run->why = job->why;
    return job->status;
}

enum a2f_status a2f_hash(struct a2f_engine *engine,
                         const struct a2f_params *params,
                         const struct a2f_input *input, char *text, size_t size,
                         const struct a2f_run *run)
{
    struct a2f_job job = {
        .params = params, .input = *input, .text = text, .size = size};

    return run_one(engine, &job, run);
}

enum a2f_status a2f_verify(struct a2f_engine *engine, struct a2f_span hash,
                           const struct a2f_input *input,
                           const struct a2f_run *run)
{
    struct a2f_job job = {.input = *input, .hash = hash};

    return run_one(engine, &job, run);
}

enum a2f_status a2f_derive(struct a2f_engine *engine,
                           const struct a2f_params *params,
                           const struct a2f_input *input, uint8_t *tag,
                           const struct a2f_run *run)
{
    struct a2f_task task = {.params = *params, .input = *input, .tag = tag};
    enum a2f_status s;

    if (run == NULL)
        run = &plain_run;
    a2f_why_clear(run->why);
    task.params.salt_len = (uint32_t)input->salt.len;
    s = a2f_input_check(input, &engine->limits, run->why);
    if (s == A2F_OK)
        s = a2f_params_check(&task.params, run->why);
    if (s == A2F_OK)
        s = a2f_params_limit(&task.params, &engine->limits, run->why);
    if (s == A2F_OK)
        s = compute_one(engine, &task, run);
    if (s != A2F_OK)
        a2f_wipe(tag, params->tag_len);
    return s;
}

/* ---- words ---- */

size_t a2f_describe(const struct a2f_engine *engine, char *text, size_t size)
{
    struct a2f_writer out = {text, size, 0};

    a2f_write(&out, "argon2fast " A2F_VERSION ", kernel ");
    a2f_write(&out, engine->kernel->name);
    a2f_write(&out, ", threads ");
    a2f_write_decimal(&out, engine->stock.threads);
    (void)a2f_write_end(&out);
    return out.len;
}

const char *a2f_kernel_name(const struct a2f_engine *engine, size_t index)
{
    const struct a2f_kernel *kernel;

    if (engine != NULL)
        return engine->kernel->name;
    for (size_t i = 0; (kernel = a2f_kernel_at(i)) != NULL; i++)
        if (a2f_kernel_usable(kernel) && index-- == 0)
            return kernel->name;
    return NULL;
}
