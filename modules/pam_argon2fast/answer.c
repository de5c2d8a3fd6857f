/* SPDX-License-Identifier: MIT */
/*
 * See answer.h. Users that are not there, locked and empty entries cost a
 * dummy hash: what an entry is does not show in the time it takes.
 */
#include "answer.h"

#include <errno.h>
#include <string.h>

#include "argon2fast.h"
#include "history.h"
#include "staging.h"
#include "stamp.h"
#include "work.h"

/* ---- what a request needs first ---- */

static enum a2f_verdict read_conf(struct a2f_work *work)
{
    const struct a2f_request *request = work->request;
    struct a2f_conf_error error;
    if (a2f_conf_read(request->conf, request->params, &work->conf, &error))
        return A2F_SAYS_PASS;
    const char *path = *request->conf ? request->conf : A2F_CONF_FILE;
    if (error.line)
        return a2f_reply_says(work->reply, A2F_SAYS_UNAVAILABLE,
                              "%.128s, line %u: %s", path, error.line,
                              error.what);
    return a2f_reply_says(work->reply, A2F_SAYS_UNAVAILABLE, "%.128s: %s", path,
                          error.what);
}

static enum a2f_verdict read_entry(struct a2f_work *work)
{
    const char *database = work->request->database;
    struct a2f_entry *entry = &work->entry;
    struct a2f_reply *reply = work->reply;
    if (a2f_entry_find(database, work->request->user, entry) == A2F_UNREADABLE)
        return a2f_reply_says(
            reply, A2F_SAYS_UNAVAILABLE, "cannot read %.128s: %s",
            *database ? database : A2F_SHADOW_FILE, strerror(errno));
    reply->scheme = entry->scheme;
    reply->ageing = entry->ageing;
    if (work->asker->root && entry->scheme != A2F_SCHEME_NONE &&
        !a2f_stamp_make(entry, &reply->stamp))
        return a2f_reply_says(reply, A2F_SAYS_NO_MEMORY, "no memory");
    return A2F_SAYS_PASS;
}

/* ---- verify ---- */

/* Whether, if the password is right, the entry may be written anew. */
static bool wants_rewrite(const struct a2f_work *work)
{
    const struct a2f_request *request = work->request;
    const struct a2f_entry *entry = &work->entry;
    if (!work->asker->root)
        return false;
    if (entry->scheme == A2F_SCHEME_FOREIGN)
        return request->flags & A2F_FLAG_MIGRATE &&
               a2f_staging_admits(&work->conf, request->database,
                                  request->user);
    return entry->scheme == A2F_SCHEME_ARGON2 &&
           request->flags & A2F_FLAG_UPGRADE;
}

/* Best effort: whatever happens here, the password was right. */
static void rewrite(struct a2f_work *work)
{
    struct a2f_reply *reply = work->reply;
    if (work->entry.scheme == A2F_SCHEME_FOREIGN)
        (void)a2f_work_hash(work);
    if (*reply->hash) {
        reply->dry_run = work->conf.dry_run;
        a2f_reply_says(reply, A2F_SAYS_PASS, "%s",
                       a2f_scheme_name(work->entry.hash));
    }
}

static enum a2f_verdict check_entry(struct a2f_work *work, bool again)
{
    const struct a2f_request *request = work->request;
    const char *hash = work->entry.hash;
    enum a2f_verdict verdict = A2F_SAYS_UNKNOWN;
    switch (work->entry.scheme) {
    case A2F_SCHEME_FOREIGN:
        return a2f_work_check(work, hash);
    case A2F_SCHEME_ARGON2:
        verdict =
            again ? a2f_work_upgrade(work, hash) : a2f_work_check(work, hash);
        /* What is malformed or above a ceiling has not been hashed. */
        if (work->spent)
            return verdict;
        break;
    case A2F_SCHEME_EMPTY:
        if (request->flags & A2F_FLAG_NULLOK && !*request->password)
            return A2F_SAYS_PASS;
        verdict = A2F_SAYS_WRONG;
        break;
    case A2F_SCHEME_LOCKED:
        verdict = A2F_SAYS_WRONG;
        break;
    case A2F_SCHEME_NONE:
        break;
    }
    enum a2f_verdict dummy = a2f_work_dummy(work);
    return dummy == A2F_SAYS_WRONG ? verdict : dummy;
}

static enum a2f_verdict answer_verify(struct a2f_work *work)
{
    bool foreign = work->entry.scheme == A2F_SCHEME_FOREIGN;
    if (foreign && !(work->request->flags & A2F_FLAG_FOREIGN))
        return A2F_SAYS_FOREIGN;
    bool again = wants_rewrite(work);
    uint64_t kib = a2f_work_kib(work, work->entry.hash);
    if (again && kib < work->conf.params.memory_kib)
        kib = work->conf.params.memory_kib;
    enum a2f_verdict verdict = a2f_work_slot(work, kib);
    if (verdict == A2F_SAYS_PASS)
        verdict = check_entry(work, again);
    if (verdict == A2F_SAYS_PASS && again)
        rewrite(work);
    return verdict;
}

/* ---- renew ---- */

static enum a2f_verdict answer_renew(struct a2f_work *work)
{
    if (!work->asker->root)
        return a2f_reply_says(work->reply, A2F_SAYS_UNAVAILABLE,
                              "only root changes passwords");
    if (work->entry.scheme == A2F_SCHEME_NONE)
        return A2F_SAYS_UNKNOWN;
    struct a2f_history history = {0};
    uint32_t remember = work->request->remember;
    enum a2f_verdict verdict = A2F_SAYS_PASS;
    if (remember > 0)
        verdict = a2f_history_read(work, &history);
    if (verdict == A2F_SAYS_PASS)
        verdict = a2f_work_slot(work, a2f_history_kib(work, &history));
    if (verdict == A2F_SAYS_PASS && remember > 0)
        verdict = a2f_history_check(work, &history);
    if (verdict == A2F_SAYS_PASS)
        verdict = a2f_work_hash(work);
    a2f_history_wipe(&history);
    return verdict;
}

/* ---- all ---- */

static enum a2f_verdict answer(struct a2f_work *work)
{
    switch (work->request->kind) {
    case A2F_ASK_VERIFY:
        return answer_verify(work);
    case A2F_ASK_LOOKUP:
        return work->entry.scheme == A2F_SCHEME_NONE ? A2F_SAYS_UNKNOWN
                                                     : A2F_SAYS_PASS;
    case A2F_ASK_RENEW:
        return answer_renew(work);
    default:
        return a2f_reply_says(work->reply, A2F_SAYS_UNAVAILABLE,
                              "a request this helper does not know");
    }
}

void a2f_answer(const struct a2f_request *request,
                const struct a2f_asker *asker, struct a2f_reply *reply)
{
    struct a2f_work work = {.request = request,
                            .asker = asker,
                            .reply = reply,
                            .slots = {.fd = -1}};
    *reply = (struct a2f_reply){0};
    enum a2f_verdict verdict = read_conf(&work);
    if (verdict == A2F_SAYS_PASS)
        verdict = a2f_work_engine(&work);
    if (verdict == A2F_SAYS_PASS)
        verdict = read_entry(&work);
    if (verdict == A2F_SAYS_PASS)
        verdict = answer(&work);
    reply->verdict = verdict;
    a2f_work_end(&work);
}
