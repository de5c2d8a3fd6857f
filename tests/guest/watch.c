/* SPDX-License-Identifier: MIT */
/* See watch.h. A program's own malloc() stands before the C library's. */
#include "watch.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- the module ---- */

static atomic_uintptr_t module_from, module_to;

static int find_module(struct dl_phdr_info *info, size_t size, void *path_end)
{
    size_t len = strlen(info->dlpi_name), end = strlen(path_end);
    uintptr_t to = 0;

    (void)size;
    if (len < end || strcmp(info->dlpi_name + len - end, path_end) != 0)
        return 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];

        if (p->p_type == PT_LOAD && p->p_vaddr + p->p_memsz > to)
            to = p->p_vaddr + p->p_memsz;
    }
    atomic_store(&module_to, info->dlpi_addr + to);
    atomic_store(&module_from, info->dlpi_addr);
    return 1;
}

bool watch_module(const char *path_end)
{
    return dl_iterate_phdr(find_module, (void *)path_end) == 1;
}

static bool is_module(const void *caller)
{
    uintptr_t at = (uintptr_t)caller;

    return at >= atomic_load(&module_from) && at < atomic_load(&module_to);
}

/* ---- failing ---- */

static atomic_uint calls, fail_at;
static atomic_bool fail_onward, fail_host, failed;

bool watch_arm(unsigned n, bool onward, bool host)
{
    atomic_store(&fail_at, 0);
    atomic_store(&calls, 0);
    atomic_store(&fail_onward, onward);
    atomic_store(&fail_host, host);
    atomic_store(&fail_at, n);
    return atomic_exchange(&failed, false);
}

static bool fails(void)
{
    unsigned at = atomic_load(&fail_at), call;

    if (at == 0)
        return false;
    call = atomic_fetch_add(&calls, 1) + 1;
    if (call != at && !(call > at && atomic_load(&fail_onward)))
        return false;
    atomic_store(&failed, true);
    return true;
}

bool watch_fails(void)
{
    return atomic_load(&fail_host) && fails();
}

static bool fails_for(const void *caller, int error)
{
    if (!is_module(caller) || !fails())
        return false;
    errno = error;
    return true;
}

#define CALLER __builtin_return_address(0)

/* ---- the heap ---- */

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void __libc_free(void *memory);

static atomic_long blocks;

long watch_blocks(void)
{
    return atomic_load(&blocks);
}

static void *counted(void *memory)
{
    if (memory != NULL)
        atomic_fetch_add(&blocks, 1);
    return memory;
}

void *malloc(size_t size)
{
    return fails_for(CALLER, ENOMEM) ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t n, size_t size)
{
    return fails_for(CALLER, ENOMEM) ? NULL : counted(__libc_calloc(n, size));
}

void *realloc(void *old, size_t size)
{
    if (fails_for(CALLER, ENOMEM))
        return NULL;
    if (old == NULL)
        return counted(__libc_realloc(old, size));
    if (size == 0)
        atomic_fetch_sub(&blocks, 1);
    return __libc_realloc(old, size);
}

void free(void *memory)
{
    if (memory != NULL)
        atomic_fetch_sub(&blocks, 1);
    __libc_free(memory);
}

/* ---- mapped memory ---- */

enum { RANGES = 256 };
static struct range {
    char *from, *to;
} ranges[RANGES];
static unsigned range_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void watch_hold(void)
{
    pthread_mutex_lock(&lock);
}

void watch_release(void)
{
    pthread_mutex_unlock(&lock);
}

static void add(char *from, char *to)
{
    if (from < to && range_count < RANGES)
        ranges[range_count++] = (struct range){from, to};
}

static void subtract(char *from, char *to)
{
    for (unsigned i = range_count; i-- > 0;) {
        struct range old = ranges[i];

        if (old.to <= from || old.from >= to)
            continue;
        ranges[i] = ranges[--range_count];
        add(old.from, from < old.to ? from : old.to);
        add(to > old.from ? to : old.from, old.to);
    }
}

size_t watch_mapped(void)
{
    size_t sum = 0;

    watch_hold();
    for (unsigned i = 0; i < range_count; i++)
        sum += (size_t)(ranges[i].to - ranges[i].from);
    watch_release();
    return sum;
}

bool watch_dirty(bool all)
{
    for (unsigned i = 0; i < range_count; i++) {
        const volatile uint64_t *word = (void *)ranges[i].from;
        size_t bytes = (size_t)(ranges[i].to - ranges[i].from);

        if (!all && bytes > 4096)
            bytes = 4096;
        for (size_t k = 0; k < bytes / sizeof *word; k++)
            if (word[k] != 0)
                return true;
    }
    return false;
}

static size_t whole_pages(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    return (size + page - 1) / page * page;
}

void *mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset)
{
    void *memory;

    if (fails_for(CALLER, ENOMEM))
        return MAP_FAILED;
    /* Libraries that are being loaded come here before the lock may be used. */
    if (!is_module(CALLER))
        return (void *)syscall(SYS_mmap, at, size, prot, flags, fd, offset);
    watch_hold();
    memory = (void *)syscall(SYS_mmap, at, size, prot, flags, fd, offset);
    if (memory != MAP_FAILED)
        add(memory, (char *)memory + whole_pages(size));
    watch_release();
    return memory;
}

int munmap(void *memory, size_t size)
{
    int result;

    if (!is_module(CALLER))
        return (int)syscall(SYS_munmap, memory, size);
    watch_hold();
    subtract(memory, (char *)memory + whole_pages(size));
    result = (int)syscall(SYS_munmap, memory, size);
    watch_release();
    return result;
}

/* ---- all else ---- */

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

/* A wrapper: finds the function behind it once. It has no state but that, and
 * two threads find the same. */
#define FAULT(type, name, params, args, failure, error)                        \
    type name params;                                                          \
    type name params                                                           \
    {                                                                          \
        static type(*_Atomic real) params;                                     \
        if (fails_for(CALLER, error))                                          \
            return failure;                                                    \
        if (real == NULL)                                                      \
            real = (type(*) params)next(#name);                                \
        return real args;                                                      \
    }

FAULT(int, madvise, (void *at, size_t n, int advice), (at, n, advice), -1,
      EINVAL)
FAULT(ssize_t, getrandom, (void *to, size_t n, unsigned flags), (to, n, flags),
      -1, ENOSYS)
FAULT(ssize_t, read, (int fd, void *to, size_t n), (fd, to, n), -1, EIO)
FAULT(ssize_t, write, (int fd, const void *from, size_t n), (fd, from, n), -1,
      ENOSPC)
FAULT(int, fstat, (int fd, struct stat *st), (fd, st), -1, EIO)
FAULT(int, pipe2, (int ends[2], int flags), (ends, flags), -1, EMFILE)
FAULT(int, poll, (struct pollfd * fds, nfds_t n, int ms), (fds, n, ms), -1,
      ENOMEM)
FAULT(long, sysconf, (int name), (name), -1, EINVAL)
FAULT(int, sched_getaffinity, (pid_t pid, size_t n, cpu_set_t *set),
      (pid, n, set), -1, EPERM)
FAULT(int, pthread_attr_init, (pthread_attr_t * attr), (attr), ENOMEM, ENOMEM)
FAULT(int, pthread_attr_setstacksize, (pthread_attr_t * attr, size_t n),
      (attr, n), EINVAL, EINVAL)
FAULT(int, pthread_create,
      (pthread_t * thread, const pthread_attr_t *attr, void *(*start)(void *),
       void *arg),
      (thread, attr, start, arg), EAGAIN, EAGAIN)

int open(const char *path, int flags, ...)
{
    va_list args;
    mode_t mode;

    va_start(args, flags);
    mode = va_arg(args, mode_t); /* nonsense where there is none */
    va_end(args);
    if (fails_for(CALLER, EMFILE))
        return -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
