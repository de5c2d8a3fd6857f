/* SPDX-License-Identifier: MIT */
/* The module's arguments; pam_argon2fast(8) documents them. */
#ifndef A2F_PAM_OPTIONS_H
#define A2F_PAM_OPTIONS_H

#include <security/pam_modules.h>
#include <stdbool.h>
#include <stdint.h>

enum a2f_helper_use { A2F_HELPER_AUTO, A2F_HELPER_ALWAYS, A2F_HELPER_NEVER };

struct a2f_options {
    bool debug, audit, quiet, nullok, nodelay;
    bool use_authtok, use_first_pass, noreap;
    bool migrate, rehash, deny_common;
    uint32_t remember, minlen;
    uint32_t helper; /* enum a2f_helper_use */
    const char *pwdfile, *params, *conf;
    bool ignored; /* what libpam reads, or what is always so */
};

/* What is not known is logged and passed over; false: a value that must not
 * be guessed at. */
bool a2f_options_read(pam_handle_t *pamh, int argc, const char **argv,
                      struct a2f_options *options);

#endif
