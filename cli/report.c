/* SPDX-License-Identifier: MIT */
/*
 * What the command says: errors and progress on standard error, results as
 * JSON on standard output.
 */
#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int cli_error(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("argon2fast: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    return CLI_ERROR;
}

int cli_failed(enum a2f_status status, const struct a2f_why *why)
{
    if (status == A2F_OK)
        return CLI_YES;
    if (status == A2F_MISMATCH)
        return CLI_NO;
    if (status == A2F_CANCELLED && cli_signal_caught())
        return 128 + cli_signal_caught();
    char text[256];
    a2f_explain(status, why, text, sizeof text);
    return cli_error("%s", text);
}

int cli_flush(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return CLI_YES;
    return cli_error("standard output: %s",
                     errno ? strerror(errno) : "not all was written");
}

static void put_key(struct cli_json *json, const char *key)
{
    if (json->more)
        fputc(',', stdout);
    if (key)
        printf("\"%s\":", key);
    json->more = true;
}

void cli_json_open(struct cli_json *json, const char *key, char bracket)
{
    put_key(json, key);
    putchar(bracket);
    json->more = false;
}

void cli_json_close(struct cli_json *json, char bracket)
{
    putchar(bracket);
    json->more = true;
}

void cli_json_text(struct cli_json *json, const char *key, const char *text)
{
    put_key(json, key);
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('"');
}

void cli_json_number(struct cli_json *json, const char *key, uint64_t number)
{
    put_key(json, key);
    printf("%llu", (unsigned long long)number);
}

void cli_json_bool(struct cli_json *json, const char *key, bool value)
{
    put_key(json, key);
    fputs(value ? "true" : "false", stdout);
}

void cli_json_params(struct cli_json *json, const struct a2f_params *params)
{
    char type[16];
    snprintf(type, sizeof type, "argon2%s", cli_type_name(params->type));
    cli_json_text(json, "type", type);
    cli_json_number(json, "version", params->version);
    cli_json_number(json, "memory_kib", params->memory_kib);
    cli_json_number(json, "passes", params->passes);
    cli_json_number(json, "lanes", params->lanes);
    cli_json_number(json, "salt_len", params->salt_len);
    cli_json_number(json, "tag_len", params->tag_len);
}

uint64_t cli_clock(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void cli_progress_show(struct cli_progress *progress, const char *format, ...)
{
    uint64_t now = cli_clock();
    bool soon = progress->shown && now - progress->last < 100000;
    if (soon || !isatty(STDERR_FILENO))
        return;
    progress->shown = true;
    progress->last = now;
    va_list list;
    va_start(list, format);
    fputc('\r', stderr);
    vfprintf(stderr, format, list);
    fputs("\033[K", stderr); /* erase what a longer line left */
    va_end(list);
}

void cli_progress_end(struct cli_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
