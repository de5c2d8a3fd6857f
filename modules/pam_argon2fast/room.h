/* SPDX-License-Identifier: MIT */
/* How much memory the machine and the cgroup (v1 or v2) have. */
#ifndef A2F_PAM_ROOM_H
#define A2F_PAM_ROOM_H

#include <stdint.h>

/* MiB that could be had in all, and that can be had now; UINT64_MAX where
 * nothing says. */
uint64_t a2f_room_total(void);
uint64_t a2f_room_now(void);

#endif
