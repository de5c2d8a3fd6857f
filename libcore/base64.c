/* SPDX-License-Identifier: MIT */
/* Base64 in constant time; see base64.h. */
#include "base64.h"

/* All ones when lo <= c <= hi, else 0. */
static uint32_t within(uint32_t c, uint32_t lo, uint32_t hi)
{
    return (((c - lo) | (hi - c)) >> 31) - 1;
}

/* The 6 bits of a character, or 0x40 when it is not of the alphabet. */
static uint32_t from_char(char ch)
{
    uint32_t c = (unsigned char)ch;
    uint32_t upper = within(c, 'A', 'Z'), lower = within(c, 'a', 'z');
    uint32_t digit = within(c, '0', '9');
    uint32_t plus = within(c, '+', '+'), slash = within(c, '/', '/');

    return (upper & (c - 'A')) | (lower & (c - 'a' + 26)) |
           (digit & (c - '0' + 52)) | (plus & 62) | (slash & 63) |
           (~(upper | lower | digit | plus | slash) & 0x40);
}

static char to_char(uint32_t x)
{
    return (char)((within(x, 0, 25) & (x + 'A')) |
                  (within(x, 26, 51) & (x - 26 + 'a')) |
                  (within(x, 52, 61) & (x - 52 + '0')) |
                  (within(x, 62, 62) & '+') | (within(x, 63, 63) & '/'));
}

uint64_t a2f_base64_bytes(uint64_t chars)
{
    return chars * 3 / 4;
}

uint64_t a2f_base64_chars(uint64_t bytes)
{
    return bytes / 3 * 4 + (bytes % 3 == 0 ? 0 : bytes % 3 + 1);
}

bool a2f_base64_valid(struct a2f_span text)
{
    const char *chars = text.data;
    uint32_t seen = 0, last = 0;
    /* 2 characters carry 4 bits too many, 3 carry 2. */
    uint32_t stray = text.len % 4 == 2 ? 15 : text.len % 4 == 3 ? 3 : 0;

    for (size_t i = 0; i < text.len; i++) {
        last = from_char(chars[i]);
        seen |= last;
    }
    return text.len % 4 != 1 && (seen & 0x40) == 0 && (last & stray) == 0;
}

bool a2f_base64_unpad(struct a2f_span *text)
{
    const char *chars = text->data;
    size_t whole = text->len;

    while (whole - text->len < 2 && text->len > 0 &&
           chars[text->len - 1] == '=')
        text->len--;
    return (whole == text->len || whole % 4 == 0) && a2f_base64_valid(*text);
}

void a2f_base64_decode(struct a2f_span text, uint8_t *out)
{
    const char *chars = text.data;
    uint32_t bits = 0;
    unsigned held = 0;

    for (size_t i = 0; i < text.len; i++) {
        bits = bits << 6 | from_char(chars[i]);
        held += 6;
        if (held >= 8) {
            held -= 8;
            *out++ = (uint8_t)(bits >> held);
        }
    }
}

void a2f_base64_write(struct a2f_writer *out, struct a2f_span bytes)
{
    const uint8_t *in = bytes.data;
    uint32_t bits = 0;
    unsigned held = 0;

    for (size_t i = 0; i < bytes.len; i++) {
        bits = bits << 8 | in[i];
        for (held += 8; held >= 6; held -= 6)
            a2f_write_char(out, to_char(bits >> (held - 6) & 63));
    }
    if (held > 0)
        a2f_write_char(out, to_char(bits << (6 - held) & 63));
}
