/* SPDX-License-Identifier: MIT */
/*
 * The state of one connection: ceilings, which SQL may lower and only C raise,
 * the default params, pepper keys, and an engine, made when first needed.
 */
#include "connection.h"

#include "call.h"

#include <string.h>

/* A build may set other ceilings and another default, with -D. */
#ifndef SQLITE_ARGON2_MAX_MEMORY
#define SQLITE_ARGON2_MAX_MEMORY 262144
#endif
#ifndef SQLITE_ARGON2_MAX_PASSES
#define SQLITE_ARGON2_MAX_PASSES 64
#endif
#ifndef SQLITE_ARGON2_MAX_LANES
#define SQLITE_ARGON2_MAX_LANES 16
#endif
#ifndef SQLITE_ARGON2_MAX_WORK
#define SQLITE_ARGON2_MAX_WORK 4194304
#endif
#ifndef SQLITE_ARGON2_MAX_PASSWORD
#define SQLITE_ARGON2_MAX_PASSWORD 65536
#endif
#ifndef SQLITE_ARGON2_DEFAULT_PARAMS
#define SQLITE_ARGON2_DEFAULT_PARAMS "default"
#endif

/* ---- options ---- */

struct ceilings {
    sqlite3_int64 memory; /* KiB */
    sqlite3_int64 passes;
    sqlite3_int64 lanes;
    sqlite3_int64 work;     /* KiB times passes */
    sqlite3_int64 password; /* bytes */
};

/* No min is 0: to the core that means its own default. */
static const struct option {
    const char *name;
    size_t offset;
    sqlite3_int64 min, max, preset;
} options[] = {
    {"max_memory", offsetof(struct ceilings, memory), 8, UINT32_MAX,
     SQLITE_ARGON2_MAX_MEMORY},
    {"max_passes", offsetof(struct ceilings, passes), 1, UINT32_MAX,
     SQLITE_ARGON2_MAX_PASSES},
    {"max_lanes", offsetof(struct ceilings, lanes), 1, UINT32_MAX,
     SQLITE_ARGON2_MAX_LANES},
    {"max_work", offsetof(struct ceilings, work), 8, INT64_MAX,
     SQLITE_ARGON2_MAX_WORK},
    {"max_password", offsetof(struct ceilings, password), 1, UINT32_MAX,
     SQLITE_ARGON2_MAX_PASSWORD},
};
#define OPTIONS (sizeof options / sizeof options[0])

/* The options that are no ceilings. */
static const char default_params[] = "default_params";
static const char secret_file[] = "secret_file";

struct a2f_conn {
    unsigned refs; /* one for each function registered on the connection */
    struct ceilings ceilings;
    struct a2f_params params;
    char *secret_file; /* of sqlite3_mprintf; NULL: none */
    struct a2f_keys *keys;
    struct a2f_engine *engine; /* NULL: made by the next call */
};

static const struct option *find_option(const char *key)
{
    for (size_t i = 0; i < OPTIONS; i++)
        if (strcmp(options[i].name, key) == 0)
            return &options[i];
    return NULL;
}

static sqlite3_int64 *ceiling(struct a2f_conn *conn, const struct option *o)
{
    return (sqlite3_int64 *)(void *)((char *)&conn->ceilings + o->offset);
}

/* An engine never changes, so a new ceiling or key means a new engine. */
static void drop_engine(struct a2f_conn *conn)
{
    a2f_free(conn->engine);
    conn->engine = NULL;
}

static void set_ceiling(struct a2f_conn *conn, const struct option *o,
                        sqlite3_int64 value)
{
    *ceiling(conn, o) = value;
    drop_engine(conn);
}

/* Takes over both; NULL: none. */
static void set_keys(struct a2f_conn *conn, char *path, struct a2f_keys *keys)
{
    drop_engine(conn);
    a2f_keys_free(conn->keys);
    sqlite3_free(conn->secret_file);
    conn->keys = keys;
    conn->secret_file = path;
}

/* ---- the connection ---- */

struct a2f_conn *a2f_conn_new(char **error)
{
    static const char params[] = SQLITE_ARGON2_DEFAULT_PARAMS;
    struct a2f_conn *conn = sqlite3_malloc(sizeof *conn);
    if (conn == NULL) {
        *error = sqlite3_mprintf("argon2: out of memory");
        return NULL;
    }
    *conn = (struct a2f_conn){.refs = 1};
    for (size_t i = 0; i < OPTIONS; i++)
        *ceiling(conn, &options[i]) = options[i].preset;
    struct a2f_span text = {params, sizeof params - 1};
    if (a2f_params_read(text, &conn->params, NULL) != A2F_OK) {
        *error = sqlite3_mprintf("argon2: built with bad default params");
        a2f_conn_drop(conn);
        return NULL;
    }
    return conn;
}

void a2f_conn_hold(struct a2f_conn *conn)
{
    conn->refs++;
}

void a2f_conn_drop(void *arg)
{
    struct a2f_conn *conn = arg;
    if (--conn->refs > 0)
        return;
    set_keys(conn, NULL, NULL);
    sqlite3_free(conn);
}

const struct a2f_params *a2f_conn_params(const struct a2f_conn *conn)
{
    return &conn->params;
}

const struct a2f_keys *a2f_conn_keys(const struct a2f_conn *conn)
{
    return conn->keys;
}

/* Nothing is kept between calls and nothing runs but the caller's thread: a
 * process that happens to open a database owes us neither. */
enum a2f_status a2f_conn_engine(struct a2f_conn *conn,
                                struct a2f_engine **engine)
{
    const struct ceilings *c = &conn->ceilings;
    struct a2f_config config = {
        .limits = {.memory_kib = (uint32_t)c->memory,
                   .passes = (uint32_t)c->passes,
                   .lanes = (uint32_t)c->lanes,
                   .work = (uint64_t)c->work,
                   .password = (uint32_t)c->password},
        .threads = 1,
        .keys = conn->keys,
    };
    enum a2f_status s = A2F_OK;
    if (conn->engine == NULL)
        s = a2f_new(&config, &conn->engine);
    *engine = conn->engine;
    return s;
}

/* ---- argon2_config ---- */

/* What argon2fast_sqlite_limit binds: a pointer that SQL cannot forge. */
static const char raise_tag[] = "argon2fast.raise/1";
struct raise {
    const char *key;
    sqlite3_int64 value;
    int code;
};

static void raise_ceiling(struct a2f_conn *conn, struct raise *r)
{
    const struct option *o = find_option(r->key);
    if (o == NULL) {
        r->code = SQLITE_NOTFOUND;
    } else if (r->value < o->min || r->value > o->max) {
        r->code = SQLITE_RANGE;
    } else {
        set_ceiling(conn, o, r->value);
        r->code = SQLITE_OK;
    }
}

int a2f_conn_limit(sqlite3 *db, const char *key, sqlite3_int64 value)
{
    struct raise r = {key, value, SQLITE_ERROR};
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db, "SELECT argon2_config(?)", -1, &stmt, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_pointer(stmt, 1, &r, raise_tag, NULL);
    if (rc == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW)
        rc = r.code;
    sqlite3_finalize(stmt);
    return rc;
}

/* A text value; NULL: the call has failed. */
static const char *text_value(struct a2f_call *call, sqlite3_value *value,
                              const char *complaint)
{
    if (sqlite3_value_type(value) != SQLITE_TEXT) {
        a2f_call_fail(call, complaint);
        return NULL;
    }
    const char *text = (const char *)sqlite3_value_text(value);
    if (text == NULL)
        sqlite3_result_error_nomem(call->ctx);
    return text;
}

static void config_params(struct a2f_call *call, struct a2f_conn *conn,
                          sqlite3_value *value)
{
    if (value != NULL) {
        struct a2f_params params;
        struct a2f_span text = {
            text_value(call, value, "default_params must be text"), 0};
        if (text.data == NULL)
            return;
        text.len = (size_t)sqlite3_value_bytes(value);
        if (!a2f_call_ok(call, a2f_params_read(text, &params, &call->why)))
            return;
        conn->params = params;
    }
    char text[128];
    if (a2f_call_ok(call, a2f_params_write(&conn->params, text, sizeof text)))
        sqlite3_result_text(call->ctx, text, -1, SQLITE_TRANSIENT);
}

/* What cannot be read leaves the old keys in place. The empty path: none. */
static void config_secret_file(struct a2f_call *call, struct a2f_conn *conn,
                               sqlite3_value *value)
{
    if (value != NULL) {
        const char *text = text_value(call, value, "secret_file must be text");
        char *path = NULL;
        struct a2f_keys *keys = NULL;
        if (text == NULL)
            return;
        if (*text != '\0') {
            if (!a2f_call_ok(call, a2f_keys_read(text, &keys, &call->why)))
                return;
            path = sqlite3_mprintf("%s", text);
            if (path == NULL) {
                a2f_keys_free(keys);
                sqlite3_result_error_nomem(call->ctx);
                return;
            }
        }
        set_keys(conn, path, keys);
    }
    if (conn->secret_file != NULL)
        sqlite3_result_text(call->ctx, conn->secret_file, -1, SQLITE_TRANSIENT);
}

static void config_ceiling(struct a2f_call *call, struct a2f_conn *conn,
                           const struct option *o, sqlite3_value *value)
{
    if (value != NULL) {
        if (sqlite3_value_type(value) != SQLITE_INTEGER) {
            a2f_call_fail(call, "a ceiling must be an integer");
            return;
        }
        sqlite3_int64 n = sqlite3_value_int64(value);
        if (n < o->min || n > *ceiling(conn, o)) {
            char what[128];
            sqlite3_snprintf(sizeof what, what,
                             "%s can only be lowered here: %lld to %lld",
                             o->name, o->min, *ceiling(conn, o));
            a2f_call_fail(call, what);
            return;
        }
        set_ceiling(conn, o, n);
    }
    sqlite3_result_int64(call->ctx, *ceiling(conn, o));
}

void a2f_fn_config(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    struct a2f_call call = {.name = "argon2_config", .ctx = ctx};
    struct a2f_conn *conn = sqlite3_user_data(ctx);
    struct raise *r = sqlite3_value_pointer(argv[0], raise_tag);
    if (r != NULL) {
        raise_ceiling(conn, r);
        return;
    }
    sqlite3_value *value = argc > 1 ? argv[1] : NULL;
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL ||
        (value != NULL && sqlite3_value_type(value) == SQLITE_NULL))
        return;
    const char *key = (const char *)sqlite3_value_text(argv[0]);
    if (key == NULL) {
        sqlite3_result_error_nomem(ctx);
        return;
    }
    const struct option *o = find_option(key);
    if (o != NULL)
        config_ceiling(&call, conn, o, value);
    else if (strcmp(key, default_params) == 0)
        config_params(&call, conn, value);
    else if (strcmp(key, secret_file) == 0)
        config_secret_file(&call, conn, value);
    else
        a2f_call_fail(&call, "no such key; there are max_memory, max_passes, "
                             "max_lanes, max_work, max_password, "
                             "default_params and secret_file");
}
