/* SPDX-License-Identifier: MIT */
/* See self.h. */
#include "self.h"

#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

enum { SIGNALS = 65, DESCRIPTORS = 256 };

struct self {
    struct {
        void (*handler)(int);
        int flags;
        unsigned char mask[SIGNALS];
    } signal[SIGNALS];
    unsigned char blocked[SIGNALS], pending[SIGNALS];
    short descriptor[DESCRIPTORS];
    struct rlimit limit[RLIM_NLIMITS];
    struct timeval alarm;
    mode_t umask;
    int cancel, rounding, exceptions, dumpable;
    long threads;
    char locale[64], directory[256], name[32];
};

static void read_set(const sigset_t *set, unsigned char *members)
{
    for (int s = 1; s < SIGNALS; s++)
        members[s] = sigismember(set, s) == 1;
}

static void look_at_signals(struct self *self)
{
    sigset_t set;

    for (int s = 1; s < SIGNALS; s++) {
        struct sigaction action;

        if (sigaction(s, NULL, &action) != 0)
            continue;
        self->signal[s].handler = action.sa_handler;
        self->signal[s].flags = action.sa_flags;
        read_set(&action.sa_mask, self->signal[s].mask);
    }
    pthread_sigmask(SIG_SETMASK, NULL, &set);
    read_set(&set, self->blocked);
    sigpending(&set);
    read_set(&set, self->pending);
}

struct self *self_look(void)
{
    struct self *self = calloc(1, sizeof *self);
    struct itimerval timer;

    if (self == NULL)
        abort();
    look_at_signals(self);
    for (int fd = 0; fd < DESCRIPTORS; fd++)
        self->descriptor[fd] = (short)fcntl(fd, F_GETFD);
    for (unsigned i = 0; i < RLIM_NLIMITS; i++)
        (void)getrlimit(i, &self->limit[i]);
    if (getitimer(ITIMER_REAL, &timer) == 0)
        self->alarm = timer.it_interval; /* what is left runs down */
    self->umask = umask(0);
    umask(self->umask);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &self->cancel);
    pthread_setcancelstate(self->cancel, NULL);
    self->rounding = fegetround();
    self->exceptions = fegetexcept();
    self->dumpable = prctl(PR_GET_DUMPABLE);
    self->threads = self_status("Threads:");
    snprintf(self->locale, sizeof self->locale, "%s", setlocale(LC_ALL, NULL));
    if (getcwd(self->directory, sizeof self->directory) == NULL)
        self->directory[0] = '\0';
    prctl(PR_GET_NAME, self->name);
    return self;
}

bool self_same(struct self *before)
{
    static const struct {
        const char *name;
        size_t offset, size;
    } members[] = {
#define MEMBER(m) {#m, offsetof(struct self, m), sizeof((struct self *)0)->m}
        MEMBER(signal),     MEMBER(blocked),   MEMBER(pending),
        MEMBER(descriptor), MEMBER(limit),     MEMBER(alarm),
        MEMBER(umask),      MEMBER(cancel),    MEMBER(rounding),
        MEMBER(exceptions), MEMBER(dumpable),  MEMBER(threads),
        MEMBER(locale),     MEMBER(directory), MEMBER(name),
    };
    bool same = true;
    (void)self_threads_become(before->threads);
    struct self *now = self_look();

    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (memcmp((char *)before + members[i].offset,
                   (char *)now + members[i].offset, members[i].size) != 0) {
            printf("# changed: %s\n", members[i].name);
            same = false;
        }
    free(now);
    free(before);
    return same;
}

static void handle(int signal)
{
    (void)signal;
}

void self_be_odd(void)
{
    sigset_t set;

    sigemptyset(&set);
    for (int s = 1; s < SIGNALS; s++) {
        struct sigaction action = {.sa_handler = s % 2 ? SIG_IGN : handle,
                                   .sa_flags = s % 3 ? SA_RESTART : 0};

        sigemptyset(&action.sa_mask);
        sigaddset(&action.sa_mask, s % 31 + 1);
        /* What tells of a crash, or of the helper's end, stays. */
        if (s != SIGSEGV && s != SIGBUS && s != SIGILL && s != SIGFPE &&
            s != SIGABRT && s != SIGALRM && s != SIGCHLD)
            (void)sigaction(s, &action, NULL);
        if (s % 5 == 0 && s != SIGALRM)
            sigaddset(&set, s);
    }
    pthread_sigmask(SIG_SETMASK, &set, NULL);
    umask(0127);
    fesetround(FE_UPWARD);
}

long self_status(const char *key)
{
    char line[256];
    long n = 0;
    FILE *file = fopen("/proc/self/status", "re");

    if (file == NULL)
        return 0;
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, key, strlen(key)) == 0)
            n = strtol(line + strlen(key), NULL, 10);
    fclose(file);
    return n;
}

bool self_threads_become(long n)
{
    for (int i = 0; i < 2000 && self_status("Threads:") != n; i++)
        usleep(1000);
    return self_status("Threads:") == n;
}

long self_mappings(void)
{
    FILE *file = fopen("/proc/self/maps", "re");
    long n = 0;

    if (file == NULL)
        return 0;
    for (int c; (c = getc(file)) != EOF;)
        n += c == '\n';
    fclose(file);
    return n;
}
