/* SPDX-License-Identifier: MIT */
/*
 * The lines of a password database, one at a time through a bounded buffer
 * that is wiped: no line, however long or odd, is lost or misread.
 */
#ifndef A2F_PAM_LINES_H
#define A2F_PAM_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a line that is looked at; what is longer comes in pieces. */
#define A2F_LINE_MAX 4096

struct a2f_lines {
    int fd;
    size_t from, to;
    bool end, inside; /* the file has ended; the last piece was no line's end */
    char room[A2F_LINE_MAX];
};

/* text[len] with its newline, if there is one. */
struct a2f_line {
    char *text;
    size_t len;
    bool first, last; /* piece of its line; both: a whole line */
};

void a2f_lines_begin(struct a2f_lines *lines, int fd);
/* 1: a line or a piece of one; 0: there are no more; -1: errno. */
int a2f_lines_next(struct a2f_lines *lines, struct a2f_line *line);
/* Wipes the buffer; the descriptor stays open. */
void a2f_lines_end(struct a2f_lines *lines);

/* Whether the line's first colon-separated field is the key. */
bool a2f_line_is(const struct a2f_line *line, const char *key);

#endif
