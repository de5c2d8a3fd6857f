/* SPDX-License-Identifier: MIT */
/*
 * Every call the module makes of the system and every allocation of its host
 * fails in turn, alone and with all after it: an error that is documented,
 * nothing leaked, and the next call works.
 */
#include <stdlib.h>

#include "guest.h"
#include "self.h"
#include "support.h"
#include "watch.h"

/* More than any call makes; a campaign that gets so far never ends. */
enum { CALLS = 3000 };

struct campaign {
    const struct guest_host *host;
    void *session;
    int number; /* of the case */
    bool right; /* which password */
    unsigned calls;
    unsigned errors;
};

/* One question with the n-th call failing; false when the answer is one that
 * must not be. */
static bool fail_once(struct campaign *c, unsigned n, bool onward, bool *hit)
{
    enum guest_answer answer;

    watch_arm(n, onward, true);
    answer = c->host->ask(c->session, &guest_cases[c->number],
                          c->right ? GUEST_PASSWORD : "x");
    *hit = watch_arm(0, false, false);
    c->errors += answer == GUEST_NO_MEMORY || answer == GUEST_REFUSED;
    if (answer == GUEST_NO_MEMORY || answer == GUEST_REFUSED ||
        answer == (c->right ? GUEST_YES : GUEST_NO))
        return true;
    tap_note("call %u%s of case %d: answer %d", n, onward ? " and on" : "",
             c->number, answer);
    return false;
}

/* What is made once and kept is no leak: that would grow again and again. */
static bool leaks(struct campaign *c, unsigned n, bool onward)
{
    for (int i = 0; i < 4; i++) {
        long blocks = watch_blocks();
        size_t mapped = watch_mapped();
        bool hit;

        if (!fail_once(c, n, onward, &hit) || !guest_right(c->host, c->session))
            return true;
        if (watch_blocks() <= blocks && watch_mapped() <= mapped)
            return false;
    }
    tap_note("call %u%s of case %d leaks", n, onward ? " and on" : "",
             c->number);
    return true;
}

static bool run(struct campaign *c, bool onward)
{
    unsigned n = 1;

    for (bool hit = true; hit; n++) {
        long blocks = watch_blocks();
        size_t mapped = watch_mapped();

        if (n == CALLS || !fail_once(c, n, onward, &hit))
            return false;
        if (!guest_right(c->host, c->session)) {
            tap_note("after call %u the next question fails", n);
            return false;
        }
        if ((watch_blocks() > blocks || watch_mapped() > mapped) &&
            leaks(c, n, onward))
            return false;
        c->calls += hit;
    }
    return true;
}

static void test_asking(const struct guest_host *host)
{
    struct campaign c = {.host = host, .session = host->open()};
    struct self *before;
    bool good = c.session != NULL;

    for (int i = 0; i < 20 && good; i++)
        good = guest_right(host, c.session);
    before = self_look();
    for (int i = 0; i < 4 && good; i++) {
        c.number = i < 2 ? SMALL : FRESH;
        c.right = i % 2 == 0;
        good = run(&c, false) && run(&c, true);
    }
    tap_ok(good && c.calls > 10 && c.errors > 5,
           "every call of a question fails in turn: an answer or an error, "
           "nothing leaks, the next one is right");
    tap_note("%u calls failed, %u errors", c.calls, c.errors);
    tap_ok(self_same(before), "and all is as it was");
    if (c.session != NULL)
        host->close(c.session);
}

/* Opening, the first question and closing. */
static bool open_and_ask(const struct guest_host *host, bool *answered)
{
    void *session = host->open();
    bool good = true;

    *answered = false;
    if (session == NULL)
        return true;
    enum guest_answer answer =
        host->ask(session, &guest_cases[FRESH], GUEST_PASSWORD);
    *answered = answer == GUEST_YES;
    good = *answered || answer == GUEST_NO_MEMORY || answer == GUEST_REFUSED;
    host->close(session);
    return good;
}

static void test_opening(const struct guest_host *host)
{
    unsigned n = 1, calls = 0, refused = 0;
    bool good = true, answered;

    for (int i = 0; i < 20; i++)
        (void)open_and_ask(host, &answered);
    long blocks = watch_blocks();
    for (int onward = 0; onward < 2; onward++) {
        n = 1;
        for (bool hit = true; hit && good && n < CALLS; n++) {
            watch_arm(n, onward, false);
            good = open_and_ask(host, &answered);
            hit = watch_arm(0, false, false);
            calls += hit;
            refused += !answered;
            good = good && open_and_ask(host, &answered) && answered;
        }
    }
    long grown = watch_blocks() - blocks;
    if (!tap_ok(good && n < CALLS && calls > 0 && refused > 0,
                "every call of a first question, too"))
        tap_note("call %u", n);
    /* A few caches of hosts grow; one block for each failure would show. */
    tap_ok(grown < 8 || grown < (long)calls / 4, "and nothing leaks");
    tap_note("%u calls failed, %ld blocks more", calls, grown);
}

void guest_test_failures(const struct guest_host *host)
{
    test_asking(host);
    test_opening(host);
}
