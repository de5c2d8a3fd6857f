/* SPDX-License-Identifier: MIT */
/* What argon2fast doctor says of the kernels: each must give scalar's tag. */
#include "cli.h"
#include "doctor.h"

#include <stdio.h>
#include <string.h>

/* A small hash that takes every path: passes that fill and passes that XOR,
 * slices of both kinds, several lanes and one. */
static bool tag_of(const char *kernel, uint32_t lanes, uint8_t tag[32])
{
    const struct a2f_config config = {.kernel = kernel};
    const struct a2f_params params = {A2F_ID, 0x13, 256, 2, lanes, 32, 16};
    const struct a2f_input input = {.password = {"password", 8},
                                    .salt = {"somesaltsomesalt", 16}};
    struct a2f_engine *engine;
    if (a2f_new(&config, &engine) != A2F_OK)
        return false;
    enum a2f_status s = a2f_derive(engine, &params, &input, tag, NULL);
    a2f_free(engine);
    return s == A2F_OK;
}

static bool agrees(const char *kernel, uint32_t lanes)
{
    uint8_t mine[32], scalar[32];
    return tag_of(kernel, lanes, mine) && tag_of("scalar", lanes, scalar) &&
           memcmp(mine, scalar, sizeof mine) == 0;
}

void cli_doctor_kernels(void (*say)(void *, enum cli_finding, const char *),
                        void *ctx)
{
    char line[256];
    const char *fastest = a2f_kernel_name(NULL, 0), *name;
    for (size_t i = 0; (name = a2f_kernel_name(NULL, i)) != NULL; i++) {
        bool good = agrees(name, 1) && agrees(name, 4);
        snprintf(line, sizeof line, "%s %s", name,
                 good ? "works here" : "computes wrong tags here");
        say(ctx, good ? CLI_FINE : CLI_PROBLEM, line);
    }
    struct a2f_engine *engine;
    if (a2f_new(NULL, &engine) != A2F_OK) {
        say(ctx, CLI_PROBLEM, "no engine can be made");
        return;
    }
    a2f_describe(engine, line, sizeof line);
    say(ctx,
        strcmp(a2f_kernel_name(engine, 0), fastest) == 0 ? CLI_FINE
                                                         : CLI_PROBLEM,
        line);
    a2f_free(engine);
}
