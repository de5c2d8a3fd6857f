/* SPDX-License-Identifier: MIT */
/*
 * Forks of a host whose guest is busy: the child finds none of the module's
 * memory, and may ask for itself.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"
#include "self.h"
#include "support.h"
#include "watch.h"

enum { FORKS = 1000 };

struct busy {
    const struct guest_host *host;
    void *session; /* NULL: its own */
    atomic_bool ended;
    unsigned wrong;
    unsigned forks, dirty, bad; /* of the thread that forks */
};

static void *ask_until_ended(void *arg)
{
    struct busy *busy = arg;
    void *session = busy->session != NULL ? busy->session : busy->host->open();

    while (!atomic_load(&busy->ended))
        busy->wrong +=
            session == NULL || busy->host->ask(session, &guest_cases[BUSY],
                                               GUEST_PASSWORD) != GUEST_YES;
    if (session != NULL && session != busy->session)
        busy->host->close(session);
    return NULL;
}

/* In a child. The one thread of a host that has but one is busy, and not
 * here. */
static bool is_clean(const struct guest_host *host, void *session)
{
    bool clean = !watch_dirty(true);

    watch_release();
    return clean && (host->one_thread || guest_right(host, session));
}

/* Until there was some memory to see: where that depends on how threads are
 * scheduled, more often than wanted. A helper's memory is not here at all. */
static bool more_forks(const struct busy *busy)
{
    unsigned wanted = guest_times(FORKS);

    return busy->forks < wanted || (busy->dirty == 0 && !busy->host->helper &&
                                    busy->forks < 20 * wanted);
}

static void *fork_often(void *arg)
{
    struct busy *busy = arg;
    void *session = busy->host->one_thread ? NULL : busy->host->open();

    while (busy->bad == 0 && more_forks(busy)) {
        usleep((useconds_t)random_range(0, 300));
        watch_hold();
        busy->dirty += watch_dirty(false);
        busy->bad += !guest_child(is_clean, busy->host, session);
        watch_release();
        busy->forks++;
    }
    if (session != NULL)
        busy->host->close(session);
    atomic_store(&busy->ended, true);
    return NULL;
}

static void test_busy(const struct guest_host *host)
{
    struct busy busy = {.host = host};
    pthread_t forker, other;
    bool extra = false;

    if (host->one_thread)
        busy.session = host->open();
    if (pthread_create(&forker, NULL, fork_often, &busy) != 0) {
        tap_ok(false, "a thread that forks");
        return;
    }
    if (!host->one_thread)
        extra = pthread_create(&other, NULL, ask_until_ended, &busy) == 0;
    (void)ask_until_ended(&busy);
    pthread_join(forker, NULL);
    if (extra)
        pthread_join(other, NULL);
    if (busy.session != NULL)
        host->close(busy.session);
    tap_ok(busy.bad == 0 && busy.wrong == 0,
           "forked %u times by another thread while asked: no child sees "
           "block memory%s, and the host goes on",
           busy.forks, host->one_thread ? "" : ", each is answered");
    tap_ok(host->helper || busy.dirty > 0, "and there was some to see");
    tap_note("%u of %u times", busy.dirty, busy.forks);
}

static bool forks_again(const struct guest_host *host, void *session)
{
    return guest_child(guest_right, host, session) &&
           guest_right(host, session);
}

static bool forks_first(const struct guest_host *host, void *session)
{
    return forks_again(host, session) &&
           guest_child(forks_again, host, session);
}

static bool closes(const struct guest_host *host, void *session)
{
    host->close(session);
    return true;
}

static void test_generations(const struct guest_host *host)
{
    void *session = host->open();
    bool good = session != NULL && guest_right(host, session);

    for (unsigned i = 0; i < guest_times(100) && good; i++)
        good = guest_child(forks_first, host, session) &&
               guest_child(closes, host, session) && guest_right(host, session);
    tap_ok(good, "a child, its child and that one's are answered, and a child "
                 "may close what it has");
    if (session != NULL)
        host->close(session);
}

void guest_test_forks(const struct guest_host *host)
{
    test_busy(host);
    test_generations(host);
    tap_ok(self_threads_become(1), "no thread is left");
}
