/* SPDX-License-Identifier: MIT */
/*
 * The configuration. The core only answers for names it is asked for, and all
 * values are strings; what has no key in the section keeps its default.
 */
#include "config.h"

#include <stddef.h>

#include <sched.h>
#include <unistd.h>

#include "errors.h"
#include "provider.h"

#define LANES_MAX   0xFFFFFF
#define THREADS_MAX 4096
#define KIB_MAX     (UINT64_MAX / 1024)

static const struct option {
    const char *name;
    size_t offset;
    uint64_t min, max, standard;
} options[] = {
#define OPTION(name, min, max, standard)                                       \
    {                                                                          \
#name, offsetof(struct a2f_provider_config, name), min, max, standard  \
    }
    OPTION(max_threads, 1, THREADS_MAX, 0), /* 0: one for each CPU */
    OPTION(max_memcost_kib, 8, UINT32_MAX, UINT32_MAX),
    OPTION(max_iter, 1, UINT32_MAX, UINT32_MAX),
    OPTION(max_lanes, 1, LANES_MAX, LANES_MAX),
    OPTION(max_concurrent_kib, 0, KIB_MAX, 0),
    OPTION(keep_kib, 0, KIB_MAX, 0),
    OPTION(keep_threads, 0, 1, 0),
    OPTION(strict_threads, 0, 1, 0),
};
#define OPTIONS (sizeof options / sizeof *options)

/* Those this process may run on, which in a container are fewer than there
 * are. */
static uint64_t count_cpus(void)
{
    cpu_set_t set;
    long online;

    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (uint64_t)CPU_COUNT(&set);
    online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint64_t)online : 1;
}

/* Digits and nothing else. */
static bool read_decimal(const char *text, uint64_t *value)
{
    *value = 0;
    if (*text == '\0')
        return false;
    for (; *text >= '0' && *text <= '9'; text++) {
        unsigned digit = (unsigned)(*text - '0');

        if (*value > (UINT64_MAX - digit) / 10)
            return false;
        *value = *value * 10 + digit;
    }
    return *text == '\0';
}

/* Before the core knows our strings only its own reasons make sense. */
static void complain(const struct a2f_provider *provider,
                     const struct option *option, const char *text)
{
    A2F_RAISE(provider,
              ERR_PACK(ERR_LIB_PROV, 0, ERR_R_PASSED_INVALID_ARGUMENT),
              "%s = %s: must be a number from %llu to %llu", option->name, text,
              (unsigned long long)option->min, (unsigned long long)option->max);
}

bool a2f_config_read(struct a2f_provider *provider)
{
    const char *text[OPTIONS] = {NULL};
    OSSL_PARAM params[OPTIONS + 1] = {{NULL, 0, NULL, 0, 0}};

    for (size_t i = 0; i < OPTIONS; i++)
        params[i] = (OSSL_PARAM){options[i].name, OSSL_PARAM_UTF8_PTR, &text[i],
                                 sizeof text[i], 0};
    if (!provider->get_params(provider->handle, params))
        return false;
    for (size_t i = 0; i < OPTIONS; i++) {
        const struct option *o = &options[i];
        uint64_t *value = (uint64_t *)((char *)&provider->config + o->offset);

        *value = o->standard;
        if (text[i] != NULL && (!read_decimal(text[i], value) ||
                                *value < o->min || *value > o->max)) {
            complain(provider, o, text[i]);
            return false;
        }
    }
    if (provider->config.max_threads == 0)
        provider->config.max_threads = count_cpus();
    return true;
}
