/* SPDX-License-Identifier: MIT */
/* The inner loops of the memory-hard part; see strands.h. */
#include "strands.h"

#include <string.h>

/* Blocks that a reference known in advance is fetched ahead of its use. */
#define AHEAD 4
/* Columns that a block is fetched ahead of being written: 10 to 15% for a lone
 * strand, and nothing lost elsewhere. */
#define COLUMNS_AHEAD 2
/* References that one address block holds (RFC 9106 section 3.4.1.2). */
#define ADDRESSES 128u

/* Where a group stands: the blocks of its first strand; the other strands'
 * follow in memory. */
struct cursor {
    struct a2f_place at;
    const struct a2f_block *prev;
    struct a2f_block *next;
    bool xor_old;
};

static struct cursor start_at(const struct a2f_matrix *m, struct a2f_place at,
                              uint64_t first)
{
    uint32_t column = at.slice * (m->length / A2F_SLICES) + at.index;
    uint32_t before = column > 0 ? column - 1 : m->length - 1;

    return (struct cursor){
        .at = at,
        .prev = m->blocks + before * m->strands + first,
        .next = m->blocks + column * m->strands + first,
        .xor_old = at.pass > 0 && m->version != 0x10,
    };
}

static void step(struct cursor *c, const struct a2f_matrix *m)
{
    c->prev = c->next;
    c->next += m->strands;
    c->at.index++;
}

/* Has the s-th strand's block of a later column on its way; always inline as
 * a2f_block_prefetch is. */
static inline __attribute__((always_inline)) void
prefetch_next(const struct cursor *c, const struct a2f_matrix *m, uint32_t to,
              unsigned s)
{
    if (c->at.index + COLUMNS_AHEAD < to)
        a2f_block_prefetch(c->next + COLUMNS_AHEAD * m->strands + s);
}

static struct a2f_view view_of(const struct a2f_matrix *m, uint64_t strand)
{
    uint32_t lane = (uint32_t)(strand % m->lanes);

    return (struct a2f_view){.blocks = m->blocks + (strand - lane),
                             .stride = m->strands,
                             .lane = lane,
                             .length = m->length};
}

/* Argon2i, and the first half of Argon2id's first pass. */
static bool data_independent(const struct a2f_matrix *m, struct a2f_place at)
{
    return m->type == A2F_I ||
           (m->type == A2F_ID && at.pass == 0 && at.slice < A2F_SLICES / 2);
}

/* ---- data-dependent slices ---- */

/* One strand alone waits for memory: the kernel looks ahead for it. */
static void advance_one(const struct a2f_matrix *m, struct cursor c,
                        uint32_t to, uint64_t strand)
{
    struct a2f_view view = view_of(m, strand);
    const struct a2f_block *ref;

    a2f_view_move(&view, m->lanes, c.at);
    ref = view.blocks + a2f_refer(&view, c.prev->w[0]);
    while (c.at.index < to) {
        struct a2f_block *next = c.next;

        prefetch_next(&c, m, to, 0);
        c.at.index++;
        a2f_view_move(&view, m->lanes, c.at);
        ref = m->kernel->fill_block(c.prev, ref, next, c.xor_old, &view);
        c.prev = next;
        c.next += m->strands;
    }
}

static void advance_group(const struct a2f_matrix *m, struct cursor c,
                          uint32_t to, uint64_t first, unsigned count)
{
    struct a2f_view views[A2F_GROUP];
    const struct a2f_block *refs[A2F_GROUP];

    for (unsigned s = 0; s < count; s++) {
        views[s] = view_of(m, first + s);
        a2f_view_move(&views[s], m->lanes, c.at);
        refs[s] = views[s].blocks + a2f_refer(&views[s], c.prev[s].w[0]);
        a2f_block_prefetch(refs[s]);
    }
    for (; c.at.index < to; step(&c, m)) {
        struct a2f_place after = c.at;

        after.index++;
        for (unsigned s = 0; s < count; s++) {
            prefetch_next(&c, m, to, s);
            m->kernel->fill_block(c.prev + s, refs[s], c.next + s, c.xor_old,
                                  NULL);
            a2f_view_move(&views[s], m->lanes, after);
            refs[s] = views[s].blocks + a2f_refer(&views[s], c.next[s].w[0]);
            a2f_block_prefetch(refs[s]);
        }
    }
}

/* ---- data-independent slices ---- */

/* The address block of RFC 9106 section 3.4.1.2 for `at` and up to 127 places
 * after it, in the kernel's layout. */
static void fill_addresses(const struct a2f_matrix *m, struct a2f_place at,
                           uint32_t lane, struct a2f_block *addresses)
{
    static const struct a2f_block zero;
    /* m' of the RFC, all lanes together. */
    const uint64_t memory = (uint64_t)m->length * m->lanes;
    const uint64_t input[] = {
        at.pass,
        lane,
        at.slice,
        memory,
        m->passes,
        (uint64_t)m->type,
        at.index / ADDRESSES + 1,
    };
    struct a2f_block block;

    memset(&block, 0, sizeof block);
    for (unsigned i = 0; i < sizeof input / sizeof *input; i++)
        block.w[a2f_block_pos(m->kernel->width, i)] = input[i];
    m->kernel->fill_block(&zero, &block, &block, false, NULL);
    m->kernel->fill_block(&zero, &block, addresses, false, NULL);
}

/* What the places from `at` to `to`, all of one address block, refer to. */
static void find_refs(const struct a2f_matrix *m, struct a2f_place at,
                      uint32_t to, uint64_t strand,
                      const struct a2f_block *refs[ADDRESSES])
{
    struct a2f_view view = view_of(m, strand);
    struct a2f_block addresses;
    uint32_t from = at.index;

    fill_addresses(m, at, view.lane, &addresses);
    for (; at.index < to; at.index++) {
        unsigned i = at.index % ADDRESSES;

        a2f_view_move(&view, m->lanes, at);
        refs[i] =
            view.blocks +
            a2f_refer(&view, addresses.w[a2f_block_pos(m->kernel->width, i)]);
        if (at.index < from + AHEAD)
            a2f_block_prefetch(refs[i]);
    }
}

static void advance_known(const struct a2f_matrix *m, struct cursor c,
                          uint32_t to, uint64_t first, unsigned count)
{
    const struct a2f_block *refs[A2F_GROUP][ADDRESSES];

    while (c.at.index < to) {
        uint32_t end = (c.at.index / ADDRESSES + 1) * ADDRESSES;

        if (end > to)
            end = to;
        for (unsigned s = 0; s < count; s++)
            find_refs(m, c.at, end, first + s, refs[s]);
        for (; c.at.index < end; step(&c, m))
            for (unsigned s = 0; s < count; s++) {
                const struct a2f_block *const *ref =
                    &refs[s][c.at.index % ADDRESSES];

                if (c.at.index + AHEAD < end)
                    a2f_block_prefetch(ref[AHEAD]);
                prefetch_next(&c, m, to, s);
                m->kernel->fill_block(c.prev + s, *ref, c.next + s, c.xor_old,
                                      NULL);
            }
    }
}

void a2f_strands_advance(const struct a2f_matrix *matrix, struct a2f_place at,
                         uint32_t to, uint64_t first, unsigned count)
{
    struct cursor c = start_at(matrix, at, first);

    if (data_independent(matrix, at))
        advance_known(matrix, c, to, first, count);
    else if (count == 1)
        advance_one(matrix, c, to, first);
    else
        advance_group(matrix, c, to, first, count);
}
