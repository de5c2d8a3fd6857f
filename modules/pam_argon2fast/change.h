/* SPDX-License-Identifier: MIT */
/*
 * Requests that change a database: the entry itself, the list of old hashes
 * (history) and the hashes that a migration replaced (backup), under one lock.
 * For root alone: the updating helper and the administrator's command.
 */
#ifndef A2F_PAM_CHANGE_H
#define A2F_PAM_CHANGE_H

#include "request.h"

/* PASS: done. CHANGED: the line is not the stamped one any more; BUSY: the
 * locks; UNKNOWN: no such user (REVERT: nothing kept for him); UNAVAILABLE. */
void a2f_change(const struct a2f_request *request, struct a2f_reply *reply);

#endif
