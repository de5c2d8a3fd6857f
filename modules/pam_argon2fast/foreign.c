/* SPDX-License-Identifier: MIT */
/* See foreign.h. */
#include "foreign.h"

#include <crypt.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "argon2fast.h"

enum a2f_verdict a2f_foreign_check(const char *password, const char *hash)
{
    enum a2f_verdict verdict = A2F_SAYS_WRONG;
    struct crypt_data *data = calloc(1, sizeof *data); /* 32 KiB */
    if (!data)
        return A2F_SAYS_NO_MEMORY;
    errno = 0;
    const char *text = crypt_r(password, hash, data);
    /* A failure is NULL, or a text that begins with * and so is no hash that
     * could be in a database. Length is no secret of the scheme. */
    if (!text && errno == ENOMEM)
        verdict = A2F_SAYS_NO_MEMORY;
    else if (text && *text != '*' && strlen(text) >= 13 &&
             strlen(text) == strlen(hash) &&
             a2f_equal(text, hash, strlen(hash)))
        verdict = A2F_SAYS_PASS;
    a2f_wipe(data, sizeof *data);
    free(data);
    return verdict;
}
