/* SPDX-License-Identifier: MIT */
/*
 * See launch.h. The reply is a whole message on the pipe, or there is none:
 * the exit status never says that a password was right. Nothing is allocated
 * and no lock taken between clone and exec; the request waits in its pipe
 * before the helper starts, so that writing it cannot raise SIGPIPE; other
 * children of the host are waited for by nobody but the host.
 */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "argon2fast.h"
#include "slots.h"
#include "wire.h"

/* More than the longest queue_timeout and the deadline of a history. */
enum { REPLY_MS = 180000, STACK = 16384, GRACE = 200 };

struct launch {
    const char *helper;
    int in, out; /* the helper's ends of the pipes */
    bool root;
    int error; /* of the child, whose memory is ours until it has exec'd */
};

/* ---- the child: system calls only, on its own small stack ---- */

static long become_root(void)
{
    /* Not setresuid(): glibc would ask every thread of the host to do it. */
#ifdef SYS_setresuid32
    return syscall(SYS_setresuid32, 0, 0, 0);
#else
    return syscall(SYS_setresuid, 0, 0, 0);
#endif
}

/* The host's own descriptors may be numbered 0 to 2, and so may the pipes. */
static bool set_descriptors(int in, int out)
{
    in = fcntl(in, F_DUPFD, 3);
    out = fcntl(out, F_DUPFD, 3);
    int null = open("/dev/null", O_RDWR);
    if (in < 0 || out < 0 || null < 0 || dup2(in, STDIN_FILENO) < 0 ||
        dup2(out, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
        return false;
#ifdef SYS_close_range
    if (syscall(SYS_close_range, 3U, ~0U, 0U) == 0)
        return true;
#endif
    for (int fd = 3; fd < 4096; fd++)
        close(fd); /* and the helper closes what is above */
    return true;
}

static int child(void *arg)
{
    struct launch *launch = arg;
    char *argv[] = {(char *)launch->helper, NULL}, *envp[] = {NULL};
    (void)syscall(SYS_setsid);
    if (set_descriptors(launch->in, launch->out) &&
        (!launch->root || become_root() == 0))
        execve(launch->helper, argv, envp);
    launch->error = errno;
    _exit(127);
}

/* ---- the host ---- */

/* Signals stay blocked while the child shares our memory, or a handler of the
 * host would run there twice; the helper unblocks them for itself. */
static pid_t start(struct launch *launch)
{
    alignas(64) char stack[STACK];
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return -1;
    pid_t pid = clone(child, stack + sizeof stack,
                      CLONE_VM | CLONE_VFORK | SIGCHLD, launch);
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return pid;
}

enum heard { WHOLE, NOTHING, NONSENSE, TOO_LATE };

static enum heard read_reply(int fd, struct a2f_message *message,
                             struct a2f_reply *reply)
{
    int64_t deadline = a2f_now_ms() + REPLY_MS;
    message->len = 0;
    for (;;) {
        size_t want = a2f_wire_length(message);
        if (want > sizeof message->bytes || (want && message->len > want))
            return NONSENSE;
        if (want && message->len == want)
            return a2f_wire_get_reply(message, reply) ? WHOLE : NONSENSE;
        int64_t left = deadline - a2f_now_ms();
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        int n = left > 0 ? poll(&ready, 1, (int)left) : 0;
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return TOO_LATE;
        ssize_t got = read(fd, message->bytes + message->len,
                           sizeof message->bytes - message->len);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return NOTHING;
        message->len += (size_t)got;
    }
}

static pid_t wait_for(pid_t pid, int *status)
{
    pid_t got;
    do
        got = waitpid(pid, status, 0);
    while (got < 0 && errno == EINTR);
    return got;
}

/* Our child alone, and never one that is not: a host that reaps all its
 * children, or ignores SIGCHLD, may have been faster (ECHILD), and the number
 * may be another's by now. False: there is no status of its own. */
static bool reap(pid_t pid, enum heard heard, int *status)
{
    const struct timespec pause = {.tv_nsec = 10000000L};
    if (heard == WHOLE)
        return wait_for(pid, status) == pid;
    pid_t got = waitpid(pid, status, WNOHANG);
    /* With its end of the pipe closed it is about to tell how it ended. */
    for (int i = 0; got == 0 && heard == NOTHING && i < GRACE; i++) {
        nanosleep(&pause, NULL);
        got = waitpid(pid, status, WNOHANG);
    }
    if (got == 0) {
        kill(pid, SIGKILL);
        (void)wait_for(pid, status);
    }
    return got == pid;
}

/* ---- SIGCHLD ---- */

/* A host may take any SIGCHLD for the end of its one child, and wait for it
 * for ever. So it does not get ours where the mask is the whole process's: its
 * handler stays what it is, and its own children's signals reach it. */
struct sigchld {
    bool held;
    sigset_t before;
};

static void hold_sigchld(struct sigchld *state, bool wanted)
{
    struct stat tasks;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    /* A directory for each thread, and the two names every directory has. */
    state->held = wanted && stat("/proc/self/task", &tasks) == 0 &&
                  tasks.st_nlink == 3 &&
                  sigprocmask(SIG_BLOCK, &set, &state->before) == 0;
}

static void release_sigchld(const struct sigchld *state, pid_t pid)
{
    const struct timespec now = {0};
    siginfo_t signal = {0}, other = {0};
    sigset_t set;
    if (!state->held)
        return;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    /* Signals that wait are one: somebody else's end may be hidden in ours. */
    if (sigtimedwait(&set, &signal, &now) == SIGCHLD &&
        (signal.si_pid != pid ||
         (waitid(P_ALL, 0, &other, WEXITED | WNOHANG | WNOWAIT) == 0 &&
          other.si_pid != 0)))
        kill(getpid(), SIGCHLD);
    sigprocmask(SIG_SETMASK, &state->before, NULL);
}

/* ---- the whole of it ---- */

static void explain_failure(const struct launch *launch, char *problem,
                            size_t size)
{
    struct stat st;
    const char *why = strerror(launch->error);
    if (stat(launch->helper, &st) == 0)
        snprintf(problem, size, "cannot run %s (mode %04o): %s", launch->helper,
                 (unsigned)(st.st_mode & 07777), why);
    else
        snprintf(problem, size, "cannot run %s: %s", launch->helper, why);
}

static void explain_end(const char *helper, enum heard heard, bool reaped,
                        int status, char *problem, size_t size)
{
    static const char *const what[] = {[NOTHING] = "no answer",
                                       [NONSENSE] = "no proper answer",
                                       [TOO_LATE] = "no answer in time"};
    if (reaped && WIFSIGNALED(status))
        snprintf(problem, size, "%s was killed by signal %d", helper,
                 WTERMSIG(status));
    else if (reaped)
        snprintf(problem, size, "%s gave %s, exit status %d", helper,
                 what[heard], WEXITSTATUS(status));
    else
        snprintf(problem, size, "%s gave %s", helper, what[heard]);
}

static bool talk(struct launch *launch, int answer, bool hide,
                 struct a2f_message *message, struct a2f_reply *reply,
                 char *problem, size_t size)
{
    struct sigchld sigchld;
    hold_sigchld(&sigchld, hide);
    pid_t pid = start(launch);
    if (pid < 0)
        launch->error = errno;
    close(launch->in);
    close(launch->out);
    launch->in = launch->out = -1;
    enum heard heard = NOTHING;
    int status = 0;
    if (!launch->error)
        heard = read_reply(answer, message, reply);
    bool reaped = pid > 0 && reap(pid, heard, &status);
    release_sigchld(&sigchld, pid);
    if (launch->error)
        explain_failure(launch, problem, size);
    else if (heard != WHOLE)
        explain_end(launch->helper, heard, reaped, status, problem, size);
    return heard == WHOLE;
}

bool a2f_launch(const char *helper, const struct a2f_request *request,
                bool hide, struct a2f_reply *reply, char *problem, size_t size)
{
    struct launch launch = {
        .helper = helper, .in = -1, .out = -1, .root = geteuid() == 0};
    struct a2f_message message;
    int asked[2] = {-1, -1}, told[2] = {-1, -1};
    bool whole = false;
    int cancel;
    *reply = (struct a2f_reply){0};
    /* A thread that is cancelled must not be so here, nor in the child. */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    if (!a2f_wire_put_request(request, &message)) {
        snprintf(problem, size, "a name or a password is too long");
    } else if (pipe2(asked, O_CLOEXEC) != 0 || pipe2(told, O_CLOEXEC) != 0 ||
               write(asked[1], message.bytes, message.len) !=
                   (ssize_t)message.len) {
        snprintf(problem, size, "no pipe for %s: %s", helper, strerror(errno));
    } else {
        close(asked[1]);
        launch.in = asked[0];
        launch.out = told[1];
        asked[0] = asked[1] = told[1] = -1;
        whole = talk(&launch, told[0], hide, &message, reply, problem, size);
    }
    for (int i = 0; i < 2; i++) {
        if (asked[i] >= 0)
            close(asked[i]);
        if (told[i] >= 0)
            close(told[i]);
    }
    a2f_wipe(&message, sizeof message);
    pthread_setcancelstate(cancel, NULL);
    return whole;
}
