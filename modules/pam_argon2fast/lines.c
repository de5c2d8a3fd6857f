/* SPDX-License-Identifier: MIT */
/* See lines.h. */
#include "lines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "argon2fast.h"

void a2f_lines_begin(struct a2f_lines *lines, int fd)
{
    lines->fd = fd;
    lines->from = lines->to = 0;
    lines->end = lines->inside = false;
}

static bool fill(struct a2f_lines *lines)
{
    memmove(lines->room, lines->room + lines->from, lines->to - lines->from);
    lines->to -= lines->from;
    lines->from = 0;
    while (!lines->end && lines->to < sizeof lines->room) {
        ssize_t n = read(lines->fd, lines->room + lines->to,
                         sizeof lines->room - lines->to);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        lines->end = n == 0;
        lines->to += (size_t)n;
    }
    return true;
}

int a2f_lines_next(struct a2f_lines *lines, struct a2f_line *line)
{
    char *at = lines->room + lines->from;
    char *newline = memchr(at, '\n', lines->to - lines->from);
    if (!newline) {
        if (!fill(lines))
            return -1;
        at = lines->room;
        newline = memchr(at, '\n', lines->to);
    }
    if (lines->from == lines->to)
        return 0;
    line->text = at;
    line->len = newline ? (size_t)(newline + 1 - at) : lines->to - lines->from;
    line->first = !lines->inside;
    line->last = newline || lines->end;
    lines->inside = !line->last;
    lines->from += line->len;
    return 1;
}

void a2f_lines_end(struct a2f_lines *lines)
{
    a2f_wipe(lines->room, sizeof lines->room);
}

bool a2f_line_is(const struct a2f_line *line, const char *key)
{
    size_t len = strlen(key);
    return line->first && line->len > len && line->text[len] == ':' &&
           memcmp(line->text, key, len) == 0;
}
