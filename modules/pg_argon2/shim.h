/* SPDX-License-Identifier: MIT */
/*
 * The server's headers, and in one place what differs between PostgreSQL 13
 * and 18. Includes come before ours because postgres.h must be first.
 */
#ifndef A2F_PG_SHIM_H
#define A2F_PG_SHIM_H

#include <postgres.h>

#include <fmgr.h>
#include <miscadmin.h>

/* From 16 on these are no longer part of postgres.h. */
#if PG_VERSION_NUM >= 160000
#include <varatt.h>
#endif

#if PG_VERSION_NUM < 130000 || PG_VERSION_NUM >= 190000
#error "pg_argon2 knows PostgreSQL 13 to 18"
#endif

#if PG_VERSION_NUM >= 180000
#define A2F_PG_MAGIC                                                           \
    PG_MODULE_MAGIC_EXT(.name = "pg_argon2", .version = A2F_VERSION)
#else
#define A2F_PG_MAGIC PG_MODULE_MAGIC
#endif

/* Begins the definition of a SQL function. Before 16 the server's own macro
 * does not export the function itself. */
#define A2F_PG_FUNCTION(symbol)                                                \
    PG_FUNCTION_INFO_V1(symbol);                                               \
    PGDLLEXPORT Datum symbol(PG_FUNCTION_ARGS)

#if PG_VERSION_NUM < 150000
#define MarkGUCPrefixReserved(prefix) EmitWarningsOnPlaceholders(prefix)
#endif

/* Where shared memory is asked for while the server starts: 15 has a hook for
 * it; before, _PG_init does it. */
#define A2F_PG_HAS_REQUEST_HOOK (PG_VERSION_NUM >= 150000)

/* Shared memory by name, made when first wanted, without preload. */
#define A2F_PG_HAS_NAMED_DSM (PG_VERSION_NUM >= 170000)
#if A2F_PG_HAS_NAMED_DSM
#include <storage/dsm_registry.h>
#endif

/* Wait events with names of their own. */
#if PG_VERSION_NUM >= 170000
#include <utils/wait_event.h>
#define A2F_PG_NEW_WAIT_EVENT(name) WaitEventExtensionNew(name)
#else
#include <pgstat.h>
#define A2F_PG_NEW_WAIT_EVENT(name) PG_WAIT_EXTENSION
#endif

#endif
