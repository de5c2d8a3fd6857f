/* SPDX-License-Identifier: MIT */
/* A matrix in the core's layout against a naive one, block by block. */
#ifndef COMPARE_H
#define COMPARE_H

#include "naive.h"
#include "strands.h"

/* Copies all blocks of one job between the two. */
void matrix_load(const struct a2f_matrix *m, size_t job,
                 const struct naive *naive);

/* Whether they agree; says on stderr which block is the first that does not. */
bool matrix_agrees(const struct a2f_matrix *m, size_t job,
                   const struct naive *naive, uint32_t pass);

#endif
