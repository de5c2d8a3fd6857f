/* SPDX-License-Identifier: MIT */
/*
 * Random parameters and inputs: our tag and libargon2's are the same. A2F_SEED
 * repeats a run; A2F_CASES sets how many sets are tried.
 */
#include <stdlib.h>
#include <string.h>

#include "argon2fast.h"
#include "peer.h"
#include "support.h"

#define CASES   1200
#define TAG_MAX 1100

struct inputs {
    uint8_t password[256], salt[64], secret[128], ad[512];
};

static uint32_t random_memory(uint32_t lanes)
{
    static const uint32_t near[] = {127, 128, 129, 255, 256, 257};
    uint32_t odd = random_range(0, 4 * lanes - 1);

    switch (random_range(0, 3)) {
    case 0: /* one more block of addresses */
        return 4 * lanes * near[random_range(0, 5)] + odd;
    case 1:
        return 8 * lanes + odd;
    default:
        return random_range(8 * lanes, 8 * lanes + 1200);
    }
}

static struct a2f_params random_params(void)
{
    struct a2f_params params = {
        .type = (enum a2f_type)random_range(0, 2),
        .version = random_range(0, 1) ? 0x13 : 0x10,
        .passes = random_range(1, 4),
        .lanes = random_range(1, 9),
        .tag_len = random_range(0, 3) ? random_range(4, 130)
                                      : random_range(131, TAG_MAX),
    };

    params.memory_kib = random_memory(params.lanes);
    return params;
}

static struct a2f_input random_input(struct inputs *bytes)
{
    random_bytes(bytes, sizeof *bytes);
    return (struct a2f_input){
        .password = {bytes->password, random_range(0, 256)},
        .salt = {bytes->salt, random_range(8, 64)},
        .secret = {bytes->secret, random_range(0, 1) * random_range(0, 128)},
        .ad = {bytes->ad, random_range(0, 1) * random_range(0, 512)},
    };
}

static bool same_tag(struct a2f_engine *engine)
{
    struct inputs bytes;
    struct a2f_params params = random_params();
    struct a2f_input input = random_input(&bytes);
    struct a2f_run run = {.threads = random_range(1, 3)};
    uint8_t our_tag[TAG_MAX], their_tag[TAG_MAX];
    enum a2f_status s;

    s = a2f_derive(engine, &params, &input, our_tag, &run);
    if (peer_derive(&params, &input, their_tag) == ARGON2_OK && s == A2F_OK &&
        memcmp(our_tag, their_tag, params.tag_len) == 0)
        return true;
    tap_note("%s: type %d version %#x m=%u t=%u p=%u tag %u password %zu salt "
             "%zu secret %zu ad %zu, %u threads",
             a2f_status_text(s), (int)params.type, params.version,
             params.memory_kib, params.passes, params.lanes, params.tag_len,
             input.password.len, input.salt.len, input.secret.len, input.ad.len,
             run.threads);
    return false;
}

int main(void)
{
    const char *wanted = getenv("A2F_CASES");
    unsigned cases = wanted ? (unsigned)strtoul(wanted, NULL, 10) : CASES;
    struct a2f_config config = {.threads = 3, .limits = {.tag = TAG_MAX}};
    unsigned bad = 0, kernels = 0;

    random_start();
    while (a2f_kernel_name(NULL, kernels) != NULL)
        kernels++;
    for (unsigned k = 0; k < kernels; k++) {
        struct a2f_engine *engine = NULL;
        /* Most of the cases for the kernel that will be used. */
        unsigned share = k == 0 ? cases : cases / 10;

        config.kernel = a2f_kernel_name(NULL, k);
        bad = 0;
        if (a2f_new(&config, &engine) != A2F_OK) {
            tap_ok(false, "engine with %s", config.kernel);
            continue;
        }
        for (unsigned i = 0; i < share; i++)
            bad += !same_tag(engine);
        tap_ok(bad == 0, "%s: %u of %u random sets differ from libargon2",
               config.kernel, bad, share);
        a2f_free(engine);
    }
    return tap_done();
}
