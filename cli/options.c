/* SPDX-License-Identifier: MIT */
/*
 * Every option of every command: one table serves parsing and help. Messages
 * name options but never repeat values, which may be secrets put in the wrong
 * place.
 */
#include "cli.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct option_row {
    const char *name;
    char letter;         /* 0: none */
    const char *value;   /* what help calls its value; NULL: it takes none */
    uint32_t least, max; /* of a number; max 0: a text */
    const char *help;
};

static const struct option_row rows[CLI_OPTIONS] = {
    [CLI_MEMORY] = {"memory", 'm', "KIB", 0, UINT32_MAX,
                    "memory of one hash, in KiB"},
    [CLI_PASSES] = {"passes", 't', "N", 0, UINT32_MAX, "passes over it"},
    [CLI_LANES] = {"lanes", 'p', "N", 0, UINT32_MAX, "lanes"},
    [CLI_TYPE] = {"type", 0, "TYPE", 0, 0, "id (default), i or d"},
    [CLI_PARAMS] = {"params", 0, "PARAMS", 0, 0,
                    "default, rfc9106, rfc9106-high, owasp or\n"
                    "m=..,t=..,p=..[,type=..,v=..,saltlen=..,len=..];\n"
                    "the options above take precedence"},
    [CLI_TIME] = {"time", 0, "MS", 1, UINT32_MAX,
                  "how long one hash may take (default 500)"},
    [CLI_TOTAL_MEMORY] = {"memory", 'm', "KIB", 1, UINT32_MAX,
                          "memory for all hashes together (default: a\n"
                          "quarter of the machine's)"},
    [CLI_CONCURRENT] = {"concurrent", 0, "N", 1, 65536,
                        "hashes at the same time (default 1)"},
    [CLI_HASH_FILE] = {"hash-file", 0, "FILE", 0, 0,
                       "take the hash from a file, out of sight of ps"},
    [CLI_SECRET_FILE] = {"secret-file", 0, "FILE", 0, 0,
                         "pepper keys: the current one for new hashes,\n"
                         "and those that hashes name"},
    [CLI_THREADS] = {"threads", 0, "N", 1, CLI_THREADS_MAX,
                     "threads to use (default: one a processor)"},
    [CLI_KERNEL] = {"kernel", 0, "NAME", 0, 0,
                    "this kernel (default: the fastest)"},
    [CLI_ALL] = {"all", 0, NULL, 0, 0, "every kernel that this CPU can run"},
    [CLI_BATCH] = {"batch", 0, NULL, 0, 0, "many: one a line, in order"},
    [CLI_JSON] = {"json", 0, NULL, 0, 0, "print JSON"},
    [CLI_HELP] = {"help", 'h', NULL, 0, 0, "print this"},
};

static bool takes(const struct cli_command *command, int id)
{
    return id == CLI_HELP || (command->options & CLI_BIT(id)) != 0;
}

void cli_options_print(const struct cli_command *command)
{
    for (int id = 0; id < CLI_OPTIONS; id++) {
        const struct option_row *row = &rows[id];
        if (!takes(command, id))
            continue;
        char left[32];
        snprintf(left, sizeof left, "--%s%s%s", row->name,
                 row->value ? " " : "", row->value ? row->value : "");
        if (row->letter)
            printf("  -%c, %-19s", row->letter, left);
        else
            printf("      %-19s", left);
        for (const char *line = row->help; line;) {
            const char *end = strchr(line, '\n');
            int len = (int)(end ? end - line : (long)strlen(line));
            printf("%.*s\n%*s", len, line, end ? 25 : 0, "");
            line = end ? end + 1 : NULL;
        }
    }
}

/* The command's rows as getopt_long wants them; val is 256 + id. */
static void make_tables(const struct cli_command *command,
                        struct option longs[CLI_OPTIONS + 1],
                        char shorts[2 + 2 * CLI_OPTIONS])
{
    char *s = shorts;
    *s++ = ':'; /* report a missing value as ':' */
    for (int id = 0; id < CLI_OPTIONS; id++) {
        const struct option_row *row = &rows[id];
        if (!takes(command, id))
            continue;
        *longs++ =
            (struct option){row->name, row->value ? 1 : 0, NULL, 256 + id};
        if (row->letter) {
            *s++ = row->letter;
            if (row->value)
                *s++ = ':';
        }
    }
    *longs = (struct option){NULL, 0, NULL, 0};
    *s = '\0';
}

static int find_letter(const struct cli_command *command, int letter)
{
    for (int id = 0; id < CLI_OPTIONS; id++)
        if (takes(command, id) && rows[id].letter == letter)
            return id;
    return -1;
}

/* Decimal digits only, least to max. */
static bool read_number(const struct option_row *row, const char *text,
                        uint32_t *number)
{
    uint64_t n = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9' && n <= row->max; c++)
        n = 10 * n + (uint64_t)(*c - '0');
    if (c == text || *c || n < row->least || n > row->max) {
        cli_error("--%s takes a number, %u to %u", row->name, row->least,
                  row->max);
        return false;
    }
    *number = (uint32_t)n;
    return true;
}

/* getopt_long met something it does not know, or that lacks its value. optopt
 * is a letter, or 256 + id of a known long option, or 0: an unknown one. */
static void report_unknown(const char *command, int got, const char *word)
{
    const char *what = got == ':'      ? "needs a value"
                       : optopt >= 256 ? "takes no value"
                                       : "is not known here";
    const char letter[] = {'-', (char)optopt, '\0'};
    if (optopt > 0 && optopt < 256)
        word = letter;
    cli_error("option %.*s %s; see argon2fast %s --help",
              (int)strcspn(word, "="), word, what, command);
}

bool cli_args_read(const struct cli_command *command, int argc, char **argv,
                   struct cli_args *args)
{
    *args = (struct cli_args){0};
    struct option longs[CLI_OPTIONS + 1];
    char shorts[2 + 2 * CLI_OPTIONS];
    make_tables(command, longs, shorts);
    opterr = 0;
    for (int got; (got = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
        int id = got >= 256 ? got - 256 : find_letter(command, got);
        if (got == '?' || got == ':' || id < 0) {
            report_unknown(command->name, got, argv[optind - 1]);
            return false;
        }
        args->text[id] = optarg ? optarg : "";
        if (rows[id].max &&
            !read_number(&rows[id], args->text[id], &args->number[id]))
            return false;
    }
    args->operands = argc - optind;
    args->operand = argv + optind;
    if (args->operands > 0 && !*command->operands && !args->text[CLI_HELP]) {
        cli_error("%s takes no operand; passwords are never read from the "
                  "command line",
                  command->name);
        return false;
    }
    return true;
}

static const char *const type_names[] = {
    [A2F_D] = "d", [A2F_I] = "i", [A2F_ID] = "id"};

const char *cli_type_name(enum a2f_type type)
{
    return type_names[type];
}

static bool read_type(const char *name, enum a2f_type *type)
{
    for (int i = A2F_D; i <= A2F_ID; i++) {
        if (strcmp(name, type_names[i]) == 0) {
            *type = (enum a2f_type)i;
            return true;
        }
    }
    cli_error("--type takes id, i or d");
    return false;
}

int cli_cost_check(const struct a2f_params *params)
{
    char room[A2F_TEXT_MAX];
    struct a2f_why why = {0};
    enum a2f_status s = a2f_dummy(params, room, sizeof room, &why);
    a2f_wipe(room, sizeof room);
    return s == A2F_OK ? CLI_YES : cli_failed(s, &why);
}

int cli_cost_read(const struct cli_args *args, struct a2f_params *params)
{
    const char *preset = args->text[CLI_PARAMS];
    struct a2f_span text = {preset, preset ? strlen(preset) : 0};
    struct a2f_why why = {0};
    enum a2f_status s = a2f_params_read(text, params, &why);
    if (s != A2F_OK)
        return cli_failed(s, &why);
    if (args->text[CLI_MEMORY])
        params->memory_kib = args->number[CLI_MEMORY];
    if (args->text[CLI_PASSES])
        params->passes = args->number[CLI_PASSES];
    if (args->text[CLI_LANES])
        params->lanes = args->number[CLI_LANES];
    if (args->text[CLI_TYPE] && !read_type(args->text[CLI_TYPE], &params->type))
        return CLI_ERROR;

    return cli_cost_check(params);
}
