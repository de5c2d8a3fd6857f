/* SPDX-License-Identifier: MIT */
/*
 * The arguments of the PAM module, one on a line, from anywhere. libpam's log
 * is replaced: nothing is sent, and what would be is looked at.
 */
#include "fuzz.h"

#include <security/pam_ext.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "request.h"

static unsigned logged;

void pam_syslog(const pam_handle_t *pamh, int priority, const char *format, ...)
{
    char text[512];
    va_list args;

    (void)pamh;
    (void)priority;
    va_start(args, format);
    FUZZ_CHECK(vsnprintf(text, sizeof text, format, args) > 0);
    va_end(args);
    logged++;
}

static void check(const struct a2f_options *o, bool fine, unsigned lines)
{
    FUZZ_CHECK(o->remember <= A2F_REMEMBER_MAX &&
               o->minlen <= A2F_PASSWORD_MAX);
    FUZZ_CHECK(o->helper <= A2F_HELPER_NEVER || !fine);
    FUZZ_CHECK(o->pwdfile[0] == '\0' || o->pwdfile[0] == '/');
    FUZZ_CHECK(o->conf[0] == '\0' || o->conf[0] == '/');
    FUZZ_CHECK(strlen(o->pwdfile) <= A2F_PATH_MAX &&
               strlen(o->conf) <= A2F_PATH_MAX);
    FUZZ_CHECK(strlen(o->params) <= 127);
    FUZZ_CHECK(o->remember == 0 || o->pwdfile[0] == '\0');
    /* one line for an argument, and one for two that contradict each other */
    FUZZ_CHECK(logged <= lines + 1 && (fine || logged > 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 64 };
    struct fuzz_input in = {data, size};
    struct a2f_options options;
    char *argv[MOST];
    int argc = 0;

    while (in.left > 0 && argc < MOST)
        argv[argc++] = fuzz_take_string(&in);
    logged = 0;
    bool fine = a2f_options_read(NULL, argc, (const char **)argv, &options);
    check(&options, fine, (unsigned)argc);
    while (argc > 0)
        free(argv[--argc]);
    return 0;
}
