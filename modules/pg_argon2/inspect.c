/* SPDX-License-Identifier: MIT */
/*
 * The SQL functions that do not hash: they read a stored string or a password,
 * make a dummy string, or tell about the extension.
 */
#include "shim.h"

#include <access/htup_details.h>
#include <funcapi.h>
#include <utils/builtins.h>

#include "admission.h"
#include "call.h"

/* ---- bodies ---- */

/* argon2_needs_rehash(hash [, params]) */
static Datum needs_rehash(struct a2f_call *call)
{
    struct a2f_span text = a2f_call_bytes(call, 0);
    struct a2f_params params = a2f_call_params(call, 1);
    const struct a2f_keys *keys = a2f_call_keys(call);
    bool needs = true;

    a2f_call_check(call,
                   a2f_needs_rehash(text, &params, keys, &needs, &call->why));
    return BoolGetDatum(needs);
}

/* argon2_is_common(password) */
static Datum is_common(struct a2f_call *call)
{
    return BoolGetDatum(a2f_is_common(a2f_call_password(call, 0)));
}

/* argon2_is_valid(text): just as argon2_hash would write it; never an error */
static Datum is_valid(struct a2f_call *call)
{
    struct a2f_params params;
    bool canonical = false;
    enum a2f_status s =
        a2f_parse(a2f_call_bytes(call, 0), &params, &canonical, NULL);

    return BoolGetDatum(s == A2F_OK && canonical);
}

/* argon2_params(hash): what argon2_hash takes for params */
static Datum params(struct a2f_call *call)
{
    struct a2f_params p = a2f_call_stored(call, 0, NULL);

    return a2f_call_params_text(call, &p);
}

/* A row of the columns that the function was declared with. */
static Datum row(struct a2f_call *call, Datum *values)
{
    bool nulls[16] = {false};
    TupleDesc desc;

    if (get_call_result_type(call->fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE ||
        desc->natts > (int)lengthof(nulls))
        elog(ERROR, "%s is not declared as it should be", call->name);
    return HeapTupleGetDatum(
        heap_form_tuple(BlessTupleDesc(desc), values, nulls));
}

/* argon2_info(hash): the same as a row */
static Datum info(struct a2f_call *call)
{
    static const char *const types[] = {
        [A2F_D] = "argon2d", [A2F_I] = "argon2i", [A2F_ID] = "argon2id"};
    bool canonical;
    struct a2f_params p = a2f_call_stored(call, 0, &canonical);

    return row(
        call,
        (Datum[]){CStringGetTextDatum(types[p.type]),
                  Int32GetDatum((int32)p.version), Int64GetDatum(p.memory_kib),
                  Int64GetDatum(p.passes), Int32GetDatum((int32)p.lanes),
                  Int64GetDatum(p.salt_len), Int64GetDatum(p.tag_len),
                  BoolGetDatum(canonical), a2f_call_params_text(call, &p)});
}

/* argon2_dummy_hash(): what to verify against when there is no such user */
static Datum dummy_hash(struct a2f_call *call)
{
    struct a2f_params p = a2f_call_params(call, 0);
    char text[A2F_TEXT_MAX];

    a2f_call_check(call, a2f_dummy(&p, text, sizeof text, &call->why));
    return PointerGetDatum(cstring_to_text(text));
}

/* argon2_version() */
static Datum version(struct a2f_call *call)
{
    char engine[128];
    uint64_t budget = a2f_admission_budget();
    char *text;

    a2f_call_engine(call);
    a2f_describe(call->engine, engine, sizeof engine);
    if (budget > 0)
        text = psprintf("%s, admission: %llu kB", engine,
                        (unsigned long long)budget);
    else
        text = psprintf("%s, admission: off", engine);
    return PointerGetDatum(cstring_to_text(text));
}

/* argon2_admission(): a row; NULLs when there is no admission */
static Datum admission(struct a2f_call *call)
{
    struct a2f_admission_view view;

    if (!a2f_admission_look(&view)) {
        call->fcinfo->isnull = true;
        return (Datum)0;
    }
    return row(call, (Datum[]){Int64GetDatum((int64)view.budget_kib),
                               Int64GetDatum((int64)view.in_use_kib),
                               Int32GetDatum((int32)view.running),
                               Int32GetDatum((int32)view.waiting),
                               Int64GetDatum((int64)view.rejected)});
}

/* ---- entry points ---- */

A2F_CALL(pg_argon2_needs_rehash, "argon2_needs_rehash", A2F_TEXT, needs_rehash)
A2F_CALL(pg_argon2_is_common_text, "argon2_is_common", A2F_TEXT, is_common)
A2F_CALL(pg_argon2_is_common_bytea, "argon2_is_common", A2F_BYTEA, is_common)
A2F_CALL(pg_argon2_is_valid, "argon2_is_valid", A2F_TEXT, is_valid)
A2F_CALL(pg_argon2_params, "argon2_params", A2F_TEXT, params)
A2F_CALL(pg_argon2_info, "argon2_info", A2F_TEXT, info)
A2F_CALL(pg_argon2_dummy_hash, "argon2_dummy_hash", A2F_TEXT, dummy_hash)
A2F_CALL(pg_argon2_version, "argon2_version", A2F_TEXT, version)
A2F_CALL(pg_argon2_admission, "argon2_admission", A2F_TEXT, admission)
