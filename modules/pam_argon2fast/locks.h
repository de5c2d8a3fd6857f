/* SPDX-License-Identifier: MIT */
/*
 * The locks around a change of a database: those of the shadow tools for the
 * shadow file, so that neither works while the other does.
 */
#ifndef A2F_PAM_LOCKS_H
#define A2F_PAM_LOCKS_H

#include <stdbool.h>
#include <stddef.h>

struct a2f_locks {
    int dir;        /* of the database; the caller's */
    int fd;         /* of the locked file */
    char name[256]; /* the lock file to remove; "" */
};

/* Takes them for the file `name` in dir; shadow: also what lckpwdf(3) takes.
 * False: errno, EWOULDBLOCK when others have held them for too long. */
bool a2f_locks_take(struct a2f_locks *locks, int dir, const char *name,
                    bool shadow);
void a2f_locks_give(struct a2f_locks *locks);

#endif
