/* SPDX-License-Identifier: MIT */
/*
 * Stands between a module and the C library in the process of its host: makes
 * the module's calls fail in turn, and remembers the block memory it has. The
 * module is the one that ships; its calls are known by where they come from.
 */
#ifndef WATCH_H
#define WATCH_H

#include <stdbool.h>
#include <stddef.h>

/* Whose calls are meant: a loaded object whose path ends so. */
bool watch_module(const char *path_end);

/* From now on the n-th call of the module fails (1 is the next; 0: none), and
 * so do all after it when onward is set; with host also what the host
 * allocates, if it asks watch_fails. Returns whether one has failed since. */
bool watch_arm(unsigned n, bool onward, bool host);
/* For the allocator of a host: whether this call is to fail. */
bool watch_fails(void);

/* Blocks of the whole process that were allocated and not freed. */
long watch_blocks(void);
/* Bytes that the module has mapped. */
size_t watch_mapped(void);

/* Between these two the module's memory stays mapped. */
void watch_hold(void);
void watch_release(void);
/* Whether any of the module's mapped memory is not zero: of all bytes, or of
 * the first page of each mapping. Held, or in a child of fork. */
bool watch_dirty(bool all);

#endif
