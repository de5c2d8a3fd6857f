/* SPDX-License-Identifier: MIT */
/* The values of OSSL_PARAMs; see values.h. */
#include "values.h"

#include <string.h>

/* Byte i of a native integer of `size` bytes, from the least significant. */
static unsigned char *byte_of(void *data, size_t size, size_t i)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    (void)size;
    return (unsigned char *)data + i;
#else
    return (unsigned char *)data + size - 1 - i;
#endif
}

static enum a2f_value read_integer(const OSSL_PARAM *p, uint32_t *value)
{
    uint32_t read = 0;

    if (p->data_type == OSSL_PARAM_INTEGER &&
        (*byte_of(p->data, p->data_size, p->data_size - 1) & 0x80) != 0)
        return A2F_VALUE_RANGE;
    for (size_t i = 0; i < p->data_size; i++) {
        unsigned byte = *byte_of(p->data, p->data_size, i);

        if (i < sizeof read)
            read |= (uint32_t)byte << 8 * i;
        else if (byte != 0)
            return A2F_VALUE_RANGE;
    }
    *value = read;
    return A2F_VALUE_OK;
}

static enum a2f_value read_real(const OSSL_PARAM *p, uint32_t *value)
{
    double real;

    if (p->data_size != sizeof real)
        return A2F_VALUE_TYPE;
    memcpy(&real, p->data, sizeof real);
    /* What is not a number is outside of every range. */
    if (!(real >= 0 && real <= UINT32_MAX) || real != (double)(uint32_t)real)
        return A2F_VALUE_RANGE;
    *value = (uint32_t)real;
    return A2F_VALUE_OK;
}

enum a2f_value a2f_value_u32(const OSSL_PARAM *p, uint32_t *value)
{
    if (p->data == NULL || p->data_size == 0)
        return A2F_VALUE_TYPE;
    switch (p->data_type) {
    case OSSL_PARAM_INTEGER:
    case OSSL_PARAM_UNSIGNED_INTEGER:
        return read_integer(p, value);
    case OSSL_PARAM_REAL:
        return read_real(p, value);
    default:
        return A2F_VALUE_TYPE;
    }
}

enum a2f_value a2f_value_octets(const OSSL_PARAM *p, struct a2f_span *octets)
{
    if (p->data_type != OSSL_PARAM_OCTET_STRING ||
        (p->data == NULL && p->data_size > 0))
        return A2F_VALUE_TYPE;
    *octets = (struct a2f_span){p->data, p->data_size};
    return A2F_VALUE_OK;
}

bool a2f_value_put_text(OSSL_PARAM *p, const char *text)
{
    size_t len = strlen(text);

    p->return_size = len;
    if (p->data_type == OSSL_PARAM_UTF8_PTR) {
        if (p->data != NULL)
            *(const char **)p->data = text;
        return true;
    }
    if (p->data_type != OSSL_PARAM_UTF8_STRING)
        return false;
    if (p->data == NULL) /* the question is the size alone */
        return true;
    if (p->data_size <= len)
        return false;
    memcpy(p->data, text, len + 1);
    return true;
}

bool a2f_value_put_number(OSSL_PARAM *p, uint64_t value)
{
    bool is_signed = p->data_type == OSSL_PARAM_INTEGER;
    size_t bits = 8 * p->data_size - is_signed;

    if (!is_signed && p->data_type != OSSL_PARAM_UNSIGNED_INTEGER)
        return false;
    p->return_size = sizeof value;
    if (p->data == NULL) /* the question is the size alone */
        return true;
    if (p->data_size == 0 || (bits < 64 && value >> bits != 0))
        return false;
    for (size_t i = 0; i < p->data_size; i++)
        *byte_of(p->data, p->data_size, i) =
            (unsigned char)(i < sizeof value ? value >> 8 * i : 0);
    p->return_size = p->data_size;
    return true;
}
