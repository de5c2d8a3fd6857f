/* SPDX-License-Identifier: MIT */
/*
 * Base64 (RFC 4648 section 4) as PHC strings have it, without padding, in
 * constant time for each length: salts, tags and keys pass through here.
 */
#ifndef A2F_BASE64_H
#define A2F_BASE64_H

#include "argon2fast.h"
#include "text.h"

/* Bytes of so many characters, and characters of so many bytes. */
uint64_t a2f_base64_bytes(uint64_t chars);
uint64_t a2f_base64_chars(uint64_t bytes);

/* Alphabet, length, and no stray bits after the last byte. */
bool a2f_base64_valid(struct a2f_span text);

/* The text without its padding, of which there may be some where it fills up
 * four characters; false when it is neither that nor base64. */
bool a2f_base64_unpad(struct a2f_span *text);

/* Decodes what a2f_base64_valid accepted, a2f_base64_bytes(text.len) of them;
 * out may be where the text is. */
void a2f_base64_decode(struct a2f_span text, uint8_t *out);

void a2f_base64_write(struct a2f_writer *out, struct a2f_span bytes);

#endif
