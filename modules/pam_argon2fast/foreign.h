/* SPDX-License-Identifier: MIT */
/* The hashes of crypt(3): checked here, never made. */
#ifndef A2F_PAM_FOREIGN_H
#define A2F_PAM_FOREIGN_H

#include "request.h"

/* PASS, WRONG, NO_MEMORY, or WRONG when crypt(3) does not know the hash. */
enum a2f_verdict a2f_foreign_check(const char *password, const char *hash);

#endif
