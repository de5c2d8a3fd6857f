/* SPDX-License-Identifier: MIT */
/*
 * See helper.h. A set-gid program inherits much from somebody who may wish it
 * ill: descriptors, signals, limits, a terminal, an environment.
 */
#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <syslog.h>
#include <unistd.h>

#include "argon2fast.h"

enum { MISUSE_SECONDS = 3, READ_SECONDS = 10 };

/* Standard input, output and error are there, and nothing else is. */
static void tidy_descriptors(void)
{
    int fd;
    while ((fd = open("/dev/null", O_RDWR)) >= 0 && fd <= 2)
        ;
    if (fd > 2)
        close(fd);
#ifdef SYS_close_range
    if (syscall(SYS_close_range, 3U, ~0U, 0U) == 0)
        return;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    for (fd = 3; fd < (most > 0 && most < 65536 ? most : 65536); fd++)
        close(fd);
}

static void tidy_signals(void)
{
    static const int ignored[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGTERM,
                                  SIGTSTP, SIGTTIN, SIGTTOU, SIGXFSZ};
    sigset_t none;
    sigemptyset(&none);
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    signal(SIGALRM, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* A host lives with limits that suit it; a hash may need all that is allowed.
 */
static void raise_limits(void)
{
    static const unsigned raised[] = {RLIMIT_AS, RLIMIT_DATA, RLIMIT_NPROC,
                                      RLIMIT_CPU};
    struct rlimit limit;
    for (size_t i = 0; i < sizeof raised / sizeof *raised; i++) {
        if (getrlimit(raised[i], &limit) != 0)
            continue;
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(raised[i], &limit);
    }
    limit.rlim_cur = limit.rlim_max = 0;
    (void)setrlimit(RLIMIT_CORE, &limit);
}

/* When memory is short this process is to go, not the one that started it.
 * A set-gid process may not write here, and need not. */
static void volunteer(void)
{
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    ssize_t n = write(fd, "500", 3);
    (void)n;
    close(fd);
}

static _Noreturn void misused(const char *name, const char *how)
{
    openlog(name, LOG_PID, LOG_AUTHPRIV);
    syslog(LOG_NOTICE,
           "started by uid %ld %s; this program answers "
           "pam_argon2fast.so only",
           (long)getuid(), how);
    sleep(MISUSE_SECONDS);
    _exit(EXIT_FAILURE);
}

static bool read_message(struct a2f_message *message)
{
    message->len = 0;
    for (;;) {
        size_t want = a2f_wire_length(message);
        if (want > sizeof message->bytes)
            return false;
        if (want && message->len >= want)
            return message->len == want;
        ssize_t n = read(STDIN_FILENO, message->bytes + message->len,
                         sizeof message->bytes - message->len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        message->len += (size_t)n;
    }
}

void a2f_helper_begin(int argc, const char *name, struct a2f_message *message,
                      struct a2f_request *request)
{
    tidy_signals();
    tidy_descriptors();
    if (clearenv() != 0 || chdir("/") != 0)
        _exit(EXIT_FAILURE);
    umask(077);
    (void)setsid();
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    raise_limits();
    volunteer();
    if (argc != 1)
        misused(name, "with arguments");
    if (isatty(STDIN_FILENO) || isatty(STDOUT_FILENO))
        misused(name, "on a terminal");
    alarm(READ_SECONDS);
    bool whole =
        read_message(message) && a2f_wire_get_request(message, request);
    alarm(0);
    if (!whole)
        misused(name, "without a proper request");
}

int a2f_helper_end(struct a2f_message *message, struct a2f_reply *reply)
{
    bool sent = a2f_wire_put_reply(reply, message);
    size_t done = 0;
    while (sent && done < message->len) {
        ssize_t n =
            write(STDOUT_FILENO, message->bytes + done, message->len - done);
        if (n < 0 && errno != EINTR)
            sent = false;
        done += n > 0 ? (size_t)n : 0;
    }
    a2f_wipe(message, sizeof *message);
    a2f_wipe(reply, sizeof *reply);
    return sent ? EXIT_SUCCESS : EXIT_FAILURE;
}
