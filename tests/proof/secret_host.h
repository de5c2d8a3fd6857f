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

/* What was hashed, that is to say what is looked for. */
struct hashed {
    const struct a2f_params *params;
    const char *text; /* PHC, instead of params and SALT; or NULL */
    bool pepper;      /* with the pepper */
    bool begun;       /* only begun: there is neither last block nor tag */
    bool dumped;      /* look into a core dump as well; it has the registers */
};

/* One TAP line: nothing of it is left. The search is a child's, which computes
 * what to look for. */
void expect_nothing(const char *name, const struct hashed *hashed);

/* The opposite, to show that what is there is found. */
void expect_found(const char *name, const struct hashed *hashed);

#endif
