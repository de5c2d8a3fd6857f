/* SPDX-License-Identifier: MIT */
/*
 * The PAM module's configuration file, from anywhere, read with and without a
 * params= of the module: all of it is understood and within its bounds, or
 * there is no configuration.
 */
#include "fuzz.h"

#include <string.h>

#include "conf.h"

/* " group group " or nothing. */
static bool is_words(const char *words, size_t size)
{
    size_t len = strnlen(words, size);

    return len == 0 ||
           (len > 2 && len < size && words[0] == ' ' && words[len - 1] == ' ' &&
            strstr(words, "  ") == NULL && strpbrk(words, "\t,\n") == NULL);
}

static void check_good(const struct a2f_conf *conf)
{
    const struct a2f_params *p = &conf->params;
    const struct a2f_limits *l = &conf->limits;
    char text[128];

    FUZZ_CHECK(a2f_params_write(p, text, sizeof text) == A2F_OK);
    FUZZ_CHECK(a2f_params_read((struct a2f_span){text, strlen(text)},
                               &(struct a2f_params){0}, NULL) == A2F_OK);
    /* what is made can be verified */
    FUZZ_CHECK(p->memory_kib <= l->memory_kib && p->passes <= l->passes &&
               p->lanes <= l->lanes &&
               (uint64_t)p->memory_kib * p->passes <= l->work);
    FUZZ_CHECK(conf->threads >= 1 && conf->threads <= 64);
    FUZZ_CHECK(conf->queue_seconds >= 1 && conf->queue_seconds <= 120);
    FUZZ_CHECK(conf->budget_mib <= 1 << 20 && conf->user_mib <= 1 << 20 &&
               conf->reserve_mib <= 1 << 20);
    FUZZ_CHECK(is_words(conf->include, sizeof conf->include));
    FUZZ_CHECK(is_words(conf->exclude, sizeof conf->exclude));
}

static void check(const char *path, const char *params, unsigned lines)
{
    struct a2f_conf conf;
    struct a2f_conf_error error;

    if (a2f_conf_read(path, params, &conf, &error))
        check_good(&conf);
    else
        FUZZ_CHECK(error.what != NULL && fuzz_printable(error.what) &&
                   error.line <= lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(0, (struct a2f_span){data, size});
    unsigned pieces = 1; /* a line of more than 4096 bytes comes in several */

    for (size_t i = 0; i < size; i++)
        pieces += data[i] == '\n' || i % 4096 == 4095;
    check(path, NULL, pieces);
    check(path, "owasp", pieces);
    return 0;
}
