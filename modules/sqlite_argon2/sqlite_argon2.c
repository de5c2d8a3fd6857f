/* SPDX-License-Identifier: MIT */
/*
 * Argon2 as SQL functions of SQLite 3.31 and later. SQLite calls an entry point
 * at the end of this file once for each connection; it registers the functions
 * of the table above it. Configuration is argon2_config, in connection.c; each
 * function here unpacks its arguments, makes one call of the core and maps the
 * outcome back.
 *
 * Functions that see a password are DIRECTONLY: a database file, which may be
 * somebody else's, must not be able to call them from a view or a trigger.
 * Those that only read a stored string are INNOCUOUS, for CHECK constraints
 * and generated columns; so is argon2_is_common, which tells one bit.
 */
#include "call.h"
#include "inspect.h"

#ifdef SQLITE_CORE
#include "sqlite_argon2.h"
#endif

SQLITE_EXTENSION_INIT1

/* Bits that older headers lack; hosts that do not know one ignore it. */
#ifndef SQLITE_DIRECTONLY
#define SQLITE_DIRECTONLY 0x000080000
#endif
#ifndef SQLITE_INNOCUOUS
#define SQLITE_INNOCUOUS 0x000200000
#endif
#ifndef SQLITE_RESULT_SUBTYPE
#define SQLITE_RESULT_SUBTYPE 0x001000000
#endif

/* Longest tag of argon2_raw, bytes: what the core's own ceiling is too. */
#define TAG_MAX 1024

/* ---- functions ---- */

/* What a hash function gives, wiped here: SQLite has its own copy. */
static void hash(struct a2f_call *call, const struct a2f_params *params,
                 const struct a2f_input *input)
{
    char text[A2F_TEXT_MAX];
    enum a2f_status s = a2f_call_begin(call);
    if (s == A2F_OK)
        s = a2f_hash(call->engine, params, input, text, sizeof text,
                     &call->run);
    if (a2f_call_end(call, s))
        sqlite3_result_text(call->ctx, text, -1, SQLITE_TRANSIENT);
    a2f_wipe(text, sizeof text);
}

/* argon2_hash(password [, params]) */
static void fn_hash(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    struct a2f_call call = {.name = "argon2_hash", .ctx = ctx};
    struct a2f_input input = {0};
    struct a2f_params params;
    if (!a2f_any_null(argc, argv) &&
        a2f_take_password(&call, argv[0], &input.password) &&
        a2f_take_params(&call, argc > 1 ? argv[1] : NULL, &params))
        hash(&call, &params, &input);
}

/* argon2_hash_with_salt(password, salt, params) */
static void fn_hash_with_salt(sqlite3_context *ctx, int argc,
                              sqlite3_value **argv)
{
    struct a2f_call call = {.name = "argon2_hash_with_salt", .ctx = ctx};
    struct a2f_input input = {0};
    struct a2f_params params;
    if (!a2f_any_null(argc, argv) &&
        a2f_take_password(&call, argv[0], &input.password) &&
        a2f_take_salt(&call, argv[1], &input.salt) &&
        a2f_take_params(&call, argv[2], &params))
        hash(&call, &params, &input);
}

/* argon2_raw(password, salt, params): the tag, as long as len= says */
static void fn_raw(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    struct a2f_call call = {.name = "argon2_raw", .ctx = ctx};
    struct a2f_input input = {0};
    struct a2f_params params;
    uint8_t tag[TAG_MAX];
    if (a2f_any_null(argc, argv) ||
        !a2f_take_password(&call, argv[0], &input.password) ||
        !a2f_take_salt(&call, argv[1], &input.salt) ||
        !a2f_take_params(&call, argv[2], &params))
        return;

    enum a2f_status s = a2f_call_begin(&call);
    if (s == A2F_OK && params.tag_len > sizeof tag) {
        call.why = (struct a2f_why){"len", params.tag_len, 4, sizeof tag};
        s = A2F_OVER_LIMIT;
    }
    if (s == A2F_OK)
        s = a2f_derive(call.engine, &params, &input, tag, &call.run);
    if (a2f_call_end(&call, s))
        sqlite3_result_blob(ctx, tag, (int)params.tag_len, SQLITE_TRANSIENT);
    a2f_wipe(tag, sizeof tag);
}

/* a2f_call_end, which also says so when a hash that was refused was given as
 * the password. */
static bool end_verify(struct a2f_call *call, enum a2f_status s,
                       struct a2f_span password, struct a2f_span text)
{
    struct a2f_params params;
    char what[100];
    if (a2f_call_end(call, s == A2F_MISMATCH ? A2F_OK : s))
        return true;
    if ((s == A2F_BAD_HASH || s == A2F_OVER_LIMIT) &&
        a2f_parse(text, &params, NULL, NULL) != A2F_OK &&
        a2f_parse(password, &params, NULL, NULL) == A2F_OK) {
        sqlite3_snprintf(sizeof what, what,
                         "the arguments are swapped; "
                         "their order is %s(password, hash)",
                         call->name);
        a2f_call_fail(call, what);
    }
    return false;
}

/* argon2_verify(password, hash): 1 or 0; anything but a mismatch is an error */
static void fn_verify(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    struct a2f_call call = {.name = "argon2_verify", .ctx = ctx};
    struct a2f_input input = {0};
    struct a2f_span text = {0};
    if (a2f_any_null(argc, argv) ||
        !a2f_take_password(&call, argv[0], &input.password) ||
        !a2f_take_hash(&call, argv[1], &text))
        return;

    enum a2f_status s = a2f_call_begin(&call);
    if (s == A2F_OK)
        s = a2f_verify(call.engine, text, &input, &call.run);
    if (end_verify(&call, s, input.password, text))
        sqlite3_result_int(ctx, s == A2F_OK);
}

/* argon2_upgrade(password, hash [, params]): NULL if the password is wrong, or
 * what to store: the same hash, or a better one */
static void fn_upgrade(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    struct a2f_call call = {.name = "argon2_upgrade", .ctx = ctx};
    struct a2f_input input = {0};
    struct a2f_span hash = {0};
    struct a2f_params params;
    char text[A2F_TEXT_MAX];
    if (a2f_any_null(argc, argv) ||
        !a2f_take_password(&call, argv[0], &input.password) ||
        !a2f_take_hash(&call, argv[1], &hash) ||
        !a2f_take_params(&call, argc > 2 ? argv[2] : NULL, &params))
        return;

    enum a2f_status s = a2f_call_begin(&call);
    if (s == A2F_OK)
        s = a2f_verify_upgrade(call.engine, hash, &input, &params, text,
                               sizeof text, &call.run);
    if (end_verify(&call, s, input.password, hash) && s == A2F_OK)
        sqlite3_result_text(ctx, text, -1, SQLITE_TRANSIENT);
    a2f_wipe(text, sizeof text);
}

/* argon2_is_common(password) */
static void fn_is_common(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    struct a2f_call call = {.name = "argon2_is_common", .ctx = ctx};
    struct a2f_span password = {0};
    if (!a2f_any_null(argc, argv) &&
        a2f_take_password(&call, argv[0], &password))
        sqlite3_result_int(ctx, a2f_is_common(password));
}

/* argon2_dummy_hash(): what to verify against when there is no such user */
static void fn_dummy_hash(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    struct a2f_call call = {.name = "argon2_dummy_hash", .ctx = ctx};
    const struct a2f_params *params = a2f_conn_params(sqlite3_user_data(ctx));
    char text[A2F_TEXT_MAX];
    (void)argc;
    (void)argv;
    if (a2f_call_ok(&call, a2f_dummy(params, text, sizeof text, &call.why)))
        sqlite3_result_text(ctx, text, -1, SQLITE_TRANSIENT);
}

/* argon2_calibrate(target_ms): params, from the default's type and lanes */
static void fn_calibrate(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    struct a2f_call call = {.name = "argon2_calibrate", .ctx = ctx};
    struct a2f_params params;
    char out[128];
    if (a2f_any_null(argc, argv) || !a2f_take_params(&call, NULL, &params))
        return;
    sqlite3_int64 ms = sqlite3_value_int64(argv[0]);
    if (sqlite3_value_type(argv[0]) != SQLITE_INTEGER || ms < 1 ||
        ms > UINT32_MAX) {
        a2f_call_fail(&call, "target_ms must be a positive integer");
        return;
    }
    enum a2f_status s = a2f_call_begin(&call);
    if (s == A2F_OK)
        s = a2f_calibrate(call.engine, (uint32_t)ms, 0, &params, &call.run);
    if (s == A2F_OK)
        s = a2f_params_write(&params, out, sizeof out);
    if (a2f_call_end(&call, s))
        sqlite3_result_text(ctx, out, -1, SQLITE_TRANSIENT);
}

/* argon2_version() */
static void fn_version(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    struct a2f_call call = {.name = "argon2_version", .ctx = ctx};
    char text[256];
    (void)argc;
    (void)argv;
    enum a2f_status s = a2f_call_begin(&call);
    if (s == A2F_OK)
        a2f_describe(call.engine, text, sizeof text);
    if (a2f_call_end(&call, s))
        sqlite3_result_text(ctx, text, -1, SQLITE_TRANSIENT);
}

/* ---- registration ---- */

#define SECRET   SQLITE_DIRECTONLY
#define HARMLESS SQLITE_INNOCUOUS
#define PURE     SQLITE_DETERMINISTIC

static const struct function {
    const char *name;
    int argc;
    int flags;
    void (*call)(sqlite3_context *, int, sqlite3_value **);
} functions[] = {
    {"argon2_hash", 1, SECRET, fn_hash},
    {"argon2_hash", 2, SECRET, fn_hash},
    {"argon2_verify", 2, SECRET | PURE, fn_verify},
    {"argon2_upgrade", 2, SECRET, fn_upgrade},
    {"argon2_upgrade", 3, SECRET, fn_upgrade},
    {"argon2_is_common", 1, HARMLESS | PURE, fn_is_common},
    {"argon2_hash_with_salt", 3, SECRET | PURE, fn_hash_with_salt},
    {"argon2_raw", 3, SECRET | PURE, fn_raw},
    /* one argument: reads default_params and keys, which may change */
    {"argon2_needs_rehash", 1, HARMLESS, a2f_fn_needs_rehash},
    {"argon2_needs_rehash", 2, HARMLESS | PURE, a2f_fn_needs_rehash},
    {"argon2_is_valid", 1, HARMLESS | PURE, a2f_fn_is_valid},
    {"argon2_params", 1, HARMLESS | PURE, a2f_fn_params},
    {"argon2_info", 1, HARMLESS | PURE | SQLITE_RESULT_SUBTYPE, a2f_fn_info},
    {"argon2_dummy_hash", 0, SECRET, fn_dummy_hash},
    {"argon2_calibrate", 1, SECRET, fn_calibrate},
    {"argon2_version", 0, HARMLESS, fn_version},
    {"argon2_config", 1, SECRET, a2f_fn_config},
    {"argon2_config", 2, SECRET, a2f_fn_config},
};

/* Each registration holds the connection's state until SQLite destroys it, as
 * it does too when it refuses one; the last to go frees the state. */
static int register_functions(sqlite3 *db, struct a2f_conn *conn)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        const struct function *f = &functions[i];
        a2f_conn_hold(conn);
        int rc = sqlite3_create_function_v2(db, f->name, f->argc,
                                            SQLITE_UTF8 | f->flags, conn,
                                            f->call, NULL, NULL, a2f_conn_drop);
        if (rc != SQLITE_OK)
            return rc;
    }
    return SQLITE_OK;
}

static int attach(sqlite3 *db, char **error)
{
    char *message = NULL;
    struct a2f_conn *conn = NULL;
    int rc = SQLITE_ERROR;
    if (sqlite3_libversion_number() < 3031000)
        message = sqlite3_mprintf("argon2: needs SQLite 3.31 or later");
    else
        conn = a2f_conn_new(&message);
    if (conn != NULL) {
        rc = register_functions(db, conn);
        a2f_conn_drop(conn);
    }
    if (error != NULL && message != NULL)
        *error = message;
    else
        sqlite3_free(message);
    return rc;
}

#ifdef SQLITE_CORE

int argon2fast_sqlite_init(sqlite3 *db, char **error,
                           const struct sqlite3_api_routines *api)
{
    (void)api;
    return attach(db, error);
}

int argon2fast_sqlite_limit(sqlite3 *db, const char *key, sqlite3_int64 value)
{
    return a2f_conn_limit(db, key, value);
}

#else

#define ENTRY(name)                                                            \
    __attribute__((visibility("default"))) int name(                           \
        sqlite3 *db, char **error, const sqlite3_api_routines *api)

/* The file stays mapped after the connection is closed: unloading it would
 * pull code from under threads that other connections run. */
ENTRY(sqlite3_extension_init);
int sqlite3_extension_init(sqlite3 *db, char **error,
                           const sqlite3_api_routines *api)
{
    if (sqlite3_api != api) { /* connections opened later only read it */
        SQLITE_EXTENSION_INIT2(api);
    }
    int rc = attach(db, error);
    return rc == SQLITE_OK ? SQLITE_OK_LOAD_PERMANENTLY : rc;
}

/* SQLite makes an entry point's name of a file's: of sqlite_argon2.so and, if
 * renamed, of argon2.so by the older and by the newer rule. */
#define ALIAS __attribute__((alias("sqlite3_extension_init")))
ENTRY(sqlite3_sqliteargon_init) ALIAS;
ENTRY(sqlite3_argon_init) ALIAS;
ENTRY(sqlite3_argon2_init) ALIAS;

#endif
