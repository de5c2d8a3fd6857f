/* SPDX-License-Identifier: MIT */
/* See work.h: the calls to the core, and its statuses as verdicts. */
#include "work.h"

#include <string.h>

#include "foreign.h"

/* Checking a hash of crypt(3): yescrypt at its usual cost takes 16 MiB. */
enum { FOREIGN_KIB = 32768 };

/* Root's requests may end in a new hash, which must have its key. Others only
 * verify, perhaps without the right to read the file, and perhaps a hash that
 * needs none: should it need one, it is missed then. */
static enum a2f_verdict read_keys(struct a2f_work *work)
{
    struct a2f_why why;
    const char *path = work->conf.secret_file;
    enum a2f_status s = A2F_OK;
    if (*path)
        s = a2f_keys_read(path, &work->keys, &why);
    if (s == A2F_OK)
        return A2F_SAYS_PASS;
    a2f_explain(s, &why, work->no_keys, sizeof work->no_keys);
    if (!work->asker->root)
        return A2F_SAYS_PASS;
    return a2f_reply_says(work->reply, A2F_SAYS_UNAVAILABLE, "%.100s: %s", path,
                          work->no_keys);
}

enum a2f_verdict a2f_work_engine(struct a2f_work *work)
{
    enum a2f_verdict verdict = read_keys(work);
    if (verdict != A2F_SAYS_PASS)
        return verdict;
    struct a2f_config config = {.limits = work->conf.limits,
                                .keys = work->keys};
    config.threads = work->asker->helper ? work->conf.threads : 1;
    if (a2f_new(&config, &work->engine) == A2F_OK)
        return A2F_SAYS_PASS;
    return a2f_reply_says(work->reply, A2F_SAYS_NO_MEMORY, "no memory");
}

void a2f_work_end(struct a2f_work *work)
{
    a2f_slots_give(&work->slots);
    a2f_entry_wipe(&work->entry);
    a2f_free(work->engine);
    a2f_keys_free(work->keys);
}

enum a2f_verdict a2f_work_slot(struct a2f_work *work, uint64_t kib)
{
    struct a2f_slot_request wanted = {
        .kib = kib,
        .origin = work->asker->origin,
        .create = work->asker->root,
        .console = (work->request->flags & A2F_FLAG_CONSOLE) != 0,
        .asker = work->asker->pipe,
    };
    switch (a2f_slots_take(&work->slots, &work->conf, &wanted)) {
    case A2F_SLOT_TAKEN:
        break;
    case A2F_SLOT_WITHOUT:
        if (work->slots.note)
            a2f_reply_says(work->reply, 0, "%s", work->slots.note);
        break;
    case A2F_SLOT_BUSY:
        return a2f_reply_says(work->reply, A2F_SAYS_UNAVAILABLE,
                              "no room in the memory budget within %u s",
                              work->conf.queue_seconds);
    case A2F_SLOT_GONE:
        return a2f_reply_says(work->reply, A2F_SAYS_UNAVAILABLE,
                              "the asker has gone");
    }
    return A2F_SAYS_PASS;
}

uint64_t a2f_work_kib(const struct a2f_work *work, const char *hash)
{
    struct a2f_params params;
    struct a2f_span text = {hash, strlen(hash)};
    switch (a2f_scheme_of(hash)) {
    case A2F_SCHEME_FOREIGN:
        return FOREIGN_KIB;
    case A2F_SCHEME_ARGON2:
        if (a2f_parse(text, &params, NULL, NULL) == A2F_OK &&
            params.memory_kib <= work->conf.limits.memory_kib)
            return params.memory_kib;
        break;
    default:
        break;
    }
    return work->conf.params.memory_kib; /* a dummy's */
}

static int poll_deadline(void *ctx)
{
    const struct a2f_work *work = ctx;
    return work->deadline_ms && a2f_now_ms() >= work->deadline_ms;
}

static struct a2f_input input_of(const struct a2f_work *work)
{
    const char *password = work->request->password;
    return (struct a2f_input){.password = {password, strlen(password)}};
}

static enum a2f_verdict verdict_of(struct a2f_work *work, enum a2f_status s)
{
    switch (s) {
    case A2F_OK:
        return A2F_SAYS_PASS;
    case A2F_MISMATCH:
        return A2F_SAYS_WRONG;
    case A2F_NO_KEY:
        return a2f_reply_says(
            work->reply, A2F_SAYS_NO_KEY, "%s%s%s", a2f_status_text(s),
            *work->no_keys ? "; secret_file: " : "", work->no_keys);
    case A2F_BAD_HASH:
        return a2f_reply_says(work->reply, A2F_SAYS_WRONG,
                              "the entry's hash: %s", a2f_status_text(s));
    case A2F_NO_MEMORY:
        return a2f_reply_says(work->reply, A2F_SAYS_NO_MEMORY, "%s",
                              a2f_status_text(s));
    default:
        return a2f_reply_says(work->reply, A2F_SAYS_UNAVAILABLE, "%s",
                              a2f_status_text(s));
    }
}

enum a2f_verdict a2f_work_check(struct a2f_work *work, const char *hash)
{
    if (a2f_scheme_of(hash) == A2F_SCHEME_FOREIGN)
        return a2f_foreign_check(work->request->password, hash);
    struct a2f_input input = input_of(work);
    struct a2f_run run = {.poll = poll_deadline, .poll_ctx = work};
    struct a2f_span text = {hash, strlen(hash)};
    enum a2f_status s = a2f_verify(work->engine, text, &input, &run);
    work->spent = s == A2F_OK || s == A2F_MISMATCH;
    return verdict_of(work, s);
}

/* What keeps the new hash from being made is no reason to refuse a password
 * that is right: then it is only verified. */
enum a2f_verdict a2f_work_upgrade(struct a2f_work *work, const char *hash)
{
    struct a2f_input input = input_of(work);
    struct a2f_span text = {hash, strlen(hash)};
    char *new = work->reply->hash;
    enum a2f_status s =
        a2f_verify_upgrade(work->engine, text, &input, &work->conf.params, new,
                           sizeof work->reply->hash, NULL);
    if (s != A2F_OK && s != A2F_MISMATCH)
        return a2f_work_check(work, hash);
    work->spent = true;
    if (strcmp(new, hash) == 0)
        a2f_wipe(new, strlen(new));
    return verdict_of(work, s);
}

enum a2f_verdict a2f_work_dummy(struct a2f_work *work)
{
    char text[A2F_HASH_MAX + 1];
    enum a2f_status s = a2f_dummy(&work->conf.params, text, sizeof text, NULL);
    if (s != A2F_OK)
        return verdict_of(work, s);
    enum a2f_verdict verdict = a2f_work_check(work, text);
    return verdict == A2F_SAYS_PASS ? A2F_SAYS_WRONG : verdict;
}

enum a2f_verdict a2f_work_hash(struct a2f_work *work)
{
    struct a2f_input input = input_of(work);
    struct a2f_run run = {.poll = poll_deadline, .poll_ctx = work};
    enum a2f_status s =
        a2f_hash(work->engine, &work->conf.params, &input, work->reply->hash,
                 sizeof work->reply->hash, &run);
    return verdict_of(work, s);
}
