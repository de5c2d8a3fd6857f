/* SPDX-License-Identifier: MIT */
/*
 * --batch: standard input line by line, a result a line, in order. Lines are
 * taken in chunks, for a2f_batch runs jobs of equal cost side by side; a chunk
 * is what has arrived, so that somebody who writes one line and waits is
 * answered, and is sized to take about a second, so that results flow.
 */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CHUNK_MAX = 1024,
    LINE_ROOM = A2F_TEXT_MAX + 1 + CLI_PASSWORD_MAX + 2, /* and "\r\n" */
};

struct batch {
    const struct cli_args *args;
    const struct a2f_params *params; /* NULL: verify */
    struct a2f_keys *keys;
    struct a2f_engine *engine;
    struct cli_lines lines;
    struct a2f_job *jobs; /* CHUNK_MAX, as are the next two */
    const char **refused; /* of a line: why there is no job for it, or NULL */
    char (*texts)[A2F_TEXT_MAX]; /* hash: one for each job */
    size_t chunk, chunk_min;     /* lines to take at once */
    uint64_t done, began;
    struct cli_progress progress;
    int status; /* the worst so far */
};

static bool open_batch(struct batch *batch)
{
    batch->jobs = calloc(CHUNK_MAX, sizeof *batch->jobs);
    batch->refused = calloc(CHUNK_MAX, sizeof *batch->refused);
    batch->texts = batch->params ? calloc(CHUNK_MAX, sizeof *batch->texts) : 0;
    enum a2f_status s = cli_lines_open(&batch->lines, STDIN_FILENO, LINE_ROOM);
    /* Eight strands keep a thread busy; no fewer, unless no more arrived. */
    batch->chunk_min = 8 * (size_t)cli_cores();
    if (batch->chunk_min > CHUNK_MAX)
        batch->chunk_min = CHUNK_MAX;
    batch->chunk = batch->chunk_min;
    batch->began = cli_clock();
    return s == A2F_OK && batch->jobs && batch->refused &&
           (batch->texts || !batch->params);
}

static void close_batch(struct batch *batch)
{
    cli_lines_free(&batch->lines);
    free(batch->jobs);
    free(batch->refused);
    free(batch->texts);
    a2f_free(batch->engine);
    a2f_keys_free(batch->keys);
}

/* Makes the line into a job, or says why that cannot be. */
static const char *make_job(const struct batch *batch,
                            const struct cli_line *line, size_t at)
{
    struct a2f_job *job = &batch->jobs[at];
    *job = (struct a2f_job){.params = batch->params};
    if (line->too_long)
        return "the line is too long";
    if (batch->params) {
        job->input.password = (struct a2f_span){line->data, line->len};
        job->text = batch->texts[at];
        job->size = sizeof batch->texts[at];
        return NULL;
    }
    const char *tab = memchr(line->data, '\t', line->len);
    if (!tab)
        return "the line has no tab between hash and password";
    size_t len = (size_t)(tab - line->data);
    job->hash = (struct a2f_span){line->data, len};
    job->input.password = (struct a2f_span){tab + 1, line->len - len - 1};
    return NULL;
}

/* Takes up to a chunk of the lines that are here. Returns how many; *jobs of
 * them became jobs. */
static size_t take_lines(const struct batch *batch, struct cli_lines *lines,
                         size_t *jobs, enum cli_lines_state *state)
{
    size_t n = 0;
    struct cli_line line;
    *jobs = 0;
    *state = CLI_LINE;
    while (n < batch->chunk &&
           (*state = cli_lines_next(lines, &line)) == CLI_LINE) {
        batch->refused[n] = make_job(batch, &line, *jobs);
        if (!batch->refused[n++])
            ++*jobs;
    }
    return n;
}

static void print_error(struct batch *batch, const char *text)
{
    if (batch->args->text[CLI_JSON]) {
        struct cli_json json = {0};
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "error", text);
        cli_json_close(&json, '}');
        putchar('\n');
    } else {
        printf("error: %s\n", text);
    }
    batch->status = CLI_ERROR;
}

static void print_job(struct batch *batch, const struct a2f_job *job)
{
    bool match = job->status == A2F_OK;
    if (!match && (batch->params || job->status != A2F_MISMATCH)) {
        char text[256];
        a2f_explain(job->status, &job->why, text, sizeof text);
        print_error(batch, text);
        return;
    }
    if (batch->args->text[CLI_JSON]) {
        struct cli_json json = {0};
        cli_json_open(&json, NULL, '{');
        if (batch->params)
            cli_json_text(&json, "hash", job->text);
        else
            cli_json_bool(&json, "match", match);
        cli_json_close(&json, '}');
        putchar('\n');
    } else {
        puts(batch->params ? job->text : match ? "ok" : "mismatch");
    }
    if (!match && batch->status == CLI_YES)
        batch->status = CLI_NO;
}

/* In order, as far as the work was done. */
static void print_results(struct batch *batch, size_t lines)
{
    const struct a2f_job *job = batch->jobs;
    for (size_t i = 0; i < lines; i++) {
        if (batch->refused[i])
            print_error(batch, batch->refused[i]);
        else if (job->status == A2F_CANCELLED)
            return;
        else
            print_job(batch, job++);
        batch->done++;
    }
}

/* Half as many lines next time if this took long, twice as many if it was
 * soon over. */
static void size_chunk(struct batch *batch, size_t lines, uint64_t took_us)
{
    if (took_us > 2000000 && batch->chunk / 2 >= batch->chunk_min)
        batch->chunk /= 2;
    else if (took_us < 500000 && lines == batch->chunk &&
             batch->chunk * 2 <= CHUNK_MAX)
        batch->chunk *= 2;
}

static int run_chunk(struct batch *batch, size_t lines, size_t jobs)
{
    uint64_t start = cli_clock();
    struct a2f_run how = {.poll = cli_poll};
    enum a2f_status s = a2f_batch(batch->engine, batch->jobs, jobs, &how);
    cli_progress_end(&batch->progress);
    print_results(batch, lines);
    if (batch->texts)
        a2f_wipe(batch->texts, jobs * sizeof *batch->texts);
    int status = cli_flush();
    if (status == CLI_YES && s != A2F_OK)
        status = cli_failed(s, &(struct a2f_why){0});
    uint64_t now = cli_clock();
    size_chunk(batch, lines, now - start);
    double seconds = (double)(now - batch->began + 1) / 1e6;
    cli_progress_show(&batch->progress, "%llu done, %.1f/s",
                      (unsigned long long)batch->done,
                      (double)batch->done / seconds);
    return status;
}

/* Returns CLI_YES at the end of the input, whatever the results were. */
static int run_lines(struct batch *batch)
{
    for (;;) {
        size_t jobs;
        enum cli_lines_state state;
        size_t n = take_lines(batch, &batch->lines, &jobs, &state);
        int status = n > 0 ? run_chunk(batch, n, jobs) : CLI_YES;
        if (status != CLI_YES || state == CLI_LINES_END)
            return status;
        if (state != CLI_LINES_MORE || cli_lines_fill(&batch->lines))
            continue;
        if (cli_signal_caught())
            return 128 + cli_signal_caught();
        return cli_error("standard input: %s", strerror(errno));
    }
}

int cli_batch(const struct cli_args *args, const struct a2f_params *params)
{
    if (isatty(STDIN_FILENO))
        return cli_error("--batch reads standard input, which is a terminal "
                         "and would show the passwords");
    struct batch batch = {.args = args, .params = params};
    int status = cli_keys_read(args, &batch.keys);
    if (status == CLI_YES)
        status = cli_engine_new(args, batch.keys, true, &batch.engine);
    if (status == CLI_YES && !open_batch(&batch))
        status = cli_failed(A2F_NO_MEMORY, &(struct a2f_why){0});
    if (status == CLI_YES)
        status = run_lines(&batch);
    cli_progress_end(&batch.progress);
    close_batch(&batch);
    return status == CLI_YES ? batch.status : status;
}
