/* SPDX-License-Identifier: MIT */
/*
 * The frame of one SQL function call: arguments in, interruption while the
 * core runs, and a status of the core as a result code of SQLite.
 */
#include "call.h"

/* ---- what went wrong ---- */

/* SQLITE_NOMEM would make SQLite roll the whole transaction back; a hash that
 * cannot have its memory is no reason for that. */
static const int codes[] = {
    [A2F_OK] = SQLITE_OK,
    [A2F_MISMATCH] = SQLITE_ERROR, /* verify makes it a result before */
    [A2F_BAD_HASH] = SQLITE_ERROR,
    [A2F_BAD_PARAM] = SQLITE_ERROR,
    [A2F_OVER_LIMIT] = SQLITE_TOOBIG,
    [A2F_NO_KEY] = SQLITE_ERROR,
    [A2F_NO_MEMORY] = SQLITE_ERROR,
    [A2F_CANCELLED] = SQLITE_INTERRUPT,
    [A2F_SYSTEM] = SQLITE_ERROR,
};

void a2f_call_fail(struct a2f_call *call, const char *what)
{
    char *message = sqlite3_mprintf("%s: %s", call->name, what);
    if (message == NULL) {
        sqlite3_result_error_nomem(call->ctx);
        return;
    }
    sqlite3_result_error(call->ctx, message, -1);
    sqlite3_free(message);
}

/* A code alone would bring SQLite's text for it; after the text it does not. */
bool a2f_call_ok(struct a2f_call *call, enum a2f_status status)
{
    if (status == A2F_OK)
        return true;
    char what[256];
    a2f_explain(status, &call->why, what, sizeof what);
    a2f_call_fail(call, what);
    sqlite3_result_error_code(call->ctx, codes[status]);
    return false;
}

/* ---- running the core ---- */

/* Every SQLite sees an interrupt where a statement is stepped, and there too
 * it calls progress handlers, by the number of virtual machine instructions.
 * So poll steps a statement without an end, which reads no table and gives a
 * row every 500 instructions (about 5 us). The second one is for connections
 * whose authorizer forbids recursion: interrupts work, progress is slow. */
static const char *const ticks[] = {
    "WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t) "
    "SELECT 1 FROM t WHERE i % 32 = 0",
    "SELECT 1",
};

static int poll_interrupt(void *arg)
{
    struct a2f_call *call = arg;
    return sqlite3_step(call->tick) == SQLITE_INTERRUPT;
}

enum a2f_status a2f_call_begin(struct a2f_call *call)
{
    struct a2f_conn *conn = sqlite3_user_data(call->ctx);
    sqlite3 *db = sqlite3_context_db_handle(call->ctx);

    enum a2f_status s = a2f_conn_engine(conn, &call->engine);
    if (s != A2F_OK)
        return s;
    call->run.why = &call->why;
    for (size_t i = 0; i < 2 && call->tick == NULL; i++) {
        int rc = sqlite3_prepare_v2(db, ticks[i], -1, &call->tick, NULL);
        if (rc == SQLITE_INTERRUPT)
            return A2F_CANCELLED;
    }
    if (call->tick != NULL) {
        call->run.poll = poll_interrupt;
        call->run.poll_ctx = call;
    }
    return A2F_OK;
}

bool a2f_call_end(struct a2f_call *call, enum a2f_status status)
{
    sqlite3_finalize(call->tick); /* its code is poll's, seen already */
    call->tick = NULL;
    return a2f_call_ok(call, status);
}

/* ---- arguments ---- */

bool a2f_any_null(int argc, sqlite3_value **argv)
{
    for (int i = 0; i < argc; i++)
        if (sqlite3_value_type(argv[i]) == SQLITE_NULL)
            return true;
    return false;
}

/* The bytes of a TEXT (as UTF-8) or BLOB. The order of the calls matters: text
 * is converted first, and only then has it its length. */
static bool take_bytes(struct a2f_call *call, sqlite3_value *value,
                       const char *complaint, struct a2f_span *bytes)
{
    switch (sqlite3_value_type(value)) {
    case SQLITE_TEXT:
        bytes->data = sqlite3_value_text(value);
        break;
    case SQLITE_BLOB:
        bytes->data = sqlite3_value_blob(value); /* NULL when empty */
        break;
    default:
        a2f_call_fail(call, complaint);
        return false;
    }
    bytes->len = (size_t)sqlite3_value_bytes(value);
    if (bytes->data == NULL &&
        (bytes->len > 0 || sqlite3_value_type(value) == SQLITE_TEXT)) {
        sqlite3_result_error_nomem(call->ctx);
        return false;
    }
    return true;
}

/* A number is refused rather than hashed as its digits: it may have lost a
 * leading zero, or gained ".0", before it came here. */
bool a2f_take_password(struct a2f_call *call, sqlite3_value *value,
                       struct a2f_span *password)
{
    return take_bytes(call, value, "password must be text or a blob", password);
}

bool a2f_take_hash(struct a2f_call *call, sqlite3_value *value,
                   struct a2f_span *hash)
{
    return take_bytes(call, value, "hash must be text or a blob", hash);
}

/* An empty salt would ask the core for a random one. */
bool a2f_take_salt(struct a2f_call *call, sqlite3_value *value,
                   struct a2f_span *salt)
{
    if (!take_bytes(call, value, "salt must be text or a blob", salt))
        return false;
    if (salt->len == 0)
        a2f_call_fail(call, "salt is empty");
    return salt->len > 0;
}

/* The params of value, or the connection's own if it is NULL. */
bool a2f_take_params(struct a2f_call *call, sqlite3_value *value,
                     struct a2f_params *params)
{
    *params = *a2f_conn_params(sqlite3_user_data(call->ctx));
    if (value == NULL)
        return true;
    struct a2f_span text = {0};
    if (sqlite3_value_type(value) != SQLITE_TEXT) {
        a2f_call_fail(call, "params must be text");
        return false;
    }
    return take_bytes(call, value, NULL, &text) &&
           a2f_call_ok(call, a2f_params_read(text, params, &call->why));
}
