/* SPDX-License-Identifier: MIT */
/*
 * Is this one of the 10,000 most common passwords? An xor filter: the three
 * slots of a listed password make its fingerprint. common/generate.py, which
 * makes the table, is the other half of this file.
 */
#include "argon2fast.h"
#include "blake2b.h"
#include "bytes.h"
#include "common/table.inc"

_Static_assert(sizeof table <= 20480, "the table is to stay compact");

static uint32_t slot(uint32_t index)
{
    uint32_t bit = index * BITS;
    uint64_t two = table[bit / 32] | (uint64_t)table[bit / 32 + 1] << 32;

    return (uint32_t)(two >> bit % 32) & ((1u << BITS) - 1);
}

static uint32_t word(const uint8_t digest[16], unsigned i)
{
    return (uint32_t)(a2f_load64(digest + i / 2 * 8) >> i % 2 * 32);
}

bool a2f_is_common(struct a2f_span password)
{
    const char *chars = password.data;
    struct a2f_blake2b state;
    uint8_t folded[1 + LONGEST] = {SEED}, digest[16];
    uint32_t mixed = 0;

    if (password.len > LONGEST)
        return false;
    for (size_t i = 0; i < password.len; i++)
        folded[1 + i] =
            (uint8_t)(chars[i] >= 'A' && chars[i] <= 'Z' ? chars[i] - 'A' + 'a'
                                                         : chars[i]);
    a2f_blake2b_init(&state, sizeof digest);
    a2f_blake2b_update(&state, folded, 1 + password.len);
    a2f_blake2b_final(&state, digest);
    for (uint32_t i = 0; i < 3; i++)
        mixed ^= slot(i * THIRD +
                      (uint32_t)((uint64_t)word(digest, i) * THIRD >> 32));
    mixed ^= word(digest, 3) & ((1u << BITS) - 1);
    a2f_wipe(folded, sizeof folded);
    a2f_wipe(digest, sizeof digest);
    return mixed == 0;
}
