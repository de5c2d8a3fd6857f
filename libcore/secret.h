/* SPDX-License-Identifier: MIT */
/*
 * Secrets: a2f_wipe, a2f_equal and a2f_random of argon2fast.h, and what the
 * core alone needs.
 */
#ifndef A2F_SECRET_H
#define A2F_SECRET_H

#include "argon2fast.h"

/* Overwrites the stack below the caller's frame, and the vector registers,
 * where the kernels and BLAKE2b have left parts of blocks. */
void a2f_wipe_traces(void);

#endif
