/* SPDX-License-Identifier: MIT */
/*
 * Fail-points: linked with --wrap, these stand before the system calls of the
 * module or a helper. The file /run/faults.NAME (of the program) says "N" for
 * the N-th call to fail, or "N+" for it and all after it; that it came so far
 * is told by a file /run/faults.hit.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

static long calls, first = -1;
static int onward;

/* By raw system calls: what is wrapped must not be counted here. */
static void read_plan(void)
{
    char path[64] = "/run/faults.", text[32];
    size_t n = 12;
    for (const char *s = program_invocation_short_name; *s && n < 60; s++)
        path[n++] = *s;
    first = 0;
    long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return;
    long got = syscall(SYS_read, fd, text, sizeof text - 1);
    syscall(SYS_close, fd);
    for (long i = 0; i < got; i++)
        if (text[i] >= '0' && text[i] <= '9')
            first = first * 10 + text[i] - '0';
        else if (text[i] == '+')
            onward = 1;
}

static int fails(int error)
{
    if (first < 0)
        read_plan();
    calls++;
    if (first == 0 || calls < first || (calls > first && !onward))
        return 0;
    long fd = syscall(SYS_openat, AT_FDCWD, "/run/faults.hit",
                      O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0)
        syscall(SYS_close, fd);
    errno = error;
    return 1;
}

#define FAULT(type, name, params, args, failure, error)                        \
    type __real_##name params;                                                 \
    type __wrap_##name params;                                                 \
    type __wrap_##name params                                                  \
    {                                                                          \
        return fails(error) ? (failure) : __real_##name args;                  \
    }

FAULT(void *, malloc, (size_t size), (size), NULL, ENOMEM)
FAULT(void *, calloc, (size_t n, size_t size), (n, size), NULL, ENOMEM)
FAULT(void *, mmap, (void *at, size_t n, int prot, int flags, int fd, off_t o),
      (at, n, prot, flags, fd, o), MAP_FAILED, ENOMEM)
FAULT(ssize_t, getrandom, (void *to, size_t n, unsigned flags), (to, n, flags),
      -1, ENOSYS)
FAULT(ssize_t, read, (int fd, void *to, size_t n), (fd, to, n), -1, EIO)
FAULT(ssize_t, write, (int fd, const void *from, size_t n), (fd, from, n), -1,
      ENOSPC)
FAULT(int, fsync, (int fd), (fd), -1, EIO)
FAULT(int, fchown, (int fd, uid_t u, gid_t g), (fd, u, g), -1, EPERM)
FAULT(int, fchmod, (int fd, mode_t mode), (fd, mode), -1, EPERM)
FAULT(int, fstat, (int fd, struct stat *st), (fd, st), -1, EIO)
FAULT(int, fstatvfs, (int fd, struct statvfs *st), (fd, st), -1, EIO)
FAULT(int, statx,
      (int fd, const char *path, int flags, unsigned mask, struct statx *st),
      (fd, path, flags, mask, st), -1, EIO)
FAULT(int, renameat, (int a, const char *from, int b, const char *to),
      (a, from, b, to), -1, EIO)
FAULT(int, linkat, (int a, const char *from, int b, const char *to, int flags),
      (a, from, b, to, flags), -1, EIO)
FAULT(int, unlinkat, (int dir, const char *path, int flags), (dir, path, flags),
      -1, EIO)
FAULT(ssize_t, flistxattr, (int fd, char *to, size_t n), (fd, to, n), -1, EIO)
FAULT(int, pipe2, (int *ends, int flags), (ends, flags), -1, EMFILE)
FAULT(int, poll, (struct pollfd * fds, nfds_t n, int ms), (fds, n, ms), -1,
      ENOMEM)
FAULT(char *, realpath, (const char *path, char *to), (path, to), NULL, EIO)
FAULT(int, pthread_create,
      (void *thread, const void *attr, void *(*start)(void *), void *arg),
      (thread, attr, start, arg), EAGAIN, EAGAIN)
FAULT(int, clone, (int (*run)(void *), void *stack, int flags, void *arg),
      (run, stack, flags, arg), -1, EAGAIN)

int __wrap_open(const char *path, int flags, ...);
int __wrap_openat(int dir, const char *path, int flags, ...);
int __wrap_fcntl(int fd, int command, ...);
int __real_fcntl(int fd, int command, ...);

static int do_open(int dir, const char *path, int flags, va_list args)
{
    mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    if (fails(EMFILE))
        return -1;
    return (int)syscall(SYS_openat, dir, path, flags, mode);
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    int fd = do_open(AT_FDCWD, path, flags, args);
    va_end(args);
    return fd;
}

int __wrap_openat(int dir, const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    int fd = do_open(dir, path, flags, args);
    va_end(args);
    return fd;
}

int __wrap_fcntl(int fd, int command, ...)
{
    va_list args;
    va_start(args, command);
    void *arg = va_arg(args, void *);
    va_end(args);
    return fails(EBADF) ? -1 : __real_fcntl(fd, command, arg);
}
