/* SPDX-License-Identifier: MIT */
/*
 * A password file from anywhere, after a line with a name: that user's hash is
 * changed, and not one other byte; or nothing is, and the verdict says why.
 */
#include "fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "change.h"
#include "entry.h"
#include "stamp.h"

static const char new_hash[] = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AmHI2w";
enum { HASH_LEN = sizeof new_hash - 1 };

static char directory[64], path[80];

static void remove_directory(void)
{
    char lock[96];

    snprintf(lock, sizeof lock, "%s/.users.lock", directory);
    (void)unlink(path);
    (void)unlink(lock);
    (void)rmdir(directory);
}

/* In memory, if there is such a place. */
static void make_directory(void)
{
    snprintf(directory, sizeof directory, "%s/a2f-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    FUZZ_CHECK(mkdtemp(directory) != NULL);
    snprintf(path, sizeof path, "%s/users", directory);
    FUZZ_CHECK(atexit(remove_directory) == 0);
}

static void write_file(struct a2f_span content)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    FUZZ_CHECK(fd >= 0 &&
               write(fd, content.data, content.len) == (ssize_t)content.len);
    close(fd);
}

static bool file_is(const void *content, size_t len)
{
    char *room = malloc(len + 1);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool same;

    FUZZ_CHECK(room != NULL && fd >= 0);
    same = read(fd, room, len + 1) == (ssize_t)len &&
           memcmp(room, content, len) == 0;
    close(fd);
    free(room);
    return same;
}

/* Where the user's first line begins. */
static size_t find_line(struct a2f_span file, const char *user)
{
    const char *text = file.data;
    size_t len = strlen(user), at = 0;

    while (at + len < file.len &&
           (memcmp(text + at, user, len) != 0 || text[at + len] != ':')) {
        const char *newline = memchr(text + at, '\n', file.len - at);

        at = newline != NULL ? (size_t)(newline + 1 - text) : file.len;
    }
    return at;
}

/* The file as it should be: the field after the user's colon replaced. */
static void check_changed(struct a2f_span file, const char *user)
{
    const char *text = file.data;
    size_t begin = find_line(file, user) + strlen(user) + 1, end = begin;
    char *wanted = malloc(file.len + HASH_LEN);

    FUZZ_CHECK(wanted != NULL && begin <= file.len);
    while (end < file.len && text[end] != ':' && text[end] != '\n')
        end++;
    memcpy(wanted, text, begin);
    memcpy(wanted + begin, new_hash, HASH_LEN);
    memcpy(wanted + begin + HASH_LEN, text + end, file.len - end);
    FUZZ_CHECK(file_is(wanted, begin + HASH_LEN + file.len - end));
    free(wanted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    char *user = fuzz_take_string(&in);
    struct a2f_span file = {in.at, in.left};
    struct a2f_request request = {.kind = A2F_ASK_CHANGE,
                                  .user = user,
                                  .database = path,
                                  .hash = new_hash};
    struct a2f_reply reply;
    struct a2f_entry entry;

    if (*directory == '\0')
        make_directory();
    write_file(file);
    bool found = a2f_entry_find(path, user, &entry) == A2F_FOUND;
    if (found)
        FUZZ_CHECK(a2f_stamp_make(&entry, &request.stamp));
    a2f_change(&request, &reply);
    FUZZ_CHECK(fuzz_printable(reply.note));
    if (reply.verdict == A2F_SAYS_PASS) {
        check_changed(file, user);
    } else {
        FUZZ_CHECK(file_is(file.data, file.len));
        /* of those that are there, a malformed line, or one too long */
        FUZZ_CHECK(reply.verdict ==
                   (found ? A2F_SAYS_UNAVAILABLE : A2F_SAYS_UNKNOWN));
        FUZZ_CHECK(!found || entry.line_len == 0 ||
                   entry.line_len + HASH_LEN + 1 >= A2F_LINE_MAX);
    }
    free(user);
    return 0;
}
