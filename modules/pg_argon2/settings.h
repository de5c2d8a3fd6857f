/* SPDX-License-Identifier: MIT */
/*
 * The settings pg_argon2.*, and the engine that this backend makes of them.
 */
#ifndef A2F_PG_SETTINGS_H
#define A2F_PG_SETTINGS_H

#include "argon2fast.h"

/* As the server keeps them: kB, bytes and ms in ints. */
struct a2f_settings {
    char *default_params;
    int min_memory; /* kB; for making hashes, not for verifying */
    int min_passes;
    int max_memory; /* kB */
    int max_passes;
    int max_lanes;
    int max_work;            /* kB times passes */
    int max_password_length; /* bytes */
    int max_threads;
    int keep_arena;    /* kB */
    int total_memory;  /* kB, of all backends; 0: no admission */
    int queue_timeout; /* ms; -1: for ever */
    char *secret_file; /* a path; empty: no keys */
};

extern struct a2f_settings a2f_settings;

/* Defines them; once in a process. */
void a2f_settings_init(void);

/* The engine for the settings of now. It lasts until one of them changes: do
 * not keep it beyond a call. */
A2F_CHECKED enum a2f_status a2f_settings_engine(struct a2f_engine **engine);

/* The keys of that engine, NULL if none are wanted. False: they are, but the
 * file could not be read so far. */
A2F_CHECKED bool a2f_settings_keys(const struct a2f_keys **keys);

/* The setting that is the ceiling of what an a2f_why names, or NULL. */
const char *a2f_settings_ceiling(const char *what);

#endif
