/* SPDX-License-Identifier: MIT */
/*
 * A question on the terminal whose answer is not echoed. However it ends, the
 * terminal is as it was; suspended and continued, it asks again.
 */
#include "cli.h"

#include <errno.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static void put(int fd, const char *text)
{
    /* Nothing can be done about a terminal that takes no output. */
    if (write(fd, text, strlen(text)) < 0)
        return;
}

/* One line of a terminal in canonical mode, without its '\n'. */
static ssize_t read_line(int fd, char *data, size_t size)
{
    size_t len = 0;
    while (len < size) {
        ssize_t got = cli_read(fd, data + len, size - len);
        if (got < 0)
            return -1;
        if (got == 0 && len == 0) {
            errno = ENODATA; /* end of file: no answer, not an empty one */
            return -1;
        }
        len += (size_t)got;
        if (got == 0)
            break;
        if (data[len - 1] == '\n')
            return (ssize_t)len - 1;
    }
    return (ssize_t)len;
}

static ssize_t ask_once(int fd, const char *prompt, char *data, size_t size)
{
    struct termios normal;
    if (tcgetattr(fd, &normal) != 0)
        return -1;
    struct termios quiet = normal;
    quiet.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK | ECHONL);
    quiet.c_lflag |= ICANON | ISIG;
    if (tcsetattr(fd, TCSAFLUSH, &quiet) != 0)
        return -1;
    put(fd, prompt);
    ssize_t len = read_line(fd, data, size);
    int error = errno;
    while (tcsetattr(fd, TCSANOW, &normal) != 0 && errno == EINTR)
        continue;
    put(fd, "\n");
    errno = error;
    return len;
}

ssize_t cli_terminal_ask(int fd, const char *prompt, char *data, size_t size)
{
    for (;;) {
        cli_suspend_catch();
        ssize_t len = ask_once(fd, prompt, data, size);
        int error = errno;
        if (!cli_suspend_now() || len >= 0) {
            errno = error;
            return len;
        }
        a2f_wipe(data, size);
    }
}
