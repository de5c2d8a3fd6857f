/* SPDX-License-Identifier: MIT */
/*
 * The password group: pam_sm_chauthtok. PAM calls it twice; the second call
 * writes only for what the first one found in order, because PAM makes it even
 * when the first call has declined, and another module writes then.
 */
#include <security/pam_ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "argon2fast.h"
#include "session.h"

enum { TRIES = 3 };

/* What the first call leaves for the second. A stack may have the module
 * twice, for two databases: the name it is kept under says which. */
struct prelim {
    struct a2f_stamp stamp; /* the entry as it was found */
    char user[A2F_USER_MAX + 1];
};

struct prelim_name {
    char text[A2F_PATH_MAX + 32];
};

static struct prelim_name prelim_name(const struct a2f_session *session)
{
    struct prelim_name name;
    snprintf(name.text, sizeof name.text, "pam_argon2fast_prelim%s",
             session->options.pwdfile);
    return name;
}

static void forget(const struct a2f_session *session)
{
    (void)pam_set_data(session->pamh, prelim_name(session).text, NULL, NULL);
}

static void end_prelim(pam_handle_t *pamh, void *data, int status)
{
    (void)pamh, (void)status;
    free(data);
}

static void tell_user(const struct a2f_session *session, const char *text)
{
    if (!(session->flags & PAM_SILENT))
        (void)pam_error(session->pamh, "%s", text);
}

/* Root, changing a password rather than being made to change his own. */
static bool is_root(const struct a2f_session *session)
{
    return session->origin == 0 &&
           !(session->flags & PAM_CHANGE_EXPIRED_AUTHTOK);
}

/* ---- the first call ---- */

static int prelim_code(enum a2f_verdict verdict)
{
    switch (verdict) {
    case A2F_SAYS_PASS:
        return PAM_SUCCESS;
    case A2F_SAYS_WRONG:
        return PAM_AUTH_ERR;
    case A2F_SAYS_UNKNOWN:
        return PAM_USER_UNKNOWN;
    case A2F_SAYS_NO_MEMORY:
        return PAM_BUF_ERR;
    default:
        return PAM_TRY_AGAIN;
    }
}

/* The user proves to be the user. */
static int check_old(const struct a2f_session *session, struct a2f_reply *reply)
{
    pam_handle_t *pamh = session->pamh;
    bool blank = session->options.nullok &&
                 !(session->flags & PAM_DISALLOW_NULL_AUTHTOK) &&
                 reply->scheme == A2F_SCHEME_EMPTY;
    if (blank)
        return PAM_SUCCESS;
    if (!session->options.quiet && !(session->flags & PAM_SILENT))
        (void)pam_info(pamh, "Changing password for %s.", session->user);
    const char *old = NULL;
    int code = pam_get_authtok(pamh, PAM_OLDAUTHTOK, &old, NULL);
    if (code == PAM_CONV_AGAIN)
        return PAM_INCOMPLETE;
    if (code != PAM_SUCCESS || !old)
        return code != PAM_SUCCESS ? code : PAM_AUTHTOK_RECOVERY_ERR;
    if (!session->options.nodelay)
        (void)pam_fail_delay(pamh, 2000000);
    struct a2f_request request = a2f_session_request(session, A2F_ASK_VERIFY);
    request.flags |= A2F_FLAG_FOREIGN;
    request.password = old;
    if (strlen(old) > A2F_PASSWORD_MAX)
        request.user = request.password = "";
    enum a2f_verdict verdict = a2f_ask(session, &request, reply);
    if (verdict == A2F_SAYS_PASS)
        return PAM_SUCCESS;
    if (verdict == A2F_SAYS_UNKNOWN)
        verdict = A2F_SAYS_WRONG; /* overlong: the user was there just now */
    if (verdict == A2F_SAYS_WRONG)
        (void)a2f_log_failure(session, true);
    (void)pam_set_item(pamh, PAM_OLDAUTHTOK, NULL);
    return prelim_code(verdict);
}

static int check_ageing(const struct a2f_session *session,
                        const struct a2f_reply *reply)
{
    switch (reply->ageing) {
    case A2F_AGE_TOO_SOON:
        tell_user(session, "You must wait longer to change your password.");
        return PAM_AUTHTOK_ERR;
    case A2F_AGE_EXPIRED:
        tell_user(session, "Your account has expired.");
        return PAM_AUTHTOK_ERR;
    default:
        return PAM_SUCCESS;
    }
}

/* Before the user thinks of a new password: could it be kept at all? */
static int probe(const struct a2f_session *session)
{
    struct a2f_reply reply;
    struct a2f_request request = a2f_session_request(session, A2F_ASK_PROBE);
    if (a2f_ask_update(session, &request, &reply) == A2F_SAYS_PASS)
        return PAM_SUCCESS;
    if (!*reply.note) /* no helper: the log knows */
        return PAM_TRY_AGAIN;
    pam_syslog(session->pamh, LOG_ERR, "%s", reply.note);
    tell_user(session, "Passwords cannot be changed at present.");
    return PAM_AUTHTOK_ERR;
}

static int remember(const struct a2f_session *session,
                    const struct a2f_reply *reply)
{
    struct prelim *prelim = calloc(1, sizeof *prelim);
    if (!prelim)
        return PAM_BUF_ERR;
    prelim->stamp = reply->stamp;
    /* It fits: such a user was found. */
    strncpy(prelim->user, session->user, A2F_USER_MAX);
    int code = pam_set_data(session->pamh, prelim_name(session).text, prelim,
                            end_prelim);
    if (code != PAM_SUCCESS)
        free(prelim);
    return code;
}

static int first_call(const struct a2f_session *session)
{
    struct a2f_reply reply;
    forget(session);
    if (geteuid() != 0) {
        pam_syslog(session->pamh, LOG_ERR,
                   "passwords are changed by programs that run as root");
        return PAM_TRY_AGAIN;
    }
    struct a2f_request request = a2f_session_request(session, A2F_ASK_LOOKUP);
    int code = prelim_code(a2f_ask(session, &request, &reply));
    if (code == PAM_SUCCESS && !is_root(session)) {
        code = check_old(session, &reply);
        if (code == PAM_SUCCESS)
            code = check_ageing(session, &reply);
    }
    if (code == PAM_SUCCESS)
        code = probe(session);
    if (code == PAM_SUCCESS)
        code = remember(session, &reply);
    return code;
}

/* ---- the second call ---- */

static const struct prelim *recall(const struct a2f_session *session)
{
    const void *data = NULL;
    if (pam_get_data(session->pamh, prelim_name(session).text, &data) !=
            PAM_SUCCESS ||
        !data)
        return NULL;
    const struct prelim *prelim = data;
    return strcmp(prelim->user, session->user) == 0 ? prelim : NULL;
}

/* NULL, or what is wrong with it that takes no hash to see. */
static const char *refuse(const struct a2f_session *session, const char *new)
{
    const void *old = NULL;
    size_t len = strlen(new);
    if (len == 0)
        return "No password has been supplied.";
    if (len > A2F_PASSWORD_MAX)
        return "The password is too long.";
    if (is_root(session))
        return NULL;
    if (pam_get_item(session->pamh, PAM_OLDAUTHTOK, &old) == PAM_SUCCESS &&
        old && strcmp(old, new) == 0)
        return "The password has not been changed.";
    if (len < session->options.minlen)
        return "The password is too short.";
    if (session->options.deny_common &&
        a2f_is_common((struct a2f_span){new, len}))
        return "The password is one of the most common.";
    return NULL;
}

/* The new password's hash, in reply; AUTHTOK_ERR: another may do. */
static int make_hash(const struct a2f_session *session, const char *new,
                     struct a2f_reply *reply)
{
    const char *refusal = refuse(session, new);
    if (refusal) {
        tell_user(session, refusal);
        return PAM_AUTHTOK_ERR;
    }
    struct a2f_request request = a2f_session_request(session, A2F_ASK_RENEW);
    request.password = new;
    request.remember = is_root(session) ? 0 : session->options.remember;
    switch (a2f_ask(session, &request, reply)) {
    case A2F_SAYS_PASS:
        return PAM_SUCCESS;
    case A2F_SAYS_REUSED:
        tell_user(session, "The password has been used before.");
        return PAM_AUTHTOK_ERR;
    case A2F_SAYS_UNKNOWN:
        return PAM_USER_UNKNOWN;
    case A2F_SAYS_NO_MEMORY:
        return PAM_BUF_ERR;
    default:
        tell_user(session, "The password could not be changed.");
        return PAM_ABORT; /* here: no other would do */
    }
}

/* Asks until there is a password to be hashed. */
static int get_new(const struct a2f_session *session, struct a2f_reply *reply)
{
    int tries = session->options.use_authtok ? 1 : TRIES;
    int code = PAM_AUTHTOK_ERR;
    for (int i = 0; i < tries && code == PAM_AUTHTOK_ERR; i++) {
        const char *new = NULL;
        code = pam_get_authtok(session->pamh, PAM_AUTHTOK, &new, NULL);
        if (code == PAM_CONV_AGAIN)
            return PAM_INCOMPLETE;
        if (code == PAM_SUCCESS && new)
            code = make_hash(session, new, reply);
        else if (code == PAM_TRY_AGAIN || code == PAM_SUCCESS)
            code = PAM_AUTHTOK_ERR; /* the second time it was not the same */
        else
            return code;
        if (code != PAM_SUCCESS)
            (void)pam_set_item(session->pamh, PAM_AUTHTOK, NULL);
    }
    return code == PAM_ABORT ? PAM_AUTHTOK_ERR : code;
}

static int write_hash(const struct a2f_session *session,
                      const struct prelim *prelim, const char *hash)
{
    struct a2f_reply reply;
    struct a2f_request request = a2f_session_request(session, A2F_ASK_CHANGE);
    request.hash = hash;
    request.stamp = prelim->stamp;
    request.remember = session->options.remember;
    enum a2f_verdict verdict = a2f_ask_update(session, &request, &reply);
    if (*reply.note)
        pam_syslog(session->pamh, LOG_ERR, "user [%s]: %s", session->user,
                   reply.note);
    switch (verdict) {
    case A2F_SAYS_PASS:
        a2f_log_info(session, "password changed for %s", session->user);
        return PAM_SUCCESS;
    case A2F_SAYS_BUSY:
        tell_user(session, "Another program is changing passwords.");
        return PAM_AUTHTOK_LOCK_BUSY;
    case A2F_SAYS_UNKNOWN:
        return PAM_USER_UNKNOWN;
    case A2F_SAYS_NO_MEMORY:
        return PAM_BUF_ERR;
    default:
        tell_user(session, "The password could not be changed.");
        return PAM_AUTHTOK_ERR;
    }
}

static int second_call(const struct a2f_session *session)
{
    const struct prelim *prelim = recall(session);
    struct a2f_reply reply = {0};
    if (!prelim) {
        /* The next module may rely on a new password being there. */
        const char *new;
        int code = pam_get_authtok(session->pamh, PAM_AUTHTOK, &new, NULL);
        return code == PAM_CONV_AGAIN ? PAM_INCOMPLETE : PAM_USER_UNKNOWN;
    }
    int code = get_new(session, &reply);
    if (code == PAM_INCOMPLETE)
        return code;
    if (code == PAM_SUCCESS)
        code = write_hash(session, prelim, reply.hash);
    if (code != PAM_SUCCESS)
        (void)pam_set_item(session->pamh, PAM_AUTHTOK, NULL);
    forget(session);
    a2f_wipe(&reply, sizeof reply);
    return code;
}

A2F_ENTRY int pam_sm_chauthtok(pam_handle_t *pamh, int flags, int argc,
                               const char **argv)
{
    struct a2f_session session;
    int code =
        a2f_session_begin(&session, pamh, flags, argc, argv, PAM_AUTHTOK_ERR);
    if (code != PAM_SUCCESS)
        return code;
    return session.flags & PAM_PRELIM_CHECK ? first_call(&session)
                                            : second_call(&session);
}
