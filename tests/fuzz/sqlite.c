/* SPDX-License-Identifier: MIT */
/*
 * A SQL function of the SQLite adapter, chosen by the first byte of a line,
 * with an argument from each following line: a letter for its type, and its
 * value. Every call ends in a result or in an error that is documented.
 */
#include "fuzz.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "sqlite_argon2.h"

static const struct call {
    const char *sql;
    int argc;
} calls[] = {
    {"SELECT argon2_hash(?)", 1},
    {"SELECT argon2_hash(?, ?)", 2},
    {"SELECT argon2_verify(?, ?)", 2},
    {"SELECT argon2_hash_with_salt(?, ?, ?)", 3},
    {"SELECT argon2_raw(?, ?, ?)", 3},
    {"SELECT argon2_needs_rehash(?)", 1},
    {"SELECT argon2_needs_rehash(?, ?)", 2},
    {"SELECT argon2_is_valid(?)", 1},
    {"SELECT argon2_params(?)", 1},
    {"SELECT argon2_info(?)", 1},
    {"SELECT json_valid(argon2_info(?))", 1},
    {"SELECT argon2_dummy_hash()", 0},
    {"SELECT argon2_version()", 0},
    {"SELECT argon2_config(?)", 1},
    {"SELECT argon2_config(?, ?)", 2},
    /* a number it takes would measure for as many milliseconds */
    {"SELECT argon2_calibrate(CASE typeof(?1) WHEN 'integer' THEN -abs(?1 % 9)"
     " ELSE ?1 END)",
     1},
    {"SELECT argon2_upgrade(?, ?)", 2},
    {"SELECT argon2_upgrade(?, ?, ?)", 3},
    {"SELECT argon2_is_common(?)", 1},
};
enum { CALLS = sizeof calls / sizeof *calls, CONFIGURE = 14 };

/* Whatever argon2_config('secret_file', ..) names, it is this: no other file
 * is opened. */
static const char key_file[] = "current new\nold MDEyMzQ1Njc4OWFiY2RlZg\n"
                               "new ZmVkY2JhOTg3NjU0MzIxMA==\n";

enum a2f_status __real_a2f_keys_read(const char *path, struct a2f_keys **keys,
                                     struct a2f_why *why);
enum a2f_status __wrap_a2f_keys_read(const char *path, struct a2f_keys **keys,
                                     struct a2f_why *why);

enum a2f_status __wrap_a2f_keys_read(const char *path, struct a2f_keys **keys,
                                     struct a2f_why *why)
{
    FUZZ_CHECK(path != NULL && *path != '\0');
    return __real_a2f_keys_read(
        fuzz_file(0, (struct a2f_span){key_file, sizeof key_file - 1}), keys,
        why);
}

static sqlite3 *db;
static sqlite3_stmt *stmts[CALLS];

static void set_ceilings(void)
{
    static const struct {
        const char *key;
        int value;
    } ceilings[] = {{"max_memory", 64},
                    {"max_passes", 3},
                    {"max_lanes", 4},
                    {"max_work", 192},
                    {"max_password", 4096}};

    for (size_t i = 0; i < sizeof ceilings / sizeof *ceilings; i++)
        FUZZ_CHECK(argon2fast_sqlite_limit(db, ceilings[i].key,
                                           ceilings[i].value) == SQLITE_OK);
    FUZZ_CHECK(sqlite3_exec(
                   db, "SELECT argon2_config('default_params', 'm=8,t=1,p=1')",
                   NULL, NULL, NULL) == SQLITE_OK);
}

/* One connection for all inputs. */
static void open_db(void)
{
    FUZZ_CHECK(sqlite3_open(":memory:", &db) == SQLITE_OK);
    FUZZ_CHECK(argon2fast_sqlite_init(db, NULL, NULL) == SQLITE_OK);
    for (int i = 0; i < CALLS; i++)
        FUZZ_CHECK(sqlite3_prepare_v2(db, calls[i].sql, -1, &stmts[i], NULL) ==
                   SQLITE_OK);
    set_ceilings();
}

static void bind(sqlite3_stmt *stmt, int n, struct a2f_span line)
{
    const char *text = line.len > 0 ? line.data : "n";
    const char *value = text + 1;
    char *number;
    int len = line.len > 0 ? (int)line.len - 1 : 0, rc;

    switch (*text) {
    case 'b':
        rc = sqlite3_bind_blob(stmt, n, value, len, SQLITE_TRANSIENT);
        break;
    case 'i':
    case 'f':
        number = strndup(value, (size_t)len);
        FUZZ_CHECK(number != NULL);
        rc = *text == 'i'
                 ? sqlite3_bind_int64(stmt, n, strtoll(number, NULL, 10))
                 : sqlite3_bind_double(stmt, n, strtod(number, NULL));
        free(number);
        break;
    case 'n':
        rc = sqlite3_bind_null(stmt, n);
        break;
    case 'w': /* UTF-16, which SQLite converts when a function asks */
        rc = sqlite3_bind_text16(stmt, n, value, len & ~1, SQLITE_TRANSIENT);
        break;
    default:
        rc = sqlite3_bind_text(stmt, n, value, len, SQLITE_TRANSIENT);
    }
    FUZZ_CHECK(rc == SQLITE_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    struct a2f_span first = fuzz_take_line(&in);
    unsigned which = first.len > 0 ? (*data - (unsigned)'a') % CALLS : 0;
    sqlite3_stmt *stmt;

    if (db == NULL)
        open_db();
    stmt = stmts[which];
    for (int i = 1; i <= calls[which].argc; i++)
        bind(stmt, i, fuzz_take_line(&in));
    if (sqlite3_step(stmt) == SQLITE_ROW) {
        FUZZ_CHECK(sqlite3_column_count(stmt) == 1);
        (void)sqlite3_column_text(stmt, 0);
        (void)sqlite3_column_bytes(stmt, 0);
    } else {
        int code = sqlite3_errcode(db);

        FUZZ_CHECK(code == SQLITE_ERROR || code == SQLITE_TOOBIG);
        FUZZ_CHECK(fuzz_printable(sqlite3_errmsg(db)));
    }
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
    if (which == CONFIGURE)
        set_ceilings();
    return 0;
}
