/* SPDX-License-Identifier: MIT */
/*
 * Raising errors through the core. The reason numbers are those of OpenSSL's
 * own Argon2, so that callers can tell errors apart whoever serves them; the
 * library and the strings are ours, for OpenSSL 3.0 does not know them all.
 */
#ifndef A2F_OSSL_ERRORS_H
#define A2F_OSSL_ERRORS_H

#include <openssl/err.h>
#include <openssl/proverr.h>

#include "provider.h"

#ifndef PROV_R_INVALID_THREAD_POOL_SIZE
#define PROV_R_INVALID_THREAD_POOL_SIZE 234 /* since 3.2 */
#endif
#ifndef PROV_R_INVALID_MEMORY_SIZE
#define PROV_R_INVALID_MEMORY_SIZE 235 /* since 3.2 */
#endif
#ifndef PROV_R_REPEATED_PARAMETER
#define PROV_R_REPEATED_PARAMETER 252 /* since 3.6 */
#endif

/* reason and, if it adds to it, data in printf's format (else NULL). Never a
 * password, salt, secret or tag. */
#define A2F_RAISE(provider, ...)                                               \
    a2f_raise(provider, __FILE__, __LINE__, __func__, __VA_ARGS__)

__attribute__((format(printf, 6, 7))) void
a2f_raise(const struct a2f_provider *provider, const char *file, int line,
          const char *function, uint32_t reason, const char *data, ...);

/* "KEY is VALUE, but MIN to MAX is allowed". */
#define A2F_RAISE_RANGE(provider, reason, key, value, min, max)                \
    A2F_RAISE(provider, reason, "%s is %llu, but %llu to %llu is allowed",     \
              key, (unsigned long long)(value), (unsigned long long)(min),     \
              (unsigned long long)(max))

/* The strings of our reasons, for the core. */
extern const OSSL_ITEM a2f_reasons[];

#endif
