/* SPDX-License-Identifier: MIT */
/*
 * See slots.h. The file holds no bytes; offsets have a meaning:
 *
 *   GENERAL + i   MiB number i for hosts that root started: sshd, login, cron
 *   RESERVE + i   MiB that only a login at the console may take besides
 *   USER + i      MiB for hosts that ordinary users started: su, sudo, lockers
 *   UID + uid     held by such a user's one hash at a time
 *
 * A user can stop or freeze a helper that works for him, and so keep what it
 * holds; so he gets no more than one hash of the users' part. Locks belong to
 * the open file (OFD), not to the process: threads and forks are no matter.
 */
#include "slots.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <stddef.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "room.h"

#define GENERAL INT64_C(0)
#define RESERVE (INT64_C(1) << 32)
#define USER    (INT64_C(2) << 32)
#define UID     (INT64_C(3) << 32)

/* What a helper at work takes besides its hash is less than a MiB, and one
 * that waits takes a quarter of one, the kernel's tables for it included
 * (tests/integration/pam/test_slots.py measures both). */
enum { OVERHEAD_MIB = 1, WAITING_SHARE = 8, MARGIN_MIB = 8 };

/* How long to sleep between two looks: many that wait for long are to leave
 * the processors to those at work. */
enum { FIRST_MS = 2, LAST_MS = 32 };

struct area {
    int64_t base, size;
};

/* ---- the file ---- */

/* Owned by root, for the helper's group at most, and what it should be. */
static bool trusted(int fd, mode_t type)
{
    struct stat st;
    return fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) == type &&
           st.st_uid == 0 && !(st.st_mode & S_IRWXO);
}

/* After a boot without tmpfiles.d nobody else has made them. The group may be
 * missing: then only root has slots. */
static void create_file(void)
{
    struct group *group = getgrnam("shadow");
    gid_t gid = group ? group->gr_gid : 0;
    if (mkdir(A2F_RUN_DIR, 0700) != 0 && errno != EEXIST)
        return;
    int dir =
        open(A2F_RUN_DIR, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (dir < 0)
        return;
    int fd = -1;
    if (trusted(dir, S_IFDIR) && fchown(dir, 0, gid) == 0 &&
        fchmod(dir, 0750) == 0)
        fd = openat(dir, A2F_SLOTS_FILE,
                    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0) {
        if (fchown(fd, 0, gid) == 0)
            (void)fchmod(fd, 0660);
        close(fd);
    }
    close(dir);
}

static int open_file(bool create)
{
    const char *path = A2F_RUN_DIR "/" A2F_SLOTS_FILE;
    int flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC;
    int fd = open(path, flags);
    if (fd < 0 && errno == ENOENT && create) {
        create_file();
        fd = open(path, flags);
    }
    if (fd >= 0 && !trusted(fd, S_IFREG)) {
        close(fd);
        errno = EPERM;
        return -1;
    }
    return fd;
}

/* ---- the budget ---- */

static uint64_t at_least(uint64_t value, uint64_t floor)
{
    return value > floor ? value : floor;
}

static uint64_t units_of(uint64_t kib)
{
    return (kib + 1023) / 1024 + OVERHEAD_MIB;
}

/* A part of the budget without what is kept for helpers that wait. */
static uint64_t for_hashes(uint64_t mib)
{
    return mib - mib / WAITING_SHARE;
}

/* A quarter of what there is, between five hashes and 2 GiB; the users' part
 * and the reserve are beside it, not of it. */
struct a2f_budget a2f_slots_budget(const struct a2f_conf *conf)
{
    uint64_t one = units_of(conf->params.memory_kib);
    struct a2f_budget budget = {.general = conf->budget_mib,
                                .user = conf->user_mib,
                                .reserve = conf->reserve_mib};
    if (budget.general == 0) {
        uint64_t quarter = a2f_room_total() / 4;
        budget.general = at_least(quarter < 2048 ? quarter : 2048, 5 * one);
    }
    if (budget.user == 0)
        budget.user = at_least(budget.general / 4, 3 * one);
    if (budget.reserve == 0)
        budget.reserve = one;
    budget.hashes = at_least(for_hashes(budget.general) / one, 1);
    return budget;
}

/* ---- locks ---- */

enum lock { LOCKED, HELD, BROKEN };

/* HELD: *other is who stands in the way. BROKEN: there is no locking here. */
static enum lock lock_range(int fd, int64_t from, int64_t len,
                            struct flock *other)
{
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = from, .l_len = len};
    if (fcntl(fd, F_OFD_SETLK, &lock) == 0)
        return LOCKED;
    if (errno != EAGAIN && errno != EACCES)
        return BROKEN;
    *other = lock;
    if (fcntl(fd, F_OFD_GETLK, other) != 0)
        return BROKEN;
    if (other->l_type == F_UNLCK) { /* gone in this moment */
        other->l_start = from;
        other->l_len = 1;
    }
    return HELD;
}

/* First fit, passing over what others hold. More than the area has room for
 * is the whole area: such a hash runs alone. */
static enum lock lock_units(int fd, struct area area, int64_t units)
{
    enum lock lock = HELD;
    if (units > area.size)
        units = area.size;
    struct flock other;
    for (int64_t at = area.base;
         lock == HELD && at + units <= area.base + area.size;) {
        lock = lock_range(fd, at, units, &other);
        if (lock == HELD && other.l_start + other.l_len > at)
            at = other.l_start + other.l_len;
        else if (lock == HELD)
            at++;
    }
    return lock;
}

static enum lock lock_any(int fd, const struct a2f_budget *budget,
                          const struct a2f_slot_request *request)
{
    int64_t units = (int64_t)units_of(request->kib);
    const struct area general = {GENERAL, (int64_t)for_hashes(budget->general)},
                      reserve = {RESERVE, (int64_t)budget->reserve},
                      user = {USER, (int64_t)for_hashes(budget->user)};
    if (request->origin == 0) {
        enum lock lock = lock_units(fd, general, units);
        return lock == HELD && request->console ? lock_units(fd, reserve, units)
                                                : lock;
    }
    struct flock other;
    enum lock lock = lock_range(fd, UID + request->origin, 1, &other);
    if (lock != LOCKED)
        return lock;
    lock = lock_units(fd, user, units);
    if (lock == HELD) {
        struct flock unlock = {
            .l_type = F_UNLCK, .l_start = UID + request->origin, .l_len = 1};
        (void)fcntl(fd, F_OFD_SETLK, &unlock);
    }
    return lock;
}

/* ---- the queue ---- */

int64_t a2f_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Sleeps a little; false: the asker has gone, or there is no sleeping. */
static bool pause_for(int asker, int ms)
{
    struct pollfd pipe = {.fd = asker, .events = 0};
    int n = poll(&pipe, 1, ms);
    return n < 0 ? errno == EINTR
                 : n == 0 || !(pipe.revents & (POLLERR | POLLNVAL));
}

/* A guard against floods must never be what locks people out. */
static void do_without(struct a2f_slots *slots, bool say)
{
    a2f_slots_give(slots);
    if (say)
        slots->note = "no slots in " A2F_RUN_DIR ": working without";
}

enum a2f_slot a2f_slots_take(struct a2f_slots *slots,
                             const struct a2f_conf *conf,
                             const struct a2f_slot_request *request)
{
    *slots = (struct a2f_slots){.fd = -1};
    if (conf->slots) {
        slots->fd = open_file(request->create);
        if (slots->fd < 0)
            do_without(slots, request->create);
    }
    struct a2f_budget budget = a2f_slots_budget(conf);
    uint64_t need = request->kib / 1024 + MARGIN_MIB;
    int wait_ms = FIRST_MS;
    int64_t deadline = a2f_now_ms() + (int64_t)conf->queue_seconds * 1000;
    bool locked = false;
    for (;;) {
        if (slots->fd >= 0 && !locked) {
            enum lock lock = lock_any(slots->fd, &budget, request);
            locked = lock == LOCKED;
            if (lock == BROKEN)
                do_without(slots, true);
        }
        if ((locked || slots->fd < 0) && a2f_room_now() >= need)
            return locked ? A2F_SLOT_TAKEN : A2F_SLOT_WITHOUT;
        if (a2f_now_ms() >= deadline)
            break;
        if (!pause_for(request->asker, wait_ms)) {
            a2f_slots_give(slots);
            return A2F_SLOT_GONE;
        }
        wait_ms = wait_ms < LAST_MS ? 2 * wait_ms : LAST_MS;
    }
    a2f_slots_give(slots);
    return A2F_SLOT_BUSY;
}

void a2f_slots_give(struct a2f_slots *slots)
{
    if (slots->fd < 0)
        return;
    /* A fork of the host may hold the file open a while longer. */
    struct flock unlock = {.l_type = F_UNLCK};
    (void)fcntl(slots->fd, F_OFD_SETLK, &unlock);
    close(slots->fd);
    slots->fd = -1;
}
