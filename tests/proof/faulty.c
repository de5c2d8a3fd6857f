/* SPDX-License-Identifier: MIT */
/* An SQLite extension with one fault of each kind that valgrind is to report:
 * the control of tests/proof/memcheck_*.py. Never installed. */
#include <sqlite3ext.h>
#include <stdlib.h>
SQLITE_EXTENSION_INIT1

static volatile int sink;
/* What compilers and their analyzers do not follow. */
static void *(*volatile allocate)(size_t) = malloc;

static void faulty(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    volatile char *memory = allocate(16);

    (void)argc;
    (void)argv;
    if (memory == NULL)
        return;
    if (memory[3] == 'x') /* not initialised */
        sink++;
    sink += memory[16]; /* behind the end */
    for (int i = 0; i < 8; i++)
        sink += allocate(16) != NULL; /* lost */
    sqlite3_result_int(ctx, sink);
}

__attribute__((visibility("default"))) int
sqlite3_extension_init(sqlite3 *db, char **error,
                       const sqlite3_api_routines *api);
int sqlite3_extension_init(sqlite3 *db, char **error,
                           const sqlite3_api_routines *api)
{
    (void)error;
    SQLITE_EXTENSION_INIT2(api);
    return sqlite3_create_function(db, "faulty", 0, SQLITE_UTF8, NULL, faulty,
                                   NULL, NULL);
}
