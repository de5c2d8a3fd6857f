/* SPDX-License-Identifier: MIT */
/*
 * The SQLite adapter, linked into a program whose C library is not that of the
 * distribution's libsqlite3.a: musl is close enough to run it in memory, once
 * it has three names of glibc. TAP.
 */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <string.h>

#include "sqlite_argon2.h"
#include "support.h"

#ifndef __GLIBC__
void *__memcpy_chk(void *to, const void *from, size_t n, size_t room);
void *__memset_chk(void *to, int byte, size_t n, size_t room);
int fcntl64(int fd, int command, ...);

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
    return n <= room ? memcpy(to, from, n) : NULL;
}

void *__memset_chk(void *to, int byte, size_t n, size_t room)
{
    return n <= room ? memset(to, byte, n) : NULL;
}

int fcntl64(int fd, int command, ...)
{
    va_list args;
    void *arg;

    va_start(args, command);
    arg = va_arg(args, void *);
    va_end(args);
    return fcntl(fd, command, arg);
}
#endif

/* The one value of a statement; -1: there was an error. */
static int value(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *stmt = NULL;
    int n = -1;

    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK &&
        sqlite3_step(stmt) == SQLITE_ROW)
        n = sqlite3_column_int(stmt, 0);
    else
        tap_note("%s", sqlite3_errmsg(db));
    sqlite3_finalize(stmt);
    return n;
}

int main(void)
{
    /* RFC 9106's cost of 64 MiB, too. */
    static const char *const params[] = {"m=64,t=1,p=1", "m=256,t=2,p=4,type=i",
                                         "m=65536,t=1,p=4,type=d"};
    sqlite3 *db = NULL;
    char sql[256];

    tap_ok(sqlite3_open(":memory:", &db) == SQLITE_OK &&
               argon2fast_sqlite_init(db, NULL, NULL) == SQLITE_OK,
           "the adapter in a program");
    for (size_t i = 0; i < sizeof params / sizeof *params; i++) {
        snprintf(sql, sizeof sql,
                 "SELECT argon2_verify('a', argon2_hash('a', '%s'))",
                 params[i]);
        tap_ok(value(db, sql) == 1, "%s: the right password", params[i]);
        snprintf(sql, sizeof sql,
                 "SELECT argon2_verify('b', argon2_hash('a', '%s'))",
                 params[i]);
        tap_ok(value(db, sql) == 0, "%s: a wrong one", params[i]);
    }
    tap_ok(sqlite3_close(db) == SQLITE_OK, "and it ends");
    return tap_done();
}
