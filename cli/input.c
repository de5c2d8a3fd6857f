/* SPDX-License-Identifier: MIT */
/*
 * What a command reads: the password, from the terminal or standard input,
 * and the text of a hash.
 */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Room for the longest password, its line end, and a byte too many: the
 * engine sees that there is more than it takes. */
enum { ROOM = CLI_PASSWORD_MAX + 3 };

static int read_failed(const char *what)
{
    if (cli_signal_caught())
        return 128 + cli_signal_caught();
    if (errno == ENODATA)
        return cli_error("%s: no password was given", what);
    return cli_error("%s: %s", what, strerror(errno));
}

/* Reads until the end or until data is full; -1: errno says why. */
static ssize_t read_all(int fd, char *data, size_t size)
{
    size_t len = 0;
    while (len < size) {
        ssize_t got = cli_read(fd, data + len, size - len);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        len += (size_t)got;
    }
    return (ssize_t)len;
}

/* One line and no more; "\r\n" ends it as well. */
static int read_stdin(struct cli_secret *password)
{
    ssize_t got = read_all(STDIN_FILENO, password->data, ROOM);
    if (got < 0)
        return read_failed("standard input");
    password->len = (size_t)got;
    char *end = memchr(password->data, '\n', password->len);
    if (!end)
        return CLI_YES;
    if (end + 1 != password->data + password->len)
        return cli_error("standard input holds more than one line; "
                         "--batch takes many");
    if (end > password->data && end[-1] == '\r')
        end--;
    password->len = (size_t)(end - password->data);
    return CLI_YES;
}

static int ask_again(int fd, const struct cli_secret *password)
{
    struct cli_secret other = {malloc(ROOM), 0};
    if (!other.data)
        return cli_failed(A2F_NO_MEMORY, &(struct a2f_why){0});
    int status = CLI_YES;
    ssize_t len = cli_terminal_ask(fd, "Password again: ", other.data, ROOM);
    if (len < 0)
        status = read_failed("terminal");
    else if ((size_t)len != password->len ||
             !a2f_equal(password->data, other.data, password->len))
        status = cli_error("the two passwords differ");
    cli_secret_free(&other);
    return status;
}

static int read_terminal(bool again, struct cli_secret *password)
{
    int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return read_failed("/dev/tty");
    ssize_t len = cli_terminal_ask(fd, "Password: ", password->data, ROOM);
    int status = CLI_YES;
    if (len < 0)
        status = read_failed("terminal");
    else
        password->len = (size_t)len;
    if (status == CLI_YES && again)
        status = ask_again(fd, password);
    close(fd);
    return status;
}

int cli_password_read(bool again, struct cli_secret *password)
{
    *password = (struct cli_secret){malloc(ROOM), 0};
    if (!password->data)
        return cli_failed(A2F_NO_MEMORY, &(struct a2f_why){0});
    return isatty(STDIN_FILENO) ? read_terminal(again, password)
                                : read_stdin(password);
}

void cli_secret_free(struct cli_secret *secret)
{
    if (secret->data)
        a2f_wipe(secret->data, ROOM);
    free(secret->data);
    *secret = (struct cli_secret){NULL, 0};
}

/* A file of one line. Whatever else is in it, a2f_parse refuses. */
static int read_hash_file(const char *name, char room[A2F_TEXT_MAX],
                          struct a2f_span *text)
{
    int fd = open(name, O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return read_failed("hash file");
    ssize_t len = read_all(fd, room, A2F_TEXT_MAX);
    int status = len < 0 ? read_failed("hash file") : CLI_YES;
    close(fd);
    if (len > 0 && room[len - 1] == '\n')
        len--;
    *text = (struct a2f_span){room, len > 0 ? (size_t)len : 0};
    return status;
}

int cli_hash_text(const struct cli_args *args, char room[A2F_TEXT_MAX],
                  struct a2f_span *text)
{
    const char *file = args->text[CLI_HASH_FILE];
    if (args->operands != (file ? 0 : 1))
        return cli_error("give one HASH (in single quotes), or --hash-file");
    if (file)
        return read_hash_file(file, room, text);
    const char *hash = args->operand[0];
    *text = (struct a2f_span){hash, strlen(hash)};
    return CLI_YES;
}
