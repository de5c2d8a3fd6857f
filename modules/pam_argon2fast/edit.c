/* SPDX-License-Identifier: MIT */
/* See edit.h. */
#include "edit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "argon2fast.h"
#include "attributes.h"
#include "entry.h"

/* ---- places ---- */

bool a2f_place_open(struct a2f_place *place, const char *path)
{
    char real[PATH_MAX];
    place->dir = -1;
    if (*path != '/') {
        errno = EINVAL;
        return false;
    }
    /* A file that is still to be made has no real path yet. */
    if (!realpath(path, real)) {
        if (errno != ENOENT || strlen(path) >= sizeof real)
            return false;
        memcpy(real, path, strlen(path) + 1);
    }
    char *slash = strrchr(real, '/');
    const char *name = slash + 1;
    /* Room for the suffixes of the temporary names. */
    if (strlen(name) == 0 || strlen(name) > NAME_MAX - 32) {
        errno = EINVAL;
        return false;
    }
    memcpy(place->name, name, strlen(name) + 1);
    *slash = '\0';
    place->dir = open(*real ? real : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return place->dir >= 0;
}

void a2f_place_close(struct a2f_place *place)
{
    if (place->dir >= 0)
        close(place->dir);
    place->dir = -1;
}

/* Why the file itself would not let another take its name, or 0. */
static int obstacle(const struct a2f_place *place)
{
#ifdef STATX_TYPE
    struct statx stx;
    if (statx(place->dir, place->name, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &stx))
        return errno;
    if (stx.stx_attributes_mask & stx.stx_attributes & STATX_ATTR_MOUNT_ROOT)
        return EBUSY;
    if (stx.stx_attributes & (STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND))
        return EPERM;
    return 0;
#else /* musl before 1.2.5: only the rename will tell */
    struct stat st;
    return fstatat(place->dir, place->name, &st, AT_SYMLINK_NOFOLLOW) ? errno
                                                                      : 0;
#endif
}

bool a2f_place_writable(const struct a2f_place *place)
{
    struct statvfs fs;
    if (fstatvfs(place->dir, &fs) != 0)
        return false;
    int error = fs.f_flag & ST_RDONLY ? EROFS : obstacle(place);
    if (error) {
        errno = error;
        return false;
    }
    return faccessat(place->dir, ".", W_OK | X_OK, AT_EACCESS) == 0;
}

/* ---- writing ---- */

struct output {
    int fd;
    size_t len;
    char room[A2F_LINE_MAX];
};

static bool flush(struct output *out)
{
    size_t done = 0;
    while (done < out->len) {
        ssize_t n = write(out->fd, out->room + done, out->len - done);
        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    out->len = 0;
    return true;
}

static bool emit(struct output *out, const char *text, size_t len)
{
    while (len > 0) {
        size_t part = sizeof out->room - out->len;
        part = part < len ? part : len;
        memcpy(out->room + out->len, text, part);
        out->len += part;
        text += part;
        len -= part;
        if (out->len == sizeof out->room && !flush(out))
            return false;
    }
    return true;
}

/* A line that replaces or follows another: the file's last line may have no
 * newline, and one without must not grow one in the middle. */
static enum a2f_edit put_line(struct output *out,
                              const struct a2f_editor *editor,
                              const struct a2f_line *old)
{
    char text[A2F_LINE_MAX];
    size_t len = 0;
    enum a2f_edit what =
        editor->edit(old, text, sizeof text, &len, editor->ctx);
    if (what == A2F_EDIT_WRITE && old && len > 0 &&
        old->text[old->len - 1] != '\n')
        len--;
    if (what == A2F_EDIT_WRITE && !emit(out, text, len))
        what = A2F_EDIT_FAIL;
    a2f_wipe(text, sizeof text);
    return what;
}

static enum a2f_edit copy(int from, struct output *out,
                          const struct a2f_editor *editor)
{
    enum a2f_edit what = A2F_EDIT_WRITE;
    bool met = false, newline = true;
    struct a2f_lines lines;
    struct a2f_line line;
    int more = 0;
    a2f_lines_begin(&lines, from);
    while (what == A2F_EDIT_WRITE && from >= 0 &&
           (more = a2f_lines_next(&lines, &line)) > 0) {
        newline = line.text[line.len - 1] == '\n';
        if (!met && a2f_line_is(&line, editor->user)) {
            met = true;
            what = put_line(out, editor, &line);
        } else if (!emit(out, line.text, line.len)) {
            what = A2F_EDIT_FAIL;
        }
    }
    if (more < 0)
        what = A2F_EDIT_FAIL;
    if (what == A2F_EDIT_WRITE && !met && !newline && !emit(out, "\n", 1))
        what = A2F_EDIT_FAIL;
    if (what == A2F_EDIT_WRITE && !met)
        what = put_line(out, editor, NULL);
    if (what == A2F_EDIT_WRITE && !flush(out))
        what = A2F_EDIT_FAIL;
    int error = errno;
    a2f_lines_end(&lines);
    a2f_wipe(out->room, sizeof out->room);
    errno = error;
    return what;
}

static bool commit(const struct a2f_place *place, int from, int to,
                   const char *temp)
{
    return (from < 0 || a2f_attributes_copy(from, to)) && fsync(to) == 0 &&
           renameat(place->dir, temp, place->dir, place->name) == 0;
}

bool a2f_edit(const struct a2f_place *place, const struct a2f_editor *editor,
              bool *wrote)
{
    char temp[NAME_MAX + 1];
    enum a2f_edit what = A2F_EDIT_FAIL;
    *wrote = false;
    snprintf(temp, sizeof temp, "%.*s.argon2fast", NAME_MAX - 32, place->name);
    struct output out = {.fd = -1};
    int from = openat(place->dir, place->name,
                      O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (from < 0 && !(errno == ENOENT && editor->create))
        return false;
    struct stat st;
    if (from >= 0 && (fstat(from, &st) != 0 || !S_ISREG(st.st_mode))) {
        errno = EINVAL;
        goto out;
    }
    /* Left over from a process that was killed. */
    (void)unlinkat(place->dir, temp, 0);
    a2f_attributes_next(from >= 0 ? from : place->dir, from >= 0);
    out.fd = openat(place->dir, temp,
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    a2f_attributes_next(-1, false);
    if (out.fd < 0)
        goto out;
    what = copy(from, &out, editor);
    if (what == A2F_EDIT_WRITE && commit(place, from, out.fd, temp)) {
        *wrote = true;
        /* The change is made; that it lasts through a power cut is all that
         * could fail now. */
        (void)fsync(place->dir);
    } else if (what == A2F_EDIT_WRITE) {
        what = A2F_EDIT_FAIL;
    }

out:;
    int error = errno;
    if (out.fd >= 0 && !*wrote)
        (void)unlinkat(place->dir, temp, 0);
    if (out.fd >= 0)
        close(out.fd);
    if (from >= 0)
        close(from);
    errno = error;
    return what != A2F_EDIT_FAIL;
}
