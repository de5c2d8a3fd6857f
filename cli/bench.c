/* SPDX-License-Identifier: MIT */
/*
 * argon2fast bench: how long a hash takes here, and how many a second there
 * are, by the kernel in use or by each: in memory new from the system, as for
 * a single login, in memory that is kept, and many at a time.
 */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of each figure: hashes in half a second, but at least 3. */
enum { SPAN_US = 500000, LEAST = 3, MOST = 1000 };

/* Times of one hash, in microseconds. */
struct speed {
    uint64_t cold, warm, batch;
};

static const struct a2f_input input = {.password = {"a password", 10}};

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Calls work over and over, and takes the median. */
static enum a2f_status repeat(enum a2f_status (*work)(void *ctx), void *ctx,
                              uint64_t *median)
{
    uint64_t times[MOST], spent = 0;
    unsigned n = 0;
    while (n < LEAST || (n < MOST && spent < SPAN_US)) {
        uint64_t start = cli_clock();
        enum a2f_status s = work(ctx);
        if (s != A2F_OK)
            return s;
        times[n] = cli_clock() - start;
        spent += times[n++];
    }
    qsort(times, n, sizeof *times, compare);
    *median = times[n / 2];
    return A2F_OK;
}

/* What is repeated. */
struct work {
    struct a2f_engine *engine;
    const struct a2f_params *params;
    const struct a2f_run *how;
    struct a2f_job *jobs; /* for a batch */
    size_t n;
};

static enum a2f_status hash_one(void *ctx)
{
    const struct work *w = ctx;
    char text[A2F_TEXT_MAX];
    return a2f_hash(w->engine, w->params, &input, text, sizeof text, w->how);
}

static enum a2f_status hash_many(void *ctx)
{
    const struct work *w = ctx;
    enum a2f_status s = a2f_batch(w->engine, w->jobs, w->n, w->how);
    for (size_t i = 0; i < w->n && s == A2F_OK; i++) {
        s = w->jobs[i].status;
        *w->how->why = w->jobs[i].why;
    }
    return s;
}

/* Enough jobs for every thread to have some side by side. */
static enum a2f_status measure_batch(struct work *w, unsigned threads,
                                     uint64_t *us)
{
    w->n = 8 * (size_t)threads;
    w->jobs = calloc(w->n, sizeof *w->jobs);
    char *texts = malloc(w->n * A2F_TEXT_MAX);
    enum a2f_status s = w->jobs && texts ? A2F_OK : A2F_NO_MEMORY;
    for (size_t i = 0; i < w->n && s == A2F_OK; i++)
        w->jobs[i] = (struct a2f_job){.params = w->params,
                                      .input = input,
                                      .text = texts + i * A2F_TEXT_MAX,
                                      .size = A2F_TEXT_MAX};
    if (s == A2F_OK)
        s = repeat(hash_many, w, us);
    *us /= w->n;
    free(texts);
    free(w->jobs);
    return s;
}

/* One kernel, the one that args name. */
static int measure(const struct cli_args *args, const struct a2f_params *params,
                   unsigned threads, struct speed *speed)
{
    struct a2f_why why = {0};
    struct a2f_run how = {.poll = cli_poll, .why = &why};
    struct work w = {.params = params, .how = &how};
    int status = cli_engine_new(args, NULL, false, &w.engine);
    if (status != CLI_YES)
        return status;
    *speed = (struct speed){0};
    enum a2f_status s = repeat(hash_one, &w, &speed->cold);
    a2f_free(w.engine);
    if (s != A2F_OK)
        return cli_failed(s, &why);

    status = cli_engine_new(args, NULL, true, &w.engine);
    if (status != CLI_YES)
        return status;
    s = hash_one(&w); /* so that there is memory to be kept */
    if (s == A2F_OK)
        s = repeat(hash_one, &w, &speed->warm);
    if (s == A2F_OK)
        s = measure_batch(&w, threads, &speed->batch);
    a2f_free(w.engine);
    return cli_failed(s, &why);
}

/* Hashes a second, of a time that may be too short for the clock. */
static double rate(uint64_t us)
{
    return 1e6 / (double)(us > 0 ? us : 1);
}

static void print_head(struct cli_json *json, const struct a2f_params *params,
                       unsigned threads)
{
    char text[128];
    if (a2f_params_write(params, text, sizeof text) != A2F_OK)
        return;
    if (!json) {
        printf("%s, %u thread%s\n"
               "            new memory   kept memory   one by one     in a "
               "batch\n"
               "kernel       ms a hash     ms a hash     a second      a "
               "second\n",
               text, threads, threads > 1 ? "s" : "");
        return;
    }
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "params", text);
    cli_json_params(json, params);
    cli_json_number(json, "threads", threads);
    cli_json_open(json, "kernels", '[');
}

static void print_speed(struct cli_json *json, const char *kernel,
                        const struct speed *speed)
{
    if (!json) {
        printf("%-10s %11.2f %13.2f %12.1f %13.1f\n", kernel,
               (double)speed->cold / 1e3, (double)speed->warm / 1e3,
               rate(speed->warm), rate(speed->batch));
        fflush(stdout);
        return;
    }
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "kernel", kernel);
    cli_json_number(json, "cold_us", speed->cold);
    cli_json_number(json, "warm_us", speed->warm);
    cli_json_number(json, "batch_us", speed->batch);
    cli_json_close(json, '}');
}

static bool kernel_known(const char *name)
{
    const char *known;
    for (size_t i = 0; (known = a2f_kernel_name(NULL, i)) != NULL; i++)
        if (strcmp(known, name) == 0)
            return true;
    return false;
}

/* Every usable kernel, fastest first; the named one; or the first. */
static int run_kernels(const struct cli_args *args,
                       const struct a2f_params *params, unsigned threads,
                       struct cli_json *json)
{
    struct cli_progress progress = {0};
    int status = CLI_YES;
    const char *name;
    for (size_t i = 0; (name = a2f_kernel_name(NULL, i)) != NULL; i++) {
        struct cli_args one = *args;
        struct speed speed;
        if (args->text[CLI_KERNEL] && strcmp(args->text[CLI_KERNEL], name) != 0)
            continue;
        one.text[CLI_KERNEL] = name;
        cli_progress_show(&progress, "measuring %s", name);
        status = measure(&one, params, threads, &speed);
        cli_progress_end(&progress);
        if (status != CLI_YES)
            break;
        print_speed(json, name, &speed);
        if (!args->text[CLI_ALL])
            break;
    }
    return status;
}

static int run(const struct cli_args *args)
{
    struct a2f_params params;
    int status = cli_cost_read(args, &params);
    if (status != CLI_YES)
        return status;
    if (args->text[CLI_KERNEL] && !kernel_known(args->text[CLI_KERNEL]))
        return cli_error("--kernel: no such kernel here; bench --all shows "
                         "those there are");
    if (args->text[CLI_KERNEL] && args->text[CLI_ALL])
        return cli_error("--kernel and --all exclude each other");
    struct cli_json json = {0}, *to = args->text[CLI_JSON] ? &json : NULL;
    unsigned threads =
        args->text[CLI_THREADS] ? args->number[CLI_THREADS] : cli_cores();
    print_head(to, &params, threads);
    status = run_kernels(args, &params, threads, to);
    if (to) {
        cli_json_close(to, ']');
        cli_json_close(to, '}');
        putchar('\n');
    }
    return status;
}

const struct cli_command cli_bench = {
    .name = "bench",
    .summary = "measure how long a hash takes here",
    .operands = "",
    .about =
        "Hashes for some seconds and prints how long a hash takes in memory\n"
        "that is new from the system, as for a single login, and in memory\n"
        "that is kept between hashes; and how many hashes a second that is,\n"
        "one after another and many at a time, as with --batch.\n",
    .options = CLI_COST_OPTIONS | CLI_BIT(CLI_THREADS) | CLI_BIT(CLI_KERNEL) |
               CLI_BIT(CLI_ALL) | CLI_BIT(CLI_JSON),
    .run = run,
};
