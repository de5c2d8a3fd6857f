/* SPDX-License-Identifier: MIT */
/* What the fuzz targets share; see fuzz.h. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void fuzz_fail(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

uint8_t fuzz_take_byte(struct fuzz_input *in)
{
    if (in->left == 0)
        return 0;
    in->left--;
    return *in->at++;
}

uint32_t fuzz_take_range(struct fuzz_input *in, uint32_t low, uint32_t high)
{
    return low + fuzz_take_byte(in) % (high - low + 1);
}

struct a2f_span fuzz_take_span(struct fuzz_input *in, size_t len)
{
    struct a2f_span span = {in->at, len < in->left ? len : in->left};

    in->at += span.len;
    in->left -= span.len;
    return span;
}

struct a2f_span fuzz_take_line(struct fuzz_input *in)
{
    const uint8_t *newline =
        in->left > 0 ? memchr(in->at, '\n', in->left) : NULL;
    struct a2f_span line = fuzz_take_span(
        in, newline != NULL ? (size_t)(newline - in->at) : in->left);

    (void)fuzz_take_byte(in);
    return line;
}

void *fuzz_copy(struct a2f_span bytes)
{
    void *copy = malloc(bytes.len > 0 ? bytes.len : 1);

    FUZZ_CHECK(copy != NULL);
    if (bytes.len > 0)
        memcpy(copy, bytes.data, bytes.len);
    return copy;
}

char *fuzz_take_string(struct fuzz_input *in)
{
    struct a2f_span line = fuzz_take_line(in);
    char *text = line.len > 0 ? strndup(line.data, line.len) : strdup("");

    FUZZ_CHECK(text != NULL);
    return text;
}

bool fuzz_printable(const char *text)
{
    while (*text >= ' ' && *text <= '~')
        text++;
    return *text == '\0';
}

void fuzz_check_why(enum a2f_status status, const struct a2f_why *why)
{
    char whole[256], cut[256];
    size_t len = a2f_explain(status, why, whole, sizeof whole);

    FUZZ_CHECK(len > 0 && len < sizeof whole && strlen(whole) == len);
    FUZZ_CHECK(fuzz_printable(whole));
    for (size_t size = 1; size < len; size += 7) {
        FUZZ_CHECK(a2f_explain(status, why, cut, size) == len);
        FUZZ_CHECK(strlen(cut) == size - 1);
        FUZZ_CHECK(memcmp(cut, whole, size - 1) == 0);
    }
}

const char *fuzz_file(unsigned number, struct a2f_span content)
{
    static struct {
        int fd;
        char path[32];
    } files[2];

    FUZZ_CHECK(number < 2);
    if (files[number].path[0] == '\0') {
        files[number].fd = memfd_create("fuzz", MFD_CLOEXEC);
        FUZZ_CHECK(files[number].fd >= 0 &&
                   fchmod(files[number].fd, 0600) == 0);
        snprintf(files[number].path, sizeof files[number].path,
                 "/proc/self/fd/%d", files[number].fd);
    }
    FUZZ_CHECK(ftruncate(files[number].fd, 0) == 0 &&
               pwrite(files[number].fd, content.data, content.len, 0) ==
                   (ssize_t)content.len);
    return files[number].path;
}
