/* SPDX-License-Identifier: MIT */
/* Room for the results of the SQL functions. */
#ifndef A2F_PG_FUNCTIONS_H
#define A2F_PG_FUNCTIONS_H

/* Longest tag of argon2_raw, bytes: what the core's own ceiling is too. */
#define PG_ARGON2_TAG_MAX 1024

/* A params string: a2f_params_write says it is enough. */
#define PG_ARGON2_PARAMS_MAX 128

#endif
