/* SPDX-License-Identifier: MIT */
/*
 * The memory budget that all processes share: byte ranges of one file, locked
 * while a hash is at work, so that whatever ends a process also gives back
 * what it held.
 */
#ifndef A2F_PAM_SLOTS_H
#define A2F_PAM_SLOTS_H

#include "conf.h"

#define A2F_RUN_DIR    "/run/argon2fast"
#define A2F_SLOTS_FILE "slots"

enum a2f_slot {
    A2F_SLOT_TAKEN,
    A2F_SLOT_WITHOUT, /* there are none to be had: go on all the same */
    A2F_SLOT_BUSY,    /* not within the queue timeout */
    A2F_SLOT_GONE     /* nobody waits for the answer any more */
};

struct a2f_slots {
    int fd;           /* -1: none held */
    const char *note; /* WITHOUT: why, when that is worth a line */
};

struct a2f_slot_request {
    uint64_t kib;    /* the memory the hash will take */
    uint32_t origin; /* the real uid of whoever started the host */
    bool create;     /* make the file when it is missing */
    bool console;
    int asker; /* a pipe whose reader may go away; -1: there is none */
};

/* Waits for room in the budget and for memory that is really there. */
enum a2f_slot a2f_slots_take(struct a2f_slots *slots,
                             const struct a2f_conf *conf,
                             const struct a2f_slot_request *request);
void a2f_slots_give(struct a2f_slots *slots);

/* Milliseconds of CLOCK_MONOTONIC. */
int64_t a2f_now_ms(void);

/* The parts of the budget in MiB, as a2f_slots_take sees them, and how many
 * hashes of the usual cost fit into the general one at once. */
struct a2f_budget {
    uint64_t general, user, reserve, hashes;
};
struct a2f_budget a2f_slots_budget(const struct a2f_conf *conf);

#endif
