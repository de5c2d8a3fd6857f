/* SPDX-License-Identifier: MIT */
/* See entry.h. */
#include "entry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "argon2fast.h"

/* What a password field with a prefix says behind its first dollar; the last
 * row takes the rest. Those of DES have no dollar. */
static const struct {
    const char *prefix, *name;
} schemes[] = {
    {"argon2", "argon2"},  {"y$", "yescrypt"}, {"gy$", "gost-yescrypt"},
    {"7$", "scrypt"},      {"2", "bcrypt"},    {"6$", "sha512crypt"},
    {"5$", "sha256crypt"}, {"1$", "md5crypt"}, {"sha1", "sha1crypt"},
    {"", "unknown"},
};

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

const char *a2f_scheme_name(const char *hash)
{
    size_t i = 0;
    if (*hash != '$')
        return *hash == '_' ? "bsdicrypt" : "descrypt";
    while (!begins(hash + 1, schemes[i].prefix))
        i++;
    return schemes[i].name;
}

enum a2f_scheme a2f_scheme_of(const char *hash)
{
    if (!*hash)
        return A2F_SCHEME_EMPTY;
    if (*hash == '!' || *hash == '*')
        return A2F_SCHEME_LOCKED;
    return *hash == '$' && begins(hash + 1, schemes[0].prefix)
               ? A2F_SCHEME_ARGON2
               : A2F_SCHEME_FOREIGN;
}

/* + and - once began entries that stood for a network's users. */
bool a2f_user_valid(const char *user)
{
    size_t len = strlen(user);
    return len > 0 && len <= A2F_USER_MAX && !strpbrk(user, ":\n") &&
           *user != '+' && *user != '-' && *user != '#';
}

int a2f_database_open(const char *path)
{
    /* O_NONBLOCK: a FIFO must not hold us up before we can see it is one. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    struct stat st;
    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        return fd;
    close(fd);
    errno = EINVAL;
    return -1;
}

/* Field n (from 0) of a line; NULL when there are not that many. */
static const char *field(const char *line, unsigned n, size_t *len)
{
    while (n-- > 0) {
        line = strchr(line, ':');
        if (!line)
            return NULL;
        line++;
    }
    *len = strcspn(line, ":");
    return line;
}

/* A day count of shadow(5); -1 when empty or nonsense. */
static long day_field(const char *line, unsigned n)
{
    size_t len;
    const char *at = field(line, n, &len);
    char *end;
    if (!at || len == 0 || len > 9 || *at < '0' || *at > '9')
        return -1;
    long days = strtol(at, &end, 10);
    return end == at + len ? days : -1;
}

static enum a2f_ageing read_ageing(const char *line)
{
    long today = (long)(time(NULL) / 86400);
    long changed = day_field(line, 2), min = day_field(line, 3);
    long expires = day_field(line, 7);
    if (expires > 0 && today >= expires)
        return A2F_AGE_EXPIRED;
    /* A change day of 0 asks for a change now; one in the future is a clock
     * that was wrong, and must not keep the user out until then. */
    if (changed > 0 && changed <= today && min > 0 && today < changed + min)
        return A2F_AGE_TOO_SOON;
    return A2F_AGE_FREE;
}

void a2f_entry_read(const struct a2f_line *line, bool shadow,
                    struct a2f_entry *entry)
{
    *entry = (struct a2f_entry){.scheme = A2F_SCHEME_LOCKED};
    size_t len = line->len;
    if (len > 0 && line->text[len - 1] == '\n')
        len--;
    if (!line->last || len >= sizeof entry->line || memchr(line->text, 0, len))
        return;
    memcpy(entry->line, line->text, len);
    entry->line_len = len;
    size_t hash_len;
    const char *hash = field(entry->line, 1, &hash_len);
    if (!hash || hash_len >= sizeof entry->hash)
        return;
    memcpy(entry->hash, hash, hash_len);
    entry->scheme = a2f_scheme_of(entry->hash);
    if (shadow)
        entry->ageing = read_ageing(entry->line);
}

enum a2f_found a2f_entry_find(const char *database, const char *user,
                              struct a2f_entry *entry)
{
    *entry = (struct a2f_entry){.scheme = A2F_SCHEME_NONE};
    if (!a2f_user_valid(user))
        return A2F_ABSENT;
    bool shadow = !*database;
    int fd = a2f_database_open(shadow ? A2F_SHADOW_FILE : database);
    if (fd < 0)
        return A2F_UNREADABLE;
    enum a2f_found found = A2F_ABSENT;
    struct a2f_lines lines;
    struct a2f_line line;
    int more;
    a2f_lines_begin(&lines, fd);
    while ((more = a2f_lines_next(&lines, &line)) > 0)
        if (a2f_line_is(&line, user)) {
            a2f_entry_read(&line, shadow, entry);
            found = A2F_FOUND;
            break;
        }
    if (more < 0)
        found = A2F_UNREADABLE;
    int error = errno;
    a2f_lines_end(&lines);
    close(fd);
    errno = error;
    return found;
}

void a2f_entry_wipe(struct a2f_entry *entry)
{
    a2f_wipe(entry, sizeof *entry);
}
