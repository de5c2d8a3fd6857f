/* SPDX-License-Identifier: MIT */
/* Known answers, for OSSL_PROVIDER_self_test. */
#ifndef A2F_OSSL_SELFTEST_H
#define A2F_OSSL_SELFTEST_H

#include "provider.h"

/* False after an error was raised: a tag is wrong, or memory is short; which
 * of them, *wrong says. */
bool a2f_self_test(const struct a2f_provider *provider, bool *wrong);

#endif
