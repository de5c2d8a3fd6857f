/* SPDX-License-Identifier: MIT */
/*
 * The benchmark: what to measure, and for how long. docs/performance.md says
 * how to read what it prints.
 */
#include "bench.h"

#include <getopt.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct section {
    const char *name, *about;
    bool (*run)(const struct bench_options *options,
                const struct bench_peers *peers);
};

static const struct section sections[] = {
    {"grid", "whole hashes, cold and warm, each kernel and peer", bench_grid},
    {"cache", "compression alone, each kernel and peer", bench_cache},
    {"roofline", "how close to what the machine allows", bench_roofline},
    {"lockstep", "what lanes side by side gain", bench_lockstep},
    {"population", "what memory costs a cold hash", bench_population},
    {"batch", "many passwords", bench_side_by_side},
    {"context", "crypt(3) and scrypt", bench_context},
};
enum { SECTIONS = sizeof sections / sizeof *sections };

static const struct option options_known[] = {
    {"section", required_argument, NULL, 's'},
    {"row", required_argument, NULL, 'w'},
    {"kernel", required_argument, NULL, 'k'},
    {"peer", required_argument, NULL, 'p'},
    {"peer-tier", required_argument, NULL, 't'},
    {"rounds", required_argument, NULL, 'r'},
    {"seconds", required_argument, NULL, 'S'},
    {"quick", no_argument, NULL, 'q'},
    {"json", required_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0}};

static void print_help(void)
{
    puts("Usage: bench [OPTION]...\n"
         "  --section NAME        only this one; may be repeated:");
    for (unsigned i = 0; i < SECTIONS; i++)
        printf("        %-12s%s\n", sections[i].name, sections[i].about);
    puts("  --row m=..,t=..,p=..  this cost in place of a section's own; may\n"
         "                        be repeated\n"
         "  --kernel NAME         only this kernel of ours\n"
         "  --peer FILE           a libargon2.so that was built for this CPU\n"
         "  --peer-tier K=FILE    one that was built for kernel K's "
         "instructions\n"
         "  --rounds N            at least so many rounds (3)\n"
         "  --seconds S           at least so long, each race (2)\n"
         "  --quick               only a look: small costs, few rounds\n"
         "  --json FILE           every single time, for tables.py");
}

struct plan {
    struct bench_options options;
    struct bench_peers peers;
    unsigned sections; /* a bit for each; 0: all */
    const char *json;
};

static bool bad(const char *what)
{
    fprintf(stderr, "bench: %s; see --help\n", what);
    return false;
}

static bool choose_section(struct plan *plan, const char *name)
{
    for (unsigned i = 0; i < SECTIONS; i++)
        if (strcmp(sections[i].name, name) == 0) {
            plan->sections |= 1u << i;
            return true;
        }
    return bad("no such section");
}

static bool add_row(struct bench_options *options, const char *text)
{
    struct a2f_params params;
    struct a2f_span span = {text, strlen(text)};

    if (a2f_params_read(span, &params, NULL) != A2F_OK)
        return bad("--row takes m=..,t=..,p=..");
    if (options->rows_n == BENCH_ROWS)
        return bad("too many rows");
    options->rows[options->rows_n++] =
        (struct bench_cost){params.memory_kib, params.passes, params.lanes};
    return true;
}

static bool add_tier(struct bench_peers *peers, const char *text)
{
    char tier[16], name[32];
    const char *path = strchr(text, '=');

    if (!path || (size_t)(path - text) >= sizeof tier)
        return bad("--peer-tier takes KERNEL=FILE");
    snprintf(tier, sizeof tier, "%.*s", (int)(path - text), text);
    snprintf(name, sizeof name, "libargon2 for %s", tier);
    return bench_peer_libargon2(peers, name, path + 1, tier);
}

static bool read_option(struct plan *plan, int letter, const char *value)
{
    struct bench_options *o = &plan->options;

    switch (letter) {
    case 's':
        return choose_section(plan, value);
    case 'w':
        return add_row(o, value);
    case 'k':
        o->kernel = value;
        return true;
    case 'p':
        return bench_peer_libargon2(&plan->peers, "native libargon2", value,
                                    NULL);
    case 't':
        return add_tier(&plan->peers, value);
    case 'r':
        o->rounds = (unsigned)strtoul(value, NULL, 10);
        return o->rounds > 0 || bad("--rounds takes a number");
    case 'S':
        o->seconds = strtod(value, NULL);
        return o->seconds > 0 || bad("--seconds takes a number");
    case 'q':
        o->quick = true;
        o->seconds = 0.2;
        o->rounds = 2;
        return true;
    case 'j':
        plan->json = value;
        return true;
    default:
        return bad("unknown option, or one without its value");
    }
}

unsigned bench_rows(const struct bench_options *options,
                    const struct bench_cost *rows, unsigned n,
                    struct bench_cost out[BENCH_ROWS])
{
    unsigned chosen = 0;

    if (options->rows_n > 0) {
        rows = options->rows;
        n = options->rows_n;
    }
    for (unsigned i = 0; i < n; i++)
        if (!options->quick || options->rows_n > 0 ||
            rows[i].memory_kib <= 65536)
            out[chosen++] = rows[i];
    return chosen;
}

/* Half of what the machine has free. */
static uint64_t memory_to_keep(void)
{
    long pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);

    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / 2048 : 0;
}

int main(int argc, char **argv)
{
    static struct plan plan = {.options = {.seconds = 2, .rounds = 3}};
    bool good = true;

    /* The first malloc of that size in a process asks the system for memory;
     * without this, later ones would not. */
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    plan.options.memory_kib = memory_to_keep();
    (void)bench_peer_libargon2(&plan.peers, "libargon2", NULL, NULL);
    for (int got;
         (got = getopt_long(argc, argv, "h", options_known, NULL)) != -1;) {
        if (got == 'h') {
            print_help();
            return 0;
        }
        if (!read_option(&plan, got, optarg))
            return 2;
    }
    if (optind < argc)
        return bad("it takes options only"), 2;
    bench_peer_sodium(&plan.peers);
    bench_peer_openssl(&plan.peers);
    if (plan.json && !bench_report_open(plan.json))
        return 2;
    for (unsigned i = 0; i < SECTIONS && good; i++)
        if (plan.sections == 0 || plan.sections & 1u << i)
            good = sections[i].run(&plan.options, &plan.peers);
    return bench_report_close() && good ? 0 : 1;
}
