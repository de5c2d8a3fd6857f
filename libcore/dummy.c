/* SPDX-License-Identifier: MIT */
/*
 * A hash for users who do not exist, so that their log-in takes as long as
 * anybody's.
 */
#include "argon2fast.h"

enum a2f_status a2f_dummy(const struct a2f_params *params, char *text,
                          size_t size, struct a2f_why *why)
{
    enum { MOST = 1024 };
    uint8_t bytes[2 * MOST];
    const struct a2f_span salt = {bytes, params->salt_len};
    const struct a2f_span tag = {bytes + MOST, params->tag_len};
    const char *long_one = salt.len > MOST  ? "salt"
                           : tag.len > MOST ? "tag"
                                            : NULL;
    enum a2f_status s;

    if (size > 0)
        text[0] = '\0';
    if (long_one != NULL) {
        if (why != NULL)
            *why =
                (struct a2f_why){long_one, salt.len > MOST ? salt.len : tag.len,
                                 salt.len > MOST ? 8 : 4, MOST};
        return A2F_BAD_PARAM;
    }
    s = a2f_random(bytes, sizeof bytes);
    if (s == A2F_OK)
        s = a2f_encode(params, salt, tag, text, size, why);
    a2f_wipe(bytes, sizeof bytes);
    return s;
}
