/* SPDX-License-Identifier: MIT */
/* Stamps of database lines: see struct a2f_stamp in request.h. */
#ifndef A2F_PAM_STAMP_H
#define A2F_PAM_STAMP_H

#include "entry.h"

/* False: no memory or no randomness. */
bool a2f_stamp_make(const struct a2f_entry *entry, struct a2f_stamp *stamp);
/* Whether the stamp was made of this very line. *failed: cannot say. */
bool a2f_stamp_fits(const struct a2f_entry *entry,
                    const struct a2f_stamp *stamp, bool *failed);

#endif
