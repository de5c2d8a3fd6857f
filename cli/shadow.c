/* SPDX-License-Identifier: MIT */
/*
 * argon2fast shadow: how far the shadow file, or a password file, has come on
 * its way to Argon2, and the way back. Reading and writing it is the PAM
 * module's work; this is its administrator's end.
 */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../modules/pam_argon2fast/change.h"
#include "../modules/pam_argon2fast/entry.h"
#include "../modules/pam_argon2fast/staging.h"

/* Calls each with every entry of a file; false: reported. */
static bool read_entries(const char *path, bool shadow,
                         bool (*each)(const char *user,
                                      const struct a2f_entry *entry, void *ctx),
                         void *ctx)
{
    struct a2f_lines lines;
    struct a2f_line line;
    struct a2f_entry entry;
    int more, fd = a2f_database_open(path);
    bool going = true;
    if (fd < 0) {
        cli_error("cannot read %s: %s", path, strerror(errno));
        return false;
    }
    a2f_lines_begin(&lines, fd);
    while (going && (more = a2f_lines_next(&lines, &line)) > 0) {
        char user[A2F_USER_MAX + 1];
        const char *colon = memchr(line.text, ':', line.len);
        size_t len = colon ? (size_t)(colon - line.text) : 0;
        if (!line.first || len == 0 || len >= sizeof user)
            continue;
        memcpy(user, line.text, len);
        user[len] = '\0';
        a2f_entry_read(&line, shadow, &entry);
        if (a2f_user_valid(user))
            going = each(user, &entry, ctx);
        a2f_entry_wipe(&entry);
    }
    if (going && more < 0)
        cli_error("cannot read %s: %s", path, strerror(errno));
    a2f_lines_end(&lines);
    close(fd);
    return going && more == 0;
}

/* ---- audit ---- */

enum { KINDS = 64 };

struct audit {
    const char *file; /* "": the shadow file */
    struct a2f_conf conf;
    struct a2f_keys *keys;
    struct kind {
        char name[160];
        unsigned long users;
    } kind[KINDS];
    size_t kinds;
    unsigned long argon2, other, admitted, kept;
};

/* What to call an entry: its scheme, and for Argon2 what it costs. */
static void name_kind(const struct a2f_entry *entry, char *name, size_t size)
{
    struct a2f_span hash = {entry->hash, strlen(entry->hash)};
    struct a2f_params params;
    char text[128];
    switch (entry->scheme) {
    case A2F_SCHEME_EMPTY:
        snprintf(name, size, "empty");
        return;
    case A2F_SCHEME_ARGON2:
        if (a2f_parse(hash, &params, NULL, NULL) == A2F_OK &&
            a2f_params_write(&params, text, sizeof text) == A2F_OK)
            snprintf(name, size, "argon2 %s", text);
        else
            snprintf(name, size, "argon2, malformed");
        return;
    case A2F_SCHEME_FOREIGN:
        snprintf(name, size, "%s", a2f_scheme_name(entry->hash));
        return;
    default:
        snprintf(name, size, "locked");
    }
}

static bool count_entry(const char *user, const struct a2f_entry *entry,
                        void *ctx)
{
    struct audit *audit = ctx;
    char name[sizeof audit->kind[0].name];
    name_kind(entry, name, sizeof name);
    size_t i = 0;
    while (i < audit->kinds && strcmp(audit->kind[i].name, name) != 0)
        i++;
    if (i == KINDS)
        snprintf(audit->kind[--i].name, sizeof name, "others");
    else if (i == audit->kinds)
        memcpy(audit->kind[audit->kinds++].name, name, sizeof name);
    audit->kind[i].users++;
    /* A locked entry counts: unlocking brings its hash back. */
    const char *hash = entry->hash + strspn(entry->hash, "!");
    bool needs = false;
    if (a2f_scheme_of(hash) == A2F_SCHEME_ARGON2) {
        struct a2f_span text = {hash, strlen(hash)};
        audit->argon2++;
        audit->other += a2f_needs_rehash(text, &audit->conf.params, audit->keys,
                                         &needs, NULL) != A2F_OK ||
                        needs;
    }
    if (entry->scheme == A2F_SCHEME_FOREIGN) {
        if (a2f_staging_admits(&audit->conf, audit->file, user))
            audit->admitted++;
        else
            audit->kept++;
    }
    return true;
}

/* The password file that the operands begin with; "": the shadow file. No
 * user's name begins with a slash. */
static const char *file_of(const struct cli_args *args)
{
    return args->operands > 1 && *args->operand[1] == '/' ? args->operand[1]
                                                          : "";
}

static int by_users(const void *a, const void *b)
{
    const struct kind *x = a, *y = b;
    if (x->users != y->users)
        return x->users < y->users ? 1 : -1;
    return strcmp(x->name, y->name);
}

static int run_audit(const struct cli_args *args)
{
    struct audit audit = {.file = file_of(args)};
    struct a2f_conf_error error;
    if (args->operands > 1 + (*audit.file != 0))
        return cli_error("audit takes no users");
    if (!a2f_conf_read("", "", &audit.conf, &error))
        return cli_error("%s, line %u: %s", A2F_CONF_FILE, error.line,
                         error.what);
    if (*audit.conf.secret_file) {
        struct a2f_why why;
        char text[160];
        enum a2f_status s =
            a2f_keys_read(audit.conf.secret_file, &audit.keys, &why);
        a2f_explain(s, &why, text, sizeof text);
        if (s != A2F_OK)
            return cli_error("%s: %s", audit.conf.secret_file, text);
    }
    bool shadow = !*audit.file;
    bool whole = read_entries(shadow ? A2F_SHADOW_FILE : audit.file, shadow,
                              count_entry, &audit);
    a2f_keys_free(audit.keys);
    if (!whole)
        return CLI_ERROR;
    qsort(audit.kind, audit.kinds, sizeof *audit.kind, by_users);
    for (size_t i = 0; i < audit.kinds; i++)
        printf("%7lu  %s\n", audit.kind[i].users, audit.kind[i].name);
    printf("a login with migrate rewrites %lu of them, and leaves %lu\n",
           audit.admitted, audit.kept);
    printf("%lu of another cost or key than a new one\n", audit.other);
    printf("%lu with Argon2\n", audit.argon2);
    return audit.argon2 == 0 ? CLI_YES : CLI_NO;
}

/* ---- revert ---- */

static int revert_user(const char *file, const char *user)
{
    struct a2f_request request = {.kind = A2F_ASK_REVERT,
                                  .user = user,
                                  .password = "",
                                  .database = file,
                                  .params = "",
                                  .conf = "",
                                  .hash = ""};
    struct a2f_reply reply;
    a2f_change(&request, &reply);
    switch (reply.verdict) {
    case A2F_SAYS_PASS:
        printf("%s: restored\n", user);
        return CLI_YES;
    case A2F_SAYS_CHANGED:
        printf("%s: left, the password has been changed since\n", user);
        return CLI_NO;
    case A2F_SAYS_UNKNOWN:
        printf("%s: left, there is no backup, or no such user\n", user);
        return CLI_NO;
    default:
        return cli_error("%s: %s", user, reply.note);
    }
}

/* The users that have a backup; it is rewritten while they are restored. */
struct names {
    char **name;
    size_t n;
};

static bool add_name(const char *user, const struct a2f_entry *entry, void *ctx)
{
    struct names *names = ctx;
    (void)entry;
    char **more = realloc(names->name, (names->n + 1) * sizeof *more);
    if (more)
        names->name = more;
    char *copy = more ? strdup(user) : NULL;
    if (!copy) {
        cli_error("out of memory");
        return false;
    }
    names->name[names->n++] = copy;
    return true;
}

static int run_revert(const struct cli_args *args)
{
    struct names names = {0};
    int status = CLI_YES;
    const char *file = file_of(args);
    char backup[A2F_PATH_MAX + sizeof A2F_BACKUP_SUFFIX] = A2F_BACKUP_FILE;
    int first = 1 + (*file != 0);
    if (strlen(file) > A2F_PATH_MAX)
        return cli_error("the file's name is too long");
    if (*file)
        snprintf(backup, sizeof backup, "%s%s", file, A2F_BACKUP_SUFFIX);
    if (args->operands > first)
        for (int i = first; i < args->operands; i++)
            status =
                add_name(args->operand[i], NULL, &names) ? status : CLI_ERROR;
    else if (access(backup, F_OK) == 0 &&
             !read_entries(backup, false, add_name, &names))
        status = CLI_ERROR;
    for (size_t i = 0; i < names.n; i++) {
        int one =
            status == CLI_ERROR ? CLI_ERROR : revert_user(file, names.name[i]);
        status = one > status ? one : status;
        free(names.name[i]);
    }
    free(names.name);
    return status;
}

static int run(const struct cli_args *args)
{
    const char *what = args->operands > 0 ? args->operand[0] : "";
    if (strcmp(what, "audit") == 0)
        return run_audit(args);
    if (strcmp(what, "revert") == 0)
        return run_revert(args);
    return cli_error("shadow does audit or revert; see --help");
}

const struct cli_command cli_shadow = {
    .name = "shadow",
    .summary = "look after the hashes of the shadow file",
    .operands = "audit [/FILE] | revert [/FILE] [USER]...",
    .about =
        "audit counts the users of the shadow file by scheme and cost, and\n"
        "says how many the option migrate of pam_argon2fast would rewrite as\n"
        "they log in. Exits with 0 when no Argon2 hash is there, with 1 when\n"
        "there are some: their users could not log in without the module.\n"
        "\n"
        "revert puts back the hashes that such rewrites have replaced, of the\n"
        "users named or of all, unless their passwords have been changed\n"
        "since. Exits with 0 when all are back, with 1 when some were left.\n"
        "\n"
        "With a path they do so for a password file (the option pwdfile=).\n"
        "Both exit with 2 on errors. They need the rights of root.\n",
    .options = 0,
    .run = run,
};
