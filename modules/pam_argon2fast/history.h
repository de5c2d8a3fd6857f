/* SPDX-License-Identifier: MIT */
/*
 * The passwords a user has had. One line a user, "user:hash:hash..", newest
 * first: PHC texts contain commas, so the lists of others cannot hold them.
 */
#ifndef A2F_PAM_HISTORY_H
#define A2F_PAM_HISTORY_H

#include "work.h"

/* The user's old hashes, and the current one before them. */
struct a2f_history {
    unsigned n;
    const char *hash[A2F_REMEMBER_MAX + 1];
    char line[A2F_LINE_MAX];
};

/* As many as the request says. PASS or UNAVAILABLE. */
enum a2f_verdict a2f_history_read(struct a2f_work *work,
                                  struct a2f_history *history);
/* The memory the most costly of them, or a new hash, takes. */
uint64_t a2f_history_kib(const struct a2f_work *work,
                         const struct a2f_history *history);
/* PASS: none of them is the request's password. One deadline for all; what
 * could not be compared by then counts as REUSED, and the note says so. */
enum a2f_verdict a2f_history_check(struct a2f_work *work,
                                   const struct a2f_history *history);
void a2f_history_wipe(struct a2f_history *history);

#endif
