/* SPDX-License-Identifier: MIT */
/* See options.h. */
#include "options.h"

#include <errno.h>
#include <security/pam_ext.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "request.h"

enum type { FLAG, NUMBER, PATH, TEXT, HELPER };

struct option {
    const char *name; /* with = when it has a value */
    size_t offset;
    enum type type;
    uint32_t max;
};

#define AT(member) offsetof(struct a2f_options, member)

static const struct option table[] = {
    {"debug", AT(debug), FLAG, 0},
    {"audit", AT(audit), FLAG, 0},
    {"quiet", AT(quiet), FLAG, 0},
    {"nullok", AT(nullok), FLAG, 0},
    {"nodelay", AT(nodelay), FLAG, 0},
    {"migrate", AT(migrate), FLAG, 0},
    {"rehash", AT(rehash), FLAG, 0},
    {"deny_common", AT(deny_common), FLAG, 0},
    {"remember=", AT(remember), NUMBER, A2F_REMEMBER_MAX},
    {"minlen=", AT(minlen), NUMBER, A2F_PASSWORD_MAX},
    {"pwdfile=", AT(pwdfile), PATH, A2F_PATH_MAX},
    {"conf=", AT(conf), PATH, A2F_PATH_MAX},
    {"params=", AT(params), TEXT, 127},
    {"helper=", AT(helper), HELPER, 0},
    {"use_first_pass", AT(use_first_pass), FLAG, 0},
    /* pam_get_authtok() reads these two from the same arguments. */
    {"use_authtok", AT(use_authtok), FLAG, 0},
    {"authtok_type=", AT(ignored), TEXT, UINT32_MAX},
    /* What is there is always tried first. */
    {"try_first_pass", AT(ignored), FLAG, 0},
    {"noreap", AT(noreap), FLAG, 0},
};

static bool take_number(pam_handle_t *pamh, const struct option *option,
                        const char *value, uint32_t *number)
{
    char *end;
    errno = 0;
    unsigned long n = strtoul(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || errno)
        return false;
    if (n > option->max) {
        pam_syslog(pamh, LOG_ERR, "%s at most %lu, so that it is", option->name,
                   (unsigned long)option->max);
        n = option->max;
    }
    *number = (uint32_t)n;
    return true;
}

static bool take_helper(const char *value, uint32_t *use)
{
    static const char *const names[] = {"auto", "always", "never"};
    for (*use = A2F_HELPER_AUTO; *use <= A2F_HELPER_NEVER; ++*use)
        if (strcmp(value, names[*use]) == 0)
            return true;
    return false;
}

static bool take_value(pam_handle_t *pamh, const struct option *option,
                       const char *value, struct a2f_options *options)
{
    void *at = (char *)options + option->offset;
    switch (option->type) {
    case FLAG:
        *(bool *)at = true;
        return true;
    case NUMBER:
        return take_number(pamh, option, value, at);
    case PATH:
        if (*value != '/')
            return false;
        /* fall through */
    case TEXT:
        if (strlen(value) > option->max)
            return false;
        if (option->offset != AT(ignored))
            *(const char **)at = value;
        return true;
    case HELPER:
        return take_helper(value, at);
    }
    return false;
}

static const struct option *find(const char *argument, const char **value)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t len = strlen(table[i].name);
        bool has_value = table[i].name[len - 1] == '=';
        *value = argument + len;
        if (strncmp(argument, table[i].name, len) == 0 &&
            (has_value || !**value))
            return &table[i];
    }
    return NULL;
}

bool a2f_options_read(pam_handle_t *pamh, int argc, const char **argv,
                      struct a2f_options *options)
{
    bool fine = true;
    *options = (struct a2f_options){
        .minlen = 6, .pwdfile = "", .params = "", .conf = ""};
    for (int i = 0; i < argc; i++) {
        const char *value;
        const struct option *option = find(argv[i], &value);
        if (!option) {
            pam_syslog(pamh, LOG_ERR, "unrecognized option [%s]", argv[i]);
        } else if (!take_value(pamh, option, value, options)) {
            pam_syslog(pamh, LOG_ERR, "the value of %s is not valid",
                       option->name);
            fine = false;
        }
    }
    if (options->remember && *options->pwdfile) {
        pam_syslog(pamh, LOG_ERR, "remember= works for the shadow file only");
        options->remember = 0;
    }
    return fine;
}
