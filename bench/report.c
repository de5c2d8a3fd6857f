/* SPDX-License-Identifier: MIT */
/*
 * Results: a table for each race on standard output, and every single time in
 * a JSON file, from which tables.py and plots.py make what docs/ shows.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define COMPILER __VERSION__ /* has the name in it */
#else
#define COMPILER "GCC " __VERSION__
#endif

static FILE *json; /* NULL: none was asked for */
static bool more_races;

/* ---- numbers ---- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, unsigned n)
{
    qsort(values, n, sizeof *values, compare);
    return n == 0 ? 0 : (values[(n - 1) / 2] + values[n / 2]) / 2;
}

double bench_median(const struct bench_race *race, unsigned contender)
{
    const struct bench_contender *c = &race->contenders[contender];
    double times[BENCH_ROUNDS_MAX];

    for (unsigned i = 0; i < race->rounds; i++)
        times[i] = (double)c->ns[i] / c->units;
    return c->failed ? 0 : median(times, race->rounds);
}

static double least(const struct bench_race *race,
                    const struct bench_contender *c)
{
    uint64_t best = UINT64_MAX;

    for (unsigned i = 0; i < race->rounds; i++)
        if (c->ns[i] < best)
            best = c->ns[i];
    return (double)best / c->units;
}

/* How many times as long it takes for a unit, round by round. */
static double ratio(const struct bench_race *race,
                    const struct bench_contender *c)
{
    const struct bench_contender *to = &race->contenders[c->versus];
    double ratios[BENCH_ROUNDS_MAX];

    for (unsigned i = 0; i < race->rounds; i++)
        ratios[i] = (double)c->ns[i] / c->units / (double)to->ns[i] * to->units;
    return to->failed ? 0 : median(ratios, race->rounds);
}

void bench_print_race(const struct bench_race *race)
{
    /* A hash takes milliseconds; a block or a read, nanoseconds. */
    bool small = strcmp(race->unit, "hash") != 0;
    double scale = small ? 1 : 1e-6;

    printf("\n%s  %s  %s, %u rounds\n  %-40s %11s %11s %7s\n", race->section,
           race->row, race->mode, race->rounds, small ? "ns each" : "ms each",
           "median", "least", "ratio");
    for (unsigned i = 0; i < race->n; i++) {
        const struct bench_contender *c = &race->contenders[i];

        if (!c->failed)
            printf("  %-40s %11.2f %11.2f %7.2f\n", c->name,
                   bench_median(race, i) * scale, least(race, c) * scale,
                   ratio(race, c));
    }
    fflush(stdout);
}

/* ---- JSON ---- */

static void put_text(const char *key, const char *text)
{
    fprintf(json, "\"%s\": \"", key);
    for (; *text; text++)
        if (*text >= ' ' && *text != '"' && *text != '\\')
            fputc(*text, json);
    fputs("\", ", json);
}

/* The rest of the first line of a file that begins with key, or "". */
static void find_line(const char *path, const char *key, char *out, size_t size)
{
    char line[512];
    FILE *file = fopen(path, "r");

    *out = '\0';
    if (!file)
        return;
    while (!*out && fgets(line, sizeof line, file)) {
        char *value = line + strlen(key);

        if (strncmp(line, key, strlen(key)) != 0)
            continue;
        value += strspn(value, "\t :");
        snprintf(out, size, "%.*s", (int)strcspn(value, "\n"), value);
    }
    fclose(file);
}

static void put_file(const char *name, const char *path, const char *key)
{
    char value[256];

    find_line(path, key, value, sizeof value);
    put_text(name, value);
}

static void put_machine(void)
{
    struct utsname system;
    long page = sysconf(_SC_PAGESIZE), pages = sysconf(_SC_PHYS_PAGES);
    time_t now = time(NULL);
    struct tm day = {0};
    char date[16] = "";

    if (uname(&system) == 0) {
        put_text("kernel", system.release);
        put_text("arch", system.machine);
    }
    if (gmtime_r(&now, &day))
        strftime(date, sizeof date, "%Y-%m-%d", &day);
    put_text("date", date);
    put_file("cpu", "/proc/cpuinfo", "model name");
    put_file("system", "/etc/os-release", "PRETTY_NAME=");
    put_file("huge_pages", "/sys/kernel/mm/transparent_hugepage/enabled", "");
    put_file("load_before", "/proc/loadavg", "");
    put_text("compiler", COMPILER);
    put_text("version", A2F_VERSION);
    fprintf(json, "\"cores\": %u, \"memory_mib\": %ld", bench_cores(),
            pages / 1024 * page / 1024);
}

bool bench_report_open(const char *path)
{
    json = fopen(path, "w");
    if (!json) {
        perror(path);
        return false;
    }
    fputs("{\"machine\": {", json);
    put_machine();
    fputs("},\n\"races\": [", json);
    return true;
}

static void put_contender(const struct bench_race *race,
                          const struct bench_contender *c)
{
    fputs("  {", json);
    put_text("name", c->name);
    put_text("kernel", c->kernel ? c->kernel : "");
    fprintf(json, "\"threads\": %u, \"kept\": %s, \"units\": %.0f, ",
            c->threads, c->kept ? "true" : "false", c->units);
    put_text("versus", race->contenders[c->versus].name);
    fputs("\"ns\": [", json);
    for (unsigned i = 0; i < race->rounds; i++)
        fprintf(json, "%s%llu", i ? "," : "", (unsigned long long)c->ns[i]);
    fputs("]}", json);
}

void bench_report_race(const struct bench_race *race)
{
    bool more = false;

    if (!json)
        return;
    fprintf(json, "%s\n{", more_races ? "," : "");
    more_races = true;
    put_text("section", race->section);
    put_text("mode", race->mode);
    put_text("row", race->row);
    put_text("unit", race->unit);
    fprintf(json,
            "\"memory_kib\": %u, \"passes\": %u, \"lanes\": %u, "
            "\"contenders\": [\n",
            race->cost.memory_kib, race->cost.passes, race->cost.lanes);
    for (unsigned i = 0; i < race->n; i++) {
        if (race->contenders[i].failed)
            continue;
        if (more)
            fputs(",\n", json);
        put_contender(race, &race->contenders[i]);
        more = true;
    }
    fputs("]}", json);
}

bool bench_report_close(void)
{
    bool lost;

    if (!json)
        return true;
    fputs("\n]}\n", json);
    lost = ferror(json) != 0;
    lost |= fclose(json) != 0;
    json = NULL;
    if (lost)
        fputs("bench: not all of the JSON file was written\n", stderr);
    return !lost;
}
