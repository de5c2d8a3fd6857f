/* SPDX-License-Identifier: MIT */
/* See history.h. */
#include "history.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "argon2fast.h"

enum { DEADLINE_MS = 10000 };

static void split(struct a2f_history *history, unsigned most)
{
    char *at = strchr(history->line, ':');
    while (at && history->n < most) {
        *at++ = '\0';
        if (*at && *at != ':')
            history->hash[history->n++] = at;
        at = strchr(at, ':');
    }
    if (at)
        *at = '\0';
}

enum a2f_verdict a2f_history_read(struct a2f_work *work,
                                  struct a2f_history *history)
{
    unsigned most = work->request->remember;
    if (most > A2F_REMEMBER_MAX)
        most = A2F_REMEMBER_MAX;
    if (work->entry.scheme == A2F_SCHEME_ARGON2 ||
        work->entry.scheme == A2F_SCHEME_FOREIGN)
        history->hash[history->n++] = work->entry.hash;
    int fd = a2f_database_open(A2F_HISTORY_FILE);
    if (fd < 0 && errno == ENOENT)
        return A2F_SAYS_PASS;
    struct a2f_lines lines;
    struct a2f_line line;
    int more = -1;
    a2f_lines_begin(&lines, fd);
    while (fd >= 0 && (more = a2f_lines_next(&lines, &line)) > 0)
        if (a2f_line_is(&line, work->request->user))
            break;
    if (more > 0 && line.last && line.len < sizeof history->line &&
        !memchr(line.text, 0, line.len)) {
        memcpy(history->line, line.text, line.len);
        history->line[strcspn(history->line, "\n")] = '\0';
        split(history, most + 1);
        more = 0;
    }
    int error = more > 0 ? EBADMSG : errno;
    a2f_lines_end(&lines);
    if (fd >= 0)
        close(fd);
    if (more == 0)
        return A2F_SAYS_PASS;
    return a2f_reply_says(work->reply, A2F_SAYS_UNAVAILABLE,
                          "cannot read " A2F_HISTORY_FILE ": %s",
                          strerror(error));
}

uint64_t a2f_history_kib(const struct a2f_work *work,
                         const struct a2f_history *history)
{
    uint64_t most = work->conf.params.memory_kib;
    for (unsigned i = 0; i < history->n; i++) {
        uint64_t kib = a2f_work_kib(work, history->hash[i]);
        most = kib > most ? kib : most;
    }
    return most;
}

enum a2f_verdict a2f_history_check(struct a2f_work *work,
                                   const struct a2f_history *history)
{
    work->deadline_ms = a2f_now_ms() + DEADLINE_MS;
    enum a2f_verdict verdict = A2F_SAYS_PASS;
    for (unsigned i = 0; i < history->n && verdict == A2F_SAYS_PASS; i++) {
        if (a2f_now_ms() >= work->deadline_ms)
            verdict = A2F_SAYS_UNAVAILABLE;
        else
            switch (a2f_work_check(work, history->hash[i])) {
            case A2F_SAYS_PASS:
                verdict = A2F_SAYS_REUSED;
                break;
            case A2F_SAYS_WRONG:
            case A2F_SAYS_NO_KEY: /* retired: no old password of it counts */
                break;
            default:
                verdict = A2F_SAYS_UNAVAILABLE;
            }
    }
    work->deadline_ms = 0;
    if (verdict != A2F_SAYS_UNAVAILABLE)
        return verdict;
    return a2f_reply_says(work->reply, A2F_SAYS_REUSED,
                          "could not compare with all old passwords");
}

void a2f_history_wipe(struct a2f_history *history)
{
    a2f_wipe(history, sizeof *history);
}
