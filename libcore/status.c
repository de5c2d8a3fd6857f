/* SPDX-License-Identifier: MIT */
/* Statuses in words, the same words in every host. */
#include "argon2fast.h"
#include "text.h"

const char *a2f_status_text(enum a2f_status status)
{
    switch (status) {
    case A2F_OK:
        return "success";
    case A2F_MISMATCH:
        return "password does not match";
    case A2F_BAD_HASH:
        return "malformed Argon2 hash";
    case A2F_BAD_PARAM:
        return "invalid parameter";
    case A2F_OVER_LIMIT:
        return "above a configured limit";
    case A2F_NO_KEY:
        return "the hash needs a key that is not available";
    case A2F_NO_MEMORY:
        return "not enough memory";
    case A2F_CANCELLED:
        return "cancelled";
    case A2F_SYSTEM:
        return "no random bytes from the system";
    }
    return "unknown status";
}

size_t a2f_explain(enum a2f_status status, const struct a2f_why *why,
                   char *text, size_t size)
{
    struct a2f_writer out = {text, size, 0};

    a2f_write(&out, a2f_status_text(status));
    if (why != NULL && why->what != NULL) {
        a2f_write(&out, ": ");
        a2f_write(&out, why->what);
        if (why->value != 0 && why->max == 0) {
            a2f_write(&out, " in line ");
            a2f_write_decimal(&out, why->value);
        } else if (why->value != 0 || why->max != 0) {
            a2f_write(&out, " is ");
            a2f_write_decimal(&out, why->value);
            a2f_write(&out,
                      why->value < why->min ? ", at least " : ", at most ");
            a2f_write_decimal(&out,
                              why->value < why->min ? why->min : why->max);
            a2f_write(&out, " is allowed");
        }
    }
    (void)a2f_write_end(&out);
    return out.len;
}
