/* SPDX-License-Identifier: MIT */
/*
 * Argon2 in SQL, as the extension pg_argon2. The server calls _PG_init when it
 * loads the library: in a backend at the first use of a function, or in the
 * postmaster if shared_preload_libraries says so. The SQL functions are in
 * functions.c (they hash), bulk.c (arrays) and inspect.c (they do not); each
 * runs in the frame of call.c.
 */
#include "shim.h"

#include "admission.h"
#include "argon2fast.h"
#include "settings.h"

A2F_PG_MAGIC;

PGDLLEXPORT void _PG_init(void);
void _PG_init(void)
{
    a2f_settings_init();
    a2f_admission_init();
}
