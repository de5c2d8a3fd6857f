/* SPDX-License-Identifier: MIT */
/* Searches the memory of a process that does nothing meanwhile, or a file such
 * as its core dump. Needs the right to trace the process. */
#ifndef MEMORY_H
#define MEMORY_H

#include <sys/types.h>

#include "needles.h"

struct findings {
    size_t bytes;          /* that were looked at; 0: nothing could be read */
    size_t count[SECRETS]; /* of words that were found */
    char where[256];       /* the mappings that had them */
};

/* All writable mappings of a process. */
struct findings memory_search(pid_t pid, const struct needles *needles);
struct findings file_search(const char *path, const struct needles *needles);

/* Whether anything was found. */
bool findings_any(const struct findings *findings);
/* "password 17, tag 2 in [heap] [stack]", or "nothing". */
void findings_print(const struct findings *findings, char *text, size_t size);

#endif
