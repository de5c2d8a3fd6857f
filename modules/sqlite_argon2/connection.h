/* SPDX-License-Identifier: MIT */
/*
 * What the SQLite functions keep for each connection: ceilings, the default
 * params, pepper keys, an engine.
 */
#ifndef A2F_SQLITE_CONNECTION_H
#define A2F_SQLITE_CONNECTION_H

#include <sqlite3ext.h>

#include "argon2fast.h"

SQLITE_EXTENSION_INIT3

/* Is what sqlite3_user_data gives to each function. */
struct a2f_conn;

/* A new state with one reference; or NULL and, in *error, a message for
 * sqlite3_free. The last a2f_conn_drop frees it. */
struct a2f_conn *a2f_conn_new(char **error);
void a2f_conn_hold(struct a2f_conn *conn);
void a2f_conn_drop(void *conn); /* in the shape SQLite has for destructors */

/* The engine for the ceilings and keys of now, made if need be. It lasts until
 * one of them is changed: do not keep it beyond a call. */
A2F_CHECKED enum a2f_status a2f_conn_engine(struct a2f_conn *conn,
                                            struct a2f_engine **engine);

/* What default_params is set to. */
const struct a2f_params *a2f_conn_params(const struct a2f_conn *conn);

/* The keys of the secret_file; NULL: none is set. */
const struct a2f_keys *a2f_conn_keys(const struct a2f_conn *conn);

/* SQL: argon2_config(key [, value]). */
void a2f_fn_config(sqlite3_context *ctx, int argc, sqlite3_value **argv);

/* What argon2fast_sqlite_limit of sqlite_argon2.h does. */
int a2f_conn_limit(sqlite3 *db, const char *key, sqlite3_int64 value);

#endif
