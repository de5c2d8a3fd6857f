/* SPDX-License-Identifier: MIT */
/*
 * argon2fast_chkpwd: the program that reads the database and hashes, so that
 * hosts need not. Set-gid shadow: anybody may start it, and then learns no
 * more than whether a password is his own.
 */
#include <errno.h>
#include <pwd.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "answer.h"
#include "argon2fast.h"
#include "helper.h"

static bool is_own(const char *user)
{
    const struct passwd *found = getpwnam(user);
    return found && found->pw_uid == getuid();
}

/* Gives up for good what set-gid, or set-uid where it has to be that, has
 * given: opening what a user names is his own affair. */
static bool drop_rights(void)
{
    gid_t gid = getgid(), rg, eg, sg;
    uid_t uid = getuid(), ru, eu, su;
    return setresgid(gid, gid, gid) == 0 && setresuid(uid, uid, uid) == 0 &&
           getresgid(&rg, &eg, &sg) == 0 && getresuid(&ru, &eu, &su) == 0 &&
           rg == gid && eg == gid && sg == gid && ru == uid && eu == uid &&
           su == uid;
}

/* What a request of somebody else than root may not say. */
static bool restrict_request(struct a2f_request *request,
                             struct a2f_reply *reply)
{
    request->conf = "";
    request->params = "";
    request->remember = 0;
    request->flags &= A2F_FLAG_NULLOK | A2F_FLAG_FOREIGN;
    if (*request->database) {
        if (drop_rights())
            return true;
        a2f_reply_says(reply, A2F_SAYS_UNAVAILABLE, "cannot give up rights");
        return false;
    }
    if (is_own(request->user))
        return true;
    a2f_reply_says(reply, A2F_SAYS_UNAVAILABLE,
                   "uid %ld may check nobody's password but its own",
                   (long)getuid());
    return false;
}

/* Says why this process has no right to the shadow file, if it should. */
static void explain_rights(struct a2f_reply *reply)
{
    struct statvfs fs;
    struct stat st;
    const char *why = NULL;
    if (geteuid() == 0 || getegid() != getgid())
        return;
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
        why = "the host runs with no_new_privs";
    else if (statvfs("/proc/self/exe", &fs) == 0 && fs.f_flag & ST_NOSUID)
        why = "the helper is on a nosuid mount";
    else if (stat("/proc/self/exe", &st) == 0 &&
             !(st.st_mode & (S_ISGID | S_ISUID)))
        why = "the helper has lost its mode 2755";
    if (why)
        a2f_reply_says(reply, A2F_SAYS_UNAVAILABLE,
                       "%s, so it has no access "
                       "to the shadow file",
                       why);
}

int main(int argc, char **argv)
{
    struct a2f_message message;
    struct a2f_request request;
    struct a2f_reply reply = {0};
    (void)argv;
    a2f_helper_begin(argc, "argon2fast_chkpwd", &message, &request);
    uid_t uid = getuid();
    struct a2f_asker asker = {.helper = true,
                              .root = uid == 0,
                              .origin = uid == 0 ? request.origin : uid,
                              .pipe = STDOUT_FILENO};
    if (asker.root || restrict_request(&request, &reply)) {
        a2f_answer(&request, &asker, &reply);
        if (reply.verdict == A2F_SAYS_UNAVAILABLE && !*request.database)
            explain_rights(&reply);
    }
    /* The password is in the message; see also a2f_helper_end. */
    return a2f_helper_end(&message, &reply);
}
