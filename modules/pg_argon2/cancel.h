/* SPDX-License-Identifier: MIT */
/*
 * How the server stops a hash. The core asks a2f_cancel_poll every few
 * milliseconds, on the backend's own thread, and must never be jumped over: so
 * what the server wants to raise waits until the core has unwound and wiped.
 */
#ifndef A2F_PG_CANCEL_H
#define A2F_PG_CANCEL_H

/* The state of one run of the core; all zero to begin with. */
struct a2f_cancel {
    bool raised; /* an error lies on the server's stack, not yet re-thrown */
};

/* In the shape of a2f_run's poll: ctx is a struct a2f_cancel. */
int a2f_cancel_poll(void *ctx);

/* After A2F_CANCELLED: raises what poll stopped for. */
_Noreturn void a2f_cancel_raise(const struct a2f_cancel *cancel);

#endif
