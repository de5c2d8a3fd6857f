/* SPDX-License-Identifier: MIT */
/* What the provider's section of openssl.cnf may say. */
#ifndef A2F_OSSL_CONFIG_H
#define A2F_OSSL_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

struct a2f_provider;

struct a2f_provider_config {
    uint64_t max_threads;        /* of one derivation, and alive at once */
    uint64_t max_memcost_kib;    /* ceilings of memcost, iter and lanes */
    uint64_t max_iter;           /* .. */
    uint64_t max_lanes;          /* .. */
    uint64_t max_concurrent_kib; /* of all derivations; 0: no ceiling */
    uint64_t keep_kib;           /* block memory kept between derivations */
    uint64_t keep_threads;       /* 1: workers are kept, too */
    uint64_t strict_threads;     /* 1: threads above max_threads: an error */
};

/* Fills provider->config. False: a value is bad; an error names it. */
bool a2f_config_read(struct a2f_provider *provider);

#endif
