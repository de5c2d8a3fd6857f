/* SPDX-License-Identifier: MIT */
/*
 * argon2fast calibrate: params for this machine (RFC 9106 section 4): the most
 * memory, then the most passes, that a time allows. Hashes that run at the
 * same time share the memory, the threads and, past one a processor, the time.
 */
#include "cli.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct aim {
    uint32_t time_ms;    /* one hash among the others */
    uint32_t alone_ms;   /* the same hash alone, on its share of threads */
    uint32_t memory_kib; /* one hash */
    unsigned threads;    /* one hash */
    double slower;       /* time_ms / alone_ms, not less than 1 */
};

/* The progress line, and when it began. */
struct watch {
    struct cli_progress progress;
    uint64_t began;
};

static int poll_watch(void *ctx)
{
    struct watch *watch = ctx;
    cli_progress_show(&watch->progress, "measuring, %.1f s",
                      (double)(cli_clock() - watch->began) / 1e6);
    return cli_signal_caught();
}

static uint64_t quarter_of_memory_kib(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0)
        return 1048576;
    return (uint64_t)pages * ((uint64_t)page / 1024) / 4;
}

static struct aim read_aim(const struct cli_args *args)
{
    uint32_t hashes =
        args->text[CLI_CONCURRENT] ? args->number[CLI_CONCURRENT] : 1;
    uint64_t memory = args->text[CLI_TOTAL_MEMORY]
                          ? args->number[CLI_TOTAL_MEMORY]
                          : quarter_of_memory_kib();
    unsigned cores = cli_cores();
    unsigned threads =
        args->text[CLI_THREADS] ? args->number[CLI_THREADS] : cores;
    struct aim aim = {.time_ms = 500, .threads = threads, .slower = 1.0};
    if (args->text[CLI_TIME])
        aim.time_ms = args->number[CLI_TIME];
    /* 0 would ask for the engine's ceiling; 1 is refused as too little. */
    memory /= hashes;
    aim.memory_kib = memory > CLI_MEMORY_MAX ? CLI_MEMORY_MAX
                     : memory > 0            ? (uint32_t)memory
                                             : 1;
    if (threads > cores / hashes)
        aim.threads = cores > hashes ? cores / hashes : 1;
    if (hashes > cores)
        aim.slower = (double)hashes / cores;
    aim.alone_ms = (uint32_t)(aim.time_ms / aim.slower);
    if (aim.alone_ms == 0)
        aim.alone_ms = 1;
    return aim;
}

/* The best of three, or of as many as a second has: the one that was disturbed
 * least. */
static enum a2f_status measure(struct a2f_engine *engine,
                               const struct a2f_params *params,
                               const struct a2f_run *how, uint64_t *best_us)
{
    struct a2f_input input = {.password = {"a password", 10}};
    char text[A2F_TEXT_MAX];
    uint64_t spent = 0;
    *best_us = UINT64_MAX;
    for (int i = 0; i < 3 && spent < 1000000; i++) {
        uint64_t start = cli_clock();
        enum a2f_status s =
            a2f_hash(engine, params, &input, text, sizeof text, how);
        uint64_t took = cli_clock() - start;
        if (s != A2F_OK)
            return s;
        spent += took;
        if (took < *best_us)
            *best_us = took;
    }
    return A2F_OK;
}

/* One row: on standard output as JSON or, for people, on standard error. */
static void print_candidate(struct cli_json *json, const char *name,
                            const struct a2f_params *params, uint64_t us)
{
    char text[128];
    if (a2f_params_write(params, text, sizeof text) != A2F_OK)
        return;
    if (!json) {
        fprintf(stderr, "  %-13s %-38s %9.1f ms\n", name, text,
                (double)us / 1e3);
        return;
    }
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "name", name);
    cli_json_text(json, "params", text);
    cli_json_number(json, "time_us", us);
    cli_json_close(json, '}');
}

/* The suggestion beside the presets that fit into its memory. */
static enum a2f_status compare(struct a2f_engine *engine,
                               const struct a2f_params *suggested,
                               const struct aim *aim, struct a2f_run *how,
                               struct cli_json *json)
{
    static const char *const names[] = {"suggested", "owasp", "rfc9106",
                                        "rfc9106-high"};
    struct watch *watch = how->poll_ctx;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct a2f_params params = *suggested;
        struct a2f_span name = {names[i], strlen(names[i])};
        enum a2f_status s =
            i > 0 ? a2f_params_read(name, &params, how->why) : A2F_OK;
        if (s != A2F_OK)
            return s;
        if (i > 0 && params.memory_kib > aim->memory_kib)
            continue;
        uint64_t us;
        s = measure(engine, &params, how, &us);
        cli_progress_end(&watch->progress);
        if (s != A2F_OK)
            return s;
        print_candidate(json, names[i], &params,
                        (uint64_t)((double)us * aim->slower));
    }
    return A2F_OK;
}

static enum a2f_status print_suggestion(const struct cli_args *args,
                                        struct a2f_engine *engine,
                                        const struct a2f_params *params,
                                        const struct aim *aim,
                                        struct a2f_run *how)
{
    char text[128];
    enum a2f_status s = a2f_params_write(params, text, sizeof text);
    if (s != A2F_OK)
        return s;
    if (!args->text[CLI_JSON]) {
        if (isatty(STDERR_FILENO))
            s = compare(engine, params, aim, how, NULL);
        if (s == A2F_OK)
            puts(text);
        return s;
    }
    struct cli_json json = {0};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "params", text);
    cli_json_params(&json, params);
    cli_json_number(&json, "threads", aim->threads);
    cli_json_open(&json, "candidates", '[');
    s = compare(engine, params, aim, how, &json);
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
    putchar('\n');
    return s;
}

static int run(const struct cli_args *args)
{
    struct a2f_params params;
    int status = cli_cost_read(args, &params);
    if (status != CLI_YES)
        return status;
    struct aim aim = read_aim(args);
    params.memory_kib = aim.memory_kib; /* enough for the lanes? */
    status = cli_cost_check(&params);
    if (status != CLI_YES)
        return status;
    struct a2f_engine *engine;
    status = cli_engine_new(args, NULL, false, &engine);
    if (status != CLI_YES)
        return status;
    struct watch watch = {.began = cli_clock()};
    struct a2f_why why = {0};
    struct a2f_run how = {.threads = aim.threads,
                          .poll = poll_watch,
                          .poll_ctx = &watch,
                          .why = &why};
    enum a2f_status s =
        a2f_calibrate(engine, aim.alone_ms, aim.memory_kib, &params, &how);
    cli_progress_end(&watch.progress);
    if (s == A2F_OK)
        s = print_suggestion(args, engine, &params, &aim, &how);
    cli_progress_end(&watch.progress);
    a2f_free(engine);
    return cli_failed(s, &why);
}

const struct cli_command cli_calibrate = {
    .name = "calibrate",
    .summary = "suggest a cost for this machine",
    .operands = "",
    .about =
        "Measures this machine and prints params, for --params, that make a\n"
        "hash take about --time with the most memory, then the most passes. "
        "On\n"
        "a terminal it also shows how long these and the presets take.\n"
        "\n"
        "With --concurrent N, N hashes run at the same time: each has its\n"
        "share of the memory and of the processors, and of the time when "
        "there\n"
        "are more hashes than processors.\n",
    .options = CLI_BIT(CLI_TIME) | CLI_BIT(CLI_TOTAL_MEMORY) |
               CLI_BIT(CLI_CONCURRENT) | CLI_BIT(CLI_LANES) |
               CLI_BIT(CLI_TYPE) | CLI_BIT(CLI_THREADS) | CLI_BIT(CLI_JSON),
    .run = run,
};
