/* SPDX-License-Identifier: MIT */
/* How much memory there is for hashing, as the system and its cgroup say. */
#include "cli.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A number in a file, after a word when there is one; false when it is not
 * there. */
static bool read_number(const char *path, const char *word, uint64_t *value)
{
    FILE *file = fopen(path, "re");
    char line[256];
    bool found = false;
    if (file == NULL)
        return false;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        unsigned long long n;
        const char *at = line;
        if (word != NULL) {
            if (strncmp(line, word, strlen(word)) != 0)
                continue;
            at += strlen(word);
        }
        found = sscanf(at, "%llu", &n) == 1;
        if (found)
            *value = n;
    }
    fclose(file);
    return found;
}

/* The cgroup's own limit less what it uses, KiB; version 2, then 1. Inside a
 * container its files are at the mount point. */
static bool cgroup_left(uint64_t *kib)
{
    static const char *const pairs[][2] = {
        {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
        {"/sys/fs/cgroup/memory/memory.limit_in_bytes",
         "/sys/fs/cgroup/memory/memory.usage_in_bytes"},
    };
    for (size_t i = 0; i < 2; i++) {
        uint64_t limit, used;
        if (read_number(pairs[i][0], NULL, &limit) &&
            read_number(pairs[i][1], NULL, &used)) {
            *kib = limit > used ? (limit - used) / 1024 : 0;
            return true;
        }
    }
    return false;
}

uint64_t cli_memory_available(void)
{
    uint64_t system = UINT64_MAX, cgroup = UINT64_MAX;
    (void)read_number("/proc/meminfo", "MemAvailable:", &system);
    (void)cgroup_left(&cgroup);
    return system < cgroup ? system : cgroup;
}
