/* SPDX-License-Identifier: MIT */
/*
 * The PHC string format, $argon2id$v=19$m=65536,t=3,p=4$salt$tag: bounded
 * parsing and formatting. Pure: no allocation, no locale. A password store
 * holds what many libraries wrote, so the parser also takes a missing v
 * (version 0x10), m, t and p in any order, and padded base64; it says so by
 * canonical = false.
 */
#ifndef A2F_PHC_H
#define A2F_PHC_H

#include "argon2fast.h"

struct a2f_phc {
    struct a2f_params params; /* tag_len and salt_len: the decoded lengths */
    struct a2f_span salt;     /* still base64, alphabet checked, unpadded */
    struct a2f_span tag;
    bool canonical;
};

/* In this order: length of the text (A2F_OVER_LIMIT), syntax, alphabet and
 * RFC 9106's ranges (A2F_BAD_HASH), keyid= or data= (A2F_NO_KEY), ceilings
 * (A2F_OVER_LIMIT). limits are resolved; nothing is decoded. */
enum a2f_status a2f_phc_parse(struct a2f_span text,
                              const struct a2f_limits *limits,
                              struct a2f_phc *phc, struct a2f_why *why);

/* Whether the PHC text of these params and its NUL fit into size bytes:
 * A2F_BAD_PARAM, "size", when not. */
enum a2f_status a2f_phc_room(const struct a2f_params *params, size_t size,
                             struct a2f_why *why);

/* Decodes base64 that a2f_phc_parse accepted into text.len * 3 / 4 bytes, in
 * constant time for each length. */
void a2f_phc_decode(struct a2f_span text, uint8_t *out);

#endif
