/* SPDX-License-Identifier: MIT */
/* The three KDFs as query_operation hands them out. */
#ifndef A2F_OSSL_KDF_H
#define A2F_OSSL_KDF_H

#include <openssl/core.h>

extern const OSSL_ALGORITHM a2f_kdfs[];

#endif
