/* SPDX-License-Identifier: MIT */
/* What belongs to the host and a call must leave as it found it. */
#ifndef SELF_H
#define SELF_H

#include <stdbool.h>

/* Gives every signal a handler of its own or none, and blocks some: only then
 * does a change show. For a child that is going to end. */
void self_be_odd(void);

struct self;
struct self *self_look(void);
/* Names what differs now in TAP comments; frees it. True: nothing does. */
bool self_same(struct self *before);

/* A number of /proc/self/status ("VmRSS:", KiB), or 0. */
long self_status(const char *key);
/* Threads: one that was joined is to be seen for a moment longer. */
bool self_threads_become(long n);
long self_mappings(void);

#endif
