/* SPDX-License-Identifier: MIT */
/*
 * See room.h. Memory is promised first and missed later; these files
 * know how much there is. The
 * cgroup's own limit and those of all its parents count.
 */
#include "room.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOTHING_SAYS UINT64_MAX

/* The beginning of a small file in /proc or /sys; false: it is not there. */
static bool slurp(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, size - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* The number after a word at the beginning of a line. */
static uint64_t number_of(const char *text, const char *word)
{
    size_t len = strlen(word);
    for (const char *at = text; at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, word, len) == 0 && strchr(": \t", at[len]))
            return strtoull(at + len + strspn(at + len, ": \t"), NULL, 10);
    }
    return NOTHING_SAYS;
}

static uint64_t meminfo_mib(const char *word)
{
    char text[2048];
    if (!slurp("/proc/meminfo", text, sizeof text))
        return NOTHING_SAYS;
    uint64_t kib = number_of(text, word);
    return kib == NOTHING_SAYS ? kib : kib / 1024;
}

/* ---- cgroups ---- */

struct control {
    const char *mount, *limit, *usage, *reclaimable;
};

static const struct control v2 = {"/sys/fs/cgroup", "memory.max",
                                  "memory.current", "inactive_file"};
static const struct control v1 = {
    "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
    "total_inactive_file"};

static bool control_file(const struct control *c, const char *group,
                         const char *file, char *text, size_t size)
{
    char path[1024];
    int n = snprintf(path, sizeof path, "%s%s/%s", c->mount, group, file);
    return n > 0 && (size_t)n < sizeof path && slurp(path, text, size);
}

/* MiB of one group: its limit, or what is left of it. */
static uint64_t group_mib(const struct control *c, const char *group, bool now)
{
    char text[4096];
    if (!control_file(c, group, c->limit, text, sizeof text) || *text == 'm')
        return NOTHING_SAYS; /* "max" */
    uint64_t limit = strtoull(text, NULL, 10);
    if (!now)
        return limit >> 20;
    if (!control_file(c, group, c->usage, text, sizeof text))
        return limit >> 20;
    uint64_t used = strtoull(text, NULL, 10);
    /* Cached file pages count as usage and go when they are needed. */
    if (control_file(c, group, "memory.stat", text, sizeof text)) {
        uint64_t cached = number_of(text, c->reclaimable);
        if (cached != NOTHING_SAYS)
            used = used > cached ? used - cached : 0;
    }
    return used < limit ? (limit - used) >> 20 : 0;
}

/* The group's path in a line "id:controllers:path" of /proc/self/cgroup. */
static bool own_group(char *text, const char *controllers, char **group)
{
    size_t len = strlen(controllers);
    for (char *line = text; line && *line;) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        char *at = strchr(line, ':');
        if (at && strncmp(at + 1, controllers, len) == 0 &&
            at[1 + len] == ':') {
            *group = at + 1 + len + 1;
            return **group == '/';
        }
        line = next;
    }
    return false;
}

static uint64_t cgroup_mib(const struct control *c, const char *controllers,
                           bool now)
{
    char text[4096], *group;
    uint64_t least = NOTHING_SAYS;
    if (!slurp("/proc/self/cgroup", text, sizeof text) ||
        !own_group(text, controllers, &group))
        return least;
    for (char *slash = group + strlen(group); slash;
         slash = strrchr(group, '/')) {
        *slash = '\0';
        uint64_t mib = group_mib(c, group, now);
        if (mib < least)
            least = mib;
    }
    return least;
}

static uint64_t least_of(uint64_t mib, bool now)
{
    uint64_t two = cgroup_mib(&v2, "", now);
    uint64_t one = cgroup_mib(&v1, "memory", now);
    if (two < mib)
        mib = two;
    return one < mib ? one : mib;
}

uint64_t a2f_room_total(void)
{
    return least_of(meminfo_mib("MemTotal"), false);
}

uint64_t a2f_room_now(void)
{
    return least_of(meminfo_mib("MemAvailable"), true);
}
