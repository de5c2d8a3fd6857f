/* SPDX-License-Identifier: MIT */
/*
 * argon2fast, the command: the table of commands, and what holds for all of
 * them: no core dumps, orderly ends, help, and output that is not lost.
 */
#include "cli.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

static const struct cli_command *const commands[] = {
    &cli_hash,      &cli_verify, &cli_info,   &cli_needs_rehash, &cli_common,
    &cli_calibrate, &cli_bench,  &cli_doctor, &cli_shadow,       NULL,
};

static void print_usage(FILE *to)
{
    fputs("Usage: argon2fast COMMAND [OPTION]...\n"
          "Argon2 password hashing (RFC 9106).\n"
          "\nCommands:\n",
          to);
    for (const struct cli_command *const *c = commands; *c; c++)
        fprintf(to, "  %-14s%s\n", (*c)->name, (*c)->summary);
    fputs("\n  argon2fast COMMAND --help   what the command does\n"
          "  argon2fast --version        the version\n"
          "\nPasswords are read from the terminal or standard input, never"
          " from the\ncommand line.\n",
          to);
}

static void print_help(const struct cli_command *command)
{
    printf("Usage: argon2fast %s [OPTION]...%s%s\n\n%s\nOptions:\n",
           command->name, *command->operands ? " " : "", command->operands,
           command->about);
    cli_options_print(command);
}

static const struct cli_command *find_command(const char *name)
{
    for (const struct cli_command *const *c = commands; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

/* Passwords will be in this memory: no core file, no debugger of the same
 * user. Neither is worth failing for. */
static void hide_memory(void)
{
    struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

static int run_command(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return CLI_ERROR;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_usage(stdout);
        return CLI_YES;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("argon2fast " A2F_VERSION);
        return CLI_YES;
    }
    const struct cli_command *command = find_command(argv[1]);
    if (!command)
        return cli_error("no such command; argon2fast --help lists them");
    struct cli_args args;
    if (!cli_args_read(command, argc - 1, argv + 1, &args))
        return CLI_ERROR;
    if (args.text[CLI_HELP]) {
        print_help(command);
        return CLI_YES;
    }
    return command->run(&args);
}

int main(int argc, char **argv)
{
    hide_memory();
    signal(SIGPIPE, SIG_IGN); /* a write error is reported, by cli_flush */
    cli_signals_catch();
    int status = run_command(argc, argv);
    int caught = cli_signal_caught();
    if (caught)
        return 128 + caught;
    return cli_flush() == CLI_YES ? status : CLI_ERROR;
}
