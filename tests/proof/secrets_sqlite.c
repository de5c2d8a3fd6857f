/* SPDX-License-Identifier: MIT */
/*
 * What the SQLite extension leaves in a host: after each SQL function and each
 * kind of error. The host binds its own buffer (SQLITE_STATIC), which is how a
 * password gets to SQLite without a copy of SQLite's; text that is part of a
 * statement is SQLite's to keep, and is the control here.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "secret_host.h"
#include "support.h"

#define COST "m=1024,t=2,p=4"

static sqlite3 *db;
static struct a2f_params params;

static void read_params(const char *cost)
{
    if (a2f_params_read((struct a2f_span){cost, strlen(cost)}, &params, NULL) !=
        A2F_OK)
        abort();
}

static void open_database(void)
{
    char path[4096];
    const char *build = getenv("BUILD");
    char *error = NULL;

    (void)snprintf(path, sizeof path, "%s/sqlite_argon2",
                   build != NULL ? build : "build");
    if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
        sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL) !=
            SQLITE_OK ||
        sqlite3_load_extension(db, path, NULL, &error) != SQLITE_OK) {
        printf("Bail out! %s\n", error != NULL ? error : path);
        exit(1);
    }
}

/* Runs a statement of one row with ?1 the password; its code, and the row's
 * first column, if that is a text, in text. */
static int run(const char *sql, bool wrong, char *text, size_t size)
{
    struct secrets *secrets = secrets_lend();
    sqlite3_stmt *statement;
    int code;

    text[0] = '\0';
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) {
        printf("Bail out! %s\n", sqlite3_errmsg(db));
        exit(1);
    }
    if (sqlite3_bind_parameter_count(statement) > 0)
        (void)sqlite3_bind_text(statement, 1,
                                wrong ? secrets->wrong : secrets->password, -1,
                                SQLITE_STATIC);
    code = sqlite3_step(statement);
    if (code == SQLITE_ROW && sqlite3_column_type(statement, 0) != SQLITE_BLOB)
        (void)snprintf(text, size, "%s", sqlite3_column_text(statement, 0));
    (void)sqlite3_finalize(statement);
    secrets_wipe();
    return code;
}

static char made[256]; /* a hash of the password */

struct statement {
    const char *name, *sql; /* %s in it: made */
    const char *text;       /* of the result; NULL: any */
    int code;
    bool wrong;
};

static void test(const struct statement *s)
{
    char sql[1024], text[256];
    int code;

    (void)snprintf(sql, sizeof sql, s->sql, made);
    code = run(sql, s->wrong, text, sizeof text);
    if (!tap_ok(code == s->code &&
                    (s->text == NULL || strcmp(text, s->text) == 0),
                "%s: as wanted", s->name))
        tap_note("code %d, %s", code, sqlite3_errmsg(db));
    expect_nothing(s->name, &(struct hashed){.text = made});
}

#define VERIFY "SELECT argon2_verify(?1, '%s')"

static const struct statement statements[] = {
    {"argon2_verify, right", VERIFY, "1", SQLITE_ROW, false},
    {"argon2_verify, wrong", VERIFY, "0", SQLITE_ROW, true},
    {"argon2_verify, of a blob",
     "SELECT argon2_verify(CAST(?1 AS BLOB) /* %s */, 'x')", NULL, SQLITE_ERROR,
     false},
    {"argon2_verify, malformed", "SELECT argon2_verify(?1, '%s$')", NULL,
     SQLITE_ERROR, false},
    {"argon2_verify, swapped", "SELECT argon2_verify('%s', ?1)", NULL,
     SQLITE_ERROR, false},
    {"argon2_hash, bad params", "SELECT argon2_hash(?1, 'm=1 %.0s')", NULL,
     SQLITE_ERROR, false},
    {"argon2_hash, params that are a password", "SELECT argon2_hash('', ?1)",
     NULL, SQLITE_ERROR, false},
    {"argon2_hash, over a ceiling",
     "SELECT argon2_hash(?1, 'm=4194304,t=1,p=1%.0s')", NULL, SQLITE_TOOBIG,
     false},
    {"a statement over many rows",
     "SELECT sum(argon2_verify(?1, '%s')) FROM (SELECT 1 UNION ALL SELECT 2)",
     "2", SQLITE_ROW, false},
};

/* ---- a statement that is interrupted ---- */

static int interrupt(void *ctx)
{
    unsigned *left = ctx;

    return --*left == 0;
}

static void test_interrupt(void)
{
    const char *cost = "m=65536,t=3,p=4";
    unsigned left = 50;
    char sql[256], text[256];
    int code;

    sqlite3_progress_handler(db, 400, interrupt, &left);
    (void)snprintf(sql, sizeof sql,
                   "SELECT argon2_hash_with_salt(?1, '" SALT "', '%s')", cost);
    code = run(sql, false, text, sizeof text);
    sqlite3_progress_handler(db, 0, NULL, NULL);
    tap_ok(code == SQLITE_INTERRUPT, "an interrupted hash: as wanted");
    read_params(cost);
    expect_nothing(
        "an interrupted hash",
        &(struct hashed){.params = &params, .begun = true, .dumped = true});
}

/* SQLite's own copy, of a statement with the password in it. */
static void test_control(void)
{
    sqlite3_stmt *statement;
    char sql[128];

    (void)snprintf(sql, sizeof sql, "SELECT length('%s')",
                   secrets_lend()->password);
    (void)sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    a2f_wipe(sql, sizeof sql);
    secrets_wipe();
    expect_found("a password in a statement", &(struct hashed){.text = made});
    (void)sqlite3_finalize(statement);
}

int main(void)
{
    char text[256];

    secrets_start();
    open_database();
    tap_ok(run("SELECT argon2_hash(?1, '" COST "')", false, made,
               sizeof made) == SQLITE_ROW,
           "argon2_hash: as wanted");
    expect_nothing("argon2_hash",
                   &(struct hashed){.text = made, .dumped = true});
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        test(&statements[i]);
    test_interrupt();
    (void)sqlite3_close(db);
    expect_nothing("a closed connection", &(struct hashed){.text = made});
    open_database();
    /* Its result is SQLite's; all else is not there. */
    tap_ok(run("SELECT length(argon2_raw(?1, '" SALT "', '" COST "'))", false,
               text, sizeof text) == SQLITE_ROW,
           "argon2_raw: as wanted");
    read_params(COST);
    expect_nothing("argon2_raw",
                   &(struct hashed){.params = &params, .begun = true});
    test_control();
    (void)sqlite3_close(db);
    return tap_done();
}
