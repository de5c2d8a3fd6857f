/* SPDX-License-Identifier: MIT */
/* The SQL functions that only read a stored string. */
#ifndef A2F_SQLITE_INSPECT_H
#define A2F_SQLITE_INSPECT_H

#include "connection.h"

void a2f_fn_needs_rehash(sqlite3_context *ctx, int argc, sqlite3_value **argv);
void a2f_fn_is_valid(sqlite3_context *ctx, int argc, sqlite3_value **argv);
void a2f_fn_params(sqlite3_context *ctx, int argc, sqlite3_value **argv);
void a2f_fn_info(sqlite3_context *ctx, int argc, sqlite3_value **argv);

#endif
