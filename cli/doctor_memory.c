/* SPDX-License-Identifier: MIT */
/* What argon2fast doctor says of memory: pages, amount, limits, and time. */
#include "cli.h"
#include "doctor.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* What a hash at the default cost needs besides its block memory. */
enum { SPARE_KIB = 16384 };

static void tell_huge_pages(void (*say)(void *, enum cli_finding, const char *),
                            void *ctx)
{
    char line[256] = "";
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "re");
    if (file == NULL || fgets(line, sizeof line, file) == NULL)
        say(ctx, CLI_NOTE, "this kernel has no transparent huge pages");
    else if (strstr(line, "[never]") != NULL)
        say(ctx, CLI_PROBLEM,
            "transparent huge pages are off: set "
            "/sys/kernel/mm/transparent_hugepage/enabled to madvise");
    else
        say(ctx, CLI_FINE, "huge pages are to be had");
    if (file != NULL)
        fclose(file);
}

static void tell_amount(void (*say)(void *, enum cli_finding, const char *),
                        void *ctx, uint64_t hash_kib)
{
    char line[256];
    uint64_t available = cli_memory_available();
    uint64_t hashes = available / (hash_kib + SPARE_KIB);
    if (available == UINT64_MAX) {
        say(ctx, CLI_NOTE, "the system does not say how much is available");
        return;
    }
    snprintf(line, sizeof line,
             "%" PRIu64 " MiB available: %" PRIu64
             " hashes of the default cost at a time",
             available / 1024, hashes);
    say(ctx, hashes > 0 ? CLI_FINE : CLI_PROBLEM, line);
}

static void tell_limit(void (*say)(void *, enum cli_finding, const char *),
                       void *ctx, struct rlimit limit, const char *name,
                       uint64_t hash_kib)
{
    char line[256];
    if (limit.rlim_cur == RLIM_INFINITY)
        return;
    bool fits = limit.rlim_cur / 1024 >= hash_kib + SPARE_KIB;
    snprintf(line, sizeof line, "%s is limited to %" PRIu64 " KiB%s", name,
             (uint64_t)limit.rlim_cur / 1024,
             fits ? "" : ", too little for the default cost");
    say(ctx, fits ? CLI_NOTE : CLI_PROBLEM, line);
}

static void tell_time(void (*say)(void *, enum cli_finding, const char *),
                      void *ctx, const struct a2f_params *params)
{
    const struct a2f_input input = {.password = {"password", 8}};
    struct a2f_engine *engine;
    char text[A2F_TEXT_MAX], line[256];
    if (a2f_new(NULL, &engine) != A2F_OK)
        return;
    uint64_t start = cli_clock();
    enum a2f_status s =
        a2f_hash(engine, params, &input, text, sizeof text, NULL);
    a2f_free(engine);
    if (s == A2F_OK)
        snprintf(line, sizeof line,
                 "the first hash at the default cost took %.1f ms, one thread",
                 (double)(cli_clock() - start) / 1e3);
    else
        snprintf(line, sizeof line, "a hash at the default cost fails: %s",
                 a2f_status_text(s));
    say(ctx, s == A2F_OK ? CLI_FINE : CLI_PROBLEM, line);
}

void cli_doctor_memory(void (*say)(void *, enum cli_finding, const char *),
                       void *ctx)
{
    struct a2f_params params;
    struct rlimit space = {RLIM_INFINITY, 0}, data = {RLIM_INFINITY, 0};
    (void)getrlimit(RLIMIT_AS, &space);
    (void)getrlimit(RLIMIT_DATA, &data);
    if (a2f_params_read((struct a2f_span){NULL, 0}, &params, NULL) != A2F_OK)
        return;
    tell_huge_pages(say, ctx);
    tell_amount(say, ctx, params.memory_kib);
    tell_limit(say, ctx, space, "address space (ulimit -v)", params.memory_kib);
    tell_limit(say, ctx, data, "data (ulimit -d)", params.memory_kib);
    tell_time(say, ctx, &params);
}
