/* SPDX-License-Identifier: MIT */
/*
 * The compression function G, RFC 9106 section 3.5, for any vector width. An
 * ISA file defines the vocabulary, then includes this:
 *
 *   FILL_BLOCK   the name of the kernel's function
 *   W, vec       words to a vector, and its type
 *   vload vstore vxor vadd
 *   vmul32(a, b)  products of the low halves of the words
 *   vxr32(a, b) vxr24 vxr16 vxr63   a XOR b, then rotated right; vshr63(a),
 *                a shift, may stand in for vxr63
 *   vtile(v)      transposes the W x W tile of v[0], v[2], .. v[2 * (W - 1)]
 *   vfirst(a)     the first word
 *
 * A block lies transposed (block.h), so GB works on whole vectors and a round
 * needs no shuffle: in v[0..15] each vector holds one word of W rows. A tile
 * at a time is then transposed, so that each vector holds one word of W
 * columns; after the same round again, the tiles are turned back.
 */
#define GROUPS (8 / W) /* of rows, and of columns */
#define INLINE static inline __attribute__((always_inline))

/* For byte shuffles: the word at byte `at`, rotated right by n bytes. */
#define ROTATED_BYTES(n, at)                                                   \
    (n) % 8 + (at), ((n) + 1) % 8 + (at), ((n) + 2) % 8 + (at),                \
        ((n) + 3) % 8 + (at), ((n) + 4) % 8 + (at), ((n) + 5) % 8 + (at),      \
        ((n) + 6) % 8 + (at), ((n) + 7) % 8 + (at)

#ifdef vshr63
INLINE vec vxr63(vec a, vec b)
{
    vec x = vxor(a, b);

    return vxor(vshr63(x), vadd(x, x));
}
#endif

/* a + b + 2 * low(a) * low(b), RFC 9106 section 3.6. */
INLINE vec blamka(vec a, vec b)
{
    vec product = vmul32(a, b);

    return vadd(vadd(a, b), vadd(product, product));
}

/* Word i of one of the four rows of P's 4 x 4 matrix; `turn` walks along its
 * diagonals. */
#define AT(row, i, turn) v[4 * (row) + ((i) + (row) * (turn)) % 4]
/* A quarter of GB on words i and i + 1 of rows a, b and d: a = a + b + 2ab,
 * d = (d XOR a) >>> r. Two at a time fill the pipeline and fit 16 registers. */
#define QUARTER(a, b, d, i, vxr)                                               \
    do {                                                                       \
        AT(a, i, turn) = blamka(AT(a, i, turn), AT(b, i, turn));               \
        AT(a, i + 1, turn) = blamka(AT(a, i + 1, turn), AT(b, i + 1, turn));   \
        AT(d, i, turn) = vxr(AT(d, i, turn), AT(a, i, turn));                  \
        AT(d, i + 1, turn) = vxr(AT(d, i + 1, turn), AT(a, i + 1, turn));      \
    } while (0)

/* After the first three quarters the words of row 0 are final. */
INLINE void gb_begin(vec v[16], unsigned i, unsigned turn)
{
    QUARTER(0, 1, 3, i, vxr32);
    QUARTER(2, 3, 1, i, vxr24);
    QUARTER(0, 1, 3, i, vxr16);
}

INLINE void gb_end(vec v[16], unsigned i, unsigned turn)
{
    QUARTER(2, 3, 1, i, vxr63);
}

/* P, RFC 9106 section 3.6, up to where word 0 is final .. */
INLINE void round_begin(vec v[16])
{
    gb_begin(v, 0, 0);
    gb_end(v, 0, 0);
    gb_begin(v, 2, 0);
    gb_end(v, 2, 0);
    gb_begin(v, 0, 1);
}

/* .. and the rest of it. */
INLINE void round_end(vec v[16])
{
    gb_end(v, 0, 1);
    gb_begin(v, 2, 1);
    gb_end(v, 2, 1);
}

/* Exchanges rows and columns of the tiles of 16 vectors. */
INLINE void turn_tiles(vec v[16])
{
#pragma GCC unroll 8
    for (unsigned tile = 0; tile < GROUPS; tile++) {
        vtile(v + 2 * W * tile);
        vtile(v + 2 * W * tile + 1);
    }
}

/* Where the block after next refers to, and the order to fetch it. */
INLINE const struct a2f_block *look_ahead(const struct a2f_view *view,
                                          uint64_t word)
{
    const struct a2f_block *ref = view->blocks + a2f_refer(view, word);

    a2f_block_prefetch(ref);
    return ref;
}

/* Tile t of row group g is tile g of column group t. */
#define TURNED(t, g, i) ((t)*16 + 2 * W * (g) + (i))

const struct a2f_block *FILL_BLOCK(const struct a2f_block *prev,
                                   const struct a2f_block *ref,
                                   struct a2f_block *next, bool xor_old,
                                   const struct a2f_view *view)
{
    vec v[16];
    vec r[GROUPS * 16]; /* R of section 3.5, or R XOR the old block */
    vec columns[GROUPS * 16];
    const struct a2f_block *after = NULL;

    for (unsigned g = 0; g < GROUPS; g++) {
        const uint64_t *p = prev->w + 16 * W * g, *q = ref->w + 16 * W * g;
        const uint64_t *old = next->w + 16 * W * g;

#pragma GCC unroll 16
        for (unsigned k = 0; k < 16; k++)
            v[k] = vxor(vload(p + W * k), vload(q + W * k));
#pragma GCC unroll 16
        for (unsigned k = 0; k < 16; k++)
            r[16 * g + k] = xor_old ? vxor(v[k], vload(old + W * k)) : v[k];
        round_begin(v);
        round_end(v);
        turn_tiles(v);
#pragma GCC unroll 8
        for (unsigned t = 0; t < GROUPS; t++)
#pragma GCC unroll 16
            for (unsigned i = 0; i < 2 * W; i++)
                columns[TURNED(t, g, i)] = v[2 * W * t + i];
    }
    /* Column group 0 comes first: word 0 is in it. */
    for (unsigned g = 0; g < GROUPS; g++) {
#pragma GCC unroll 16
        for (unsigned k = 0; k < 16; k++)
            v[k] = columns[16 * g + k];
        round_begin(v);
        if (g == 0 && view != NULL)
            after = look_ahead(view, vfirst(v[0]) ^ vfirst(r[0]));
        round_end(v);
        turn_tiles(v);
#pragma GCC unroll 8
        for (unsigned t = 0; t < GROUPS; t++)
#pragma GCC unroll 16
            for (unsigned i = 0; i < 2 * W; i++) {
                unsigned at = TURNED(t, g, i);

                vstore(next->w + W * at, vxor(v[2 * W * t + i], r[at]));
            }
    }
    return after;
}
