/* SPDX-License-Identifier: MIT */
/* What answering a request takes: one struct, and the hashing steps. */
#ifndef A2F_PAM_WORK_H
#define A2F_PAM_WORK_H

#include "answer.h"
#include "conf.h"
#include "entry.h"
#include "slots.h"

struct a2f_work {
    const struct a2f_request *request;
    const struct a2f_asker *asker;
    struct a2f_reply *reply;
    struct a2f_conf conf;
    struct a2f_keys *keys;
    struct a2f_engine *engine;
    struct a2f_slots slots;
    struct a2f_entry entry;
    bool spent;          /* a check has cost what checks cost */
    int64_t deadline_ms; /* of CLOCK_MONOTONIC; 0: none */
    char no_keys[128];   /* why the key file could not be read */
};

/* The work's engine, with the configuration's ceilings and keys. */
enum a2f_verdict a2f_work_engine(struct a2f_work *work);
void a2f_work_end(struct a2f_work *work);
/* A slot for a hash of so much memory. PASS: go on. */
enum a2f_verdict a2f_work_slot(struct a2f_work *work, uint64_t kib);
/* The memory that checking this hash takes. */
uint64_t a2f_work_kib(const struct a2f_work *work, const char *hash);

/* Checks the request's password against one hash of either kind. */
enum a2f_verdict a2f_work_check(struct a2f_work *work, const char *hash);
/* The same for an Argon2 hash that may have to be written anew: with PASS the
 * reply has the new one, or none where the old one will do. */
enum a2f_verdict a2f_work_upgrade(struct a2f_work *work, const char *hash);
/* Costs what a check of a hash made today costs; WRONG or an error. */
enum a2f_verdict a2f_work_dummy(struct a2f_work *work);
/* Hashes the request's password into the reply; PASS or an error. */
enum a2f_verdict a2f_work_hash(struct a2f_work *work);

#endif
