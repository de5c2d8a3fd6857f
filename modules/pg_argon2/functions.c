/* SPDX-License-Identifier: MIT */
/*
 * The SQL functions that hash: argon2_hash, argon2_verify and the rest. Each
 * unpacks its arguments, makes one call of the core and maps the outcome back.
 */
#include "shim.h"

#include <utils/builtins.h>

#include "admission.h"
#include "call.h"
#include "settings.h"

/* Longest tag of argon2_raw, bytes: what the core's own ceiling is too. */
#define TAG_MAX 1024

/* ---- bodies ---- */

/* A PHC string that is wiped where it was. */
static Datum take_text(char *text, size_t size)
{
    Datum result = PointerGetDatum(cstring_to_text(text));

    a2f_wipe(text, size);
    return result;
}

static Datum hash_into_text(struct a2f_call *call,
                            const struct a2f_params *params,
                            const struct a2f_input *input)
{
    char text[A2F_TEXT_MAX];
    enum a2f_status s;

    a2f_call_floor(call, params);
    a2f_call_enter(call, params->memory_kib);
    s = a2f_hash(call->engine, params, input, text, sizeof text, &call->run);
    a2f_call_leave(call, s);
    return take_text(text, sizeof text);
}

/* argon2_hash(password [, params]) */
static Datum hash(struct a2f_call *call)
{
    struct a2f_params params = a2f_call_params(call, 1);
    struct a2f_input input = {.password = a2f_call_password(call, 0)};

    (void)a2f_call_keys(call);
    return hash_into_text(call, &params, &input);
}

/* An empty salt would ask the core for a random one. */
static struct a2f_input password_and_salt(struct a2f_call *call)
{
    struct a2f_input input = {.password = a2f_call_password(call, 0),
                              .salt = a2f_call_bytes(call, 1)};

    if (input.salt.len == 0) {
        call->why = (struct a2f_why){"salt", 0, 8, UINT32_MAX};
        a2f_call_check(call, A2F_BAD_PARAM);
    }
    return input;
}

/* argon2_hash_with_salt(password, salt, params): never with a key, as what it
 * gives may depend on nothing else */
static Datum hash_with_salt(struct a2f_call *call)
{
    struct a2f_params params = a2f_call_params(call, 2);
    struct a2f_input input = password_and_salt(call);

    return hash_into_text(call, &params, &input);
}

/* argon2_raw(password, salt, params): the tag, as long as len= says. It is a
 * key rather than a stored hash, so the floor does not apply. */
static Datum raw(struct a2f_call *call)
{
    struct a2f_params params = a2f_call_params(call, 2);
    struct a2f_input input = password_and_salt(call);
    uint8_t tag[TAG_MAX];
    enum a2f_status s;

    if (params.tag_len > sizeof tag) {
        call->why = (struct a2f_why){"tag", params.tag_len, 4, sizeof tag};
        a2f_call_check(call, A2F_OVER_LIMIT);
    }
    a2f_call_enter(call, params.memory_kib);
    s = a2f_derive(call->engine, &params, &input, tag, &call->run);
    a2f_call_leave(call, s);

    bytea *result = palloc(VARHDRSZ + params.tag_len);
    SET_VARSIZE(result, VARHDRSZ + params.tag_len);
    memcpy(VARDATA(result), tag, params.tag_len);
    a2f_wipe(tag, sizeof tag);
    return PointerGetDatum(result);
}

/* argon2_verify(password, hash): a mismatch is false, all else an error */
static Datum verify(struct a2f_call *call)
{
    struct a2f_span text = a2f_call_bytes(call, 1);
    struct a2f_input input = {.password = a2f_call_password(call, 0)};
    enum a2f_status s;

    a2f_call_enter(call, a2f_call_cost(text).memory_kib);
    s = a2f_verify(call->engine, text, &input, &call->run);
    a2f_call_swapped(call, s, input.password, text);
    a2f_call_leave(call, s == A2F_MISMATCH ? A2F_OK : s);
    return BoolGetDatum(s == A2F_OK);
}

/* argon2_upgrade(password, hash [, params]): what to store from now on, and
 * NULL for a mismatch */
static Datum upgrade(struct a2f_call *call)
{
    struct a2f_params params = a2f_call_params(call, 2);
    struct a2f_span hash = a2f_call_bytes(call, 1);
    struct a2f_input input = {.password = a2f_call_password(call, 0)};
    uint32_t old_kib = a2f_call_cost(hash).memory_kib;
    char text[A2F_TEXT_MAX];
    enum a2f_status s;

    a2f_call_floor(call, &params);
    (void)a2f_call_keys(call);
    /* The old one and the new, one after the other. */
    a2f_call_enter(call, old_kib == 0 ? 0 : Max(old_kib, params.memory_kib));
    s = a2f_verify_upgrade(call->engine, hash, &input, &params, text,
                           sizeof text, &call->run);
    a2f_call_swapped(call, s, input.password, hash);
    a2f_call_leave(call, s == A2F_MISMATCH ? A2F_OK : s);
    if (s == A2F_MISMATCH) {
        call->fcinfo->isnull = true;
        return (Datum)0;
    }
    return take_text(text, sizeof text);
}

/* argon2_calibrate(target_ms): params, from the default's type and lanes */
static Datum calibrate(struct a2f_call *call)
{
    struct a2f_params params = a2f_call_params(call, 1);
    int32 target_ms = DatumGetInt32(call->fcinfo->args[0].value);
    uint32_t most = (uint32_t)a2f_settings.max_memory;
    uint64_t budget = a2f_admission_budget();
    enum a2f_status s;

    if (target_ms < 1) {
        call->why.what = "target_ms must be positive";
        a2f_call_check(call, A2F_BAD_PARAM);
    }
    if (budget > 0 && budget < most)
        most = (uint32_t)budget;
    a2f_call_enter(call, most);
    s = a2f_calibrate(call->engine, (uint32_t)target_ms, most, &params,
                      &call->run);
    a2f_call_leave(call, s);
    return a2f_call_params_text(call, &params);
}

/* ---- entry points ---- */

A2F_CALL(pg_argon2_hash_text, "argon2_hash", A2F_TEXT, hash)
A2F_CALL(pg_argon2_hash_bytea, "argon2_hash", A2F_BYTEA, hash)
A2F_CALL(pg_argon2_hash_with_salt_text, "argon2_hash_with_salt", A2F_TEXT,
         hash_with_salt)
A2F_CALL(pg_argon2_hash_with_salt_bytea, "argon2_hash_with_salt", A2F_BYTEA,
         hash_with_salt)
A2F_CALL(pg_argon2_raw_text, "argon2_raw", A2F_TEXT, raw)
A2F_CALL(pg_argon2_raw_bytea, "argon2_raw", A2F_BYTEA, raw)
A2F_CALL(pg_argon2_verify_text, "argon2_verify", A2F_TEXT, verify)
A2F_CALL(pg_argon2_verify_bytea, "argon2_verify", A2F_BYTEA, verify)
A2F_CALL(pg_argon2_upgrade_text, "argon2_upgrade", A2F_TEXT, upgrade)
A2F_CALL(pg_argon2_upgrade_bytea, "argon2_upgrade", A2F_BYTEA, upgrade)
A2F_CALL(pg_argon2_calibrate, "argon2_calibrate", A2F_TEXT, calibrate)
