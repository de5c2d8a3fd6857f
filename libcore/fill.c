/* SPDX-License-Identifier: MIT */
/*
 * RFC 9106 section 3.2. The matrix is filled in rounds: some columns of one
 * slice, for all strands. A round's groups of strands are shared among the
 * threads; between rounds the workers rest and the host may stop the call.
 */
#include "fill.h"

#include "blake2b.h"
#include "bytes.h"

/* Blocks between two polls: a millisecond or two with a vector kernel. */
#define POLL_BLOCKS 4096u
/* Lanes (of all jobs) seeded between two polls, at some 20 microseconds each.
 */
#define POLL_LANES 256u
/* A round ends at a multiple of this, where an address block ends too. */
#define ROUND_UNIT 128u

static bool cancelled(const struct a2f_fill *fill)
{
    return fill->run->poll != NULL && fill->run->poll(fill->run->poll_ctx) != 0;
}

size_t a2f_fill_bytes(const struct a2f_params *params, size_t jobs)
{
    uint64_t column = A2F_SLICES * (uint64_t)params->lanes;
    uint64_t blocks = params->memory_kib / column * column;

    if (jobs == 0 || blocks > SIZE_MAX / A2F_BLOCK_BYTES / jobs)
        return 0;
    return (size_t)blocks * jobs * A2F_BLOCK_BYTES;
}

void a2f_fill_init(struct a2f_fill *fill, const struct a2f_kernel *kernel,
                   const struct a2f_params *params, size_t jobs)
{
    fill->matrix = (struct a2f_matrix){
        .kernel = kernel,
        .blocks = fill->arena->blocks,
        .strands = (uint64_t)jobs * params->lanes,
        .lanes = params->lanes,
        .length =
            params->memory_kib / (A2F_SLICES * params->lanes) * A2F_SLICES,
        .passes = params->passes,
        .version = params->version,
        .type = params->type,
    };
}

/* Makes the columns below `to` present and counts them as written. */
static bool reach_column(struct a2f_fill *fill, uint32_t to)
{
    struct a2f_arena *arena = fill->arena;
    size_t upto = (size_t)(to * fill->matrix.strands) * A2F_BLOCK_BYTES;

    while (a2f_arena_ready(arena, upto))
        if (cancelled(fill))
            return false;
    if (arena->written < upto)
        arena->written = upto;
    return true;
}

/* ---- seed ---- */

static void hash_number(struct a2f_blake2b *state, uint32_t x)
{
    uint8_t bytes[4];

    a2f_store32(bytes, x);
    a2f_blake2b_update(state, bytes, sizeof bytes);
}

static void hash_span(struct a2f_blake2b *state, struct a2f_span span)
{
    hash_number(state, (uint32_t)span.len);
    a2f_blake2b_update(state, span.data, span.len);
}

/* H0, step 1; it takes m as given, not m'. */
static void initial_hash(uint8_t h0[A2F_BLAKE2B_MAX],
                         const struct a2f_params *params,
                         const struct a2f_input *input)
{
    struct a2f_blake2b state;

    a2f_blake2b_init(&state, A2F_BLAKE2B_MAX);
    hash_number(&state, params->lanes);
    hash_number(&state, params->tag_len);
    hash_number(&state, params->memory_kib);
    hash_number(&state, params->passes);
    hash_number(&state, params->version);
    hash_number(&state, (uint32_t)params->type);
    hash_span(&state, input->password);
    hash_span(&state, input->salt);
    hash_span(&state, input->secret);
    hash_span(&state, input->ad);
    a2f_blake2b_final(&state, h0);
}

/* B[lane][column] = H'^1024(H0 || LE32(column) || LE32(lane)). */
static void seed_block(const struct a2f_matrix *m, struct a2f_block *block,
                       uint8_t h0[A2F_BLAKE2B_MAX + 8], uint32_t column,
                       uint32_t lane)
{
    uint8_t bytes[A2F_BLOCK_BYTES];

    a2f_store32(h0 + A2F_BLAKE2B_MAX, column);
    a2f_store32(h0 + A2F_BLAKE2B_MAX + 4, lane);
    a2f_blake2b_long(bytes, sizeof bytes, h0, A2F_BLAKE2B_MAX + 8);
    for (unsigned i = 0; i < A2F_BLOCK_WORDS; i++)
        block->w[a2f_block_pos(m->kernel->width, i)] =
            a2f_load64(bytes + 8 * i);
    a2f_wipe(bytes, sizeof bytes);
}

enum a2f_status a2f_fill_seed(struct a2f_fill *fill, size_t job,
                              const struct a2f_params *params,
                              const struct a2f_input *input)
{
    const struct a2f_matrix *m = &fill->matrix;
    struct a2f_block *first = m->blocks + (uint64_t)job * m->lanes;
    uint8_t h0[A2F_BLAKE2B_MAX + 8];
    enum a2f_status s = A2F_OK;

    if (!reach_column(fill, 2))
        return A2F_CANCELLED;
    initial_hash(h0, params, input);
    for (uint32_t lane = 0; lane < m->lanes && s == A2F_OK; lane++) {
        seed_block(m, first + lane, h0, 0, lane);
        seed_block(m, first + m->strands + lane, h0, 1, lane);
        if ((job * m->lanes + lane) % POLL_LANES == POLL_LANES - 1 &&
            cancelled(fill))
            s = A2F_CANCELLED;
    }
    a2f_wipe(h0, sizeof h0);
    return s;
}

/* ---- fill ---- */

/* Part of a slice: columns [at.index, to) of the segment, for all strands. */
struct round {
    const struct a2f_matrix *matrix;
    struct a2f_place at;
    uint32_t to;
    uint64_t groups; /* all of them */
    uint64_t base;   /* of those that are handed out together */
};

/* Groups are balanced: a last one of one strand would gain nothing. */
static void advance_group(void *ctx, uint32_t i)
{
    const struct round *r = ctx;
    uint64_t strands = r->matrix->strands, group = r->base + i;
    uint64_t first = strands * group / r->groups;
    uint64_t end = strands * (group + 1) / r->groups;

    a2f_strands_advance(r->matrix, r->at, r->to, first,
                        (unsigned)(end - first));
}

/* As few groups as A2F_GROUP allows, but the same number for each thread. */
static uint64_t count_groups(uint64_t strands, unsigned threads)
{
    uint64_t groups = (strands + A2F_GROUP - 1) / A2F_GROUP;

    groups = (groups + threads - 1) / threads * threads;
    return groups < strands ? groups : strands;
}

static enum a2f_status fill_round(struct a2f_fill *fill, struct round *round)
{
    unsigned threads = 1 + a2f_pool_workers(fill->pool);
    uint64_t at_once = POLL_BLOCKS / (A2F_GROUP * ROUND_UNIT) * threads;
    uint64_t n;

    round->groups = count_groups(fill->matrix.strands, threads);
    for (round->base = 0; round->base < round->groups; round->base += n) {
        n = round->groups - round->base;
        if (n > at_once)
            n = at_once;
        a2f_pool_run(fill->pool, (uint32_t)n, advance_group, round);
        if (cancelled(fill))
            return A2F_CANCELLED;
    }
    return A2F_OK;
}

static enum a2f_status fill_slice(struct a2f_fill *fill, uint32_t pass,
                                  uint32_t slice)
{
    const struct a2f_matrix *m = &fill->matrix;
    uint32_t segment = m->length / A2F_SLICES;
    uint64_t columns = POLL_BLOCKS / m->strands / ROUND_UNIT * ROUND_UNIT;
    struct round round = {.matrix = m, .at = {pass, slice, 0}};
    enum a2f_status s = A2F_OK;

    if (columns == 0)
        columns = ROUND_UNIT;
    for (uint32_t from = 0; from < segment && s == A2F_OK; from = round.to) {
        round.to =
            segment - from > columns ? from + (uint32_t)columns : segment;
        round.at.index = from;
        if (pass == 0 && slice == 0 && from == 0)
            round.at.index = 2; /* the first two columns are seeded */
        if (pass == 0 && !reach_column(fill, slice * segment + round.to))
            return A2F_CANCELLED;
        s = fill_round(fill, &round);
    }
    return s;
}

enum a2f_status a2f_fill_matrix(struct a2f_fill *fill)
{
    enum a2f_status s = A2F_OK;

    for (uint32_t pass = 0; pass < fill->matrix.passes && s == A2F_OK; pass++)
        for (uint32_t slice = 0; slice < A2F_SLICES && s == A2F_OK; slice++)
            s = fill_slice(fill, pass, slice);
    return s;
}

/* ---- tag ---- */

void a2f_fill_tag(const struct a2f_fill *fill, size_t job, uint8_t *tag,
                  uint32_t tag_len)
{
    const struct a2f_matrix *m = &fill->matrix;
    const struct a2f_block *last =
        m->blocks + (m->length - 1) * m->strands + (uint64_t)job * m->lanes;
    struct a2f_block sum = last[0];
    uint8_t bytes[A2F_BLOCK_BYTES];

    for (uint32_t lane = 1; lane < m->lanes; lane++)
        for (unsigned i = 0; i < A2F_BLOCK_WORDS; i++)
            sum.w[i] ^= last[lane].w[i];
    for (unsigned i = 0; i < A2F_BLOCK_WORDS; i++)
        a2f_store64(bytes + 8 * i, sum.w[a2f_block_pos(m->kernel->width, i)]);
    a2f_blake2b_long(tag, tag_len, bytes, sizeof bytes);
    a2f_wipe(bytes, sizeof bytes);
    a2f_wipe(&sum, sizeof sum);
}
