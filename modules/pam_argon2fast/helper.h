/* SPDX-License-Identifier: MIT */
/* What both helper programs do first and last. */
#ifndef A2F_PAM_HELPER_H
#define A2F_PAM_HELPER_H

#include "wire.h"

/* Makes the process one that can be trusted whoever started it, and reads the
 * request from standard input. Does not return when there is none: a program
 * that was started by hand says so in the log, and takes its time. */
void a2f_helper_begin(int argc, const char *name, struct a2f_message *message,
                      struct a2f_request *request);

/* Sends the reply to standard output; returns the exit status. */
int a2f_helper_end(struct a2f_message *message, struct a2f_reply *reply);

#endif
