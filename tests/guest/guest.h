/* SPDX-License-Identifier: MIT */
/*
 * What a guest of somebody else's process owes it, asked of every adapter by
 * the same tests: forks, small stacks, limits, calls that fail, loading and
 * unloading. An adapter's driver says how its host is used, and no more.
 */
#ifndef GUEST_H
#define GUEST_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* What a host said to a password. */
enum guest_answer {
    GUEST_YES,
    GUEST_NO,
    GUEST_NO_MEMORY,
    GUEST_REFUSED, /* its other errors that are documented */
    GUEST_ODD      /* what it should never say */
};
/* A set of answers. */
#define SET(answer) (1U << (answer))

/* A password and its hash, made by libargon2. */
struct guest_case {
    int type; /* 0 d, 1 i, 2 id */
    uint32_t memory, passes, lanes;
    bool fresh; /* a host that makes hashes makes and verifies one of its own */
    uint8_t tag[32];
    char phc[160];
};
#define GUEST_PASSWORD "correct horse"
#define GUEST_SALT     "somesaltsomesalt"

/* Those that the tests need; what is behind them is for the soak. */
enum { SMALL, BIG, FRESH, BUSY, GUEST_CASES = 12 };
extern struct guest_case guest_cases[GUEST_CASES];

struct guest_host {
    const char *name;
    const char *module; /* how the path of the watched object ends */
    bool one_thread;    /* the host has one thread, and never unloads */
    bool helper;        /* hashes in another program */
    /* What a thread uses; loads the module if it must. NULL: refused. */
    void *(*open)(void);
    void (*close)(void *session);
    enum guest_answer (*ask)(void *session, const struct guest_case *c,
                             const char *password);
};

/* A driver's main: "soak" is load for SOAK_SECONDS, anything else, or NULL, all
 * tests. Prints TAP. */
int guest_main(const struct guest_host *host, const char *what);

/* ---- for the tests ---- */

/* That the right password is right. */
bool guest_right(const struct guest_host *host, void *session);
/* Runs in a child of fork; true when it ended with what() returning true. */
bool guest_child(bool (*what)(const struct guest_host *host, void *session),
                 const struct guest_host *host, void *session);
/* The full number, or the part of it that the environment's GUEST_PERCENT
 * asks for. */
unsigned guest_times(unsigned full);
double guest_now(void);

void guest_test_forks(const struct guest_host *host);
void guest_test_limits(const struct guest_host *host);
void guest_test_failures(const struct guest_host *host);
void guest_test_reload(const struct guest_host *host);
void guest_soak(const struct guest_host *host);

#endif
