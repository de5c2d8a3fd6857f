/* SPDX-License-Identifier: MIT */
/*
 * argon2fast info and needs-rehash: what a PHC string says about its cost.
 * Neither hashes anything, nor shows salt or tag.
 */
#include "cli.h"

#include <stdio.h>

static void print_info(const struct a2f_params *params, bool canonical,
                       const char *text)
{
    printf("type: argon2%s\n", cli_type_name(params->type));
    printf("version: %u (0x%x)\n", params->version, params->version);
    printf("memory: %u KiB\n", params->memory_kib);
    printf("passes: %u\n", params->passes);
    printf("lanes: %u\n", params->lanes);
    printf("salt length: %u bytes\n", params->salt_len);
    printf("tag length: %u bytes\n", params->tag_len);
    printf("canonical: %s\n", canonical ? "yes" : "no");
    printf("params: %s\n", text);
}

static void print_info_json(const struct a2f_params *params, bool canonical,
                            const char *text)
{
    struct cli_json json = {0};
    cli_json_open(&json, NULL, '{');
    cli_json_params(&json, params);
    cli_json_bool(&json, "canonical", canonical);
    cli_json_text(&json, "params", text);
    cli_json_close(&json, '}');
    putchar('\n');
}

static int run_info(const struct cli_args *args)
{
    char room[A2F_TEXT_MAX];
    struct a2f_span hash = {0};
    int status = cli_hash_text(args, room, &hash);
    if (status != CLI_YES)
        return status;
    struct a2f_params params;
    bool canonical = false;
    struct a2f_why why = {0};
    enum a2f_status s = a2f_parse(hash, &params, &canonical, &why);
    a2f_wipe(room, sizeof room);
    char text[128];
    if (s == A2F_OK)
        s = a2f_params_write(&params, text, sizeof text);
    if (s != A2F_OK)
        return cli_failed(s, &why);
    if (args->text[CLI_JSON])
        print_info_json(&params, canonical, text);
    else
        print_info(&params, canonical, text);
    return CLI_YES;
}

const struct cli_command cli_info = {
    .name = "info",
    .summary = "say what a hash consists of",
    .operands = "HASH",
    .about =
        "Prints type, version, cost and lengths of a PHC string (which the\n"
        "shell wants in single quotes), whether it is written the one\n"
        "canonical way, and the --params that give its like. Exits with 2\n"
        "when it is malformed.\n",
    .options = CLI_BIT(CLI_HASH_FILE) | CLI_BIT(CLI_JSON),
    .run = run_info,
};

static int run_needs_rehash(const struct cli_args *args)
{
    struct a2f_params params;
    int status = cli_cost_read(args, &params);
    if (status != CLI_YES)
        return status;
    struct a2f_keys *keys = NULL;
    char room[A2F_TEXT_MAX];
    struct a2f_span hash = {0};
    status = cli_hash_text(args, room, &hash);
    if (status == CLI_YES)
        status = cli_keys_read(args, &keys);
    if (status != CLI_YES)
        return status;
    bool needs = false;
    struct a2f_why why = {0};
    enum a2f_status s = a2f_needs_rehash(hash, &params, keys, &needs, &why);
    a2f_keys_free(keys);
    a2f_wipe(room, sizeof room);
    if (s != A2F_OK)
        return cli_failed(s, &why);
    if (args->text[CLI_JSON]) {
        struct cli_json json = {0};
        cli_json_open(&json, NULL, '{');
        cli_json_bool(&json, "needs_rehash", needs);
        cli_json_close(&json, '}');
        putchar('\n');
    } else {
        puts(needs ? "yes" : "no");
    }
    return needs ? CLI_YES : CLI_NO;
}

const struct cli_command cli_needs_rehash = {
    .name = "needs-rehash",
    .summary = "say whether a hash differs from what is wanted now",
    .operands = "HASH",
    .about =
        "Prints yes and exits with 0 when a PHC string differs in type,\n"
        "version, cost, lengths or key from what hash would make with the\n"
        "same options; prints no and exits with 1 when it does not; exits\n"
        "with 2 when it is malformed.\n",
    .options = CLI_COST_OPTIONS | CLI_BIT(CLI_HASH_FILE) |
               CLI_BIT(CLI_SECRET_FILE) | CLI_BIT(CLI_JSON),
    .run = run_needs_rehash,
};
