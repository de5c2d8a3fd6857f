/* SPDX-License-Identifier: MIT */
/*
 * The lines of a stream, through one buffer that bounds both memory and the
 * length of a line. Bytes that were handed out are wiped when it is refilled.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

enum a2f_status cli_lines_open(struct cli_lines *lines, int fd, size_t size)
{
    *lines = (struct cli_lines){.fd = fd, .data = malloc(size), .size = size};
    return lines->data ? A2F_OK : A2F_NO_MEMORY;
}

enum cli_lines_state cli_lines_next(struct cli_lines *lines,
                                    struct cli_line *line)
{
    char *data = lines->data + lines->from;
    size_t left = lines->to - lines->from;
    char *end = memchr(data, '\n', left);
    if (!end && !lines->ended)
        return CLI_LINES_MORE;
    if (!end && left == 0 && !lines->skipping)
        return CLI_LINES_END;

    size_t len = end ? (size_t)(end - data) : left;
    lines->from += len + (end ? 1 : 0);
    if (end && len > 0 && data[len - 1] == '\r')
        len--;
    *line = (struct cli_line){data, len, lines->skipping};
    lines->skipping = false;
    return CLI_LINE;
}

bool cli_lines_fill(struct cli_lines *lines)
{
    size_t left = lines->to - lines->from;
    if (left == lines->size || lines->skipping) {
        lines->skipping = true;
        left = 0;
    }
    memmove(lines->data, lines->data + lines->from, left);
    a2f_wipe(lines->data + left, lines->to - left);
    lines->from = 0;
    lines->to = left;
    ssize_t got = cli_read(lines->fd, lines->data + left, lines->size - left);
    if (got > 0)
        lines->to += (size_t)got;
    lines->ended = got == 0;
    return got >= 0;
}

void cli_lines_free(struct cli_lines *lines)
{
    if (lines->data)
        a2f_wipe(lines->data, lines->size);
    free(lines->data);
    *lines = (struct cli_lines){0};
}
