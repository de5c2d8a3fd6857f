/* SPDX-License-Identifier: MIT */
/* Which foreign hashes are written anew after a login. */
#ifndef A2F_PAM_STAGING_H
#define A2F_PAM_STAGING_H

#include "conf.h"

/* Whether the user's foreign hash may become an Argon2 one: uid 0 only with
 * migrate_root; the groups of migrate_include, if any, and no group of
 * migrate_exclude. In a password file (database not empty) users have no uid.
 */
bool a2f_staging_admits(const struct a2f_conf *conf, const char *database,
                        const char *user);

#endif
