/* SPDX-License-Identifier: MIT */
/* A host that loads and unloads all day, and one that is never idle. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "guest.h"
#include "self.h"
#include "support.h"
#include "watch.h"

enum { RELOADS = 10000, THREADS = 64, STEPS = 20 };

static bool load_once(const struct guest_host *host)
{
    void *session = host->open();
    bool good = session != NULL && guest_right(host, session);

    if (session != NULL)
        host->close(session);
    return good;
}

void guest_test_reload(const struct guest_host *host)
{
    unsigned times = guest_times(RELOADS), i;
    long blocks = 0, rss = 0, maps = 0;
    struct self *before = self_look();
    double from = guest_now();
    bool good = true;

    for (i = 0; i < times && good; i++) {
        good = load_once(host);
        if (i == times / 10) {
            blocks = watch_blocks();
            rss = self_status("RssAnon:");
            maps = self_mappings();
        }
    }
    tap_ok(good, "loaded, asked and unloaded %u times", i);
    tap_note("%.2f ms each; resident %ld to %ld KiB, %ld to %ld mappings, "
             "%ld to %ld blocks",
             (guest_now() - from) * 1e3 / i, rss, self_status("RssAnon:"), maps,
             self_mappings(), blocks, watch_blocks());
    tap_ok(watch_blocks() < blocks + 10 && watch_mapped() == 0 &&
               self_status("RssAnon:") < rss + 1024 &&
               self_mappings() < maps + 10,
           "memory stays flat");
    tap_ok(self_same(before), "and all is as it was");
}

/* ---- soak ---- */

struct soak {
    const struct guest_host *host;
    pthread_barrier_t pause;
    double seconds;
    unsigned long asked[THREADS];
    atomic_uint odd, short_of_memory;
    /* At the end of each step, with nobody working. */
    long rss[STEPS], blocks[STEPS];
    unsigned threads;
};

struct worker {
    struct soak *soak;
    unsigned number;
    uint64_t random;
    pthread_t thread;
};

/* Each worker's own: xorshift. */
static unsigned draw(struct worker *w, unsigned below)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return (unsigned)(w->random >> 33) % below;
}

static void ask_one(struct worker *w, void *session)
{
    struct soak *soak = w->soak;
    const struct guest_case *c = &guest_cases[draw(w, GUEST_CASES)];
    bool right = draw(w, 2);
    enum guest_answer answer =
        soak->host->ask(session, c, right ? GUEST_PASSWORD : "wrong");

    if (answer == GUEST_NO_MEMORY)
        atomic_fetch_add(&soak->short_of_memory, 1);
    else if (answer != (right ? GUEST_YES : GUEST_NO))
        atomic_fetch_add(&soak->odd, 1);
    soak->asked[w->number]++;
}

static void work_until(struct worker *w, double end)
{
    const struct guest_host *host = w->soak->host;

    while (guest_now() < end) {
        void *session = host->open();
        unsigned times = 1 + draw(w, 50);

        if (session == NULL) {
            atomic_fetch_add(&w->soak->odd, 1);
            continue;
        }
        while (times-- > 0 && guest_now() < end)
            ask_one(w, session);
        host->close(session);
    }
}

static void *soak_worker(void *arg)
{
    struct worker *w = arg;
    struct soak *soak = w->soak;

    for (int step = 0; step < STEPS; step++) {
        work_until(w, guest_now() + soak->seconds / STEPS);
        if (pthread_barrier_wait(&soak->pause) != 0) { /* one of them */
            soak->rss[step] = self_status("RssAnon:");
            soak->blocks[step] = watch_blocks();
        }
        pthread_barrier_wait(&soak->pause);
    }
    return NULL;
}

static void report(const struct soak *soak)
{
    const int early = STEPS / 4, last = STEPS - 1;
    unsigned long sum = 0;
    long most = 0;

    for (unsigned i = 0; i < soak->threads; i++)
        sum += soak->asked[i];
    for (int i = 0; i < STEPS; i++)
        most = soak->rss[i] > most ? soak->rss[i] : most;
    tap_note("%s: %lu questions in %.0f s, %.0f a second on %u threads; "
             "resident %ld KiB after a quarter, %ld in the end, at most %ld; "
             "%ld and %ld blocks",
             soak->host->name, sum, soak->seconds, (double)sum / soak->seconds,
             soak->threads, soak->rss[early], soak->rss[last], most,
             soak->blocks[early], soak->blocks[last]);
    tap_ok(sum > 0 && soak->odd == 0 && soak->short_of_memory == 0,
           "%s: every answer is right", soak->host->name);
    tap_ok(soak->rss[last] < soak->rss[early] + 2048 &&
               soak->blocks[last] < soak->blocks[early] + 100,
           "%s: memory is flat", soak->host->name);
}

void guest_soak(const struct guest_host *host)
{
    const char *seconds = getenv("SOAK_SECONDS");
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    struct worker workers[THREADS], *first = &workers[0];
    struct soak *soak = calloc(1, sizeof *soak);

    if (soak == NULL)
        abort();
    soak->host = host;
    soak->seconds = seconds != NULL ? strtod(seconds, NULL) : 600;
    soak->threads = host->one_thread || cpus < 1 ? 1
                    : cpus > THREADS             ? THREADS
                                                 : (unsigned)cpus;
    pthread_barrier_init(&soak->pause, NULL, soak->threads);
    *first = (struct worker){.soak = soak, .random = random_u64() | 1};
    for (unsigned i = 1; i < soak->threads; i++) {
        workers[i] = (struct worker){
            .soak = soak, .number = i, .random = random_u64() | 1};
        if (pthread_create(&workers[i].thread, NULL, soak_worker,
                           &workers[i]) != 0)
            abort();
    }
    (void)soak_worker(first);
    for (unsigned i = 1; i < soak->threads; i++)
        pthread_join(workers[i].thread, NULL);
    report(soak);
    pthread_barrier_destroy(&soak->pause);
    free(soak);
}
