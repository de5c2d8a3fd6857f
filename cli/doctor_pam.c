/* SPDX-License-Identifier: MIT */
/*
 * argon2fast doctor, chapter pam: the module's helpers, its configuration and
 * the memory budget, as a login would meet them.
 */
#include "cli.h"
#include "doctor.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "../modules/pam_argon2fast/entry.h"
#include "../modules/pam_argon2fast/room.h"
#include "../modules/pam_argon2fast/slots.h"

struct listener {
    void (*say)(void *ctx, enum cli_finding finding, const char *text);
    void *ctx;
};

__attribute__((format(printf, 3, 4))) static void
tell(const struct listener *to, enum cli_finding finding, const char *format,
     ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    to->say(to->ctx, finding, text);
}

/* It reads the shadow file by its group, or as root where that file has no
 * group that may read it. */
static void tell_checker(const struct listener *to, const char *path,
                         const struct stat *shadow)
{
    struct stat st;
    struct statvfs fs;
    if (stat(path, &st) != 0) {
        tell(to, CLI_PROBLEM, "%s: %s", path, strerror(errno));
        return;
    }
    unsigned mode = st.st_mode & 07777;
    bool by_group = mode & S_ISGID && st.st_gid == shadow->st_gid &&
                    shadow->st_mode & S_IRGRP;
    if (st.st_uid != 0 || mode & (S_IWGRP | S_IWOTH))
        tell(to, CLI_PROBLEM, "%s: others than root can change it", path);
    else if (!by_group && !(mode & S_ISUID))
        tell(to, CLI_PROBLEM,
             "%s has mode %04o: programs of ordinary users cannot check "
             "passwords (2755 and the group of " A2F_SHADOW_FILE ", or 4755)",
             path, mode);
    else if (statvfs(path, &fs) == 0 && fs.f_flag & ST_NOSUID)
        tell(to, CLI_PROBLEM, "%s is on a nosuid mount", path);
    else
        tell(to, CLI_FINE, "%s, mode %04o", path, mode);
}

static void tell_updater(const struct listener *to, const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) {
        tell(to, CLI_PROBLEM, "%s: %s", path, strerror(errno));
        return;
    }
    unsigned mode = st.st_mode & 07777;
    bool fine =
        st.st_uid == 0 && !(mode & (S_ISUID | S_ISGID | S_IWGRP | S_IWOTH));
    tell(to, fine ? CLI_FINE : CLI_PROBLEM, "%s, mode %04o%s", path, mode,
         fine ? "" : ", not 0700 and root's");
}

static void tell_budget(const struct listener *to, const struct a2f_conf *conf)
{
    if (!conf->slots) {
        tell(to, CLI_NOTE, "no memory budget (slots = no)");
        return;
    }
    struct a2f_budget budget = a2f_slots_budget(conf);
    uint64_t all = budget.general + budget.user + budget.reserve;
    uint64_t total = a2f_room_total();
    enum cli_finding finding = all > total / 2 ? CLI_PROBLEM : CLI_FINE;
    tell(to, finding,
         "budget %llu + %llu + %llu MiB (root, users, console) of %llu MiB; "
         "root's has room for %llu hashes at once",
         (unsigned long long)budget.general, (unsigned long long)budget.user,
         (unsigned long long)budget.reserve, (unsigned long long)total,
         (unsigned long long)budget.hashes);
}

static void tell_keys(const struct listener *to, const char *path)
{
    struct a2f_keys *keys;
    struct a2f_why why;
    char text[160];
    enum a2f_status s = a2f_keys_read(path, &keys, &why);
    a2f_explain(s, &why, text, sizeof text);
    if (s == A2F_OK)
        tell(to, CLI_FINE, "%s", path);
    else
        tell(to, CLI_PROBLEM, "%s: %s: nobody gets in", path, text);
    a2f_keys_free(keys);
}

static void tell_directory(const struct listener *to)
{
    struct stat st;
    if (lstat(A2F_RUN_DIR, &st) != 0)
        tell(to, CLI_NOTE,
             A2F_RUN_DIR ": made by the first login of root's "
                         "programs");
    else if (!S_ISDIR(st.st_mode) || st.st_uid != 0 || st.st_mode & S_IRWXO)
        tell(to, CLI_PROBLEM,
             A2F_RUN_DIR ": not root's, or open to others; "
                         "there is no memory budget");
    else
        tell(to, CLI_FINE, A2F_RUN_DIR);
}

void cli_doctor_pam(void (*say)(void *ctx, enum cli_finding finding,
                                const char *text),
                    void *ctx)
{
    const struct listener to = {say, ctx};
    struct stat shadow, helper;
    struct a2f_conf conf;
    struct a2f_conf_error error;
    if (stat(A2F_CHKPWD, &helper) != 0 && stat(A2F_UPDATE, &helper) != 0) {
        tell(&to, CLI_NOTE, "pam_argon2fast is not installed");
        return;
    }
    if (stat(A2F_SHADOW_FILE, &shadow) != 0)
        tell(&to, CLI_PROBLEM, A2F_SHADOW_FILE ": %s", strerror(errno));
    else
        tell_checker(&to, A2F_CHKPWD, &shadow);
    tell_updater(&to, A2F_UPDATE);
    if (!a2f_conf_read("", "", &conf, &error)) {
        tell(&to, CLI_PROBLEM, A2F_CONF_FILE ", line %u: %s: nobody gets in",
             error.line, error.what);
        return;
    }
    tell(&to, CLI_FINE, A2F_CONF_FILE);
    if (*conf.secret_file)
        tell_keys(&to, conf.secret_file);
    tell_budget(&to, &conf);
    tell_directory(&to);
    tell(&to, CLI_NOTE,
         "readers of the shadow file without PAM know no Argon2: sulogin, "
         "dropbear, busybox, saslauthd -a shadow, dovecot's passdb shadow");
}
