/* SPDX-License-Identifier: MIT */
/*
 * See locks.h. lckpwdf() itself would do, but it replaces the alarm of its
 * process and fails the second time; the lock on its file is the same. The
 * second lock is a file `shadow.lock` with a process id in it.
 */
#include "locks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 1500, PAUSE_MS = 10 }; /* 15 s, as lckpwdf() has it */

static void pause_a_little(void)
{
    struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    nanosleep(&pause, NULL);
}

static bool lock_file(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    for (int i = 0; i < TRIES; i++) {
        if (fcntl(fd, F_OFD_SETLK, &lock) == 0)
            return true;
        if (errno != EAGAIN && errno != EACCES)
            return false;
        pause_a_little();
    }
    errno = EWOULDBLOCK;
    return false;
}

/* Whether the lock file's process has died; what cannot be read has not. */
static bool is_stale(int dir, const char *name)
{
    char text[32];
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return false;
    text[n] = '\0';
    long pid = strtol(text, NULL, 10);
    return pid > 0 && pid != getpid() && kill((pid_t)pid, 0) != 0 &&
           errno == ESRCH;
}

/* A file that has its process id in it before it has its name; the temporary
 * name is fixed, for all that come here hold the first lock. */
static bool make_lock_file(int dir, const char *name, const char *temp)
{
    char pid[32];
    int len = snprintf(pid, sizeof pid, "%ld", (long)getpid());
    (void)unlinkat(dir, temp, 0);
    int fd = openat(dir, temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    /* shadow's tools expect the NUL too. */
    bool made = write(fd, pid, (size_t)len + 1) == len + 1;
    close(fd);
    for (int i = 0; made && i < TRIES; i++) {
        if (linkat(dir, temp, dir, name, 0) == 0)
            break;
        made = errno == EEXIST && i < TRIES - 1;
        if (made && is_stale(dir, name))
            (void)unlinkat(dir, name, 0);
        else if (made)
            pause_a_little();
        else if (errno == EEXIST)
            errno = EWOULDBLOCK;
    }
    int error = errno;
    (void)unlinkat(dir, temp, 0);
    errno = error;
    return made;
}

bool a2f_locks_take(struct a2f_locks *locks, int dir, const char *name,
                    bool shadow)
{
    char first[256], temp[256];
    *locks = (struct a2f_locks){.dir = dir, .fd = -1};
    int a = shadow ? snprintf(first, sizeof first, ".pwd.lock")
                   : snprintf(first, sizeof first, ".%s.lock", name);
    int b = snprintf(temp, sizeof temp, "%s.argon2fast.lock", name);
    int c = snprintf(locks->name, sizeof locks->name, "%s.lock", name);
    if (a < 0 || b < 0 || c < 0 || (size_t)a >= sizeof first ||
        (size_t)b >= sizeof temp || (size_t)c >= sizeof locks->name) {
        *locks->name = '\0';
        errno = ENAMETOOLONG;
        return false;
    }
    locks->fd =
        openat(dir, first, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (locks->fd >= 0 && lock_file(locks->fd) &&
        make_lock_file(dir, locks->name, temp))
        return true;
    int error = errno;
    *locks->name = '\0';
    a2f_locks_give(locks);
    errno = error;
    return false;
}

void a2f_locks_give(struct a2f_locks *locks)
{
    if (*locks->name)
        (void)unlinkat(locks->dir, locks->name, 0);
    if (locks->fd >= 0)
        close(locks->fd);
    locks->fd = -1;
    *locks->name = '\0';
}
