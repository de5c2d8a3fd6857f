/* SPDX-License-Identifier: MIT */
/*
 * The SQL functions that only read a stored string: nothing is hashed, and
 * neither salt nor tag is shown.
 */
#include "inspect.h"

#include "call.h"

/* SQLite's json functions take text of this subtype for JSON. */
#define SUBTYPE_JSON 'J'

/* argon2_needs_rehash(hash [, params]): with params, which make it a function
 * of its arguments alone, keys do not count */
void a2f_fn_needs_rehash(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    struct a2f_call call = {.name = "argon2_needs_rehash", .ctx = ctx};
    struct a2f_span text = {0};
    const struct a2f_keys *keys = a2f_conn_keys(sqlite3_user_data(ctx));
    struct a2f_params params;
    bool needs = true;
    if (!a2f_any_null(argc, argv) && a2f_take_hash(&call, argv[0], &text) &&
        a2f_take_params(&call, argc > 1 ? argv[1] : NULL, &params) &&
        a2f_call_ok(&call,
                    a2f_needs_rehash(text, &params, argc > 1 ? NULL : keys,
                                     &needs, &call.why)))
        sqlite3_result_int(ctx, needs);
}

/* argon2_is_valid(text): of a number, 0 */
void a2f_fn_is_valid(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    struct a2f_call call = {.name = "argon2_is_valid", .ctx = ctx};
    int type = sqlite3_value_type(argv[0]);
    struct a2f_span text = {0};
    struct a2f_params params;
    bool canonical = false;
    if (a2f_any_null(argc, argv))
        return;
    if (type != SQLITE_TEXT && type != SQLITE_BLOB)
        sqlite3_result_int(ctx, 0);
    else if (a2f_take_hash(&call, argv[0], &text))
        sqlite3_result_int(ctx, a2f_parse(text, &params, &canonical, NULL) ==
                                        A2F_OK &&
                                    canonical);
}

/* argon2_params(hash): what argon2_hash takes for params */
void a2f_fn_params(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    struct a2f_call call = {.name = "argon2_params", .ctx = ctx};
    struct a2f_span text = {0};
    struct a2f_params params;
    char out[128];
    if (!a2f_any_null(argc, argv) && a2f_take_hash(&call, argv[0], &text) &&
        a2f_call_ok(&call, a2f_parse(text, &params, NULL, &call.why)) &&
        a2f_call_ok(&call, a2f_params_write(&params, out, sizeof out)))
        sqlite3_result_text(ctx, out, -1, SQLITE_TRANSIENT);
}

/* argon2_info(hash): the same as a JSON object */
void a2f_fn_info(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    static const char *const types[] = {
        [A2F_D] = "argon2d", [A2F_I] = "argon2i", [A2F_ID] = "argon2id"};
    struct a2f_call call = {.name = "argon2_info", .ctx = ctx};
    struct a2f_span text = {0};
    struct a2f_params p;
    bool canonical = false;
    char params[128], json[512];
    if (a2f_any_null(argc, argv) || !a2f_take_hash(&call, argv[0], &text) ||
        !a2f_call_ok(&call, a2f_parse(text, &p, &canonical, &call.why)) ||
        !a2f_call_ok(&call, a2f_params_write(&p, params, sizeof params)))
        return;
    sqlite3_snprintf(sizeof json, json,
                     "{\"type\":\"%s\",\"version\":%u,\"memory_kib\":%u,"
                     "\"passes\":%u,\"lanes\":%u,\"salt_len\":%u,"
                     "\"tag_len\":%u,\"canonical\":%s,\"params\":\"%s\"}",
                     types[p.type], p.version, p.memory_kib, p.passes, p.lanes,
                     p.salt_len, p.tag_len, canonical ? "true" : "false",
                     params);
    sqlite3_result_text(ctx, json, -1, SQLITE_TRANSIENT);
    sqlite3_result_subtype(ctx, SUBTYPE_JSON);
}
