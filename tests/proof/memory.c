/* SPDX-License-Identifier: MIT */
/* See memory.h. */
#include "memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK ((size_t)1 << 20)
#define PAGE  ((size_t)4096)

/* A piece at a time, each with the end of the one before. A page that cannot
 * be read is passed over. */
static void search(int fd, off_t from, off_t to, const struct needles *needles,
                   struct findings *found)
{
    static unsigned char buffer[sizeof(uint64_t) - 1 + CHUNK];
    unsigned char *fresh = buffer + sizeof(uint64_t) - 1;

    memset(buffer, 0, sizeof(uint64_t) - 1);
    while (from < to) {
        size_t wanted = to - from < (off_t)CHUNK ? (size_t)(to - from) : CHUNK;
        ssize_t got = pread(fd, fresh, wanted, from);

        if (got <= 0) {
            from += (off_t)PAGE;
            continue;
        }
        needles_count(needles, buffer, sizeof(uint64_t) - 1 + (size_t)got,
                      found->count);
        memmove(buffer, fresh + got - (sizeof(uint64_t) - 1),
                sizeof(uint64_t) - 1);
        found->bytes += (size_t)got;
        from += got;
    }
}

static size_t total(const struct findings *findings)
{
    size_t sum = 0;

    for (int i = 0; i < SECRETS; i++)
        sum += findings->count[i];
    return sum;
}

/* One line of /proc/PID/maps. */
static void search_mapping(int fd, const char *line,
                           const struct needles *needles,
                           struct findings *found)
{
    unsigned long long from, to;
    char rights[5], name[128] = "anonymous";
    size_t before = total(found), used = strlen(found->where);

    if (sscanf(line, "%llx-%llx %4s %*s %*s %*s %127[^\n]", &from, &to, rights,
               name) < 3 ||
        rights[0] != 'r' || rights[1] != 'w')
        return;
    search(fd, (off_t)from, (off_t)to, needles, found);
    if (total(found) > before)
        (void)snprintf(found->where + used, sizeof found->where - used, " %s",
                       name);
}

struct findings memory_search(pid_t pid, const struct needles *needles)
{
    struct findings found = {0};
    char path[64], line[512];
    FILE *maps;
    int fd;

    (void)snprintf(path, sizeof path, "/proc/%d/mem", (int)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    (void)snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    maps = fopen(path, "re");
    while (fd >= 0 && maps != NULL && fgets(line, sizeof line, maps) != NULL)
        search_mapping(fd, line, needles, &found);
    if (maps != NULL)
        (void)fclose(maps);
    if (fd >= 0)
        (void)close(fd);
    return found;
}

struct findings file_search(const char *path, const struct needles *needles)
{
    struct findings found = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd >= 0) {
        search(fd, 0, lseek(fd, 0, SEEK_END), needles, &found);
        (void)close(fd);
    }
    return found;
}

bool findings_any(const struct findings *findings)
{
    return total(findings) > 0;
}

void findings_print(const struct findings *findings, char *text, size_t size)
{
    size_t used = 0;

    (void)snprintf(text, size, "nothing");
    for (int i = 0; i < SECRETS && used < size; i++)
        if (findings->count[i] > 0)
            used += (size_t)snprintf(text + used, size - used, "%s%s %zu",
                                     used > 0 ? ", " : "", secret_name(i),
                                     findings->count[i]);
    if (used > 0 && used < size && findings->where[0] != '\0')
        (void)snprintf(text + used, size - used, " in%s", findings->where);
}
