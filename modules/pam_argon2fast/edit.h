/* SPDX-License-Identifier: MIT */
/*
 * Changes one user's line of a file, and no other byte: to a new file beside
 * it, which then takes its name. At any moment the old file is there or the
 * new one, whatever ends the process.
 */
#ifndef A2F_PAM_EDIT_H
#define A2F_PAM_EDIT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "lines.h"

/* A file as a place: its directory, and its name there. */
struct a2f_place {
    int dir; /* -1 when not open */
    char name[NAME_MAX + 1];
};

/* Follows symbolic links to where the file really is. False: errno. */
bool a2f_place_open(struct a2f_place *place, const char *path);
void a2f_place_close(struct a2f_place *place);
/* Whether a new file could take its name: false, and errno (EROFS, EBUSY for
 * the mount point of a bind mount, EACCES). */
bool a2f_place_writable(const struct a2f_place *place);

/* What becomes of a line: it is asked for the user's first line only. The new
 * text has its newline; length 0 takes the line away. */
enum a2f_edit { A2F_EDIT_WRITE, A2F_EDIT_LEAVE, A2F_EDIT_FAIL };

struct a2f_editor {
    const char *user;
    /* Called with the old line, or NULL when there is none and the end of the
     * file is reached; LEAVE and FAIL leave the whole file as it is. */
    enum a2f_edit (*edit)(const struct a2f_line *old, char *text, size_t size,
                          size_t *len, void *ctx);
    void *ctx;
    bool create; /* make the file, for root alone, when it is missing */
};

/* True: written, or left; *wrote says which. False: errno, and the file is as
 * it was. */
bool a2f_edit(const struct a2f_place *place, const struct a2f_editor *editor,
              bool *wrote);

#endif
