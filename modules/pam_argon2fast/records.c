/* SPDX-License-Identifier: MIT */
/* See records.h; the edits are made by edit.c. */
#include "records.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "edit.h"
#include "entry.h"

struct record {
    const char *user, *hash, *now;
    uint32_t keep;
};

static bool edit_file(const char *path, struct a2f_editor *editor)
{
    struct a2f_place place;
    bool wrote;
    if (!a2f_place_open(&place, path))
        return false;
    bool done = a2f_edit(&place, editor, &wrote);
    int error = errno;
    a2f_place_close(&place);
    errno = error;
    return done || (error == ENOENT && !editor->create);
}

static enum a2f_edit finish(int n, size_t size, size_t *len)
{
    if (n < 0 || (size_t)n >= size) {
        errno = EMSGSIZE;
        return A2F_EDIT_FAIL;
    }
    *len = (size_t)n;
    return A2F_EDIT_WRITE;
}

/* The part of a whole line behind "user:", without newline. */
static size_t values(const struct a2f_line *line, const char *user,
                     const char **at)
{
    size_t skip = strlen(user) + 1, len = line->len - skip;
    *at = line->text + skip;
    return len > 0 && (*at)[len - 1] == '\n' ? len - 1 : len;
}

/* ---- history ---- */

static enum a2f_edit edit_history(const struct a2f_line *old, char *text,
                                  size_t size, size_t *len, void *ctx)
{
    const struct record *record = ctx;
    const char *rest = "";
    size_t rest_len = 0;
    /* A line in pieces is none that was written here: begin a new one. */
    if (old && old->last)
        rest_len = values(old, record->user, &rest);
    size_t hash_len = strlen(record->hash);
    if (rest_len >= hash_len && memcmp(rest, record->hash, hash_len) == 0 &&
        (rest_len == hash_len || rest[hash_len] == ':'))
        return A2F_EDIT_LEAVE; /* a change that was broken off after this */
    size_t room = size - strlen(record->user) - hash_len - 4, kept = 0;
    for (uint32_t n = 1; n < record->keep && kept < rest_len; n++) {
        const char *colon = memchr(rest + kept, ':', rest_len - kept);
        size_t end = colon ? (size_t)(colon - rest) : rest_len;
        if (end >= room)
            break;
        kept = end + (colon ? 1 : 0);
    }
    while (kept > 0 && rest[kept - 1] == ':')
        kept--;
    return finish(snprintf(text, size, "%s:%s%s%.*s\n", record->user,
                           record->hash, kept ? ":" : "", (int)kept, rest),
                  size, len);
}

bool a2f_history_add(const char *user, const char *hash, uint32_t keep)
{
    struct record record = {.user = user, .hash = hash, .keep = keep};
    return edit_file(A2F_HISTORY_FILE,
                     &(struct a2f_editor){user, edit_history, &record, true});
}

/* ---- backup ---- */

static enum a2f_edit edit_backup(const struct a2f_line *old, char *text,
                                 size_t size, size_t *len, void *ctx)
{
    const struct record *record = ctx;
    (void)old;
    return finish(snprintf(text, size, "%s:%s:%s\n", record->user, record->hash,
                           record->now),
                  size, len);
}

/* Of "before:was" only what follows the colon changes. */
static enum a2f_edit edit_follow(const struct a2f_line *old, char *text,
                                 size_t size, size_t *len, void *ctx)
{
    const struct record *record = ctx;
    const char *at;
    if (!old || !old->last)
        return A2F_EDIT_LEAVE;
    size_t n = values(old, record->user, &at), was = strlen(record->hash);
    const char *colon = memchr(at, ':', n);
    if (!colon || n - (size_t)(colon + 1 - at) != was ||
        memcmp(colon + 1, record->hash, was) != 0)
        return A2F_EDIT_LEAVE;
    return finish(snprintf(text, size, "%s:%.*s:%s\n", record->user,
                           (int)(colon - at), at, record->now),
                  size, len);
}

static enum a2f_edit edit_remove(const struct a2f_line *old, char *text,
                                 size_t size, size_t *len, void *ctx)
{
    (void)text, (void)size, (void)ctx;
    *len = 0;
    return old ? A2F_EDIT_WRITE : A2F_EDIT_LEAVE;
}

bool a2f_backup_add(const char *file, const char *user, const char *before,
                    const char *now)
{
    struct record record = {.user = user, .hash = before, .now = now};
    return edit_file(file,
                     &(struct a2f_editor){user, edit_backup, &record, true});
}

bool a2f_backup_follow(const char *file, const char *user, const char *was,
                       const char *now)
{
    struct record record = {.user = user, .hash = was, .now = now};
    return edit_file(file,
                     &(struct a2f_editor){user, edit_follow, &record, false});
}

bool a2f_backup_remove(const char *file, const char *user)
{
    return edit_file(file,
                     &(struct a2f_editor){user, edit_remove, NULL, false});
}
