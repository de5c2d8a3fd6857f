/* SPDX-License-Identifier: MIT */
/* See session.h. */
#include "session.h"

#include <ctype.h>
#include <security/pam_ext.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "answer.h"
#include "launch.h"

#ifndef A2F_CHKPWD
#define A2F_CHKPWD "/usr/sbin/argon2fast_chkpwd"
#endif
#ifndef A2F_UPDATE
#define A2F_UPDATE "/usr/sbin/argon2fast_update"
#endif

int a2f_session_begin(struct a2f_session *session, pam_handle_t *pamh,
                      int flags, int argc, const char **argv, int bad)
{
    *session = (struct a2f_session){
        .pamh = pamh, .flags = (unsigned)flags, .origin = (uint32_t)getuid()};
    if (!a2f_options_read(pamh, argc, argv, &session->options))
        return bad;
    int code = pam_get_user(pamh, &session->user, NULL);
    if (code == PAM_CONV_AGAIN)
        return PAM_INCOMPLETE;
    if (code != PAM_SUCCESS)
        return code;
    return session->user ? PAM_SUCCESS : PAM_USER_UNKNOWN;
}

static const char *item(const struct a2f_session *session, int type)
{
    const void *value = NULL;
    if (pam_get_item(session->pamh, type, &value) != PAM_SUCCESS || !value)
        return "";
    return value;
}

/* Somebody who stands at the machine: no remote host, and a terminal that is
 * the machine's own. */
static bool at_console(const struct a2f_session *session)
{
    static const char *const names[] = {"tty", "ttyS", "hvc"};
    const char *tty = item(session, PAM_TTY);
    if (session->origin != 0 || *item(session, PAM_RHOST))
        return false;
    if (strncmp(tty, "/dev/", 5) == 0)
        tty += 5;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t len = strlen(names[i]);
        if (strncmp(tty, names[i], len) == 0 &&
            isdigit((unsigned char)tty[len]))
            return true;
    }
    return false;
}

struct a2f_request a2f_session_request(const struct a2f_session *session,
                                       enum a2f_kind kind)
{
    const struct a2f_options *options = &session->options;
    return (struct a2f_request){
        .kind = kind,
        .flags = at_console(session) ? A2F_FLAG_CONSOLE : 0,
        .origin = session->origin,
        /* A longer name is no user's; "" is known to be none. */
        .user = strlen(session->user) <= A2F_USER_MAX ? session->user : "",
        .password = "",
        .database = options->pwdfile,
        .params = options->params,
        .conf = options->conf,
        .hash = "",
    };
}

/* ---- asking ---- */

static bool wants_helper(const struct a2f_session *session,
                         const struct a2f_request *request)
{
    switch (session->options.helper) {
    case A2F_HELPER_ALWAYS:
        return true;
    case A2F_HELPER_NEVER:
        /* New hashes, and entries to be changed, are the helpers' work. */
        return request->kind != A2F_ASK_VERIFY;
    default:
        return !*request->database || geteuid() == 0;
    }
}

static enum a2f_verdict finish(const struct a2f_session *session, bool answered,
                               const char *problem, struct a2f_reply *reply)
{
    if (!answered) {
        *reply = (struct a2f_reply){.verdict = A2F_SAYS_UNAVAILABLE};
        pam_syslog(session->pamh, LOG_ERR, "%s", problem);
    }
    return (enum a2f_verdict)reply->verdict;
}

enum a2f_verdict a2f_ask(const struct a2f_session *session,
                         const struct a2f_request *request,
                         struct a2f_reply *reply)
{
    char problem[1024] = "";
    bool answered = true;
    if (wants_helper(session, request)) {
        answered = a2f_launch(A2F_CHKPWD, request, !session->options.noreap,
                              reply, problem, sizeof problem);
    } else {
        struct a2f_asker here = {.origin = session->origin, .pipe = -1};
        a2f_answer(request, &here, reply);
    }
    /* With a new hash the note says what the old one was. A name that is no
     * user's may be a password in the wrong place. */
    bool named = reply->scheme != A2F_SCHEME_NONE || session->options.audit;
    if (answered && *reply->note && !*reply->hash)
        pam_syslog(session->pamh, LOG_ERR, "%s%s%s%s", named ? "user [" : "",
                   named ? session->user : "", named ? "]: " : "", reply->note);
    return finish(session, answered, problem, reply);
}

enum a2f_verdict a2f_ask_update(const struct a2f_session *session,
                                const struct a2f_request *request,
                                struct a2f_reply *reply)
{
    char problem[1024] = "";
    bool answered = a2f_launch(A2F_UPDATE, request, !session->options.noreap,
                               reply, problem, sizeof problem);
    return finish(session, answered, problem, reply);
}
