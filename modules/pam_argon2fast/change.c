/* SPDX-License-Identifier: MIT */
/*
 * See change.h. The order of the writes is such that a process killed between
 * any two of them leaves nothing wrong: history and backup speak of a change
 * before it is made, and hold nothing that a second attempt could not repeat.
 */
#include "change.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "argon2fast.h"
#include "edit.h"
#include "entry.h"
#include "locks.h"
#include "records.h"
#include "stamp.h"

struct change {
    const struct a2f_request *request;
    struct a2f_reply *reply;
    bool shadow;
    const char *path;
    char backup[A2F_PATH_MAX + sizeof A2F_BACKUP_SUFFIX];
    struct a2f_place place;
    struct a2f_entry entry;          /* as it is under the lock */
    char hash[A2F_HASH_MAX + 1];     /* what it gets */
    char expected[A2F_HASH_MAX + 1]; /* revert: what it must hold */
};

static enum a2f_verdict failed(struct change *change, const char *path)
{
    return a2f_reply_says(change->reply, A2F_SAYS_UNAVAILABLE,
                          "cannot write %.128s: %s", path, strerror(errno));
}

/* ---- the entry ---- */

/* Whether the line is still the one this change is about. */
static enum a2f_verdict check(struct change *change)
{
    bool failed_check = false, same;
    if (change->entry.line_len == 0)
        return a2f_reply_says(change->reply, A2F_SAYS_UNAVAILABLE,
                              "the entry is malformed");
    if (change->request->kind == A2F_ASK_REVERT)
        same = strcmp(change->entry.hash, change->expected) == 0;
    else
        same = a2f_stamp_fits(&change->entry, &change->request->stamp,
                              &failed_check);
    if (failed_check)
        return a2f_reply_says(change->reply, A2F_SAYS_NO_MEMORY, "no memory");
    if (!same)
        return a2f_reply_says(change->reply, A2F_SAYS_CHANGED,
                              "the entry has been changed meanwhile");
    return A2F_SAYS_PASS;
}

/* The line with the new hash, and for a real change the day of it. */
static enum a2f_edit edit_entry(const struct a2f_line *old, char *text,
                                size_t size, size_t *len, void *ctx)
{
    struct change *change = ctx;
    if (!old) {
        change->reply->verdict = A2F_SAYS_UNKNOWN;
        return A2F_EDIT_LEAVE;
    }
    a2f_entry_read(old, change->shadow, &change->entry);
    change->reply->verdict = check(change);
    if (change->reply->verdict != A2F_SAYS_PASS)
        return A2F_EDIT_LEAVE;
    const char *rest = strchr(change->entry.line, ':') + 1;
    rest += strcspn(rest, ":");
    char day[32] = "";
    if (change->shadow && change->request->kind == A2F_ASK_CHANGE && *rest) {
        long today = (long)(time(NULL) / 86400);
        /* Day 0 would mean "must be changed"; no clock, no ageing. */
        if (today > 0)
            snprintf(day, sizeof day, ":%ld", today);
        else
            snprintf(day, sizeof day, ":");
        rest += 1 + strcspn(rest + 1, ":");
    }
    int n = snprintf(text, size, "%s:%s%s%s\n", change->request->user,
                     change->hash, day, rest);
    if (n < 0 || (size_t)n >= size) {
        errno = EMSGSIZE;
        return A2F_EDIT_FAIL;
    }
    *len = (size_t)n;
    return A2F_EDIT_WRITE;
}

static enum a2f_verdict write_entry(struct change *change)
{
    struct a2f_editor editor = {change->request->user, edit_entry, change,
                                false};
    bool wrote;
    if (!a2f_edit(&change->place, &editor, &wrote))
        return failed(change, change->path);
    return change->reply->verdict;
}

/* ---- what goes with it ---- */

static enum a2f_verdict before_entry(struct change *change)
{
    const struct a2f_request *request = change->request;
    enum a2f_scheme scheme = change->entry.scheme;
    const char *was = change->entry.hash;
    if (change->shadow && request->kind == A2F_ASK_CHANGE &&
        request->remember > 0 &&
        (scheme == A2F_SCHEME_ARGON2 || scheme == A2F_SCHEME_FOREIGN) &&
        !a2f_history_add(request->user, was, request->remember))
        return failed(change, A2F_HISTORY_FILE);
    if (request->kind != A2F_ASK_REHASH)
        return A2F_SAYS_PASS;
    bool kept =
        scheme == A2F_SCHEME_FOREIGN
            ? a2f_backup_add(change->backup, request->user, was, change->hash)
            : a2f_backup_follow(change->backup, request->user, was,
                                change->hash);
    return kept ? A2F_SAYS_PASS : failed(change, change->backup);
}

/* Finds the backup that a revert is about. */
static enum a2f_verdict read_backup(struct change *change)
{
    struct a2f_entry backup;
    switch (a2f_entry_find(change->backup, change->request->user, &backup)) {
    case A2F_FOUND:
        break;
    case A2F_ABSENT:
        return A2F_SAYS_UNKNOWN;
    case A2F_UNREADABLE:
        return errno == ENOENT ? A2F_SAYS_UNKNOWN
                               : failed(change, change->backup);
    }
    const char *now = strchr(backup.line, ':');
    now = now ? strchr(now + 1, ':') : NULL;
    enum a2f_verdict verdict = A2F_SAYS_UNKNOWN;
    if (now && strlen(now + 1) < sizeof change->expected) {
        memcpy(change->expected, now + 1, strlen(now + 1) + 1);
        memcpy(change->hash, backup.hash, sizeof change->hash);
        verdict = A2F_SAYS_PASS;
    }
    a2f_entry_wipe(&backup);
    return verdict;
}

static enum a2f_verdict change_locked(struct change *change)
{
    const struct a2f_request *request = change->request;
    enum a2f_verdict verdict = A2F_SAYS_PASS;
    if (request->kind == A2F_ASK_REVERT)
        verdict = read_backup(change);
    if (verdict != A2F_SAYS_PASS)
        return verdict;
    switch (a2f_entry_find(change->shadow ? "" : change->path, request->user,
                           &change->entry)) {
    case A2F_FOUND:
        break;
    case A2F_ABSENT:
        return A2F_SAYS_UNKNOWN;
    case A2F_UNREADABLE:
        return failed(change, change->path);
    }
    verdict = check(change);
    if (verdict == A2F_SAYS_PASS)
        verdict = before_entry(change);
    if (verdict == A2F_SAYS_PASS)
        verdict = write_entry(change);
    /* A password that the user has chosen is nothing to go back behind. */
    if (verdict == A2F_SAYS_PASS && request->kind != A2F_ASK_REHASH)
        (void)a2f_backup_remove(change->backup, request->user);
    return verdict;
}

/* ---- all ---- */

/* A hash of ours, or nothing of it gets near the file. */
static bool hash_is_sound(const char *hash)
{
    struct a2f_span text = {hash, strlen(hash)};
    return text.len <= A2F_HASH_MAX &&
           a2f_parse(text, &(struct a2f_params){0}, NULL, NULL) == A2F_OK &&
           !strpbrk(hash, ":\n");
}

static enum a2f_verdict run(struct change *change)
{
    const struct a2f_request *request = change->request;
    if (request->kind == A2F_ASK_PROBE)
        return a2f_place_writable(&change->place)
                   ? A2F_SAYS_PASS
                   : failed(change, change->path);
    if (request->kind != A2F_ASK_REVERT) {
        if (!hash_is_sound(request->hash))
            return a2f_reply_says(change->reply, A2F_SAYS_UNAVAILABLE,
                                  "not a hash to be written");
        memcpy(change->hash, request->hash, strlen(request->hash) + 1);
    }
    if (!a2f_place_writable(&change->place))
        return failed(change, change->path);
    struct a2f_locks locks;
    if (!a2f_locks_take(&locks, change->place.dir, change->place.name,
                        change->shadow)) {
        if (errno == EWOULDBLOCK)
            return a2f_reply_says(change->reply, A2F_SAYS_BUSY,
                                  "%.128s is locked by another program",
                                  change->path);
        return failed(change, change->path);
    }
    enum a2f_verdict verdict = change_locked(change);
    a2f_locks_give(&locks);
    return verdict;
}

void a2f_change(const struct a2f_request *request, struct a2f_reply *reply)
{
    struct change change = {.request = request,
                            .reply = reply,
                            .shadow = !*request->database,
                            .place = {.dir = -1},
                            .path = *request->database ? request->database
                                                       : A2F_SHADOW_FILE};
    *reply = (struct a2f_reply){0};
    /* It fits: a request's path is no longer than that. */
    snprintf(change.backup, sizeof change.backup, "%s%s",
             change.shadow ? A2F_BACKUP_FILE : change.path,
             change.shadow ? "" : A2F_BACKUP_SUFFIX);
    enum a2f_verdict verdict = A2F_SAYS_UNKNOWN;
    if (a2f_user_valid(request->user) || request->kind == A2F_ASK_PROBE)
        verdict = a2f_place_open(&change.place, change.path)
                      ? run(&change)
                      : failed(&change, change.path);
    reply->verdict = verdict;
    a2f_place_close(&change.place);
    a2f_wipe(&change, sizeof change);
}
