/* SPDX-License-Identifier: MIT */
/*
 * The chapters of `argon2fast doctor`. Each calls say for every finding, with
 * a line of text that is gone after the call.
 */
#ifndef A2F_DOCTOR_H
#define A2F_DOCTOR_H

enum cli_finding {
    CLI_FINE,    /* as it should be */
    CLI_NOTE,    /* worth knowing */
    CLI_PROBLEM, /* not what whoever configured it wants */
};

/* The CPU's kernels: which there are, whether each computes the same tag, which
 * one is used. */
void cli_doctor_kernels(void (*say)(void *ctx, enum cli_finding finding,
                                    const char *text),
                        void *ctx);

/* Huge pages, memory that is available, and limits that stand in its way. */
void cli_doctor_memory(void (*say)(void *ctx, enum cli_finding finding,
                                   const char *text),
                       void *ctx);

/* Which provider serves ARGON2ID under this process's environment and OpenSSL
 * configuration, and why. What OpenSSL does happens in a child process. */
void cli_doctor_openssl(void (*say)(void *ctx, enum cli_finding finding,
                                    const char *text),
                        void *ctx);

/* Helpers, configuration and memory budget of the PAM module. */
void cli_doctor_pam(void (*say)(void *ctx, enum cli_finding finding,
                                const char *text),
                    void *ctx);

#endif
