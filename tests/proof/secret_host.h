/* SPDX-License-Identifier: MIT */
/*
 * A host that keeps no copy of its secrets: password and pepper are there for
 * one call, and then everything writable in the process is searched, and after
 * some calls a core dump with the registers too. So whatever is found is not
 * the host's.
 */
#ifndef SECRET_HOST_H
#define SECRET_HOST_H

#include "argon2fast.h"

#define SECRET_LEN 24
#define SALT       "some salt of 20 byte"

/* Makes the secrets of this run, hidden in another form. */
void secrets_start(void);

/* They are here from lend to wipe; the same pointers each time. */
struct secrets {
    char password[SECRET_LEN + 1], pepper[SECRET_LEN + 1];
    char wrong[SECRET_LEN + 1]; /* a password that is not the one */
};
struct secrets *secrets_lend(void);
void secrets_wipe(void);

/* One TAP line: nothing of the hash of these params is left, salted with SALT
 * or, if text is not NULL, as the PHC text says. with_core: nor in a core dump.
 * The search is a child's, which computes what to look for. */
enum core { NO_CORE, WITH_CORE };
void expect_nothing(const char *name, const struct a2f_params *params,
                    const char *text, enum core core);

/* The opposite, to show that what is there is found. */
void expect_password(const char *name, const struct a2f_params *params);

#endif
