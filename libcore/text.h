/* SPDX-License-Identifier: MIT */
/*
 * Bounded text without a locale: reading decimals as the PHC string format
 * has them, and writing into a buffer that may be too small.
 */
#ifndef A2F_TEXT_H
#define A2F_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Text that is being read: at <= end. */
struct a2f_reader {
    const char *at;
    const char *end;
};

/* Moves past `word` when the text begins with it. */
bool a2f_read_word(struct a2f_reader *in, const char *word);

/* Moves past a decimal without sign or leading zero, at most 2^32-1. */
bool a2f_read_decimal(struct a2f_reader *in, uint32_t *value);

/* What does not fit is counted, not written. */
struct a2f_writer {
    char *text;
    size_t size;
    size_t len;
};

void a2f_write(struct a2f_writer *out, const char *text);
void a2f_write_char(struct a2f_writer *out, char c);
void a2f_write_decimal(struct a2f_writer *out, uint64_t value);

/* Terminates what was written, cut short where it did not fit; true when it
 * did fit. */
bool a2f_write_end(struct a2f_writer *out);

#endif
