/* SPDX-License-Identifier: MIT */
/* SQLite with the loadable extension; each session a connection. */
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest.h"
#include "watch.h"

struct session {
    sqlite3 *db;
    sqlite3_stmt *verify, *fresh;
};

static void close_session(void *arg)
{
    struct session *s = arg;

    sqlite3_finalize(s->verify);
    sqlite3_finalize(s->fresh);
    if (sqlite3_close(s->db) != SQLITE_OK)
        abort();
    free(s);
}

static void *open_session(void)
{
    static const char *const sql[] = {
        "SELECT argon2_verify(?1, ?2)",
        "SELECT argon2_verify(?1, argon2_hash(?3, ?2))"};
    struct session *s = calloc(1, sizeof *s);
    char path[4096];

    if (s == NULL)
        return NULL;
    snprintf(path, sizeof path, "%s/sqlite_argon2", getenv("BUILD"));
    if (sqlite3_open(":memory:", &s->db) == SQLITE_OK &&
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1,
                          NULL) == SQLITE_OK &&
        sqlite3_load_extension(s->db, path, NULL, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(s->db, sql[0], -1, &s->verify, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(s->db, sql[1], -1, &s->fresh, NULL) == SQLITE_OK)
        return s;
    close_session(s);
    return NULL;
}

static enum guest_answer answer_of(sqlite3_stmt *stmt)
{
    const char *message;

    switch (sqlite3_step(stmt)) {
    case SQLITE_ROW:
        return sqlite3_column_int(stmt, 0) ? GUEST_YES : GUEST_NO;
    case SQLITE_NOMEM:
        return GUEST_NO_MEMORY;
    case SQLITE_ERROR:
        message = sqlite3_errmsg(sqlite3_db_handle(stmt));
        if (strstr(message, "not enough memory") != NULL)
            return GUEST_NO_MEMORY;
        return strstr(message, "no random bytes") != NULL ? GUEST_REFUSED
                                                          : GUEST_ODD;
    default:
        return GUEST_ODD;
    }
}

static enum guest_answer ask(void *arg, const struct guest_case *c,
                             const char *password)
{
    struct session *s = arg;
    sqlite3_stmt *stmt = c->fresh ? s->fresh : s->verify;
    enum guest_answer answer = GUEST_NO_MEMORY;
    char params[64];

    snprintf(params, sizeof params, "m=%u,t=%u,p=%u", c->memory, c->passes,
             c->lanes);
    if (sqlite3_bind_text(stmt, 1, password, -1, SQLITE_STATIC) == SQLITE_OK &&
        sqlite3_bind_text(stmt, 2, c->fresh ? params : c->phc, -1,
                          SQLITE_STATIC) == SQLITE_OK &&
        (!c->fresh || sqlite3_bind_text(stmt, 3, GUEST_PASSWORD, -1,
                                        SQLITE_STATIC) == SQLITE_OK))
        answer = answer_of(stmt);
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
    return answer;
}

/* ---- SQLite's own allocations fail, too ---- */

static sqlite3_mem_methods real;

static void *allocate(int size)
{
    return watch_fails() ? NULL : real.xMalloc(size);
}

static void *reallocate(void *old, int size)
{
    return watch_fails() ? NULL : real.xRealloc(old, size);
}

/* ---- a host that forks amid its threads must not catch SQLite's locks ---- */

/* In the order in which SQLite itself takes them. */
static const int lock_names[] = {
    SQLITE_MUTEX_STATIC_MAIN, SQLITE_MUTEX_STATIC_VFS1, SQLITE_MUTEX_STATIC_LRU,
    SQLITE_MUTEX_STATIC_PMEM, SQLITE_MUTEX_STATIC_PRNG};
enum { LOCKS = sizeof lock_names / sizeof *lock_names };
static sqlite3_mutex *locks[LOCKS];

static void before_fork(void)
{
    for (size_t i = 0; i < LOCKS; i++)
        sqlite3_mutex_enter(locks[i]);
}

static void after_fork(void)
{
    for (size_t i = LOCKS; i > 0; i--)
        sqlite3_mutex_leave(locks[i - 1]);
}

static bool guard_forks(void)
{
    char seed;

    if (sqlite3_initialize() != SQLITE_OK)
        return false;
    /* The first time, randomness takes the main lock while it has its own. */
    sqlite3_randomness(sizeof seed, &seed);
    for (size_t i = 0; i < LOCKS; i++)
        locks[i] = sqlite3_mutex_alloc(lock_names[i]);
    return pthread_atfork(before_fork, after_fork, after_fork) == 0;
}

static const struct guest_host host = {
    .name = "SQLite",
    .module = "/sqlite_argon2.so",
    .open = open_session,
    .close = close_session,
    .ask = ask,
};

int main(void)
{
    sqlite3_mem_methods ours;

    /* Statistics have a lock that a fork could catch. */
    if (sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) != SQLITE_OK ||
        sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real) != SQLITE_OK)
        return 2;
    ours = real;
    ours.xMalloc = allocate;
    ours.xRealloc = reallocate;
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &ours) != SQLITE_OK ||
        !guard_forks())
        return 2;
    return guest_main(&host, getenv("A2F_GUEST"));
}
