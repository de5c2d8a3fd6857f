/* SPDX-License-Identifier: MIT */
/*
 * Admission in shared memory: a slot for each backend that runs or waits, one
 * lock, one condition variable. The sums are made anew from the slots whenever
 * they are wanted, so nothing can drift. A backend that is killed outright
 * takes the whole shared memory with it, as everywhere in PostgreSQL; all
 * other ends of a backend pass a2f_admission_leave.
 */
#include "shim.h"

#include <storage/condition_variable.h>
#include <storage/ipc.h>
#include <storage/lwlock.h>
#include <storage/shmem.h>
#include <utils/timestamp.h>

#include "admission.h"
#include "settings.h"

/* Backends that run or wait at the same time; one more is refused. */
#define SLOTS 1024

/* The layout's version: a library of another one must not share it. */
#define SHARED_NAME "pg_argon2 admission 1"

struct slot {
    uint64_t kib;    /* 0: the slot is free */
    uint64_t ticket; /* place in the queue; 0: running */
};

struct shared {
    LWLock lock;
    int tranche;
    ConditionVariable moved; /* somebody left, or was let in */
    uint64_t tickets;        /* given out */
    uint64_t rejected;
    struct slot slots[SLOTS];
};

static struct shared *shared; /* NULL: not attached */
static struct slot *mine;     /* of this backend, while it runs or waits */

/* ---- the memory ---- */

static void init_shared(void *memory)
{
    struct shared *s = memory;

    memset(s, 0, sizeof *s);
    s->tranche = LWLockNewTrancheId();
    LWLockInitialize(&s->lock, s->tranche);
    ConditionVariableInit(&s->moved);
}

#if A2F_PG_HAS_NAMED_DSM

void a2f_admission_init(void)
{
}

static void find_shared(void)
{
    bool found;

    shared =
        GetNamedDSMSegment(SHARED_NAME, sizeof *shared, init_shared, &found);
}

#else

static shmem_startup_hook_type next_startup;
static struct shared *preloaded; /* inherited from the postmaster */

static void make_shared(void)
{
    bool found;

    if (next_startup != NULL)
        next_startup();
    LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
    preloaded = ShmemInitStruct(SHARED_NAME, sizeof *preloaded, &found);
    if (!found)
        init_shared(preloaded);
    LWLockRelease(AddinShmemInitLock);
}

#if A2F_PG_HAS_REQUEST_HOOK
static shmem_request_hook_type next_request;

static void request_shared(void)
{
    if (next_request != NULL)
        next_request();
    RequestAddinShmemSpace(sizeof *preloaded);
}
#endif

void a2f_admission_init(void)
{
    if (!process_shared_preload_libraries_in_progress)
        return;
#if A2F_PG_HAS_REQUEST_HOOK
    next_request = shmem_request_hook;
    shmem_request_hook = request_shared;
#else
    RequestAddinShmemSpace(sizeof *preloaded);
#endif
    next_startup = shmem_startup_hook;
    shmem_startup_hook = make_shared;
}

static void find_shared(void)
{
    static bool said;

    shared = preloaded;
    if (shared == NULL && !said) {
        said = true;
        ereport(LOG, (errmsg("pg_argon2.total_memory has no effect"),
                      errhint("Before PostgreSQL 17, add pg_argon2 to "
                              "shared_preload_libraries.")));
    }
}

#endif

/* The process ends: by FATAL perhaps, right from a2f_cancel_poll, so that
 * nothing but shared memory may be touched. */
static void leave_at_exit(int code, Datum arg)
{
    (void)code;
    (void)arg;
    a2f_admission_leave();
}

/* Whether there is admission: in a backend, with a budget. */
static bool attach(void)
{
    if (a2f_settings.total_memory == 0 || !IsUnderPostmaster)
        return false;
    if (shared != NULL)
        return true;
    find_shared();
    if (shared == NULL)
        return false;
    LWLockRegisterTranche(shared->tranche, "pg_argon2");
    /* Not on_shmem_exit: by then dynamic shared memory is gone. */
    before_shmem_exit(leave_at_exit, (Datum)0);
    return true;
}

uint64_t a2f_admission_budget(void)
{
    return attach() ? (uint64_t)a2f_settings.total_memory : 0;
}

/* ---- under the lock ---- */

static void count(struct a2f_admission_view *view, uint64_t *first_waiting)
{
    *view = (struct a2f_admission_view){.budget_kib =
                                            (uint64_t)a2f_settings.total_memory,
                                        .rejected = shared->rejected};
    *first_waiting = UINT64_MAX;
    for (const struct slot *s = shared->slots; s < shared->slots + SLOTS; s++) {
        if (s->kib == 0)
            continue;
        if (s->ticket == 0) {
            view->running++;
            view->in_use_kib += s->kib;
        } else {
            view->waiting++;
            if (s->ticket < *first_waiting)
                *first_waiting = s->ticket;
        }
    }
}

static struct slot *take_slot(uint64_t kib)
{
    for (struct slot *s = shared->slots; s < shared->slots + SLOTS; s++)
        if (s->kib == 0) {
            *s = (struct slot){kib, ++shared->tickets};
            return s;
        }
    return NULL;
}

/* Only the first in the queue may go, even if a later one were small enough:
 * otherwise the small ones would keep a large one waiting for ever. */
static bool may_run(void)
{
    struct a2f_admission_view view;
    uint64_t first;

    count(&view, &first);
    return mine->ticket == first &&
           view.in_use_kib + mine->kib <= view.budget_kib;
}

static bool try_to_run(void)
{
    bool run;

    LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
    run = may_run();
    if (run)
        mine->ticket = 0;
    LWLockRelease(&shared->lock);
    return run;
}

/* ---- the queue ---- */

static uint32 wait_event(void)
{
    static uint32 event;

    if (event == 0)
        event = A2F_PG_NEW_WAIT_EVENT("PgArgon2Queue");
    return event;
}

/* False: the time is over. */
static bool wait_to_run(void)
{
    int timeout = a2f_settings.queue_timeout;
    TimestampTz end =
        TimestampTzPlusMilliseconds(GetCurrentTimestamp(), (int64_t)timeout);
    bool run;

    ConditionVariablePrepareToSleep(&shared->moved);
    while (!(run = try_to_run())) {
        long left = -1;

        if (timeout >= 0) {
            left = TimestampDifferenceMilliseconds(GetCurrentTimestamp(), end);
            if (left <= 0)
                break;
        }
        (void)ConditionVariableTimedSleep(&shared->moved, left, wait_event());
    }
    ConditionVariableCancelSleep();
    return run;
}

/* Counts a refusal, which is about to be raised. */
static void reject(void)
{
    a2f_admission_leave();
    LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
    shared->rejected++;
    LWLockRelease(&shared->lock);
}

void a2f_admission_enter(const char *name, uint64_t kib)
{
    if (kib == 0 || !attach())
        return;
    if (kib > (uint64_t)a2f_settings.total_memory) {
        reject();
        ereport(
            ERROR,
            (errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
             errmsg("%s: above a configured limit", name),
             errdetail("The hash needs %llu kB; pg_argon2.total_memory is "
                       "%d kB.",
                       (unsigned long long)kib, a2f_settings.total_memory)));
    }
    LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
    mine = take_slot(kib);
    LWLockRelease(&shared->lock);
    if (mine != NULL && (try_to_run() || wait_to_run())) {
        /* There may be room for the next in the queue, too. */
        ConditionVariableBroadcast(&shared->moved);
        return;
    }
    reject();
    ereport(ERROR, (errcode(ERRCODE_LOCK_NOT_AVAILABLE),
                    errmsg("%s: waited too long for memory", name),
                    errdetail("Other sessions use or wait for all of "
                              "pg_argon2.total_memory, %d kB.",
                              a2f_settings.total_memory)));
}

void a2f_admission_leave(void)
{
    if (mine == NULL)
        return;
    LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
    *mine = (struct slot){0, 0};
    LWLockRelease(&shared->lock);
    mine = NULL;
    ConditionVariableBroadcast(&shared->moved);
}

/* ---- looking at it ---- */

bool a2f_admission_look(struct a2f_admission_view *view)
{
    uint64_t first;

    if (!attach())
        return false;
    LWLockAcquire(&shared->lock, LW_SHARED);
    count(view, &first);
    LWLockRelease(&shared->lock);
    return true;
}
