/* SPDX-License-Identifier: MIT */
/*
 * Processes with limits, in memory that is locked, in a control group, and in
 * sandboxes that deny system calls: each is a child, that is asked for a small
 * and a large hash while it is so and, where that can be, afterwards.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest.h"
#include "self.h"
#include "support.h"

#define YES     SET(GUEST_YES)
#define SHORT   SET(GUEST_NO_MEMORY)
#define REFUSED SET(GUEST_REFUSED)

/* One that has no process on any machine. */
enum { NOBODY = 61234 };

struct condition {
    const char *name;
    bool (*begin)(const struct condition *c);
    bool (*end)(void);   /* NULL: it cannot be undone */
    unsigned small, big; /* sets of answers to the right password */
    unsigned helped;     /* more that may be said with a helper */
    long number;         /* of begin */
    const int *calls;    /* of begin: ends in -1 */
};

/* ---- limits ---- */

static bool set_limit(unsigned resource, rlim_t most)
{
    struct rlimit limit;

    if (getrlimit(resource, &limit) != 0)
        return false;
    limit.rlim_cur = most;
    return setrlimit(resource, &limit) == 0;
}

/* number: KiB more than are in use. */
static bool limit_space(const struct condition *c)
{
    return set_limit(RLIMIT_AS,
                     (rlim_t)(self_status("VmSize:") + c->number) * 1024);
}

static bool limit_data(const struct condition *c)
{
    return set_limit(RLIMIT_DATA,
                     (rlim_t)(self_status("VmData:") + c->number) * 1024);
}

static bool no_limits(void)
{
    return set_limit(RLIMIT_AS, RLIM_INFINITY) &&
           set_limit(RLIMIT_DATA, RLIM_INFINITY);
}

static bool become_nobody(void)
{
    return setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0 &&
           setresuid(NOBODY, NOBODY, NOBODY) == 0;
}

/* Whoever is root already has no limit of processes. */
static bool limit_processes(const struct condition *c)
{
    return set_limit(RLIMIT_NPROC, (rlim_t)c->number) &&
           (geteuid() != 0 || become_nobody());
}

static bool limit_locked(const struct condition *c)
{
    return set_limit(RLIMIT_MEMLOCK, (rlim_t)c->number * 1024);
}

static bool lock_all(const struct condition *c)
{
    (void)c;
    return geteuid() != 0 || mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
}

static bool lock_little(const struct condition *c)
{
    return limit_locked(c) && (geteuid() != 0 || become_nobody()) &&
           mlockall(MCL_FUTURE) == 0;
}

static bool unlock(void)
{
    return munlockall() == 0;
}

/* ---- a control group ---- */

/* Of cgroups version 2 and 1, whatever can be written here. */
static const char *const roots[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/pids"};
static char group[64];

static bool write_file(const char *name, const char *text)
{
    char path[128];
    int fd;
    bool good;

    snprintf(path, sizeof path, "%s/%s", group, name);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    good = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    close(fd);
    return good;
}

static bool make_group(void)
{
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        snprintf(group, sizeof group, "%s/argon2fast-%ld", roots[i],
                 (long)getpid());
        if (mkdir(group, 0755) != 0)
            continue;
        if (write_file("pids.max", "1"))
            return true;
        rmdir(group);
    }
    return false;
}

static bool enter_group(const struct condition *c)
{
    (void)c;
    return write_file("cgroup.procs", "0");
}

/* ---- sandboxes ---- */

static const int advise[] = {SYS_madvise, -1};
static const int randomness[] = {SYS_getrandom, -1};
static const int schedule[] = {SYS_sched_yield,
                               SYS_sched_getaffinity,
                               SYS_sched_setaffinity,
                               SYS_sched_getscheduler,
                               SYS_sched_getparam,
                               SYS_sched_setscheduler,
                               SYS_sched_get_priority_max,
                               -1};
static const int clones[] = {SYS_clone, SYS_clone3, -1};
static const int clone3s[] = {SYS_clone3, -1};

static bool install(struct sock_filter *filter, unsigned short n)
{
    struct sock_fprog program = {n, filter};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* number: the error that the calls have from now on. */
static bool deny(const struct condition *c)
{
    struct sock_filter filter[32];
    unsigned short n = 0;

    filter[n++] = (struct sock_filter)BPF_STMT(
        BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (const int *call = c->calls; *call != -1; call++) {
        filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                   (unsigned)*call, 0, 1);
        filter[n++] = (struct sock_filter)BPF_STMT(
            BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)c->number);
    }
    filter[n++] =
        (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    return install(filter, n);
}

/* getrandom with any flag has an error. */
static bool deny_flags(const struct condition *c)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getrandom, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                 offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };

    (void)c;
    return install(filter, sizeof filter / sizeof *filter);
}

/* ---- all of them ---- */

static const struct condition conditions[] = {
    {"RLIMIT_AS, 8 MiB more", limit_space, no_limits, YES, SHORT, YES | REFUSED,
     8192, NULL},
    {"RLIMIT_AS, nothing more", limit_space, no_limits, YES | SHORT | REFUSED,
     SHORT, YES | REFUSED, 0, NULL},
    {"RLIMIT_DATA, 8 MiB more", limit_data, no_limits, YES, SHORT,
     YES | REFUSED, 8192, NULL},
    {"RLIMIT_DATA, nothing more", limit_data, no_limits, YES | SHORT | REFUSED,
     SHORT, YES | REFUSED, 0, NULL},
    {"RLIMIT_NPROC", limit_processes, NULL, YES, YES, REFUSED, 1, NULL},
    {"RLIMIT_MEMLOCK 0", limit_locked, NULL, YES, YES, 0, 0, NULL},
    {"mlockall", lock_all, unlock, YES, YES, 0, 0, NULL},
    {"mlockall and little to lock", lock_little, unlock, YES, SHORT, YES, 8192,
     NULL},
    {"seccomp: madvise EPERM", deny, NULL, YES, YES, 0, EPERM, advise},
    {"seccomp: madvise ENOSYS", deny, NULL, YES, YES, 0, ENOSYS, advise},
    {"seccomp: getrandom EPERM", deny, NULL, YES, YES, 0, EPERM, randomness},
    {"seccomp: getrandom ENOSYS", deny, NULL, YES, YES, 0, ENOSYS, randomness},
    {"seccomp: getrandom with flags", deny_flags, NULL, YES, YES, 0, 0, NULL},
    {"seccomp: sched_* EPERM", deny, NULL, YES, YES, 0, EPERM, schedule},
    {"seccomp: sched_* ENOSYS", deny, NULL, YES, YES, 0, ENOSYS, schedule},
    {"seccomp: clone EPERM", deny, NULL, YES, YES, REFUSED, EPERM, clones},
    {"seccomp: clone EAGAIN", deny, NULL, YES, YES, REFUSED, EAGAIN, clones},
    {"seccomp: clone3 ENOSYS", deny, NULL, YES, YES, 0, ENOSYS, clone3s},
};
static const struct condition in_group = {"a control group with pids.max 1",
                                          enter_group,
                                          NULL,
                                          YES,
                                          YES,
                                          REFUSED,
                                          0,
                                          NULL};

/* guest_child passes no more. */
static const struct condition *now;

static bool one_of(unsigned set, enum guest_answer answer, const char *what)
{
    if (set & SET(answer))
        return true;
    tap_note("%s: answer %d", what, answer);
    return false;
}

static bool lives(const struct guest_host *host, void *session)
{
    unsigned small = now->small, big = now->big, no;
    bool good = true;

    if (host->helper) {
        small |= now->helped;
        big |= now->helped;
    }
    no = (small & ~YES) | SET(GUEST_NO);
    if (!now->begin(now)) {
        tap_note("%s: %s", now->name, strerror(errno));
        return false;
    }
    for (int i = 0; i < 3 && good; i++)
        good =
            one_of(small,
                   host->ask(session, &guest_cases[SMALL], GUEST_PASSWORD),
                   "small") &&
            one_of(no, host->ask(session, &guest_cases[SMALL], "x"), "wrong") &&
            one_of(small,
                   host->ask(session, &guest_cases[FRESH], GUEST_PASSWORD),
                   "fresh") &&
            one_of(big, host->ask(session, &guest_cases[BIG], GUEST_PASSWORD),
                   "big");
    if (now->end == NULL || !good)
        return good;
    return now->end() &&
           one_of(YES | (host->helper ? now->helped : 0),
                  host->ask(session, &guest_cases[BIG], GUEST_PASSWORD),
                  "big, afterwards");
}

static void test_one(const struct guest_host *host, void *session,
                     const struct condition *c)
{
    now = c;
    tap_ok(guest_child(lives, host, session), "%s", c->name);
}

void guest_test_limits(const struct guest_host *host)
{
    void *session = host->open();
    bool works = session != NULL && guest_right(host, session);

    tap_ok(works, "a session to be limited");
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions && works; i++)
        test_one(host, session, &conditions[i]);
    if (works && make_group()) {
        test_one(host, session, &in_group);
        rmdir(group);
    } else if (works) {
        tap_ok(true, "%s # SKIP this machine lends none", in_group.name);
    }
    if (session != NULL)
        host->close(session);
}
