/* SPDX-License-Identifier: MIT */
/*
 * The test vectors of RFC 9106 section 5, with an engine of their own: the
 * provider's ceilings may be below their cost.
 */
#include "selftest.h"

#include "errors.h"

static const struct vector {
    enum a2f_type type;
    uint8_t tag[32];
} vectors[] = {
    {A2F_D, {0x51, 0x2b, 0x39, 0x1b, 0x6f, 0x11, 0x62, 0x97, 0x53, 0x71, 0xd3,
             0x09, 0x19, 0x73, 0x42, 0x94, 0xf8, 0x68, 0xe3, 0xbe, 0x39, 0x84,
             0xf3, 0xc1, 0xa1, 0x3a, 0x4d, 0xb9, 0xfa, 0xbe, 0x4a, 0xcb}},
    {A2F_I, {0xc8, 0x14, 0xd9, 0xd1, 0xdc, 0x7f, 0x37, 0xaa, 0x13, 0xf0, 0xd7,
             0x7f, 0x24, 0x94, 0xbd, 0xa1, 0xc8, 0xde, 0x6b, 0x01, 0x6d, 0xd3,
             0x88, 0xd2, 0x99, 0x52, 0xa4, 0xc4, 0x67, 0x2b, 0x6c, 0xe8}},
    {A2F_ID, {0x0d, 0x64, 0x0d, 0xf5, 0x8d, 0x78, 0x76, 0x6c, 0x08, 0xc0, 0x37,
              0xa3, 0x4a, 0x8b, 0x53, 0xc9, 0xd0, 0x1e, 0xf0, 0x45, 0x2d, 0x75,
              0xb6, 0x5e, 0xb5, 0x25, 0x20, 0xe9, 0x6b, 0x01, 0xe6, 0x59}},
};

/* The inputs that all three share: a byte, repeated. */
static const uint8_t password[32] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                     1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                     1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static const uint8_t salt[16] = {2, 2, 2, 2, 2, 2, 2, 2,
                                 2, 2, 2, 2, 2, 2, 2, 2};
static const uint8_t secret[8] = {3, 3, 3, 3, 3, 3, 3, 3};
static const uint8_t ad[12] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};

static enum a2f_status run_vector(struct a2f_engine *engine,
                                  const struct vector *vector)
{
    const struct a2f_params params = {.type = vector->type,
                                      .version = 0x13,
                                      .memory_kib = 32,
                                      .passes = 3,
                                      .lanes = 4,
                                      .tag_len = sizeof vector->tag};
    const struct a2f_input input = {.password = {password, sizeof password},
                                    .salt = {salt, sizeof salt},
                                    .secret = {secret, sizeof secret},
                                    .ad = {ad, sizeof ad}};
    uint8_t tag[sizeof vector->tag];
    enum a2f_status s = a2f_derive(engine, &params, &input, tag, NULL);

    if (s == A2F_OK && !a2f_equal(tag, vector->tag, sizeof tag))
        s = A2F_MISMATCH;
    return s;
}

bool a2f_self_test(const struct a2f_provider *provider, bool *wrong)
{
    const struct a2f_config config = {.threads = 2};
    struct a2f_engine *engine;
    enum a2f_status s = a2f_new(&config, &engine);

    for (size_t i = 0; i < sizeof vectors / sizeof *vectors && s == A2F_OK; i++)
        s = run_vector(engine, &vectors[i]);
    a2f_free(engine);
    *wrong = s == A2F_MISMATCH;
    if (s == A2F_NO_MEMORY)
        A2F_RAISE(provider, ERR_R_MALLOC_FAILURE, NULL);
    else if (s != A2F_OK)
        A2F_RAISE(provider, PROV_R_SELF_TEST_KAT_FAILURE, NULL);
    return s == A2F_OK;
}
