/* SPDX-License-Identifier: MIT */
/*
 * argon2fast doctor: is everything in order on this machine? A table of
 * chapters, each in a file of its own.
 */
#include "doctor.h"
#include "cli.h"

#include <stdio.h>

static const struct chapter {
    const char *name;
    void (*tell)(void (*say)(void *, enum cli_finding, const char *), void *);
} chapters[] = {
    {"kernels", cli_doctor_kernels},
    {"memory", cli_doctor_memory},
    {"openssl", cli_doctor_openssl},
    {"pam", cli_doctor_pam},
};

static const char *const words[] = {
    [CLI_FINE] = "ok", [CLI_NOTE] = "note", [CLI_PROBLEM] = "problem"};

/* Where findings go, and what they add up to. */
struct diagnosis {
    const char *chapter;
    struct cli_json *json; /* NULL: lines of text */
    unsigned problems;
};

static void say(void *ctx, enum cli_finding finding, const char *text)
{
    struct diagnosis *d = ctx;
    if (finding == CLI_PROBLEM)
        d->problems++;
    if (d->json == NULL) {
        printf("%-8s%-8s %s\n", d->chapter, words[finding], text);
        return;
    }
    cli_json_open(d->json, NULL, '{');
    cli_json_text(d->json, "chapter", d->chapter);
    cli_json_text(d->json, "finding", words[finding]);
    cli_json_text(d->json, "text", text);
    cli_json_close(d->json, '}');
}

static int run(const struct cli_args *args)
{
    struct cli_json json = {0};
    struct diagnosis d = {.json = args->text[CLI_JSON] ? &json : NULL};
    if (d.json != NULL)
        cli_json_open(&json, NULL, '[');
    for (size_t i = 0; i < sizeof chapters / sizeof *chapters; i++) {
        d.chapter = chapters[i].name;
        chapters[i].tell(say, &d);
    }
    if (d.json != NULL) {
        cli_json_close(&json, ']');
        putchar('\n');
    }
    return d.problems == 0 ? CLI_YES : CLI_NO;
}

const struct cli_command cli_doctor = {
    .name = "doctor",
    .summary = "say whether everything is in order here",
    .operands = "",
    .about =
        "Looks at the CPU's kernels, at huge pages, memory and limits, at\n"
        "which provider of OpenSSL serves ARGON2ID here, and at helpers,\n"
        "configuration and memory budget of the PAM module; says what it\n"
        "finds, a line each: ok, note or problem. Exits with 0 when there is\n"
        "no problem, else with 1.\n",
    .options = CLI_BIT(CLI_JSON),
    .run = run,
};
