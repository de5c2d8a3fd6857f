/* SPDX-License-Identifier: MIT */
/*
 * The loadable form of the SQLite adapter under a host that opens and closes
 * connections all day, and one that forks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

static sqlite3 *open_loaded(void)
{
    char path[4096];
    char *error = NULL;
    sqlite3 *db = NULL;
    snprintf(path, sizeof path, "%s/sqlite_argon2", getenv("BUILD"));
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL);
    int rc = sqlite3_load_extension(db, path, NULL, &error);
    if (rc != SQLITE_OK)
        print_error("%s: %s\n", path, error);
    assert_int_equal(rc, SQLITE_OK);
    return db;
}

/* Whether a hash made and verified now matches, which it must. */
static int works(sqlite3 *db)
{
    sqlite3_stmt *stmt = NULL;
    int good = 0;
    if (sqlite3_prepare_v2(
            db, "SELECT argon2_verify('a', argon2_hash('a', 'm=64,t=1,p=2'))",
            -1, &stmt, NULL) == SQLITE_OK &&
        sqlite3_step(stmt) == SQLITE_ROW)
        good = sqlite3_column_int(stmt, 0);
    sqlite3_finalize(stmt);
    return good;
}

/* A number of /proc/self/status, such as VmRSS in KiB. */
static long status(const char *key)
{
    char line[256];
    long n = -1;
    FILE *file = fopen("/proc/self/status", "r");
    assert_non_null(file);
    while (n < 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, key, strlen(key)) == 0)
            n = strtol(line + strlen(key) + 1, NULL, 10);
    fclose(file);
    assert_true(n >= 0);
    return n;
}

static int count_lines(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    int n = 0;
    for (int c = getc(file); c != EOF; c = getc(file))
        n += c == '\n';
    fclose(file);
    return n;
}

static void test_load_and_close(void **state)
{
    (void)state;
    long rss = 0;
    int maps = 0;
    for (int i = 0; i < 200; i++) { /* thousands: tests/guest */
        sqlite3 *db = open_loaded();
        assert_int_equal(works(db), 1);
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
        assert_int_equal(sqlite3_memory_used(), 0);
        if (i == 100) {
            rss = status("VmRSS:");
            maps = count_lines("/proc/self/maps");
        }
    }
    /* A sanitizer delays what is freed, and finds leaks its own way. */
    const char *sanitizers = getenv("SAN");
    if (sanitizers == NULL || sanitizers[0] == '\0') {
        assert_true(status("VmRSS:") < rss + 1024);
        assert_true(count_lines("/proc/self/maps") < maps + 10);
    }
    assert_int_equal(status("Threads:"), 1);
}

/* Statements and functions of a closed connection's extension are called by
 * the others for as long as they live. */
static void test_others_survive_a_close(void **state)
{
    (void)state;
    sqlite3 *first = open_loaded(), *second = open_loaded();
    assert_int_equal(works(first), 1);
    assert_int_equal(sqlite3_close(first), SQLITE_OK);
    assert_int_equal(works(second), 1);
    assert_int_equal(sqlite3_close(second), SQLITE_OK);
}

static void test_fork(void **state)
{
    (void)state;
    sqlite3 *db = open_loaded();
    assert_int_equal(works(db), 1);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        sqlite3 *own = open_loaded();
        int good = works(db) == 1 && works(own) == 1;
        sqlite3_close(own);
        _exit(good ? 0 : 1);
    }
    int end = -1;
    assert_int_equal(works(db), 1);
    assert_int_equal(waitpid(pid, &end, 0), pid);
    assert_int_equal(end, 0);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_and_close),
        cmocka_unit_test(test_others_survive_a_close),
        cmocka_unit_test(test_fork),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
