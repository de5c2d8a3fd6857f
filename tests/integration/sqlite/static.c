/* SPDX-License-Identifier: MIT */
/*
 * The form of the SQLite adapter that a program links: automatic extensions,
 * ceilings of several connections, interruption, and nothing left behind.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "sqlite_argon2.h"

#define CHEAP "'m=64,t=1,p=1'"
#define SLOW  "'m=65536,t=64,p=1'" /* seconds */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The result code of a statement, and its first value in text. */
static int run(sqlite3 *db, const char *sql, char *text, size_t size)
{
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
    if (rc != SQLITE_OK)
        return rc;
    rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW && text != NULL)
        snprintf(text, size, "%s", (const char *)sqlite3_column_text(stmt, 0));
    int end = sqlite3_finalize(stmt);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? end : rc;
}

static void assert_value(sqlite3 *db, const char *sql, const char *wanted)
{
    char got[256] = "";
    int rc = run(db, sql, got, sizeof got);
    if (rc != SQLITE_OK)
        print_error("%s: %s\n", sql, sqlite3_errmsg(db));
    assert_int_equal(rc, SQLITE_OK);
    assert_string_equal(got, wanted);
}

static void assert_code(sqlite3 *db, const char *sql, int code)
{
    assert_int_equal(run(db, sql, NULL, 0), code);
}

static int mark_init(sqlite3 *db, char **error, const void *api)
{
    (void)error;
    (void)api;
    return sqlite3_exec(db, "CREATE TEMP TABLE mark(a)", NULL, NULL, NULL);
}

static int setup(void **state)
{
    sqlite3_auto_extension((void (*)(void))argon2fast_sqlite_init);
    sqlite3_auto_extension((void (*)(void))mark_init);
    return sqlite3_open(":memory:", (sqlite3 **)state);
}

static int teardown(void **state)
{
    int rc = sqlite3_close(*state);
    sqlite3_reset_auto_extension();
    return rc == SQLITE_OK && sqlite3_memory_used() == 0 ? 0 : -1;
}

static void test_hashes(void **state)
{
    assert_value(*state,
                 "SELECT argon2_verify('a', argon2_hash('a', " CHEAP "))", "1");
    assert_value(*state,
                 "SELECT argon2_verify('b', argon2_hash('a', " CHEAP "))", "0");
}

/* Any success but SQLITE_OK would skip the extension after ours. */
static void test_next_extension_runs(void **state)
{
    assert_value(*state, "SELECT count(*) FROM mark", "0");
}

static void test_open_with_extended_codes(void **state)
{
    (void)state;
    sqlite3 *db = NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE;
    assert_int_equal(sqlite3_open_v2(":memory:", &db, flags, NULL), SQLITE_OK);
    assert_value(db, "SELECT count(*) FROM mark", "0");
    assert_value(db, "SELECT argon2_is_valid('x')", "0");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void test_init_by_hand(void **state)
{
    (void)state;
    sqlite3 *db = NULL;
    sqlite3_reset_auto_extension();
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_code(db, "SELECT argon2_version()", SQLITE_ERROR);
    assert_int_equal(argon2fast_sqlite_limit(db, "max_memory", 64),
                     SQLITE_ERROR);
    for (int i = 0; i < 3; i++) /* again and again does no harm */
        assert_int_equal(argon2fast_sqlite_init(db, NULL, NULL), SQLITE_OK);
    assert_value(db, "SELECT argon2_is_valid('x')", "0");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void test_limit(void **state)
{
    sqlite3 *db = *state, *other = NULL;
    assert_int_equal(sqlite3_open(":memory:", &other), SQLITE_OK);
    assert_value(db, "SELECT argon2_config('max_memory', 64)", "64");
    assert_code(db, "SELECT argon2_hash('a', 'm=65,t=1,p=1')", SQLITE_TOOBIG);
    assert_code(db, "SELECT argon2_config('max_memory', 65)", SQLITE_ERROR);
    assert_int_equal(argon2fast_sqlite_limit(db, "max_memory", 65), SQLITE_OK);
    assert_value(db, "SELECT argon2_config('max_memory')", "65");
    assert_code(db, "SELECT argon2_hash('a', 'm=65,t=1,p=1')", SQLITE_OK);
    assert_code(db, "SELECT argon2_hash('a', 'm=66,t=1,p=1')", SQLITE_TOOBIG);
    assert_code(other, "SELECT argon2_hash('a', 'm=66,t=1,p=1')", SQLITE_OK);
    assert_value(other, "SELECT argon2_config('max_memory')", "262144");

    /* above what was built in, and as far as it goes */
    assert_int_equal(argon2fast_sqlite_limit(db, "max_passes", 100), SQLITE_OK);
    assert_code(db, "SELECT argon2_hash('a', 'm=8,t=100,p=1')", SQLITE_OK);
    assert_code(db, "SELECT argon2_hash('a', 'm=8,t=101,p=1')", SQLITE_TOOBIG);
    assert_int_equal(argon2fast_sqlite_limit(db, "max_memory", UINT32_MAX),
                     SQLITE_OK);
    assert_int_equal(argon2fast_sqlite_limit(db, "max_work", INT64_MAX),
                     SQLITE_OK);

    assert_int_equal(argon2fast_sqlite_limit(db, "max_memory", 1LL << 32),
                     SQLITE_RANGE);
    assert_int_equal(argon2fast_sqlite_limit(db, "max_lanes", 0), SQLITE_RANGE);
    assert_int_equal(argon2fast_sqlite_limit(db, "default_params", 1),
                     SQLITE_NOTFOUND);
    assert_int_equal(sqlite3_close(other), SQLITE_OK);
}

/* Lowering a ceiling in the statement that hashes must not pull the engine
 * from under it. */
static void test_config_within_a_statement(void **state)
{
    assert_value(*state,
                 "SELECT sum(argon2_verify('a', argon2_hash('a', 'm=' || "
                 "argon2_config('max_memory', 1000 - value) || ',t=1,p=1'))) "
                 "FROM json_each('[1,2,3,4]')",
                 "4");
    assert_value(*state, "SELECT argon2_config('max_memory')", "996");
}

static void *interrupt_soon(void *db)
{
    usleep(100000);
    sqlite3_interrupt(db);
    return NULL;
}

static void assert_interrupted(sqlite3 *db, const char *sql)
{
    pthread_t thread;
    double start = seconds();
    assert_int_equal(pthread_create(&thread, NULL, interrupt_soon, db), 0);
    assert_code(db, sql, SQLITE_INTERRUPT);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(seconds() - start < 2);
}

static void test_interrupt(void **state)
{
    assert_interrupted(*state, "SELECT argon2_hash('a', " SLOW ")");
    assert_value(*state, "SELECT argon2_is_valid(argon2_hash('a', " CHEAP "))",
                 "1");
}

/* SQLite rolls a writing statement's transaction back; a reader's stays. */
static void test_interrupt_in_a_transaction(void **state)
{
    sqlite3 *db = *state;
    assert_code(db, "CREATE TABLE t(a)", SQLITE_OK);
    assert_code(db, "BEGIN", SQLITE_OK);
    assert_code(db, "INSERT INTO t VALUES (1)", SQLITE_OK);
    assert_interrupted(db, "SELECT argon2_hash('a', " SLOW ")");
    assert_false(sqlite3_get_autocommit(db));
    assert_value(db, "SELECT count(*) FROM t", "1");
    assert_interrupted(db, "INSERT INTO t SELECT argon2_hash('a', " SLOW ")");
    assert_true(sqlite3_get_autocommit(db));
    assert_value(db, "SELECT count(*) FROM t", "0");
}

static int forbid_recursion(void *arg, int action, const char *a, const char *b,
                            const char *c, const char *d)
{
    (void)arg;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    return action == SQLITE_RECURSIVE ? SQLITE_DENY : SQLITE_OK;
}

static void test_interrupt_without_recursion(void **state)
{
    sqlite3_set_authorizer(*state, forbid_recursion, NULL);
    assert_interrupted(*state, "SELECT argon2_hash('a', " SLOW ")");
}

static int stop_at(void *deadline)
{
    return seconds() > *(double *)deadline;
}

static void test_progress_handler(void **state)
{
    double start = seconds(), deadline = start + 0.1;
    sqlite3_progress_handler(*state, 1000, stop_at, &deadline);
    assert_code(*state, "SELECT argon2_hash('a', " SLOW ")", SQLITE_INTERRUPT);
    assert_true(seconds() - start < 2);
    sqlite3_progress_handler(*state, 0, NULL, NULL);
    assert_value(*state, "SELECT argon2_is_valid(argon2_hash('a', " CHEAP "))",
                 "1");
}

/* An error in a hash leaves no statement behind, or close would be busy. */
static void test_errors_leave_nothing(void **state)
{
    for (int i = 0; i < 100; i++) {
        assert_code(*state, "SELECT argon2_verify('a', 'b')", SQLITE_ERROR);
        assert_code(*state, "SELECT argon2_hash('a', 'owasp,x=1')",
                    SQLITE_ERROR);
        assert_code(*state, "SELECT argon2_hash('a', 'rfc9106-high')",
                    SQLITE_TOOBIG);
    }
    assert_null(sqlite3_next_stmt(*state, NULL));
}

/* One connection shared by threads, as SQLite's default mode allows, and one
 * for each. */
static void *hash_twenty(void *shared)
{
    static const char sql[] =
        "SELECT argon2_verify('a', argon2_hash('a', 'm=256,t=2,p=2'))";
    sqlite3 *own = NULL;
    intptr_t good = 0;
    if (sqlite3_open(":memory:", &own) != SQLITE_OK)
        return NULL;
    for (int i = 0; i < 20; i++) {
        char got[8] = "";
        good += run(own, sql, got, sizeof got) == SQLITE_OK && got[0] == '1';
        good += run(shared, sql, got, sizeof got) == SQLITE_OK && got[0] == '1';
    }
    sqlite3_close(own);
    return (void *)good;
}

static void test_threads(void **state)
{
    pthread_t threads[4];
    void *good = NULL;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, hash_twenty, *state),
                         0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], &good), 0);
        assert_int_equal((intptr_t)good, 40);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_hashes),
        TEST(test_next_extension_runs),
        TEST(test_open_with_extended_codes),
        TEST(test_init_by_hand),
        TEST(test_limit),
        TEST(test_config_within_a_statement),
        TEST(test_interrupt),
        TEST(test_interrupt_in_a_transaction),
        TEST(test_interrupt_without_recursion),
        TEST(test_progress_handler),
        TEST(test_errors_leave_nothing),
        TEST(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
