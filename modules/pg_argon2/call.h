/* SPDX-License-Identifier: MIT */
/*
 * The frame of one call of a SQL function: arguments in, the core run so that
 * the server can stop it, a status as a SQLSTATE, and nothing left behind
 * whichever way it ends.
 */
#ifndef A2F_PG_CALL_H
#define A2F_PG_CALL_H

#include "argon2fast.h"
#include "cancel.h"

/* What a SQL password is: text, which other hosts see as UTF-8, or bytea. */
enum a2f_password_type { A2F_TEXT, A2F_BYTEA };

struct a2f_copy;

struct a2f_call {
    const char *name; /* of the SQL function, for messages */
    FunctionCallInfo fcinfo;
    enum a2f_password_type password_type;
    struct a2f_engine *engine; /* for the core, with &run */
    struct a2f_run run;
    struct a2f_why why;
    struct a2f_cancel cancel;
    struct a2f_copy *copies; /* of secrets: to be wiped */
    Datum result;
    int element; /* of an array, from 1, for messages; 0: none */
};

/* Runs a function's body. Passwords are wiped and admission is given back when
 * it returns, and when it raises an error. */
Datum a2f_call_run(FunctionCallInfo fcinfo, const char *name,
                   enum a2f_password_type password_type,
                   Datum (*body)(struct a2f_call *));

/* Defines a SQL function: its symbol, its name in SQL, the type of its password
 * (any, if it has none), its body. */
#define A2F_CALL(symbol, name, password_type, body)                            \
    A2F_PG_FUNCTION(symbol)                                                    \
    {                                                                          \
        return a2f_call_run(fcinfo, name, password_type, body);                \
    }

/* ---- arguments; each may raise an error ---- */

/* The bytes are good until the call ends; they may be in a shared buffer. */
struct a2f_span a2f_call_bytes(struct a2f_call *call, int arg);
struct a2f_span a2f_call_password(struct a2f_call *call, int arg);

/* Likewise, of a value that is not an argument but an array's element. */
struct a2f_span a2f_call_value(struct a2f_call *call, Datum value);
struct a2f_span a2f_call_secret(struct a2f_call *call, Datum value);

/* An array of text, with secrets in it. */
struct ArrayType;
struct ArrayType *a2f_call_array(struct a2f_call *call, int arg);

/* Those of the argument; pg_argon2.default_params if there are not so many. */
struct a2f_params a2f_call_params(struct a2f_call *call, int arg);

/* Those of a stored string, and whether it is just as argon2_hash writes it;
 * canonical may be NULL. */
struct a2f_params a2f_call_stored(struct a2f_call *call, int arg,
                                  bool *canonical);

/* Those that verifying a string takes; all zero, so that there is nothing to
 * admit, if it is malformed or above the ceiling: the core refuses it. Raises
 * nothing. */
struct a2f_params a2f_call_cost(struct a2f_span hash);

/* ---- results ---- */

/* A params string. */
Datum a2f_call_params_text(struct a2f_call *call,
                           const struct a2f_params *params);

/* ---- around the core ---- */

/* Makes the engine ready. */
void a2f_call_engine(struct a2f_call *call);

/* Makes the engine ready and waits for admission of so much memory. Above the
 * ceiling there is nothing to admit: the core refuses it. */
void a2f_call_enter(struct a2f_call *call, uint64_t memory_kib);

/* Gives admission back and raises all but A2F_OK. */
void a2f_call_leave(struct a2f_call *call, enum a2f_status status);

/* Raises all but A2F_OK, with call->why. */
void a2f_call_check(struct a2f_call *call, enum a2f_status status);

/* ---- refusals of our own; they raise ---- */

/* Params below pg_argon2.min_memory or min_passes. */
void a2f_call_floor(const struct a2f_call *call,
                    const struct a2f_params *params);

/* The keys that hashes are made with, NULL if none are wanted; refuses if they
 * are wanted but not there. */
const struct a2f_keys *a2f_call_keys(const struct a2f_call *call);

/* Swapped arguments of a verify that did not succeed. */
void a2f_call_swapped(const struct a2f_call *call, enum a2f_status status,
                      struct a2f_span password, struct a2f_span hash);

#endif
