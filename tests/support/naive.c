/* SPDX-License-Identifier: MIT */
/* See naive.h. */
#include "naive.h"

#include <stdlib.h>
#include <string.h>

#include "blake2b.h"
#include "bytes.h"
#include "simd/kernel.h"

#define SEGMENTS 4

/* Appends the columns of one segment to the list W. */
static uint32_t append_segment(uint32_t *list, uint32_t n, uint32_t segment,
                               uint32_t length)
{
    for (uint32_t i = 0; i < length; i++)
        list[n++] = segment * length + i;
    return n;
}

struct naive_refer naive_refer(uint32_t lanes, uint32_t columns,
                               struct naive_place at, uint32_t j1, uint32_t j2)
{
    uint32_t length = columns / SEGMENTS, n = 0;
    uint32_t lane = at.pass == 0 && at.slice == 0 ? at.lane : j2 % lanes;
    uint32_t *list = malloc(columns * sizeof *list);
    uint64_t x = ((uint64_t)j1 * j1) >> 32;
    struct naive_refer found;

    if (list == NULL)
        abort();
    if (at.pass == 0)
        for (uint32_t s = 0; s < at.slice; s++)
            n = append_segment(list, n, s, length);
    else
        for (uint32_t s = 1; s < SEGMENTS; s++)
            n = append_segment(list, n, (at.slice + s) % SEGMENTS, length);
    if (lane == at.lane)
        for (uint32_t i = 0; i < at.index; i++)
            list[n++] = at.slice * length + i;
    /* B[i][j-1] is no candidate, and in the first column of a segment neither
     * is the last block of another lane. */
    if (lane == at.lane || at.index == 0)
        n--;
    found.lane = lane;
    found.column = list[n - 1 - (uint32_t)(((uint64_t)n * x) >> 32)];
    free(list);
    return found;
}

static void update32(struct a2f_blake2b *state, uint32_t x)
{
    uint8_t bytes[4];

    a2f_store32(bytes, x);
    a2f_blake2b_update(state, bytes, sizeof bytes);
}

static void update_span(struct a2f_blake2b *state, struct a2f_span span)
{
    update32(state, (uint32_t)span.len);
    a2f_blake2b_update(state, span.data, span.len);
}

struct naive naive_start(const struct a2f_params *params,
                         const struct a2f_input *input)
{
    uint32_t p = params->lanes, q = params->memory_kib / (4 * p) * 4;
    struct naive naive = {.params = params, .columns = q};
    struct a2f_blake2b state;
    uint8_t seed[64 + 8], bytes[A2F_BLOCK_BYTES];

    naive.block = aligned_alloc(64, (size_t)p * q * sizeof *naive.block);
    if (naive.block == NULL)
        abort();
    a2f_blake2b_init(&state, 64);
    update32(&state, p);
    update32(&state, params->tag_len);
    update32(&state, params->memory_kib);
    update32(&state, params->passes);
    update32(&state, params->version);
    update32(&state, params->type);
    update_span(&state, input->password);
    update_span(&state, input->salt);
    update_span(&state, input->secret);
    update_span(&state, input->ad);
    a2f_blake2b_final(&state, seed);
    memcpy(naive.h0, seed, sizeof naive.h0);
    for (uint32_t lane = 0; lane < p; lane++)
        for (uint32_t column = 0; column < 2; column++) {
            a2f_store32(seed + 64, column);
            a2f_store32(seed + 68, lane);
            a2f_blake2b_long(bytes, sizeof bytes, seed, sizeof seed);
            for (unsigned i = 0; i < A2F_BLOCK_WORDS; i++)
                naive.block[lane * q + column].w[i] = a2f_load64(bytes + 8 * i);
        }
    return naive;
}

/* Section 3.4.1.2: the address block with this counter. */
static void address_block(const struct naive *naive, struct naive_place at,
                          uint64_t counter, struct a2f_block *out)
{
    struct a2f_block zero = {{0}};

    *out = zero;
    out->w[0] = at.pass;
    out->w[1] = at.lane;
    out->w[2] = at.slice;
    out->w[3] = (uint64_t)naive->params->lanes * naive->columns;
    out->w[4] = naive->params->passes;
    out->w[5] = naive->params->type;
    out->w[6] = counter;
    a2f_fill_block_scalar(&zero, out, out, false, NULL);
    a2f_fill_block_scalar(&zero, out, out, false, NULL);
}

static void segment(struct naive *naive, struct naive_place at)
{
    uint32_t q = naive->columns, length = q / SEGMENTS;
    const struct a2f_params *params = naive->params;
    struct a2f_block *lane = naive->block + (size_t)at.lane * q;
    struct a2f_block addresses;
    bool independent =
        params->type == A2F_I ||
        (params->type == A2F_ID && at.pass == 0 && at.slice < SEGMENTS / 2);

    for (at.index = 0; at.index < length; at.index++) {
        uint32_t j = at.slice * length + at.index;
        const struct a2f_block *prev = &lane[(j + q - 1) % q];
        struct naive_refer ref;
        uint64_t pair;

        if (independent && at.index % A2F_BLOCK_WORDS == 0)
            address_block(naive, at, at.index / A2F_BLOCK_WORDS + 1,
                          &addresses);
        if (at.pass == 0 && j < 2)
            continue;
        pair =
            independent ? addresses.w[at.index % A2F_BLOCK_WORDS] : prev->w[0];
        ref = naive_refer(params->lanes, q, at, (uint32_t)pair,
                          (uint32_t)(pair >> 32));
        a2f_fill_block_scalar(
            prev, &naive->block[(size_t)ref.lane * q + ref.column], &lane[j],
            at.pass > 0 && params->version == 0x13, NULL);
    }
}

void naive_pass(struct naive *naive, uint32_t pass)
{
    struct naive_place at = {.pass = pass};

    for (at.slice = 0; at.slice < SEGMENTS; at.slice++)
        for (at.lane = 0; at.lane < naive->params->lanes; at.lane++)
            segment(naive, at);
}

void naive_tag(const struct naive *naive, uint8_t *tag)
{
    uint32_t q = naive->columns;
    struct a2f_block c = {{0}};
    uint8_t bytes[A2F_BLOCK_BYTES];

    for (uint32_t lane = 0; lane < naive->params->lanes; lane++)
        for (unsigned i = 0; i < A2F_BLOCK_WORDS; i++)
            c.w[i] ^= naive->block[(size_t)lane * q + q - 1].w[i];
    for (unsigned i = 0; i < A2F_BLOCK_WORDS; i++)
        a2f_store64(bytes + 8 * i, c.w[i]);
    a2f_blake2b_long(tag, naive->params->tag_len, bytes, sizeof bytes);
}
