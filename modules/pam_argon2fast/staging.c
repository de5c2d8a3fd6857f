/* SPDX-License-Identifier: MIT */
/* See staging.h. */
#include "staging.h"

#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>

enum { GROUPS_MAX = 512 };

static bool listed(const char *words, gid_t gid)
{
    struct group *group = getgrgid(gid);
    char word[A2F_CONF_GROUPS + 1];
    if (!group)
        return false;
    int len = snprintf(word, sizeof word, " %s ", group->gr_name);
    return len > 0 && (size_t)len < sizeof word && strstr(words, word);
}

/* More groups than there is room for: the answer would not be the whole
 * truth, and leaving an entry as it is is never wrong. */
static bool groups_admit(const struct a2f_conf *conf, const struct passwd *user)
{
    gid_t groups[GROUPS_MAX];
    int n = GROUPS_MAX;
    if (getgrouplist(user->pw_name, user->pw_gid, groups, &n) < 0)
        return false;
    bool in = !*conf->include;
    for (int i = 0; i < n; i++) {
        if (listed(conf->exclude, groups[i]))
            return false;
        in = in || listed(conf->include, groups[i]);
    }
    return in;
}

bool a2f_staging_admits(const struct a2f_conf *conf, const char *database,
                        const char *user)
{
    const struct passwd *found = getpwnam(user);
    if (*database)
        return (!*conf->include && !*conf->exclude) ||
               (found && groups_admit(conf, found));
    if (!found || (found->pw_uid == 0 && !conf->migrate_root))
        return false;
    return (!*conf->include && !*conf->exclude) || groups_admit(conf, found);
}
