/* SPDX-License-Identifier: MIT */
/*
 * One user's line of a shadow file (shadow(5)) or of a password file
 * ("user:hash" and more fields, which are not ours).
 */
#ifndef A2F_PAM_ENTRY_H
#define A2F_PAM_ENTRY_H

#include "lines.h"
#include "request.h"

/* The databases that are changed, and where. */
#define A2F_SHADOW_FILE  "/etc/shadow"
#define A2F_HISTORY_FILE "/etc/security/argon2fast.history"
#define A2F_BACKUP_FILE  "/etc/security/argon2fast.backup"
/* Of a password file: beside it. */
#define A2F_BACKUP_SUFFIX ".argon2fast.backup"

enum a2f_found { A2F_FOUND, A2F_ABSENT, A2F_UNREADABLE };

struct a2f_entry {
    enum a2f_scheme scheme;
    enum a2f_ageing ageing;
    size_t line_len;
    char line[A2F_LINE_MAX]; /* as it is in the file, without newline */
    char hash[A2F_HASH_MAX + 1];
};

/* Finds the user's first line; errno says why it is unreadable. A line that
 * no program should have written is found, with scheme A2F_SCHEME_LOCKED. */
enum a2f_found a2f_entry_find(const char *database, const char *user,
                              struct a2f_entry *entry);
/* From a whole line; shadow: fields 3 and up are shadow(5)'s. */
void a2f_entry_read(const struct a2f_line *line, bool shadow,
                    struct a2f_entry *entry);
void a2f_entry_wipe(struct a2f_entry *entry);

/* Whether a name can be a key of such a file at all. */
bool a2f_user_valid(const char *user);

enum a2f_scheme a2f_scheme_of(const char *hash);
/* "yescrypt", "sha512crypt", ..: what to call a hash in a log. */
const char *a2f_scheme_name(const char *hash);

/* Opens a database for reading, regular files only; -1 and errno. */
int a2f_database_open(const char *path);

#endif
