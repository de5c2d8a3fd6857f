/* SPDX-License-Identifier: MIT */
/*
 * The SQLite functions of argon2fast, linked into a program rather than loaded
 * as an extension. Link sqlite_argon2_static.o, libargon2fast.a and SQLite.
 *
 *     sqlite3_auto_extension((void (*)(void))argon2fast_sqlite_init);
 *
 * gives them to every connection opened from then on; a call with an open
 * connection gives them to that one:
 *
 *     argon2fast_sqlite_init(db, NULL, NULL);
 */
#ifndef SQLITE_ARGON2_H
#define SQLITE_ARGON2_H

#include <sqlite3.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sqlite3_api_routines;

/* Registers the functions on db, with ceilings as they were built. SQLITE_OK,
 * never SQLITE_OK_LOAD_PERMANENTLY: SQLite would then skip the automatic
 * extensions after this one, or fail to open. On failure *error, unless error
 * is NULL, is a message for sqlite3_free. api is not used. */
int argon2fast_sqlite_init(sqlite3 *db, char **error,
                           const struct sqlite3_api_routines *api);

/* Sets a ceiling of one connection, up or down; SQL's argon2_config only gets
 * down. Keys: "max_memory" (KiB), "max_passes", "max_lanes", "max_work" (KiB
 * times passes), "max_password" (bytes). SQLITE_NOTFOUND: no such key;
 * SQLITE_RANGE: no such value; or the error of preparing a statement that
 * calls argon2_config, as when db does not have the functions. */
int argon2fast_sqlite_limit(sqlite3 *db, const char *key, sqlite3_int64 value);

#ifdef __cplusplus
}
#endif
#endif
