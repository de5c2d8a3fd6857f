/* SPDX-License-Identifier: MIT */
/* Two files besides a database: old hashes, and replaced ones. */
#ifndef A2F_PAM_RECORDS_H
#define A2F_PAM_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

/* All of them: false and errno; the caller holds the database's locks. */

/* Puts a hash at the head of the user's history, at most keep of them. */
bool a2f_history_add(const char *user, const char *hash, uint32_t keep);

/* What to restore, should the entry still hold `now`. A backup that is there
 * keeps its first hash, so that repeated rehashes do not hide it. */
bool a2f_backup_add(const char *file, const char *user, const char *before,
                    const char *now);
/* The entry got `now` in place of `was`; nothing, when it has no backup. */
bool a2f_backup_follow(const char *file, const char *user, const char *was,
                       const char *now);
bool a2f_backup_remove(const char *file, const char *user);

#endif
