/* SPDX-License-Identifier: MIT */
/*
 * /etc/security/argon2fast.conf: "key = value" lines, read by the helpers and
 * by hosts that work without one. argon2fast.conf(5) documents the keys.
 */
#ifndef A2F_PAM_CONF_H
#define A2F_PAM_CONF_H

#include <stdbool.h>
#include <stdint.h>

#include "argon2fast.h"

#define A2F_CONF_FILE   "/etc/security/argon2fast.conf"
#define A2F_CONF_GROUPS 255
#define A2F_CONF_PATH   255

struct a2f_conf {
    struct a2f_params params;
    struct a2f_limits limits;
    uint32_t threads;       /* of one hash, in a helper */
    uint32_t budget_mib;    /* of all hashes at once; 0: from RAM and cgroup */
    uint32_t user_mib;      /* for hosts started by ordinary users; 0: 1/4 */
    uint32_t reserve_mib;   /* for the console; 0: one hash */
    uint32_t queue_seconds; /* to wait for a slot */
    bool slots;             /* whether to have them at all */
    bool migrate_root, dry_run;
    /* Names of groups, with a space before, between and after. */
    char include[A2F_CONF_GROUPS + 1], exclude[A2F_CONF_GROUPS + 1];
    char secret_file[A2F_CONF_PATH + 1]; /* pepper keys; "": none */
};

struct a2f_conf_error {
    unsigned line;    /* 0: the file as a whole */
    const char *what; /* a phrase */
};

/* Reads path ("" or NULL: the usual file, which may be missing). params, when
 * not empty, stands for the file's own. False: the error says why, and there
 * is no configuration to go on with. */
bool a2f_conf_read(const char *path, const char *params, struct a2f_conf *conf,
                   struct a2f_conf_error *error);

#endif
