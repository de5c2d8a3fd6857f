/* SPDX-License-Identifier: MIT */
/*
 * argon2fast hash: a password to a PHC string, under a fresh random salt.
 */
#include "cli.h"

#include <stdio.h>

static void print_hash(const struct cli_args *args, const char *text,
                       const struct a2f_params *params)
{
    if (!args->text[CLI_JSON]) {
        puts(text);
        return;
    }
    struct cli_json json = {0};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "hash", text);
    cli_json_params(&json, params);
    cli_json_close(&json, '}');
    putchar('\n');
}

static int run(const struct cli_args *args)
{
    struct a2f_params params;
    int status = cli_cost_read(args, &params);
    if (status != CLI_YES)
        return status;
    if (args->text[CLI_BATCH])
        return cli_batch(args, &params);

    struct cli_secret password = {0};
    char text[A2F_TEXT_MAX];
    struct a2f_keys *keys = NULL;
    struct a2f_engine *engine = NULL;
    status = cli_keys_read(args, &keys);
    if (status == CLI_YES)
        status = cli_engine_new(args, keys, false, &engine);
    if (status == CLI_YES)
        status = cli_password_read(true, &password);
    if (status != CLI_YES)
        goto out;

    struct a2f_why why = {0};
    struct a2f_run how = {.poll = cli_poll, .why = &why};
    struct a2f_input input = {.password = {password.data, password.len}};
    enum a2f_status s =
        a2f_hash(engine, &params, &input, text, sizeof text, &how);
    status = cli_failed(s, &why);
    if (s == A2F_OK)
        print_hash(args, text, &params);
    a2f_wipe(text, sizeof text);

out:
    cli_secret_free(&password);
    a2f_free(engine);
    a2f_keys_free(keys);
    return status;
}

const struct cli_command cli_hash = {
    .name = "hash",
    .summary = "hash a password",
    .operands = "",
    .about =
        "Hashes a password and prints a PHC string ($argon2id$...).\n"
        "\n"
        "The password is asked for twice on the terminal, or is the one line\n"
        "that standard input holds. With --batch every line of standard input\n"
        "is a password, and one line is printed for each: a PHC string, or\n"
        "'error: ' and a reason.\n",
    .options = CLI_COST_OPTIONS | CLI_BIT(CLI_SECRET_FILE) |
               CLI_BIT(CLI_THREADS) | CLI_BIT(CLI_BATCH) | CLI_BIT(CLI_JSON),
    .run = run,
};
