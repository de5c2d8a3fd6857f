/* SPDX-License-Identifier: MIT */
/* Errors: the strings, and the three upcalls that raise one. */
#include "errors.h"

#include <stdarg.h>

const OSSL_ITEM a2f_reasons[] = {
    {PROV_R_FAILED_TO_GET_PARAMETER, "parameter of a wrong type"},
    {PROV_R_FAILED_TO_SET_PARAMETER, "parameter out of range"},
    {PROV_R_OUTPUT_BUFFER_TOO_SMALL, "size is not the length to derive"},
    {PROV_R_INVALID_SALT_LENGTH, "invalid salt length"},
    {PROV_R_INVALID_ITERATION_COUNT, "invalid iteration count"},
    {PROV_R_INVALID_MODE, "invalid Argon2 version"},
    {PROV_R_MISSING_PASS, "the password was cleaned, set it again"},
    {PROV_R_MISSING_SALT, "missing salt"},
    {PROV_R_MISSING_SECRET, "the secret was cleaned, set it again"},
    {PROV_R_LENGTH_TOO_LARGE, "length too large"},
    {PROV_R_SELF_TEST_KAT_FAILURE, "wrong tag for a known answer"},
    {PROV_R_INVALID_OUTPUT_LENGTH, "invalid output length"},
    {PROV_R_INVALID_THREAD_POOL_SIZE, "invalid thread pool size"},
    {PROV_R_INVALID_MEMORY_SIZE, "invalid memory size"},
    {PROV_R_REPEATED_PARAMETER, "repeated parameter"},
    {0, NULL},
};

void a2f_raise(const struct a2f_provider *provider, const char *file, int line,
               const char *function, uint32_t reason, const char *data, ...)
{
    va_list args;

    provider->new_error(provider->handle);
    provider->set_error_debug(provider->handle, file, line, function);
    va_start(args, data);
    provider->vset_error(provider->handle, reason, data, args);
    va_end(args);
}
