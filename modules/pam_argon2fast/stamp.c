/* SPDX-License-Identifier: MIT */
/*
 * See stamp.h. A stamp is a salt and the tag of the smallest Argon2 over the
 * line: all that is wanted is a keyed digest, and this one is at hand.
 */
#include "stamp.h"

#include <string.h>

#include "argon2fast.h"

static bool digest(const struct a2f_entry *entry, const uint8_t *salt,
                   uint8_t *tag)
{
    const struct a2f_params params = {.type = A2F_ID,
                                      .version = 0x13,
                                      .memory_kib = 8,
                                      .passes = 1,
                                      .lanes = 1,
                                      .tag_len =
                                          A2F_STAMP_LEN - A2F_STAMP_SALT};
    const struct a2f_input input = {.password = {entry->line, entry->line_len},
                                    .salt = {salt, A2F_STAMP_SALT}};
    struct a2f_engine *engine;
    enum a2f_status s = a2f_new(NULL, &engine);
    if (s == A2F_OK)
        s = a2f_derive(engine, &params, &input, tag, NULL);
    a2f_free(engine);
    return s == A2F_OK;
}

bool a2f_stamp_make(const struct a2f_entry *entry, struct a2f_stamp *stamp)
{
    return a2f_random(stamp->bytes, A2F_STAMP_SALT) == A2F_OK &&
           digest(entry, stamp->bytes, stamp->bytes + A2F_STAMP_SALT);
}

bool a2f_stamp_fits(const struct a2f_entry *entry,
                    const struct a2f_stamp *stamp, bool *failed)
{
    uint8_t tag[A2F_STAMP_LEN - A2F_STAMP_SALT];
    *failed = !digest(entry, stamp->bytes, tag);
    return !*failed &&
           a2f_equal(tag, stamp->bytes + A2F_STAMP_SALT, sizeof tag);
}
