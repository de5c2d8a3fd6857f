/* SPDX-License-Identifier: MIT */
/*
 * One call of a SQL function: reading its arguments, running the core so that
 * SQLite can interrupt it, and reporting what went wrong.
 */
#ifndef A2F_SQLITE_CALL_H
#define A2F_SQLITE_CALL_H

#include <stdbool.h>

#include "connection.h"

/* A host function sets name and ctx and leaves the rest zero. */
struct a2f_call {
    const char *name; /* of the SQL function, for messages */
    sqlite3_context *ctx;
    struct a2f_engine *engine; /* between begin and end, with &run */
    struct a2f_run run;
    struct a2f_why why;
    sqlite3_stmt *tick; /* what poll steps, or NULL */
};

/* Whether status is A2F_OK; if not, the call has failed and says why. */
bool a2f_call_ok(struct a2f_call *call, enum a2f_status status);

/* Fails the call with words of the adapter's own: SQLITE_ERROR. */
void a2f_call_fail(struct a2f_call *call, const char *what);

/* Around work that needs an engine. end follows begin whatever that returned,
 * and is then a2f_call_ok. */
A2F_CHECKED enum a2f_status a2f_call_begin(struct a2f_call *call);
bool a2f_call_end(struct a2f_call *call, enum a2f_status status);

/* Whether an argument is NULL, and with it the result. */
bool a2f_any_null(int argc, sqlite3_value **argv);

/* Each reads one argument, not NULL. On false the call has failed. The bytes
 * are SQLite's own, good until the function returns. */
bool a2f_take_password(struct a2f_call *call, sqlite3_value *value,
                       struct a2f_span *password);
bool a2f_take_hash(struct a2f_call *call, sqlite3_value *value,
                   struct a2f_span *hash);
bool a2f_take_salt(struct a2f_call *call, sqlite3_value *value,
                   struct a2f_span *salt);

/* Likewise; a NULL pointer means the connection's default_params. */
bool a2f_take_params(struct a2f_call *call, sqlite3_value *value,
                     struct a2f_params *params);

#endif
