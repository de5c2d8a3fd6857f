/* SPDX-License-Identifier: MIT */
/*
 * See conf.h. Whatever is not understood is an error, and an error leaves the
 * caller without a configuration: a typing mistake must not weaken a login.
 */
#include "conf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lines.h"

enum type { PARAMS, NUMBER, SWITCH, WORDS, FILE_NAME };

struct key {
    const char *name;
    enum type type;
    size_t offset;
    uint32_t min, max; /* of a number */
};

#define AT(member) offsetof(struct a2f_conf, member)

static const struct key keys[] = {
    {"params", PARAMS, AT(params), 0, 0},
    {"max_memory", NUMBER, AT(limits.memory_kib), 8, UINT32_MAX - 1},
    {"max_passes", NUMBER, AT(limits.passes), 1, UINT32_MAX - 1},
    {"max_lanes", NUMBER, AT(limits.lanes), 1, 0xffffff},
    {"threads", NUMBER, AT(threads), 1, 64},
    {"slots", SWITCH, AT(slots), 0, 0},
    {"budget", NUMBER, AT(budget_mib), 0, 1 << 20},
    {"user_budget", NUMBER, AT(user_mib), 0, 1 << 20},
    {"reserve", NUMBER, AT(reserve_mib), 0, 1 << 20},
    {"queue_timeout", NUMBER, AT(queue_seconds), 1, 120},
    {"migrate_root", SWITCH, AT(migrate_root), 0, 0},
    {"migrate_dry_run", SWITCH, AT(dry_run), 0, 0},
    {"migrate_include", WORDS, AT(include), 0, 0},
    {"migrate_exclude", WORDS, AT(exclude), 0, 0},
    {"secret_file", FILE_NAME, AT(secret_file), 0, 0},
};

enum { KEYS = sizeof keys / sizeof *keys };

/* ---- values: each returns what is wrong with it, or NULL ---- */

static const char *take_params(const char *text, struct a2f_params *params)
{
    struct a2f_span span = {text, strlen(text)};
    if (a2f_params_read(span, params, NULL) != A2F_OK)
        return "not a cost: see params in argon2fast.conf(5)";
    return NULL;
}

static const char *take_number(const struct key *key, const char *text,
                               uint32_t *number)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno)
        return "not a number";
    if (value < key->min || value > key->max)
        return "a number out of range";
    *number = (uint32_t)value;
    return NULL;
}

static const char *take_switch(const char *text, bool *on)
{
    *on = strcmp(text, "yes") == 0;
    return *on || strcmp(text, "no") == 0 ? NULL : "neither yes nor no";
}

static const char *take_words(char *text, char *words)
{
    size_t len = 0;
    char *rest, *word = strtok_r(text, " \t,", &rest);
    for (; word; word = strtok_r(NULL, " \t,", &rest)) {
        size_t more = strlen(word);
        if (len + more + 2 > A2F_CONF_GROUPS)
            return "too many groups";
        words[len++] = ' ';
        memcpy(words + len, word, more);
        len += more;
    }
    if (len > 0)
        words[len++] = ' ';
    words[len] = '\0';
    return NULL;
}

static const char *take_file(const char *text, char *path)
{
    size_t len = strlen(text);
    if (len > A2F_CONF_PATH || (len > 0 && *text != '/'))
        return "not an absolute path";
    memcpy(path, text, len + 1);
    return NULL;
}

static const char *take_value(const struct key *key, char *text,
                              struct a2f_conf *conf)
{
    void *at = (char *)conf + key->offset;
    switch (key->type) {
    case PARAMS:
        return take_params(text, at);
    case NUMBER:
        return take_number(key, text, at);
    case SWITCH:
        return take_switch(text, at);
    case WORDS:
        return take_words(text, at);
    case FILE_NAME:
        return take_file(text, at);
    }
    return "unknown";
}

/* ---- lines ---- */

static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t len = strlen(text);
    while (len > 0 && strchr(" \t\r\n", text[len - 1]))
        text[--len] = '\0';
    return text;
}

static const char *take_line(const struct a2f_line *line, uint64_t *seen,
                             struct a2f_conf *conf)
{
    char text[512];
    if (!line->last || line->len >= sizeof text)
        return "too long";
    memcpy(text, line->text, line->len);
    text[line->len] = '\0';
    if (strlen(text) != line->len)
        return "not text";
    char *name = trim(text);
    if (!*name || *name == '#')
        return NULL;
    char *equals = strchr(name, '=');
    if (!equals)
        return "not of the form: key = value";
    *equals = '\0';
    char *value = trim(equals + 1);
    name = trim(name);
    for (size_t i = 0; i < KEYS; i++) {
        if (strcmp(keys[i].name, name) != 0)
            continue;
        if (*seen & UINT64_C(1) << i)
            return "a key that was there before";
        *seen |= UINT64_C(1) << i;
        return take_value(&keys[i], value, conf);
    }
    return "an unknown key";
}

/* Who may write to the file decides about logins: that is root, or whoever
 * the process is. */
static const char *check_owner(int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return "not a regular file";
    if ((st.st_uid != 0 && st.st_uid != geteuid()) || st.st_mode & S_IWOTH ||
        (st.st_mode & S_IWGRP && st.st_gid != 0))
        return "writable by others than root";
    return NULL;
}

static bool read_file(int fd, struct a2f_conf *conf,
                      struct a2f_conf_error *error)
{
    error->what = check_owner(fd);
    uint64_t seen = 0;
    struct a2f_lines lines;
    struct a2f_line line;
    int more = 0;
    a2f_lines_begin(&lines, fd);
    while (!error->what && (more = a2f_lines_next(&lines, &line)) > 0) {
        error->line++;
        error->what = take_line(&line, &seen, conf);
    }
    if (more < 0) {
        error->line = 0;
        error->what = strerror(errno);
    }
    a2f_lines_end(&lines);
    return !error->what;
}

static void lift(uint32_t *ceiling, uint32_t usual, uint32_t value)
{
    if (*ceiling == 0)
        *ceiling = usual;
    if (*ceiling < value)
        *ceiling = value;
}

/* What new hashes cost must be verifiable, whatever the ceilings say. */
static void lift_ceilings(struct a2f_conf *conf)
{
    struct a2f_limits *limits = &conf->limits;
    lift(&limits->memory_kib, 262144, conf->params.memory_kib);
    lift(&limits->passes, 64, conf->params.passes);
    lift(&limits->lanes, 16, conf->params.lanes);
    limits->work = (uint64_t)conf->params.memory_kib * conf->params.passes;
    if (limits->work < 4194304)
        limits->work = 4194304;
}

bool a2f_conf_read(const char *path, const char *params, struct a2f_conf *conf,
                   struct a2f_conf_error *error)
{
    *error = (struct a2f_conf_error){0};
    *conf = (struct a2f_conf){.threads = 1, .queue_seconds = 30, .slots = true};
    error->what = take_params("default", &conf->params);
    if (error->what)
        return false;
    bool usual = !path || !*path;
    int fd = open(usual ? A2F_CONF_FILE : path,
                  O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0 && !(usual && errno == ENOENT)) {
        error->what = strerror(errno);
        return false;
    }
    if (fd >= 0) {
        bool fine = read_file(fd, conf, error);
        close(fd);
        if (!fine)
            return false;
        error->line = 0;
    }
    if (params && *params)
        error->what = take_params(params, &conf->params)
                          ? "the module's option params= is not a cost"
                          : NULL;
    lift_ceilings(conf);
    return !error->what;
}
