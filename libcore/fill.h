/* SPDX-License-Identifier: MIT */
/*
 * The memory-hard part, RFC 9106 section 3.2, for several jobs of equal cost
 * side by side: seed the first two columns, fill the matrix, take the tags.
 */
#ifndef A2F_FILL_H
#define A2F_FILL_H

#include "arena.h"
#include "pool.h"
#include "strands.h"

/* What a fill works with; it owns none of it. */
struct a2f_fill {
    struct a2f_matrix matrix;
    struct a2f_arena *arena; /* has room for a2f_fill_bytes */
    struct a2f_pool *pool;   /* NULL: the caller alone */
    const struct a2f_run *run;
};

/* Block memory of so many jobs, 1024 * m' bytes each, m' being 4 * p *
 * floor(m / 4p); 0 when it cannot be addressed. */
size_t a2f_fill_bytes(const struct a2f_params *params, size_t jobs);

/* The matrix of so many jobs in an arena. */
void a2f_fill_init(struct a2f_fill *fill, const struct a2f_kernel *kernel,
                   const struct a2f_params *params, size_t jobs);

/* H0 of one job and the first two blocks of its lanes (steps 1 to 4).
 * A2F_CANCELLED. */
enum a2f_status a2f_fill_seed(struct a2f_fill *fill, size_t job,
                              const struct a2f_params *params,
                              const struct a2f_input *input);

/* All passes of all jobs (steps 5 and 6). A2F_CANCELLED. */
enum a2f_status a2f_fill_matrix(struct a2f_fill *fill);

/* The tag of one job (steps 7 and 8), tag_len bytes. */
void a2f_fill_tag(const struct a2f_fill *fill, size_t job, uint8_t *tag,
                  uint32_t tag_len);

#endif
