/* SPDX-License-Identifier: MIT */
/*
 * Starts a helper and talks to it, from inside any host: threaded, with signal
 * handlers, reaping or ignoring its children, short of descriptors.
 */
#ifndef A2F_PAM_LAUNCH_H
#define A2F_PAM_LAUNCH_H

#include "request.h"

/* False: there is no reply, and problem (a phrase for the log) says why. hide:
 * a host with one thread is not to get the SIGCHLD of the helper. */
bool a2f_launch(const char *helper, const struct a2f_request *request,
                bool hide, struct a2f_reply *reply, char *problem, size_t size);

#endif
