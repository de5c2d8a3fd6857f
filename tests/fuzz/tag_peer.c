/* SPDX-License-Identifier: MIT */
/*
 * Our tag and libargon2's under parameters and inputs from anywhere, at small
 * costs, on every kernel of this CPU.
 */
#include "fuzz.h"

#include <string.h>

#include "peer.h"

enum { TAG_MAX = 259, KERNELS = 8 };

/* One for each kernel, made when it is first wanted. */
static struct a2f_engine *engine_of(unsigned wanted)
{
    static struct a2f_engine *engines[KERNELS];
    unsigned n = 0;

    while (n < KERNELS && a2f_kernel_name(NULL, n) != NULL)
        n++;
    FUZZ_CHECK(n > 0);
    wanted %= n;
    if (engines[wanted] == NULL) {
        const struct a2f_config config = {.threads = 2,
                                          .keep_threads = true,
                                          .keep_kib = 1024,
                                          .kernel =
                                              a2f_kernel_name(NULL, wanted)};

        FUZZ_CHECK(a2f_new(&config, &engines[wanted]) == A2F_OK);
    }
    return engines[wanted];
}

static struct a2f_params take_params(struct fuzz_input *in)
{
    uint32_t lanes = fuzz_take_range(in, 1, 5);

    return (struct a2f_params){
        .type = (enum a2f_type)fuzz_take_range(in, A2F_D, A2F_ID),
        .version = fuzz_take_byte(in) & 1 ? 0x10 : 0x13,
        .memory_kib = 8 * lanes + fuzz_take_range(in, 0, 63),
        .passes = fuzz_take_range(in, 1, 3),
        .lanes = lanes,
        .tag_len = fuzz_take_range(in, 4, TAG_MAX),
    };
}

/* What is empty has no address, which is as good. */
static struct a2f_span take(struct fuzz_input *in, size_t len)
{
    struct a2f_span span = fuzz_take_span(in, len);

    return span.len > 0 ? span : (struct a2f_span){NULL, 0};
}

static struct a2f_input take_input(struct fuzz_input *in)
{
    /* lengths first: what the fuzzer changes behind them moves nothing */
    uint32_t salt = fuzz_take_range(in, 8, 72);
    uint32_t secret = fuzz_take_range(in, 0, 64);
    uint32_t ad = fuzz_take_range(in, 0, 255);
    struct a2f_input input;

    input.salt = take(in, salt);
    input.secret = take(in, secret);
    input.ad = take(in, ad);
    input.password = take(in, SIZE_MAX);
    return input;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    struct a2f_engine *engine = engine_of(fuzz_take_byte(&in));
    const struct a2f_run run = {.threads = fuzz_take_byte(&in) & 1 ? 2 : 1};
    struct a2f_params params = take_params(&in);
    struct a2f_input input = take_input(&in);
    uint8_t ours[TAG_MAX], wanted[TAG_MAX];
    enum a2f_status s = a2f_derive(engine, &params, &input, ours, &run);
    int code = peer_derive(&params, &input, wanted);

    FUZZ_CHECK((s == A2F_OK) == (code == ARGON2_OK));
    if (input.salt.len < 8) { /* the input was too short for one */
        FUZZ_CHECK(s == A2F_BAD_PARAM && code == ARGON2_SALT_TOO_SHORT);
        return 0;
    }
    FUZZ_CHECK(s == A2F_OK && memcmp(ours, wanted, params.tag_len) == 0);
    return 0;
}
