/* SPDX-License-Identifier: MIT */
/*
 * The array forms of argon2_hash and argon2_verify. Their elements go through
 * the core in batches, where those of equal cost run side by side. The core
 * gives a batch no more memory than one hash may have, so an array is no way
 * around the ceilings.
 */
#include "shim.h"

#include <catalog/pg_type.h>
#include <utils/array.h>
#include <utils/builtins.h>

#include "call.h"

/* A batch keeps its memory from the first job to the last; others may be
 * waiting for it. */
#define BATCH_MAX 32

struct bulk {
    struct a2f_call *call;
    Datum *results; /* one for each element, as is nulls */
    bool *nulls;
    struct a2f_job jobs[BATCH_MAX];
    struct a2f_params costs[BATCH_MAX];
    int elements[BATCH_MAX]; /* which one each job is */
    size_t n;
    char (*texts)[A2F_TEXT_MAX];
};

/* The elements of an array, which are also where nulls come from. */
struct elements {
    ArrayType *array;
    Datum *values;
    bool *nulls;
    int n;
};

static struct elements take_elements(struct a2f_call *call, int arg)
{
    struct elements e = {.array = a2f_call_array(call, arg)};

    deconstruct_array(e.array, TEXTOID, -1, false, TYPALIGN_INT, &e.values,
                      &e.nulls, &e.n);
    return e;
}

/* ---- batches ---- */

static Datum result_of(struct a2f_call *call, struct a2f_job *job)
{
    if (job->params == NULL && job->status == A2F_MISMATCH)
        return BoolGetDatum(false);
    call->why = job->why;
    if (job->params == NULL)
        a2f_call_swapped(call, job->status, job->input.password, job->hash);
    a2f_call_check(call, job->status);
    if (job->params == NULL)
        return BoolGetDatum(true);
    return PointerGetDatum(cstring_to_text(job->text));
}

/* What the core takes at a time, were all jobs like the one it takes most
 * for. */
static uint64_t memory_of(const struct bulk *bulk)
{
    const struct a2f_call *call = bulk->call;
    uint64_t most = 0;

    for (size_t i = 0; i < bulk->n; i++) {
        uint64_t kib =
            a2f_batch_kib(call->engine, &bulk->costs[i], bulk->n, &call->run);
        most = Max(most, kib);
    }
    return most;
}

/* Runs the jobs that were added, and begins a new batch. */
static void run_batch(struct bulk *bulk)
{
    struct a2f_call *call = bulk->call;
    enum a2f_status s;

    if (bulk->n == 0)
        return;
    call->element = 0;
    a2f_call_engine(call);
    a2f_call_enter(call, memory_of(bulk));
    s = a2f_batch(call->engine, bulk->jobs, bulk->n, &call->run);
    a2f_call_leave(call, s);
    for (size_t i = 0; i < bulk->n; i++) {
        call->element = bulk->elements[i] + 1;
        bulk->results[bulk->elements[i]] = result_of(call, &bulk->jobs[i]);
    }
    bulk->n = 0;
}

static void add_job(struct bulk *bulk, int element, struct a2f_params cost,
                    struct a2f_job job)
{
    if (bulk->n == BATCH_MAX)
        run_batch(bulk);
    if (job.params != NULL) {
        job.text = bulk->texts[bulk->n];
        job.size = sizeof bulk->texts[bulk->n];
    }
    bulk->costs[bulk->n] = cost;
    bulk->elements[bulk->n] = element;
    bulk->jobs[bulk->n++] = job;
}

/* Room for the results of as many elements as an array has. */
static struct bulk *new_bulk(struct a2f_call *call, int n)
{
    struct bulk *bulk = palloc0(sizeof *bulk);

    bulk->call = call;
    bulk->results = palloc0(sizeof *bulk->results * (size_t)n);
    bulk->nulls = palloc0(sizeof *bulk->nulls * (size_t)n);
    return bulk;
}

/* An array of the results, shaped as the argument was. */
static Datum finish(struct bulk *bulk, ArrayType *like, Oid type)
{
    bool text = type == TEXTOID;

    run_batch(bulk);
    return PointerGetDatum(construct_md_array(
        bulk->results, bulk->nulls, ARR_NDIM(like), ARR_DIMS(like),
        ARR_LBOUND(like), type, text ? -1 : 1, !text,
        text ? TYPALIGN_INT : TYPALIGN_CHAR));
}

/* ---- bodies ---- */

/* argon2_hash(password text[] [, params]): each with a salt of its own */
static Datum bulk_hash(struct a2f_call *call)
{
    struct elements passwords = take_elements(call, 0);
    struct a2f_params params = a2f_call_params(call, 1);
    struct bulk *bulk = new_bulk(call, passwords.n);
    Datum result;

    a2f_call_floor(call, &params);
    (void)a2f_call_keys(call);
    bulk->texts = palloc(BATCH_MAX * sizeof *bulk->texts);
    for (int i = 0; i < passwords.n; i++) {
        struct a2f_job job = {.params = &params};

        bulk->nulls[i] = passwords.nulls[i];
        if (bulk->nulls[i])
            continue;
        call->element = i + 1;
        job.input.password = a2f_call_secret(call, passwords.values[i]);
        add_job(bulk, i, params, job);
    }
    result = finish(bulk, passwords.array, TEXTOID);
    a2f_wipe(bulk->texts, BATCH_MAX * sizeof *bulk->texts);
    return result;
}

static void check_same_shape(const struct a2f_call *call, ArrayType *a,
                             ArrayType *b)
{
    if (ARR_NDIM(a) != ARR_NDIM(b) ||
        memcmp(ARR_DIMS(a), ARR_DIMS(b), sizeof(int) * (size_t)ARR_NDIM(a)) !=
            0)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("%s: the arrays differ in shape", call->name)));
}

/* argon2_verify(password text[], hash text[]): pair by pair */
static Datum bulk_verify(struct a2f_call *call)
{
    struct elements passwords = take_elements(call, 0);
    struct elements hashes = take_elements(call, 1);
    struct bulk *bulk = new_bulk(call, passwords.n);

    check_same_shape(call, passwords.array, hashes.array);
    for (int i = 0; i < passwords.n; i++) {
        struct a2f_job job = {.params = NULL};

        bulk->nulls[i] = passwords.nulls[i] || hashes.nulls[i];
        if (bulk->nulls[i])
            continue;
        call->element = i + 1;
        job.hash = a2f_call_value(call, hashes.values[i]);
        job.input.password = a2f_call_secret(call, passwords.values[i]);
        add_job(bulk, i, a2f_call_cost(job.hash), job);
    }
    return finish(bulk, passwords.array, BOOLOID);
}

/* ---- entry points ---- */

A2F_CALL(pg_argon2_hash_array, "argon2_hash", A2F_TEXT, bulk_hash)
A2F_CALL(pg_argon2_verify_array, "argon2_verify", A2F_TEXT, bulk_verify)
