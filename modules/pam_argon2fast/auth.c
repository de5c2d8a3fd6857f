/* SPDX-License-Identifier: MIT */
/*
 * The auth group: pam_sm_authenticate and pam_sm_setcred. What is no Argon2
 * user's is declined with the password left in PAM_AUTHTOK, for the module
 * that comes next.
 */
#include <libintl.h>
#include <security/pam_ext.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "argon2fast.h"
#include "session.h"

static int code_of(enum a2f_verdict verdict)
{
    switch (verdict) {
    case A2F_SAYS_PASS:
        return PAM_SUCCESS;
    case A2F_SAYS_WRONG:
        return PAM_AUTH_ERR;
    case A2F_SAYS_UNKNOWN:
    case A2F_SAYS_FOREIGN:
        return PAM_USER_UNKNOWN;
    case A2F_SAYS_NO_MEMORY:
        return PAM_BUF_ERR;
    default:
        return PAM_AUTHINFO_UNAVAIL;
    }
}

static uint32_t flags_of(const struct a2f_session *session)
{
    const struct a2f_options *options = &session->options;
    uint32_t flags = 0;
    if (options->nullok && !(session->flags & PAM_DISALLOW_NULL_AUTHTOK))
        flags |= A2F_FLAG_NULLOK;
    if (options->migrate)
        flags |= A2F_FLAG_FOREIGN | A2F_FLAG_MIGRATE;
    if (options->rehash)
        flags |= A2F_FLAG_UPGRADE;
    return flags;
}

/* With nullok a user without a password is not asked for one. */
static bool is_blank(const struct a2f_session *session, uint32_t flags)
{
    struct a2f_reply reply;
    if (!(flags & A2F_FLAG_NULLOK))
        return false;
    struct a2f_request request = a2f_session_request(session, A2F_ASK_LOOKUP);
    return a2f_ask(session, &request, &reply) == A2F_SAYS_PASS &&
           reply.scheme == A2F_SCHEME_EMPTY;
}

/* The new hash that came with a right password: whether it gets into the
 * database is for the log, and for nothing else. */
static void rewrite(const struct a2f_session *session,
                    const struct a2f_reply *verified)
{
    struct a2f_request request = a2f_session_request(session, A2F_ASK_REHASH);
    struct a2f_reply reply;
    if (verified->dry_run) {
        a2f_log_info(session, "would rewrite the password hash of %s, now %s",
                     session->user, verified->note);
        return;
    }
    request.hash = verified->hash;
    request.stamp = verified->stamp;
    if (a2f_ask_update(session, &request, &reply) == A2F_SAYS_PASS)
        a2f_log_info(session, "rewrote the password hash of %s, was %s",
                     session->user, verified->note);
    else
        a2f_log_debug(session, "did not rewrite the password hash of %s: %s",
                      session->user, reply.note);
}

static int verify(const struct a2f_session *session, const char *password,
                  uint32_t flags)
{
    struct a2f_request request = a2f_session_request(session, A2F_ASK_VERIFY);
    struct a2f_reply reply;
    bool overlong = strlen(password) > A2F_PASSWORD_MAX;
    request.flags |= flags;
    request.password = password;
    /* Nobody's password, at the price of any other. */
    if (overlong) {
        request.user = "";
        request.password = "";
    }
    enum a2f_verdict verdict = a2f_ask(session, &request, &reply);
    if (overlong && verdict == A2F_SAYS_UNKNOWN)
        verdict = A2F_SAYS_WRONG;
    if (verdict == A2F_SAYS_PASS && *reply.hash)
        rewrite(session, &reply);
    a2f_wipe(&reply, sizeof reply);
    a2f_log_debug(session, "verdict %c", (char)verdict);
    if (verdict == A2F_SAYS_WRONG || verdict == A2F_SAYS_UNKNOWN)
        if (a2f_log_failure(session, verdict == A2F_SAYS_WRONG) &&
            verdict == A2F_SAYS_WRONG)
            return PAM_MAXTRIES;
    return code_of(verdict);
}

/* The password another module has asked for, or one asked for here: not by
 * pam_get_authtok(), which makes AUTHTOK_ERR of a conversation that only is
 * not ready yet. */
static int get_password(const struct a2f_session *session,
                        const void **password)
{
    pam_handle_t *pamh = session->pamh;
    char *typed = NULL;
    int code = pam_get_item(pamh, PAM_AUTHTOK, password);
    if (code != PAM_SUCCESS || *password)
        return code;
    if (session->options.use_first_pass)
        return PAM_AUTH_ERR;
    code = pam_prompt(pamh, PAM_PROMPT_ECHO_OFF, &typed, "%s",
                      dgettext("Linux-PAM", "Password: "));
    if (code == PAM_CONV_AGAIN)
        return PAM_INCOMPLETE;
    if (code == PAM_SUCCESS && !typed)
        code = PAM_CONV_ERR;
    if (code == PAM_SUCCESS)
        code = pam_set_item(pamh, PAM_AUTHTOK, typed);
    if (typed)
        a2f_wipe(typed, strlen(typed));
    free(typed);
    return code == PAM_SUCCESS ? pam_get_item(pamh, PAM_AUTHTOK, password)
                               : code;
}

A2F_ENTRY int pam_sm_authenticate(pam_handle_t *pamh, int flags, int argc,
                                  const char **argv)
{
    struct a2f_session session;
    int code = a2f_session_begin(&session, pamh, flags, argc, argv,
                                 PAM_AUTHINFO_UNAVAIL);
    if (code != PAM_SUCCESS)
        return code;
    uint32_t wants = flags_of(&session);
    if (is_blank(&session, wants))
        return PAM_SUCCESS;
    if (!session.options.nodelay)
        (void)pam_fail_delay(pamh, 2000000);
    const void *password = NULL;
    code = get_password(&session, &password);
    if (code != PAM_SUCCESS || !password) {
        a2f_log_debug(&session, "no password: %s", pam_strerror(pamh, code));
        return code != PAM_SUCCESS ? code : PAM_AUTH_ERR;
    }
    return verify(&session, password, wants);
}

/* Nothing of ours outlasts the login. */
A2F_ENTRY int pam_sm_setcred(pam_handle_t *pamh, int flags, int argc,
                             const char **argv)
{
    (void)pamh, (void)flags, (void)argc, (void)argv;
    return PAM_SUCCESS;
}
