/* SPDX-License-Identifier: MIT */
/*
 * Parameters: their ranges (RFC 9106 section 3.1), the ceilings of an engine,
 * presets and the params string. Pure.
 */
#ifndef A2F_PARAMS_H
#define A2F_PARAMS_H

#include "argon2fast.h"

#define A2F_LANES_MAX  0xFFFFFFu
#define A2F_SALT_MIN   8u
#define A2F_TAG_MIN    4u
#define A2F_VERSION_10 0x10u
#define A2F_VERSION_13 0x13u

/* The given limits with 0 replaced by the defaults. */
struct a2f_limits a2f_limits_resolve(const struct a2f_limits *limits);

/* A public function begins so, lest an old refusal be read as its own. */
static inline void a2f_why_clear(struct a2f_why *why)
{
    if (why != NULL)
        *why = (struct a2f_why){NULL, 0, 0, 0};
}

/* Says in *why (which may be NULL) that `what` was refused. */
enum a2f_status a2f_refuse(enum a2f_status status, struct a2f_why *why,
                           const char *what, uint64_t value, uint64_t min,
                           uint64_t max);

/* The first member outside RFC 9106's ranges: A2F_BAD_PARAM. salt_len is
 * checked too. */
enum a2f_status a2f_params_check(const struct a2f_params *params,
                                 struct a2f_why *why);

/* The first member above a ceiling: A2F_OVER_LIMIT. */
enum a2f_status a2f_params_limit(const struct a2f_params *params,
                                 const struct a2f_limits *limits,
                                 struct a2f_why *why);

/* Lengths against RFC 9106 (A2F_BAD_PARAM) and the ceilings (A2F_OVER_LIMIT);
 * more of the salt's is checked as the params' salt_len. */
enum a2f_status a2f_input_check(const struct a2f_input *input,
                                const struct a2f_limits *limits,
                                struct a2f_why *why);

/* "d", "i", "id" <-> type; false when the text is none of them. */
const char *a2f_type_name(enum a2f_type type);
bool a2f_type_read(const char *text, size_t len, enum a2f_type *type);

/* RFC 9106 section 4, second recommended option. */
extern const struct a2f_params a2f_params_default;

#endif
