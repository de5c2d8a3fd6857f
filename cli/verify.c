/* SPDX-License-Identifier: MIT */
/*
 * argon2fast verify: is this the password that was hashed?
 */
#include "cli.h"

#include <stdio.h>

static void print_match(const struct cli_args *args, bool match)
{
    if (!args->text[CLI_JSON]) {
        puts(match ? "ok" : "mismatch");
        return;
    }
    struct cli_json json = {0};
    cli_json_open(&json, NULL, '{');
    cli_json_bool(&json, "match", match);
    cli_json_close(&json, '}');
    putchar('\n');
}

/* Asks for the password only once it is clear that there is a hash. */
static int verify_one(const struct cli_args *args, struct a2f_span hash)
{
    struct a2f_params params;
    struct a2f_why why = {0};
    enum a2f_status s = a2f_parse(hash, &params, NULL, &why);
    if (s != A2F_OK)
        return cli_failed(s, &why);

    struct cli_secret password = {0};
    struct a2f_keys *keys = NULL;
    struct a2f_engine *engine = NULL;
    int status = cli_keys_read(args, &keys);
    if (status == CLI_YES)
        status = cli_engine_new(args, keys, false, &engine);
    if (status == CLI_YES)
        status = cli_password_read(false, &password);
    if (status != CLI_YES)
        goto out;

    struct a2f_run how = {.poll = cli_poll, .why = &why};
    struct a2f_input input = {.password = {password.data, password.len}};
    s = a2f_verify(engine, hash, &input, &how);
    status = cli_failed(s, &why);
    if (s == A2F_OK || s == A2F_MISMATCH)
        print_match(args, s == A2F_OK);

out:
    cli_secret_free(&password);
    a2f_free(engine);
    a2f_keys_free(keys);
    return status;
}

static int run(const struct cli_args *args)
{
    if (args->text[CLI_BATCH]) {
        if (args->operands || args->text[CLI_HASH_FILE])
            return cli_error("--batch takes its hashes from standard input");
        return cli_batch(args, NULL);
    }
    char room[A2F_TEXT_MAX];
    struct a2f_span hash = {0};
    int status = cli_hash_text(args, room, &hash);
    if (status == CLI_YES)
        status = verify_one(args, hash);
    a2f_wipe(room, sizeof room);
    return status;
}

const struct cli_command cli_verify = {
    .name = "verify",
    .summary = "check a password against a hash",
    .operands = "HASH",
    .about =
        "Checks a password against a PHC string, which the shell wants in\n"
        "single quotes. Prints ok and exits with 0, or mismatch and 1; exits\n"
        "with 2 when the hash is malformed or over the limits, its key is\n"
        "not in the --secret-file, memory is short, or anything else kept\n"
        "it from finding out.\n"
        "\n"
        "The password is asked for on the terminal, or is the one line that\n"
        "standard input holds. With --batch every line of standard input is a\n"
        "hash, a tab and a password, and one line is printed for each: ok,\n"
        "mismatch, or 'error: ' and a reason.\n",
    .options = CLI_BIT(CLI_HASH_FILE) | CLI_BIT(CLI_SECRET_FILE) |
               CLI_BIT(CLI_THREADS) | CLI_BIT(CLI_BATCH) | CLI_BIT(CLI_JSON),
    .run = run,
};
