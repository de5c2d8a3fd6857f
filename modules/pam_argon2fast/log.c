/* SPDX-License-Identifier: MIT */
/*
 * Lines in the form that pam_unix has made known, so that what reads logs
 * finds its way. A name nobody has may be a password typed in the wrong place:
 * it is written only with audit.
 */
#include <security/pam_ext.h>
#include <security/pam_modutil.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "session.h"

#define FAILURES "pam_argon2fast_failures"

enum { TRIES = 3 };

struct failures {
    int count;
    uint32_t uid, euid;
    char user[A2F_USER_MAX + 1]; /* empty: not to be named */
    char tty[64], ruser[64], rhost[256], logname[64];
};

static void tell(pam_handle_t *pamh, const char *what, const struct failures *f)
{
    pam_syslog(pamh, LOG_NOTICE,
               "%s; logname=%s uid=%u euid=%u tty=%s ruser=%s rhost=%s%s%s",
               what, f->logname, f->uid, f->euid, f->tty, f->ruser, f->rhost,
               *f->user ? "  user=" : "", f->user);
}

/* When PAM ends: what came after the first failure. */
static void end_failures(pam_handle_t *pamh, void *data, int status)
{
    struct failures *f = data;
    if (f->count > 1 && !(status & PAM_DATA_REPLACE)) {
        char what[64];
        snprintf(what, sizeof what, "%d more authentication failure%s",
                 f->count - 1, f->count == 2 ? "" : "s");
        tell(pamh, what, f);
        if (f->count >= TRIES)
            pam_syslog(pamh, LOG_NOTICE, "%d failures, as many as are allowed",
                       f->count);
    }
    free(f);
}

static void take_item(pam_handle_t *pamh, int type, char *to, size_t size)
{
    const void *value = NULL;
    if (pam_get_item(pamh, type, &value) == PAM_SUCCESS && value)
        snprintf(to, size, "%s", (const char *)value);
}

bool a2f_log_failure(const struct a2f_session *session, bool known)
{
    pam_handle_t *pamh = session->pamh;
    bool named = known || session->options.audit;
    const char *user = named ? session->user : "";
    const void *data = NULL;
    if (!known)
        pam_syslog(pamh, LOG_NOTICE, "check pass; user unknown");
    if (pam_get_data(pamh, FAILURES, &data) == PAM_SUCCESS && data &&
        strcmp(((const struct failures *)data)->user, user) == 0) {
        /* libpam only hands out what we gave it. */
        struct failures *f = (struct failures *)data;
        return ++f->count >= TRIES;
    }
    struct failures *f = calloc(1, sizeof *f);
    if (!f)
        return false;
    const char *logname = pam_modutil_getlogin(pamh);
    f->count = 1;
    f->uid = session->origin;
    f->euid = (uint32_t)geteuid();
    snprintf(f->user, sizeof f->user, "%s", user);
    snprintf(f->logname, sizeof f->logname, "%s", logname ? logname : "");
    take_item(pamh, PAM_TTY, f->tty, sizeof f->tty);
    take_item(pamh, PAM_RUSER, f->ruser, sizeof f->ruser);
    take_item(pamh, PAM_RHOST, f->rhost, sizeof f->rhost);
    tell(pamh, "authentication failure", f);
    if (pam_set_data(pamh, FAILURES, f, end_failures) != PAM_SUCCESS)
        free(f);
    return false;
}

void a2f_log_debug(const struct a2f_session *session, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (session->options.debug)
        pam_vsyslog(session->pamh, LOG_DEBUG, format, args);
    va_end(args);
}

void a2f_log_info(const struct a2f_session *session, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!session->options.quiet)
        pam_vsyslog(session->pamh, LOG_NOTICE, format, args);
    va_end(args);
}
