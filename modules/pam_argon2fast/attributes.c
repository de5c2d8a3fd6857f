/* SPDX-License-Identifier: MIT */
/* See attributes.h. */
#include "attributes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char selinux[] = "security.selinux";

/* The kernel writes the context into the inode as it makes it, so that the
 * file is never there with a wrong one. No SELinux: no such file, no matter. */
void a2f_attributes_next(int fd, bool like)
{
    char context[1024];
    ssize_t len =
        fd >= 0 && like ? fgetxattr(fd, selinux, context, sizeof context) : 0;
    int attr = open("/proc/thread-self/attr/fscreate", O_WRONLY | O_CLOEXEC);
    if (attr < 0)
        return;
    if (len >= 0 && write(attr, context, (size_t)len) < 0)
        errno = 0; /* refused: the policy's own transition holds */
    close(attr);
}

/* Signatures of the old content would be lies about the new. */
static bool is_measure(const char *name)
{
    return strcmp(name, "security.ima") == 0 ||
           strcmp(name, "security.evm") == 0;
}

static bool copy_one(int from, int to, const char *name)
{
    char value[4096], there[4096];
    ssize_t len = fgetxattr(from, name, value, sizeof value);
    if (len < 0)
        return errno == ENODATA;
    if (fgetxattr(to, name, there, sizeof there) == len &&
        memcmp(value, there, (size_t)len) == 0)
        return true;
    return fsetxattr(to, name, value, (size_t)len, 0) == 0;
}

bool a2f_attributes_copy(int from, int to)
{
    struct stat st;
    if (fstat(from, &st) != 0 || fchown(to, st.st_uid, st.st_gid) != 0 ||
        fchmod(to, st.st_mode & 07777) != 0)
        return false;
    char names[4096];
    ssize_t len = flistxattr(from, names, sizeof names);
    if (len < 0)
        return errno == ENOTSUP;
    for (const char *name = names; name < names + len; name += strlen(name) + 1)
        if (!is_measure(name) && !copy_one(from, to, name))
            return false;
    return true;
}
