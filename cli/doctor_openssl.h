/* SPDX-License-Identifier: MIT */
/* The part of `argon2fast doctor` that is about OpenSSL. */
#ifndef A2F_DOCTOR_OPENSSL_H
#define A2F_DOCTOR_OPENSSL_H

enum cli_finding {
    CLI_FINE,    /* as it should be */
    CLI_NOTE,    /* worth knowing */
    CLI_PROBLEM, /* not what whoever configured it wants */
};

/* Which provider serves ARGON2ID under this process's environment and
 * configuration, and why. Calls say for each finding, a line of text that is
 * gone after the call. Whatever OpenSSL does happens in a child process. */
void cli_doctor_openssl(void (*say)(void *ctx, enum cli_finding finding,
                                    const char *text),
                        void *ctx);

#endif
