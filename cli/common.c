/* SPDX-License-Identifier: MIT */
/*
 * argon2fast common: is this one of the most common passwords? Nothing is
 * hashed; with --batch, lines are answered as they come.
 */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void print_answer(const struct cli_args *args, bool common)
{
    if (!args->text[CLI_JSON]) {
        puts(common ? "yes" : "no");
        return;
    }
    struct cli_json json = {0};
    cli_json_open(&json, NULL, '{');
    cli_json_bool(&json, "common", common);
    cli_json_close(&json, '}');
    putchar('\n');
}

static int run_one(const struct cli_args *args)
{
    struct cli_secret password = {0};
    int status = cli_password_read(false, &password);
    if (status == CLI_YES) {
        bool common =
            a2f_is_common((struct a2f_span){password.data, password.len});
        print_answer(args, common);
        status = common ? CLI_YES : CLI_NO;
    }
    cli_secret_free(&password);
    return status;
}

/* Answers the lines that are here; one that is too long is in no list. */
static enum cli_lines_state answer_lines(const struct cli_args *args,
                                         struct cli_lines *lines, bool *any)
{
    struct cli_line line;
    enum cli_lines_state state;
    while ((state = cli_lines_next(lines, &line)) == CLI_LINE) {
        bool common = !line.too_long &&
                      a2f_is_common((struct a2f_span){line.data, line.len});
        print_answer(args, common);
        *any = *any || common;
    }
    return state;
}

static int run_batch(const struct cli_args *args)
{
    struct cli_lines lines;
    bool any = false;
    int status = CLI_YES;
    if (isatty(STDIN_FILENO))
        return cli_error("--batch reads standard input, which is a terminal "
                         "and would show the passwords");
    enum a2f_status s =
        cli_lines_open(&lines, STDIN_FILENO, CLI_PASSWORD_MAX + 2);
    if (s != A2F_OK)
        return cli_failed(s, &(struct a2f_why){0});
    while (status == CLI_YES &&
           answer_lines(args, &lines, &any) != CLI_LINES_END) {
        status = cli_flush();
        if (status == CLI_YES && !cli_lines_fill(&lines))
            status = cli_signal_caught()
                         ? 128 + cli_signal_caught()
                         : cli_error("standard input: %s", strerror(errno));
    }
    cli_lines_free(&lines);
    return status != CLI_YES ? status : any ? CLI_YES : CLI_NO;
}

static int run(const struct cli_args *args)
{
    return args->text[CLI_BATCH] ? run_batch(args) : run_one(args);
}

const struct cli_command cli_common = {
    .name = "common",
    .summary = "say whether a password is one of the most common",
    .operands = "",
    .about =
        "Prints yes and exits with 0 when a password is one of the 10,000\n"
        "most common, in whichever case its ASCII letters are; prints no and\n"
        "exits with 1 when it is not. Yes is wrong for one other password in\n"
        "8,192, no never.\n"
        "\n"
        "The password is asked for on the terminal, or is the one line that\n"
        "standard input holds. With --batch every line of standard input is a\n"
        "password, one line is printed for each, and 0 says that at least one\n"
        "is common.\n",
    .options = CLI_BIT(CLI_BATCH) | CLI_BIT(CLI_JSON),
    .run = run,
};
