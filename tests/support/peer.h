/* SPDX-License-Identifier: MIT */
/*
 * The distribution's libargon2, asked in our terms. Inline, so that only the
 * programs that ask it are linked to it.
 */
#ifndef A2F_TESTS_PEER_H
#define A2F_TESTS_PEER_H

#include <argon2.h>

#include "argon2fast.h"

/* Its signature does not promise to leave inputs alone; its flags do. */
static inline uint8_t *peer_bytes(struct a2f_span span)
{
    return (uint8_t *)(uintptr_t)span.data;
}

/* Its tag for these inputs, or its error, which is not ARGON2_OK. */
static inline int peer_derive(const struct a2f_params *params,
                              const struct a2f_input *input, uint8_t *tag)
{
    argon2_context context = {
        .out = tag,
        .outlen = params->tag_len,
        .pwd = peer_bytes(input->password),
        .pwdlen = (uint32_t)input->password.len,
        .salt = peer_bytes(input->salt),
        .saltlen = (uint32_t)input->salt.len,
        .secret = peer_bytes(input->secret),
        .secretlen = (uint32_t)input->secret.len,
        .ad = peer_bytes(input->ad),
        .adlen = (uint32_t)input->ad.len,
        .t_cost = params->passes,
        .m_cost = params->memory_kib,
        .lanes = params->lanes,
        .threads = 1,
        .version = params->version,
        .flags = ARGON2_DEFAULT_FLAGS,
    };

    return argon2_ctx(&context, (argon2_type)params->type);
}

#endif
