/* SPDX-License-Identifier: MIT */
/* See needles.h. */
#include "needles.h"

#include <stdlib.h>
#include <string.h>

#include "naive.h"

#define WORD sizeof(uint64_t)

const char *secret_name(enum secret secret)
{
    static const char *const names[SECRETS] = {
        [PASSWORD] = "password",     [PEPPER] = "pepper",
        [INITIAL_HASH] = "H0",       [FIRST_BLOCK] = "first block",
        [LAST_BLOCK] = "last block", [RAW_TAG] = "tag"};

    return names[secret];
}

/* ---- making ---- */

static uint64_t load(const unsigned char *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof word);
    return word;
}

/* A bit of the filter. */
static uint32_t hash(uint64_t word)
{
    return (uint32_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> 48);
}

/* The words of a secret, step bytes apart. */
static void add(struct needles *needles, enum secret secret, const void *data,
                size_t len, size_t step)
{
    const unsigned char *bytes = data;

    for (size_t i = 0; i + WORD <= len; i += step) {
        uint64_t word = load(bytes + i);

        if (needles->n == NEEDLES_MAX)
            abort();
        needles->list[needles->n++] = (struct needle){word, secret};
        needles->filter[hash(word) / 64] |= UINT64_C(1) << hash(word) % 64;
    }
}

static void add_text(struct needles *needles, enum secret secret,
                     struct a2f_span text)
{
    add(needles, secret, text.data, text.len, 1);
}

static void add_block(struct needles *needles, enum secret secret,
                      const struct a2f_block *block)
{
    add(needles, secret, block, sizeof *block, WORD);
}

static int compare(const void *a, const void *b)
{
    const struct needle *x = a, *y = b;

    return (x->word > y->word) - (x->word < y->word);
}

static void add_results(struct needles *needles, struct naive *naive)
{
    const struct a2f_params *params = naive->params;
    struct a2f_block sum = {{0}};
    uint8_t tag[1024];

    if (params->tag_len > sizeof tag)
        abort();
    for (uint32_t pass = 0; pass < params->passes; pass++)
        naive_pass(naive, pass);
    for (uint32_t lane = 0; lane < params->lanes; lane++) {
        const struct a2f_block *last =
            &naive->block[(lane + 1) * naive->columns - 1];

        add_block(needles, LAST_BLOCK, last);
        for (unsigned i = 0; i < A2F_BLOCK_WORDS; i++)
            sum.w[i] ^= last->w[i];
    }
    add_block(needles, LAST_BLOCK, &sum);
    naive_tag(naive, tag);
    add_text(needles, RAW_TAG, (struct a2f_span){tag, params->tag_len});
}

void needles_make(struct needles *needles, const struct a2f_params *params,
                  const struct a2f_input *input, bool all)
{
    struct naive naive = naive_start(params, input);

    memset(needles, 0, sizeof *needles);
    add_text(needles, PASSWORD, input->password);
    add_text(needles, PEPPER, input->secret);
    add_text(needles, INITIAL_HASH,
             (struct a2f_span){naive.h0, sizeof naive.h0});
    for (uint32_t lane = 0; lane < params->lanes; lane++) {
        add_block(needles, FIRST_BLOCK, &naive.block[lane * naive.columns]);
        add_block(needles, FIRST_BLOCK, &naive.block[lane * naive.columns + 1]);
    }
    if (all)
        add_results(needles, &naive);
    free(naive.block);
    qsort(needles->list, needles->n, sizeof *needles->list, compare);
}

/* ---- finding ---- */

static const struct needle *find(const struct needles *needles, uint64_t word)
{
    const struct needle key = {.word = word};

    if ((needles->filter[hash(word) / 64] >> hash(word) % 64 & 1) == 0)
        return NULL;
    return bsearch(&key, needles->list, needles->n, sizeof key, compare);
}

void needles_count(const struct needles *needles, const void *data, size_t len,
                   size_t found[SECRETS])
{
    const unsigned char *bytes = data;

    for (size_t i = 0; i + WORD <= len; i++) {
        const struct needle *needle = find(needles, load(bytes + i));

        if (needle != NULL)
            found[needle->secret]++;
    }
}
