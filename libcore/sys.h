/* SPDX-License-Identifier: MIT */
/*
 * The only door to the operating system: memory, randomness, threads, key
 * files. One door, so that a test build (A2F_FAIL_POINTS) can make any of them
 * fail.
 */
#ifndef A2F_SYS_H
#define A2F_SYS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Zeroed heap memory for small things; NULL when there is none. */
void *a2f_sys_alloc(size_t size);
/* Wipes the size bytes of an a2f_sys_alloc, then frees them. NULL is fine. */
void a2f_sys_free(void *memory, size_t size);

/* Private anonymous pages, zero when first read; NULL when refused. */
void *a2f_sys_map(size_t size);
void a2f_sys_unmap(void *memory, size_t size);
/* Bytes of a page: what a2f_sys_unmap's memory must be a multiple of. */
size_t a2f_sys_page(void);

/* Advice, each optional: a system that does not know it is not at fault. */
void a2f_sys_private(void *memory, size_t size); /* no core dump, no child */
void a2f_sys_huge(void *memory, size_t size);
/* Makes pages present for writing in one call; false: touch them instead. */
bool a2f_sys_populate(void *memory, size_t size);

/* True when size random bytes are there (getrandom, else /dev/urandom). */
bool a2f_sys_random(void *data, size_t size);

/* A thread with every signal blocked and a small stack; false when refused. */
bool a2f_sys_thread(pthread_t *thread, void *(*start)(void *), void *arg);

/* Reads a file of secrets, which must be a regular file that belongs to the
 * effective user with mode 0600 or stricter, or to root with at most 0640.
 * Returns what is wrong with it, or NULL: *len of the size bytes are filled. */
const char *a2f_sys_key_file(const char *path, char *data, size_t size,
                             size_t *len);

#ifdef A2F_FAIL_POINTS
/* Test builds: the n-th call of any of the above from now on fails (1 is the
 * next; 0: none), and so do all after it when `all` is set. Returns how many
 * were made since the last call. */
unsigned a2f_sys_fail(unsigned n, bool all);
#endif

#endif
