/* SPDX-License-Identifier: MIT */
/*
 * Signals: those that end the process are noted, and work and reads stop at
 * the next chance, so that the normal way out wipes and restores everything.
 */
#include "cli.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { ENDING = sizeof ending / sizeof *ending };

static volatile sig_atomic_t noted; /* the signal; SIGTSTP gives way */
static struct sigaction old_suspend;

static void note(int signal)
{
    if (signal != SIGTSTP || !noted)
        noted = signal;
}

/* Without SA_RESTART. What our parent ignores (nohup) stays ignored. */
static void catch_signal(int signal, struct sigaction *old)
{
    struct sigaction action = {.sa_handler = note};
    sigemptyset(&action.sa_mask);
    if (sigaction(signal, NULL, old) == 0 && old->sa_handler != SIG_IGN)
        sigaction(signal, &action, NULL);
}

void cli_signals_catch(void)
{
    struct sigaction old;
    for (int i = 0; i < ENDING; i++)
        catch_signal(ending[i], &old);
}

int cli_signal_caught(void)
{
    int signal = noted;
    return signal == SIGTSTP ? 0 : signal;
}

int cli_poll(void *ctx)
{
    (void)ctx;
    return cli_signal_caught();
}

ssize_t cli_read(int fd, void *data, size_t size)
{
    /* Blocked from here on, except inside ppoll: no signal falls between the
     * look at `noted` and the wait. */
    sigset_t ours, before;
    sigemptyset(&ours);
    sigaddset(&ours, SIGTSTP);
    for (int i = 0; i < ENDING; i++)
        sigaddset(&ours, ending[i]);
    sigprocmask(SIG_BLOCK, &ours, &before);

    struct pollfd wait = {.fd = fd, .events = POLLIN};
    ssize_t got = -1;
    if (noted)
        errno = EINTR;
    else if (ppoll(&wait, 1, NULL, &before) > 0)
        got = read(fd, data, size);

    int error = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return got;
}

void cli_suspend_catch(void)
{
    catch_signal(SIGTSTP, &old_suspend);
}

bool cli_suspend_now(void)
{
    sigaction(SIGTSTP, &old_suspend, NULL);
    if (noted != SIGTSTP)
        return false;
    noted = 0;
    raise(SIGTSTP);
    return true;
}
