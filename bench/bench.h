/* SPDX-License-Identifier: MIT */
/*
 * What the files of the benchmark share. Everything is a race: contenders that
 * do the same work take turns, round by round, in one process, each round
 * beginning with another one, and their tags are compared every time. A
 * section is a file of its own and one row of the table in bench.c.
 */
#ifndef A2F_BENCH_H
#define A2F_BENCH_H

#include <stdio.h>

#include "argon2fast.h"

enum {
    BENCH_TAG = 32, /* bytes */
    BENCH_CONTENDERS = 24,
    BENCH_ROUNDS_MAX = 512,
    BENCH_KERNELS = 8,
    BENCH_PEERS = 16,
    BENCH_ROWS = 32
};

/* Always Argon2id, version 0x13, with a 16-byte salt. */
struct bench_cost {
    uint32_t memory_kib, passes, lanes;
};

/* ---- race.c ------------------------------------------------------------- */
struct bench_contender {
    char name[64];
    const char *kernel; /* NULL: not ours */
    unsigned threads;
    bool kept;       /* works in memory of an earlier run */
    bool untagged;   /* its work is not the others' work */
    double units;    /* of race->unit, in one run */
    unsigned versus; /* whom its ratio is to; 0: the first */
    /* One run. False: it cannot; it is left out of the rest, and said. */
    bool (*run)(const struct bench_contender *c, const struct bench_cost *cost,
                uint8_t tag[BENCH_TAG]);
    void *state; /* for run */
    bool failed;
    uint64_t ns[BENCH_ROUNDS_MAX]; /* of each round */
};

struct bench_race {
    const char *section, *mode; /* mode: "cold", "warm" */
    char row[48];               /* as params are written */
    const char *unit;           /* "hash", "block" */
    struct bench_cost cost;
    void (*renew)(void *renew_ctx); /* other memory, every few rounds */
    void *renew_ctx;
    unsigned n, rounds;
    struct bench_contender contenders[BENCH_CONTENDERS];
};

struct bench_options {
    double seconds;  /* of one race, unless that is too little for .. */
    unsigned rounds; /* .. so many rounds */
    bool quick;
    uint64_t memory_kib; /* that all contenders together may keep */
    const char *kernel;  /* only this one; NULL: all */
    unsigned rows_n;     /* 0: a section's own rows */
    struct bench_cost rows[BENCH_ROWS];
};

/* A race without contenders; they are added one by one. */
struct bench_race *bench_race_new(const char *section, const char *mode,
                                  const char *unit, struct bench_cost cost);
struct bench_contender *bench_race_add(struct bench_race *race,
                                       const char *name, void *state);
/* Runs and prints it. False: tags differ (reported). */
bool bench_race_run(struct bench_race *race,
                    const struct bench_options *options);

/* Median time of one unit, in ns; 0: it failed. */
double bench_median(const struct bench_race *race, unsigned contender);

/* ---- peer.c, peer_*.c --------------------------------------------------- */
struct bench_peer {
    char name[32];
    char tier[16]; /* the kernel that is its like; "": none */
    bool one_lane; /* it can do no more */
    bool keeps;    /* it can work in kept memory */
    bool threads;  /* it can use several */
    void *call;    /* the function it is used by */
    bool (*derive)(const struct bench_contender *c,
                   const struct bench_cost *cost, uint8_t tag[BENCH_TAG]);
};

/* What the machine has of the peers, and what was asked for by path. */
struct bench_peers {
    unsigned n;
    struct bench_peer peer[BENCH_PEERS];
};

/* Each adds a peer or says why it is left out (false). path NULL: the system's;
 * it has to be the first libargon2, or a later one would be taken for it. */
bool bench_peer_libargon2(struct bench_peers *peers, const char *name,
                          const char *path, const char *tier);
void bench_peer_sodium(struct bench_peers *peers);
void bench_peer_openssl(struct bench_peers *peers);

/* The first of these libraries that can be loaded; NULL ends the list. */
void *bench_library(const char *const *names);
struct bench_peer *bench_peer_add(struct bench_peers *peers, const char *name);
/* As a contender, with at most so many threads. */
struct bench_contender *bench_peer_enter(struct bench_race *race,
                                         const struct bench_peer *peer,
                                         unsigned threads, bool kept);
void bench_peer_lacks(const char *name, const char *why);

/* Memory for kept peers, shared by all: at least so many bytes on huge pages,
 * present. NULL: none. bench_memory_renew takes other pages. */
void *bench_memory(size_t bytes);
void bench_memory_renew(void *ctx);

/* What everybody hashes. */
extern const char bench_password[10], bench_salt[16];

/* ---- ours.c ------------------------------------------------------------- */
/* Our engines: one for each kernel, fastest first. */
struct bench_ours {
    bool kept;
    unsigned threads, n;
    const char *kernel[BENCH_KERNELS];
    struct a2f_engine *engine[BENCH_KERNELS];
};

/* Engines of as many kernels as the options and the memory allow, at least
 * one, if they are to keep what a hash of `cost` needs. */
bool bench_ours_open(struct bench_ours *ours,
                     const struct bench_options *options, bool kept,
                     unsigned threads, const struct bench_cost *cost);
void bench_ours_close(struct bench_ours *ours);
/* Other memory, for race->renew. */
void bench_ours_renew(void *ours);
/* Adds an engine's whole hash. */
struct bench_contender *bench_ours_add(struct bench_race *race,
                                       struct bench_ours *ours, unsigned i,
                                       unsigned threads);
/* The params and the input of a cost; a hash of it. */
struct a2f_params bench_params(const struct bench_cost *cost);
struct a2f_input bench_input(void);
bool bench_derive(struct a2f_engine *engine, const struct bench_cost *cost,
                  unsigned threads, uint8_t tag[BENCH_TAG]);

unsigned bench_cores(void);

/* ---- the sections ------------------------------------------------------- */
/* Each runs its races. False: tags differ. */
bool bench_grid(const struct bench_options *options,
                const struct bench_peers *peers);
bool bench_cache(const struct bench_options *options,
                 const struct bench_peers *peers);
bool bench_roofline(const struct bench_options *options,
                    const struct bench_peers *peers);
bool bench_lockstep(const struct bench_options *options,
                    const struct bench_peers *peers);
bool bench_population(const struct bench_options *options,
                      const struct bench_peers *peers);
bool bench_side_by_side(const struct bench_options *options,
                        const struct bench_peers *peers);
bool bench_context(const struct bench_options *options,
                   const struct bench_peers *peers);

/* A section's rows: those that were asked for, or all of rows[n], or of these
 * the small ones when it has to be quick. Returns how many. */
unsigned bench_rows(const struct bench_options *options,
                    const struct bench_cost *rows, unsigned n,
                    struct bench_cost out[BENCH_ROWS]);

/* ---- report.c ----------------------------------------------------------- */
/* The JSON file, if any, and what it says of the machine. */
bool bench_report_open(const char *path);
bool bench_report_close(void);
void bench_report_race(const struct bench_race *race);
void bench_print_race(const struct bench_race *race);

#endif
