/* SPDX-License-Identifier: MIT */
/*
 * For applications that derive with ARGON2D, ARGON2I or ARGON2ID through
 * OpenSSL: the parameter names that the headers of OpenSSL 3.0 and 3.1 lack,
 * and the entry point of the provider when it is linked in.
 */
#ifndef ARGON2FAST_OSSL_H
#define ARGON2FAST_OSSL_H

#include <openssl/core.h>
#include <openssl/core_names.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef OSSL_KDF_PARAM_THREADS
#define OSSL_KDF_PARAM_THREADS "threads" /* uint32, at most lanes */
#endif
#ifndef OSSL_KDF_PARAM_EARLY_CLEAN
#define OSSL_KDF_PARAM_EARLY_CLEAN "early_clean" /* uint32, 0 or not */
#endif
#ifndef OSSL_KDF_PARAM_ARGON2_AD
#define OSSL_KDF_PARAM_ARGON2_AD "ad" /* octet string */
#endif
#ifndef OSSL_KDF_PARAM_ARGON2_LANES
#define OSSL_KDF_PARAM_ARGON2_LANES "lanes" /* uint32 */
#endif
#ifndef OSSL_KDF_PARAM_ARGON2_MEMCOST
#define OSSL_KDF_PARAM_ARGON2_MEMCOST "memcost" /* uint32, KiB */
#endif
#ifndef OSSL_KDF_PARAM_ARGON2_VERSION
#define OSSL_KDF_PARAM_ARGON2_VERSION "version" /* uint32, 0x10 or 0x13 */
#endif

/* The provider linked into a program (argon2fast_provider_static.o and
 * libargon2fast.a) rather than loaded as a module:
 *
 *     OSSL_PROVIDER_add_builtin(libctx, "argon2fast",
 * argon2fast_provider_init); OSSL_PROVIDER_load(libctx, "argon2fast");
 */
int argon2fast_provider_init(const OSSL_CORE_HANDLE *handle,
                             const OSSL_DISPATCH *in, const OSSL_DISPATCH **out,
                             void **provctx);

#ifdef __cplusplus
}
#endif
#endif
