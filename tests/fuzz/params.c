/* SPDX-License-Identifier: MIT */
/*
 * A params string from anywhere: what is read can be written, is read from
 * that as the same, and is within RFC 9106's ranges.
 */
#include "fuzz.h"

#include <string.h>

#include "params.h"

static void check_good(const struct a2f_params *params)
{
    char text[128], again[128];
    struct a2f_params read;
    size_t len;

    FUZZ_CHECK(a2f_params_check(params, NULL) == A2F_OK);
    FUZZ_CHECK(a2f_params_write(params, text, sizeof text) == A2F_OK);
    len = strlen(text);
    FUZZ_CHECK(a2f_params_read((struct a2f_span){text, len}, &read, NULL) ==
               A2F_OK);
    FUZZ_CHECK(memcmp(&read, params, sizeof read) == 0);
    FUZZ_CHECK(a2f_params_write(&read, again, len + 1) == A2F_OK);
    FUZZ_CHECK(strcmp(text, again) == 0);
    FUZZ_CHECK(a2f_params_write(&read, again, len) == A2F_BAD_PARAM &&
               again[0] == '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct a2f_params zero;
    struct a2f_params params;
    struct a2f_why why;
    enum a2f_status s =
        a2f_params_read((struct a2f_span){data, size}, &params, &why);

    if (s == A2F_OK) {
        check_good(&params);
        return 0;
    }
    FUZZ_CHECK(s == A2F_BAD_PARAM && why.what != NULL);
    FUZZ_CHECK(memcmp(&params, &zero, sizeof zero) == 0);
    fuzz_check_why(s, &why);
    return 0;
}
