/* SPDX-License-Identifier: MIT */
/*
 * What the fuzz targets share. A target is one file with this one function,
 * linked with libFuzzer or with replay.c; what it finds wrong it says by
 * dying. docs/fuzzing.md has the list.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "argon2fast.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Unlike assert, there in every build. */
#define FUZZ_CHECK(holds)                                                      \
    ((holds) ? (void)0 : fuzz_fail(#holds, __FILE__, __LINE__))
_Noreturn void fuzz_fail(const char *what, const char *file, int line);

/* ---- taking an input apart; an end that comes too early is zeros ---- */

struct fuzz_input {
    const uint8_t *at;
    size_t left;
};

uint8_t fuzz_take_byte(struct fuzz_input *in);
/* low and high included; they are at most 255 apart. */
uint32_t fuzz_take_range(struct fuzz_input *in, uint32_t low, uint32_t high);
/* At most len bytes. */
struct a2f_span fuzz_take_span(struct fuzz_input *in, size_t len);
/* Up to the next newline, which is passed, or the end. */
struct a2f_span fuzz_take_line(struct fuzz_input *in);
/* The same as a C string for free(), up to its first NUL. */
char *fuzz_take_string(struct fuzz_input *in);

/* A copy of just this size, so that a sanitizer sees a read past its end; for
 * free(). */
void *fuzz_copy(struct a2f_span bytes);

/* ---- what several targets need ---- */

/* No byte of a password or a hash that is not ASCII, and no control character,
 * comes through into a message. */
bool fuzz_printable(const char *text);

/* The same explanation in rooms of all sizes. */
void fuzz_check_why(enum a2f_status status, const struct a2f_why *why);

/* A file in memory with this content; its path, until the next call with the
 * same number (0 or 1). */
const char *fuzz_file(unsigned number, struct a2f_span content);

#endif
