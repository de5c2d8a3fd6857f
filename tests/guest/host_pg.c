/* SPDX-License-Identifier: MIT */
/*
 * PostgreSQL with the extension: the runner as a function of SQL, in a backend
 * of a server that was started with watch.so in front (pg.t). What forks here
 * is the test; a child of a backend asks, and ends without the server's help.
 */
#include <postgres.h>

#include <catalog/pg_collation.h>
#include <fmgr.h>
#include <stdio.h>
#include <utils/builtins.h>
#include <utils/fmgrprotos.h>
#include <utils/memutils.h>

#include "guest.h"

PG_MODULE_MAGIC;
PG_FUNCTION_INFO_V1(guest_run);
Datum guest_run(PG_FUNCTION_ARGS);

struct session {
    FmgrInfo verify, hash;
};

static Oid function(const char *signature)
{
    return DatumGetObjectId(
        DirectFunctionCall1(regprocedurein, CStringGetDatum(signature)));
}

static void *open_session(void)
{
    struct session *s = malloc(sizeof *s);

    if (s == NULL)
        return NULL;
    fmgr_info_cxt(function("argon2_verify(text,text)"), &s->verify,
                  TopMemoryContext);
    fmgr_info_cxt(function("argon2_hash(text,text)"), &s->hash,
                  TopMemoryContext);
    return s;
}

static void close_session(void *session)
{
    free(session);
}

static Datum text_of(const char *string)
{
    return PointerGetDatum(cstring_to_text(string));
}

static Datum call(FmgrInfo *function_info, Datum a, Datum b)
{
    return FunctionCall2Coll(function_info, DEFAULT_COLLATION_OID, a, b);
}

static enum guest_answer
answer_to(struct session *s, const struct guest_case *c, const char *password)
{
    char params[64];
    Datum hash;

    snprintf(params, sizeof params, "m=%u,t=%u,p=%u", c->memory, c->passes,
             c->lanes);
    hash = c->fresh ? call(&s->hash, text_of(GUEST_PASSWORD), text_of(params))
                    : text_of(c->phc);
    return DatumGetBool(call(&s->verify, text_of(password), hash)) ? GUEST_YES
                                                                   : GUEST_NO;
}

static enum guest_answer answer_of(int code)
{
    switch (code) {
    case ERRCODE_OUT_OF_MEMORY:
        return GUEST_NO_MEMORY;
    case ERRCODE_SYSTEM_ERROR:
        return GUEST_REFUSED;
    default:
        return GUEST_ODD;
    }
}

static enum guest_answer ask(void *session, const struct guest_case *c,
                             const char *password)
{
    MemoryContext own = AllocSetContextCreate(CurrentMemoryContext, "guest",
                                              ALLOCSET_DEFAULT_SIZES);
    MemoryContext old = MemoryContextSwitchTo(own);
    volatile enum guest_answer answer = GUEST_ODD;

    PG_TRY();
    {
        answer = answer_to(session, c, password);
    }
    PG_CATCH();
    {
        answer = answer_of(geterrcode());
        FlushErrorState();
    }
    PG_END_TRY();
    MemoryContextSwitchTo(old);
    MemoryContextDelete(own);
    return answer;
}

/* guest_run(file, what): TAP into the file. */
Datum guest_run(PG_FUNCTION_ARGS)
{
    static const struct guest_host host = {
        .name = "PostgreSQL",
        .module = "/pg_argon2.so",
        .one_thread = true,
        .open = open_session,
        .close = close_session,
        .ask = ask,
    };
    char *file = text_to_cstring(PG_GETARG_TEXT_PP(0));
    char *what = text_to_cstring(PG_GETARG_TEXT_PP(1));

    if (freopen(file, "w", stdout) == NULL)
        ereport(ERROR, (errmsg("cannot write %s", file)));
    PG_RETURN_INT32(guest_main(&host, what));
}
