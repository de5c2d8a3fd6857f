/* SPDX-License-Identifier: MIT */
/* The one symbol of the module. A program that links the provider in has no
 * use for it, and may have another provider's. */
#include "argon2fast_ossl.h"

__attribute__((visibility("default"))) int
OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                   const OSSL_DISPATCH **out, void **provctx)
{
    return argon2fast_provider_init(handle, in, out, provctx);
}
