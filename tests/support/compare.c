/* SPDX-License-Identifier: MIT */
/* See compare.h. */
#include "compare.h"

#include <stdio.h>

static struct a2f_block *block_of(const struct a2f_matrix *m, size_t job,
                                  uint32_t lane, uint32_t column)
{
    return m->blocks + column * m->strands + job * m->lanes + lane;
}

void matrix_load(const struct a2f_matrix *m, size_t job,
                 const struct naive *naive)
{
    unsigned width = m->kernel->width;

    for (uint32_t lane = 0; lane < m->lanes; lane++)
        for (uint32_t column = 0; column < m->length; column++)
            for (unsigned i = 0; i < A2F_BLOCK_WORDS; i++)
                block_of(m, job, lane, column)->w[a2f_block_pos(width, i)] =
                    naive->block[(size_t)lane * m->length + column].w[i];
}

bool matrix_agrees(const struct a2f_matrix *m, size_t job,
                   const struct naive *naive, uint32_t pass)
{
    unsigned width = m->kernel->width;

    for (uint32_t column = 0; column < m->length; column++)
        for (uint32_t lane = 0; lane < m->lanes; lane++)
            for (unsigned i = 0; i < A2F_BLOCK_WORDS; i++) {
                const struct a2f_block *ours = block_of(m, job, lane, column);

                if (ours->w[a2f_block_pos(width, i)] ==
                    naive->block[(size_t)lane * m->length + column].w[i])
                    continue;
                fprintf(stderr,
                        "# %s: job %zu differs after pass %u first in lane %u, "
                        "column %u, word %u\n",
                        m->kernel->name, job, pass, lane, column, i);
                return false;
            }
    return true;
}
