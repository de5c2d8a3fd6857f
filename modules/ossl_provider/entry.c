/* SPDX-License-Identifier: MIT */
/* The one symbol of the module. A program that links the provider in has no
 * use for it, and may have another provider's. */
#include "provider.h"

__attribute__((visibility("default"))) OSSL_provider_init_fn OSSL_provider_init;

int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                       const OSSL_DISPATCH **out, void **provctx)
{
    return argon2fast_provider_init(handle, in, out, provctx);
}
