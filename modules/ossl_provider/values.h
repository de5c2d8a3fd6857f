/* SPDX-License-Identifier: MIT */
/*
 * Reading and writing the value of an OSSL_PARAM. libcrypto has functions for
 * this, but the module does not link it: one file then serves every OpenSSL
 * from 3.0 on, also where libcrypto is linked statically.
 */
#ifndef A2F_OSSL_VALUES_H
#define A2F_OSSL_VALUES_H

#include <openssl/core.h>

#include "argon2fast.h"

enum a2f_value {
    A2F_VALUE_OK,
    A2F_VALUE_TYPE, /* no number; or no octets, or data missing */
    A2F_VALUE_RANGE /* no uint32_t: negative, a fraction, or too large */
};

/* A number of any integer type, signed or not, of any width; or a double. */
A2F_CHECKED enum a2f_value a2f_value_u32(const OSSL_PARAM *p, uint32_t *value);

/* NULL without a length is an empty string. */
A2F_CHECKED enum a2f_value a2f_value_octets(const OSSL_PARAM *p,
                                            struct a2f_span *octets);

/* Each answers a request, as a string or a pointer to one, or as an integer of
 * the width asked for. False: it does not fit there, return_size says what
 * would; or another type is asked for. */
bool a2f_value_put_text(OSSL_PARAM *p, const char *text);
bool a2f_value_put_number(OSSL_PARAM *p, uint64_t value);

#endif
