/* SPDX-License-Identifier: MIT */
/*
 * The PHC string format, $argon2id$v=19$m=65536,t=3,p=4[,keyid=..]$salt$tag:
 * bounded parsing and formatting. Pure: no allocation, no locale. A password
 * store holds what many libraries wrote, so the parser also takes a missing v
 * (version 0x10), m, t, p and keyid in any order, and padded base64; it says
 * so by canonical = false.
 */
#ifndef A2F_PHC_H
#define A2F_PHC_H

#include "argon2fast.h"

/* Bytes of a key's id. */
#define A2F_KEYID_MAX 8u

struct a2f_phc {
    struct a2f_params params; /* tag_len and salt_len: the decoded lengths */
    struct a2f_span salt;     /* still base64, alphabet checked, unpadded */
    struct a2f_span tag;
    struct a2f_span keyid; /* likewise; empty: none */
    struct a2f_span data;  /* likewise; refused, so empty */
    bool canonical;
};

/* In this order: length of the text (A2F_OVER_LIMIT), syntax, alphabet and
 * RFC 9106's ranges (A2F_BAD_HASH), data= (A2F_NO_KEY), ceilings
 * (A2F_OVER_LIMIT). limits are resolved; nothing is decoded. */
enum a2f_status a2f_phc_parse(struct a2f_span text,
                              const struct a2f_limits *limits,
                              struct a2f_phc *phc, struct a2f_why *why);

/* None but RFC 9106's, and the length of a text. */
extern const struct a2f_limits a2f_phc_limits;

/* Whether the PHC text of these params and its NUL fit into size bytes:
 * A2F_BAD_PARAM, "size", when not. An empty keyid: none. */
enum a2f_status a2f_phc_room(const struct a2f_params *params,
                             struct a2f_span keyid, size_t size,
                             struct a2f_why *why);

/* a2f_encode, with the id of the key if there is one. */
enum a2f_status a2f_phc_write(const struct a2f_params *params,
                              struct a2f_span keyid, struct a2f_span salt,
                              struct a2f_span tag, char *text, size_t size,
                              struct a2f_why *why);

#endif
