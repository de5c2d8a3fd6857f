/* SPDX-License-Identifier: MIT */
/*
 * Answers requests about passwords: reads the configuration and the database,
 * waits for a slot, hashes. Runs in the checking helper, or in a host that
 * works without one; nothing here writes.
 */
#ifndef A2F_PAM_ANSWER_H
#define A2F_PAM_ANSWER_H

#include "request.h"

/* Who is asking, as far as it can be relied on. */
struct a2f_asker {
    bool helper;     /* this process is ours alone: threads are allowed */
    bool root;       /* and root's: the asker may have stamps and hashes */
    uint32_t origin; /* real uid, for the slots */
    int pipe;        /* that breaks when nobody waits any more; or -1 */
};

void a2f_answer(const struct a2f_request *request,
                const struct a2f_asker *asker, struct a2f_reply *reply);

#endif
