/* SPDX-License-Identifier: MIT */
/* Bounded reading and writing of text; see text.h. */
#include "text.h"

#include <string.h>

bool a2f_read_word(struct a2f_reader *in, const char *word)
{
    size_t len = strlen(word);

    if ((size_t)(in->end - in->at) < len || memcmp(in->at, word, len) != 0)
        return false;
    in->at += len;
    return true;
}

bool a2f_read_decimal(struct a2f_reader *in, uint32_t *value)
{
    const char *start = in->at;
    uint64_t x = 0;

    while (in->at < in->end && *in->at >= '0' && *in->at <= '9') {
        x = x * 10 + (uint64_t)(*in->at - '0');
        if (x > UINT32_MAX)
            return false;
        in->at++;
    }
    if (in->at == start || (*start == '0' && in->at - start > 1))
        return false;
    *value = (uint32_t)x;
    return true;
}

void a2f_write_char(struct a2f_writer *out, char c)
{
    if (out->len < out->size)
        out->text[out->len] = c;
    out->len++;
}

void a2f_write(struct a2f_writer *out, const char *text)
{
    while (*text != '\0')
        a2f_write_char(out, *text++);
}

void a2f_write_decimal(struct a2f_writer *out, uint64_t value)
{
    char digits[20]; /* of 2^64-1 */
    size_t n = 0;

    do {
        digits[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    while (n > 0)
        a2f_write_char(out, digits[--n]);
}

bool a2f_write_end(struct a2f_writer *out)
{
    if (out->size > 0)
        out->text[out->len < out->size ? out->len : out->size - 1] = '\0';
    return out->len < out->size;
}
