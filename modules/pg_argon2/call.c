/* SPDX-License-Identifier: MIT */
/* The frame of one call; see call.h. */
#include "shim.h"

#include <string.h>

#include <access/detoast.h>
#include <access/parallel.h>
#include <mb/pg_wchar.h>
#include <utils/array.h>
#include <utils/builtins.h>

#include "admission.h"
#include "call.h"
#include "settings.h"

/* ---- what went wrong ---- */

static int sqlstate(enum a2f_status status)
{
    switch (status) {
    case A2F_OVER_LIMIT:
        return ERRCODE_CONFIGURATION_LIMIT_EXCEEDED;
    case A2F_NO_KEY:
        return ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE;
    case A2F_NO_MEMORY:
        return ERRCODE_OUT_OF_MEMORY;
    case A2F_SYSTEM:
        return ERRCODE_SYSTEM_ERROR;
    case A2F_OK:
    case A2F_MISMATCH:
    case A2F_CANCELLED: /* these three are never reported */
    case A2F_BAD_HASH:
    case A2F_BAD_PARAM:
        break;
    }
    return ERRCODE_INVALID_PARAMETER_VALUE;
}

/* Names and numbers only: why has nothing else. Above a ceiling the message
 * itself is always the same and DETAIL says which one. */
static _Noreturn void fail(const struct a2f_call *call, enum a2f_status status)
{
    bool over = status == A2F_OVER_LIMIT;
    const char *what = a2f_status_text(status);
    const char *setting = over ? a2f_settings_ceiling(call->why.what) : NULL;
    char text[256];
    const char *detail = text + strlen(what);

    a2f_explain(status, &call->why, text, sizeof text);
    if (*detail != '\0')
        detail += strlen(": ");
    ereport(ERROR,
            (errcode(sqlstate(status)),
             errmsg("%s: %s", call->name, over ? what : text),
             over ? errdetail("%s.", detail) : 0,
             setting != NULL ? errhint("The limit is %s.", setting) : 0,
             call->element > 0 ? errcontext("element %d", call->element) : 0));
}

void a2f_call_check(struct a2f_call *call, enum a2f_status status)
{
    if (status == A2F_CANCELLED)
        a2f_cancel_raise(&call->cancel);
    if (status != A2F_OK)
        fail(call, status);
}

void a2f_call_floor(const struct a2f_call *call,
                    const struct a2f_params *params)
{
    uint32_t memory = (uint32_t)a2f_settings.min_memory;
    uint32_t passes = (uint32_t)a2f_settings.min_passes;

    if (params->memory_kib < memory)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("%s: below a configured minimum", call->name),
                        errdetail("memory_kib is %u, at least %u is required.",
                                  params->memory_kib, memory),
                        errhint("The minimum is pg_argon2.min_memory.")));
    if (params->passes < passes)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("%s: below a configured minimum", call->name),
                        errdetail("passes is %u, at least %u is required.",
                                  params->passes, passes),
                        errhint("The minimum is pg_argon2.min_passes.")));
}

const struct a2f_keys *a2f_call_keys(const struct a2f_call *call)
{
    const struct a2f_keys *keys;

    if (!a2f_settings_keys(&keys))
        ereport(ERROR,
                (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                 errmsg("%s: the keys of pg_argon2.secret_file are not here",
                        call->name),
                 errhint("The server's log says why the file was not read.")));
    return keys;
}

void a2f_call_swapped(const struct a2f_call *call, enum a2f_status status,
                      struct a2f_span password, struct a2f_span hash)
{
    struct a2f_params params;

    if ((status == A2F_BAD_HASH || status == A2F_OVER_LIMIT) &&
        a2f_parse(hash, &params, NULL, NULL) != A2F_OK &&
        a2f_parse(password, &params, NULL, NULL) == A2F_OK)
        ereport(ERROR,
                (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                 errmsg("%s: the arguments are swapped", call->name),
                 errhint("Their order is %s(password, hash).", call->name)));
}

/* ---- the frame ---- */

/* A copy that detoasting or conversion made. */
struct a2f_copy {
    struct a2f_copy *next;
    void *data;
    size_t size;
};

static void end(struct a2f_call *call)
{
    a2f_admission_leave();
    for (struct a2f_copy *copy = call->copies; copy != NULL; copy = copy->next)
        a2f_wipe(copy->data, copy->size);
    call->copies = NULL;
}

/* Not inlined: what call points to must not live in the frame of setjmp. */
static pg_noinline void run(struct a2f_call *call,
                            Datum (*body)(struct a2f_call *))
{
    PG_TRY();
    {
        call->result = body(call);
    }
    PG_CATCH();
    {
        end(call);
        PG_RE_THROW();
    }
    PG_END_TRY();
    end(call);
}

Datum a2f_call_run(FunctionCallInfo fcinfo, const char *name,
                   enum a2f_password_type password_type,
                   Datum (*body)(struct a2f_call *))
{
    struct a2f_call call = {
        .name = name, .fcinfo = fcinfo, .password_type = password_type};

    call.run.poll = a2f_cancel_poll;
    call.run.poll_ctx = &call.cancel;
    call.run.why = &call.why;
    /* The cores of a parallel query are taken already. */
    call.run.threads = IsParallelWorker() ? 1 : 0;
    run(&call, body);
    return call.result;
}

void a2f_call_engine(struct a2f_call *call)
{
    a2f_call_check(call, a2f_settings_engine(&call->engine));
}

void a2f_call_enter(struct a2f_call *call, uint64_t memory_kib)
{
    a2f_call_engine(call);
    if (memory_kib <= (uint64_t)a2f_settings.max_memory)
        a2f_admission_enter(call->name, memory_kib);
}

void a2f_call_leave(struct a2f_call *call, enum a2f_status status)
{
    a2f_admission_leave();
    a2f_call_check(call, status);
}

/* ---- arguments ---- */

/* The list's node comes first, so that there is no copy without one. */
static struct a2f_copy *new_copy(struct a2f_call *call)
{
    struct a2f_copy *copy = palloc0(sizeof *copy);

    copy->next = call->copies;
    call->copies = copy;
    return copy;
}

struct a2f_span a2f_call_value(struct a2f_call *call, Datum value)
{
    struct varlena *given = (struct varlena *)DatumGetPointer(value);
    struct a2f_copy *copy = new_copy(call);
    struct varlena *plain = pg_detoast_datum_packed(given);

    if (plain != given) {
        copy->data = plain;
        copy->size = VARSIZE_ANY(plain);
    }
    return (struct a2f_span){VARDATA_ANY(plain), VARSIZE_ANY_EXHDR(plain)};
}

struct a2f_span a2f_call_bytes(struct a2f_call *call, int arg)
{
    return a2f_call_value(call, call->fcinfo->args[arg].value);
}

/* The server names the bytes that it cannot convert; here they would be part
 * of a password. */
static _Noreturn void fail_conversion(const struct a2f_call *call)
{
    int code = geterrcode();

    if (code != ERRCODE_UNTRANSLATABLE_CHARACTER &&
        code != ERRCODE_CHARACTER_NOT_IN_REPERTOIRE)
        PG_RE_THROW();
    FlushErrorState();
    ereport(ERROR,
            (errcode(code),
             errmsg("%s: the password has no equivalent in UTF-8", call->name),
             errhint("Pass it as bytea.")));
}

/* In every host the same password must give the same hash, so text is hashed
 * as UTF-8 whatever the database's encoding is; SQL_ASCII says nothing about
 * its bytes, and they stay. */
static struct a2f_span to_utf8(struct a2f_call *call, struct a2f_span text)
{
    int encoding = GetDatabaseEncoding();
    struct a2f_copy *copy;

    if (encoding == PG_UTF8 || encoding == PG_SQL_ASCII || text.len == 0)
        return text;
    copy = new_copy(call);
    PG_TRY();
    {
        copy->data = pg_do_encoding_conversion(
            (unsigned char *)unconstify(void *, text.data), (int)text.len,
            encoding, PG_UTF8);
    }
    PG_CATCH();
    {
        fail_conversion(call);
    }
    PG_END_TRY();
    /* It is told no length, but text has no zero bytes. */
    text = (struct a2f_span){copy->data, strlen(copy->data)};
    copy->size = text.len;
    return text;
}

struct a2f_span a2f_call_secret(struct a2f_call *call, Datum value)
{
    Size size = toast_raw_datum_size(value) - VARHDRSZ;
    Size max = (Size)a2f_settings.max_password_length;
    struct a2f_span bytes;

    /* Before it is fetched, and grows in conversion. */
    if (size > max) {
        call->why = (struct a2f_why){"password", size, 0, max};
        a2f_call_check(call, A2F_OVER_LIMIT);
    }
    bytes = a2f_call_value(call, value);
    return call->password_type == A2F_TEXT ? to_utf8(call, bytes) : bytes;
}

struct a2f_span a2f_call_password(struct a2f_call *call, int arg)
{
    return a2f_call_secret(call, call->fcinfo->args[arg].value);
}

struct ArrayType *a2f_call_array(struct a2f_call *call, int arg)
{
    Datum value = call->fcinfo->args[arg].value;
    struct a2f_copy *copy = new_copy(call);
    ArrayType *array = DatumGetArrayTypeP(value);

    if ((Pointer)array != DatumGetPointer(value)) {
        copy->data = array;
        copy->size = VARSIZE(array);
    }
    return array;
}

struct a2f_params a2f_call_params(struct a2f_call *call, int arg)
{
    const char *preset = a2f_settings.default_params;
    struct a2f_span text = {preset, strlen(preset)};
    struct a2f_params params;

    if (arg < call->fcinfo->nargs)
        text = a2f_call_bytes(call, arg);
    a2f_call_check(call, a2f_params_read(text, &params, &call->why));
    return params;
}

struct a2f_params a2f_call_stored(struct a2f_call *call, int arg,
                                  bool *canonical)
{
    struct a2f_params params;

    a2f_call_check(call, a2f_parse(a2f_call_bytes(call, arg), &params,
                                   canonical, &call->why));
    return params;
}

struct a2f_params a2f_call_cost(struct a2f_span hash)
{
    struct a2f_params params;

    if (a2f_parse(hash, &params, NULL, NULL) != A2F_OK ||
        params.memory_kib > (uint32_t)a2f_settings.max_memory)
        memset(&params, 0, sizeof params);
    return params;
}

/* ---- results ---- */

Datum a2f_call_params_text(struct a2f_call *call,
                           const struct a2f_params *params)
{
    char text[128]; /* a2f_params_write says it is enough */

    a2f_call_check(call, a2f_params_write(params, text, sizeof text));
    return PointerGetDatum(cstring_to_text(text));
}
