/* SPDX-License-Identifier: MIT */
/*
 * What the test programs share: TAP output, reproducible random numbers, and
 * reading case files.
 */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* One TAP line; failures are remembered for tap_done. Returns ok. */
__attribute__((format(printf, 2, 3))) bool tap_ok(bool ok, const char *format,
                                                  ...);
/* A comment line. */
__attribute__((format(printf, 1, 2))) void tap_note(const char *format, ...);
/* The plan; returns the exit code. */
int tap_done(void);

/* The seed: A2F_SEED, or else a fresh one. It is printed as a TAP comment. */
void random_start(void);
uint64_t random_u64(void);
/* low and high included. */
uint32_t random_range(uint32_t low, uint32_t high);
void random_bytes(void *out, size_t len);

/* A file of the directory tests/known; ends the program when it is not there.
 */
FILE *known_open(const char *name);
/* The next line that is neither empty nor a # comment, without its line end;
 * NULL at the end of the file. */
char *known_line(FILE *file, char *line, size_t size);

/* Hex ("-": empty) into out[size]; the length, or SIZE_MAX. */
size_t hex_read(const char *hex, uint8_t *out, size_t size);

/* Milliseconds of this process' CPU time. */
double cpu_ms(void);

#endif
