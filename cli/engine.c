/* SPDX-License-Identifier: MIT */
/*
 * The engine behind the commands: every processor, and ceilings that let each
 * preset and any sane hash through.
 */
#include "cli.h"

#include <sched.h>
#include <unistd.h>

unsigned cli_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (unsigned)CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN); /* more than cpu_set_t has */
    return online > 0 ? (unsigned)online : 1;
}

int cli_keys_read(const struct cli_args *args, struct a2f_keys **keys)
{
    *keys = NULL;
    if (!args->text[CLI_SECRET_FILE])
        return CLI_YES;
    struct a2f_why why = {0};
    enum a2f_status s = a2f_keys_read(args->text[CLI_SECRET_FILE], keys, &why);
    return s == A2F_OK ? CLI_YES : cli_failed(s, &why);
}

int cli_engine_new(const struct cli_args *args, const struct a2f_keys *keys,
                   bool kept, struct a2f_engine **engine)
{
    uint64_t available = kept ? cli_memory_available() : 0;
    struct a2f_config config = {
        .limits = {.memory_kib = CLI_MEMORY_MAX,
                   .passes = CLI_PASSES_MAX,
                   .lanes = CLI_LANES_MAX,
                   .work = UINT64_MAX,
                   .password = CLI_PASSWORD_MAX},
        .keep_kib = kept ? 1048576 : 0,
        /* A batch takes what is there, and no more; 0 is no ceiling. */
        .in_flight_kib = kept && available == 0 ? 1 : available,
        .threads =
            args->text[CLI_THREADS] ? args->number[CLI_THREADS] : cli_cores(),
        .keep_threads = kept,
        .kernel = args->text[CLI_KERNEL],
        .keys = keys,
    };
    enum a2f_status s = a2f_new(&config, engine);
    return s == A2F_OK ? CLI_YES : cli_failed(s, &(struct a2f_why){0});
}
