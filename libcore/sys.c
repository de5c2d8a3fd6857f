/* SPDX-License-Identifier: MIT */
/* The door to the operating system; see sys.h. */
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "argon2fast.h"

/* Newer than some C libraries' headers; the kernel refuses what it lacks. */
#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* futex(2), whose header musl's compiler does not see; where time_t never had
 * 32 bits, the call has another name. */
#define FUTEX_WAIT_PRIVATE 128
#define FUTEX_WAKE_PRIVATE 129
#ifndef SYS_futex
#define SYS_futex SYS_futex_time64
#endif

#define STACK_BYTES ((size_t)256 << 10)

#ifdef A2F_FAIL_POINTS
static atomic_uint calls, fail_at;
static atomic_bool fail_all;

unsigned a2f_sys_fail(unsigned n, bool all)
{
    unsigned made = atomic_exchange(&calls, 0);

    atomic_store(&fail_at, n);
    atomic_store(&fail_all, all);
    return made;
}

static bool failing(void)
{
    unsigned call = atomic_fetch_add(&calls, 1) + 1, at = fail_at;

    return at != 0 && (call == at || (fail_all && call > at));
}
#else
#define failing() false
#endif

void *a2f_sys_alloc(size_t size)
{
    return failing() ? NULL : calloc(1, size);
}

void a2f_sys_free(void *memory, size_t size)
{
    if (memory == NULL)
        return;
    a2f_wipe(memory, size);
    free(memory);
}

void *a2f_sys_map(size_t size)
{
    void *memory;

    if (failing())
        return NULL;
    memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void a2f_sys_unmap(void *memory, size_t size)
{
    (void)munmap(memory, size);
}

size_t a2f_sys_page(void)
{
    long size = sysconf(_SC_PAGESIZE);

    return size > 0 ? (size_t)size : 4096;
}

void a2f_sys_private(void *memory, size_t size)
{
    if (failing())
        return;
    (void)madvise(memory, size, MADV_DONTDUMP);
    (void)madvise(memory, size, MADV_WIPEONFORK);
}

void a2f_sys_huge(void *memory, size_t size)
{
    if (!failing())
        (void)madvise(memory, size, MADV_HUGEPAGE);
}

bool a2f_sys_populate(void *memory, size_t size)
{
    return !failing() && madvise(memory, size, MADV_POPULATE_WRITE) == 0;
}

/* Fills data as far as the file goes; how far, or -1. */
static ssize_t read_up_to(int fd, unsigned char *data, size_t size)
{
    size_t done = 0;

    while (done < size) {
        ssize_t n = read(fd, data + done, size - done);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        done += (size_t)n;
    }
    return (ssize_t)done;
}

/* For kernels and sandboxes without getrandom. */
static bool read_urandom(unsigned char *out, size_t size)
{
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC | O_NOCTTY);
    bool filled = fd >= 0 && read_up_to(fd, out, size) == (ssize_t)size;

    if (fd >= 0)
        close(fd);
    return filled;
}

bool a2f_sys_random(void *data, size_t size)
{
    unsigned char *out = data;

    if (failing())
        return false;
    while (size > 0) {
        ssize_t n = getrandom(out, size, 0);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return read_urandom(out, size);
        out += n;
        size -= (size_t)n;
    }
    return true;
}

static const char *wrong_with(int fd)
{
    struct stat st;
    mode_t mode;

    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return "key file that is no regular file";
    mode = st.st_mode & 07777;
    if ((st.st_uid == geteuid() && (mode & ~(mode_t)0600) == 0) ||
        (st.st_uid == 0 && (mode & ~(mode_t)0640) == 0))
        return NULL;
    return "owner or mode of the key file";
}

const char *a2f_sys_key_file(const char *path, char *data, size_t size,
                             size_t *len)
{
    /* Not to wait for the other end of a FIFO. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    const char *wrong;
    ssize_t n;

    *len = 0;
    if (fd < 0)
        return "key file that cannot be opened";
    wrong = wrong_with(fd);
    n = wrong == NULL && !failing()
            ? read_up_to(fd, (unsigned char *)data, size)
            : -1;
    if (wrong == NULL && n < 0)
        wrong = "key file that cannot be read";
    if (n > 0)
        *len = (size_t)n;
    close(fd);
    return wrong;
}

bool a2f_sys_thread(pthread_t *thread, void *(*start)(void *), void *arg)
{
    sigset_t all, old;
    pthread_attr_t attr;
    int error;

    if (failing() || pthread_attr_init(&attr) != 0)
        return false;
    /* A worker must never run a host's signal handler. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    (void)pthread_attr_setstacksize(&attr, STACK_BYTES);
    error = pthread_create(thread, &attr, start, arg);
    /* Thread-local data of the host may not fit into a small stack. */
    if (error == EINVAL)
        error = pthread_create(thread, NULL, start, arg);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attr);
    return error == 0;
}

void a2f_sys_sleep(atomic_uint *word, unsigned value)
{
    (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL);
}

void a2f_sys_wake(atomic_uint *word, uint32_t n)
{
    (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE,
                  n < INT_MAX ? n : INT_MAX);
}
