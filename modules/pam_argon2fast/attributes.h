/* SPDX-License-Identifier: MIT */
/* What a new file must share with the one it replaces. */
#ifndef A2F_PAM_ATTRIBUTES_H
#define A2F_PAM_ATTRIBUTES_H

#include <stdbool.h>

/* The SELinux context that the next files this process makes begin with: that
 * of fd; fd -1, or like false: the usual one. */
void a2f_attributes_next(int fd, bool like);

/* Owner, mode, ACLs and other extended attributes. False: errno. */
bool a2f_attributes_copy(int from, int to);

#endif
