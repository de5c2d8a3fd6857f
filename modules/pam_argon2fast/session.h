/* SPDX-License-Identifier: MIT */
/*
 * One call of the module: who calls, with which options, for which user; and
 * what all groups do with it: ask, log, count.
 */
#ifndef A2F_PAM_SESSION_H
#define A2F_PAM_SESSION_H

#include <security/pam_modules.h>

#include "options.h"
#include "request.h"

/* What PAM finds in the module; all else is hidden. */
#define A2F_ENTRY __attribute__((visibility("default")))

struct a2f_session {
    pam_handle_t *pamh;
    unsigned flags; /* PAM_SILENT and the like */
    struct a2f_options options;
    uint32_t origin; /* the real uid, read before anything else happens */
    const char *user;
};

/* PAM_SUCCESS, PAM_INCOMPLETE, or what kept it from knowing options and user;
 * bad: the code for options that are not valid. */
int a2f_session_begin(struct a2f_session *session, pam_handle_t *pamh,
                      int flags, int argc, const char **argv, int bad);

/* A request about this session's user, with everything else zero. */
struct a2f_request a2f_session_request(const struct a2f_session *session,
                                       enum a2f_kind kind);

/* Has it answered, by a helper or here, and logs the reply's note. There is
 * always a verdict; UNAVAILABLE when there is no answer. */
enum a2f_verdict a2f_ask(const struct a2f_session *session,
                         const struct a2f_request *request,
                         struct a2f_reply *reply);
/* The same of the helper that writes. */
enum a2f_verdict a2f_ask_update(const struct a2f_session *session,
                                const struct a2f_request *request,
                                struct a2f_reply *reply);

/* ---- log.c ---- */

/* "authentication failure; ..", the first time; later ones are counted and
 * told when PAM ends. True: this was one too many (PAM_MAXTRIES). */
bool a2f_log_failure(const struct a2f_session *session, bool known);
/* Lines with debug, and lines that quiet keeps away. */
__attribute__((format(printf, 2, 3))) void
a2f_log_debug(const struct a2f_session *session, const char *format, ...);
__attribute__((format(printf, 2, 3))) void
a2f_log_info(const struct a2f_session *session, const char *format, ...);

#endif
