/* SPDX-License-Identifier: MIT */
/*
 * Admission: what keeps the hashes of all backends together within
 * pg_argon2.total_memory. A call enters with the memory it is about to use,
 * waits for its turn, and leaves.
 */
#ifndef A2F_PG_ADMISSION_H
#define A2F_PG_ADMISSION_H

#include <stdbool.h>
#include <stdint.h>

/* In _PG_init: asks for shared memory if the server is starting. */
void a2f_admission_init(void);

/* Waits, first come first served, until kib more fit the budget; without one
 * returns at once. Raises 53400 (more than the whole budget), 55P03 (waited
 * for longer than queue_timeout), or what interrupts the wait. name is the SQL
 * function's, for messages. */
void a2f_admission_enter(const char *name, uint64_t kib);

/* Gives back what was entered with, if anything. Raises nothing. */
void a2f_admission_leave(void);

/* The budget of the cluster, KiB; 0 when there is no admission. */
uint64_t a2f_admission_budget(void);

/* What is going on in the cluster now, and since the server started. */
struct a2f_admission_view {
    uint64_t budget_kib, in_use_kib;
    uint32_t running, waiting;
    uint64_t rejected; /* over budget, or waited too long */
};

/* False: there is no admission. */
bool a2f_admission_look(struct a2f_admission_view *view);

#endif
