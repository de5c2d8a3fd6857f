/* SPDX-License-Identifier: MIT */
/* PHC strings; see phc.h. */
#include "phc.h"

#include <string.h>

#include "params.h"
#include "text.h"

#define PREFIX "$argon2"
/* PHC strings name no version before v= was invented, at version 0x13. */
#define VERSION_UNNAMED A2F_VERSION_10

/* ---- base64, RFC 4648 section 4 without padding, in constant time ---- */

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

static uint64_t decoded_len(uint64_t chars)
{
    return chars * 3 / 4;
}

static uint64_t encoded_len(uint64_t bytes)
{
    return bytes / 3 * 4 + (bytes % 3 == 0 ? 0 : bytes % 3 + 1);
}

/* Alphabet, length, and no stray bits after the last byte. */
static bool is_base64(struct a2f_span text)
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

void a2f_phc_decode(struct a2f_span text, uint8_t *out)
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

static void write_base64(struct a2f_writer *out, struct a2f_span bytes)
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

/* ---- parsing ---- */

static enum a2f_status malformed(struct a2f_why *why, const char *what)
{
    return a2f_refuse(A2F_BAD_HASH, why, what, 0, 0, 0);
}

/* Up to the next '$' or the end, which is not passed. */
static struct a2f_span read_field(struct a2f_reader *in)
{
    const char *start = in->at;
    size_t left = (size_t)(in->end - in->at);
    const char *end = memchr(start, '$', left);

    in->at = end != NULL ? end : in->end;
    return (struct a2f_span){start, (size_t)(in->at - start)};
}

/* A base64 field and its decoded length; padding is cut off. */
static bool read_base64(struct a2f_reader *in, struct a2f_span *text,
                        uint32_t *len, bool *canonical)
{
    const char *chars = in->at;
    size_t padding = 0, whole;

    *text = read_field(in);
    whole = text->len;
    while (padding < 2 && text->len > 0 && chars[text->len - 1] == '=') {
        text->len--;
        padding++;
    }
    if (padding > 0) {
        *canonical = false;
        if (whole % 4 != 0)
            return false;
    }
    if (decoded_len(text->len) > UINT32_MAX)
        return false;
    *len = (uint32_t)decoded_len(text->len);
    return is_base64(*text);
}

/* "keyid=.." or "data=..": base64, of which this engine has no use. */
static bool skip_extension(struct a2f_reader *in)
{
    const char *start = in->at;

    while (in->at < in->end && from_char(*in->at) != 0x40)
        in->at++;
    return in->at > start;
}

/* m=..,t=..,p=.. and perhaps keyid=.. and data=.., up to a '$'. */
static enum a2f_status read_cost(struct a2f_reader *in, struct a2f_phc *phc,
                                 bool *keyed, struct a2f_why *why)
{
    static const char *const words[] = {"m=", "t=", "p=", "keyid=", "data="};
    static const char *const names[] = {"m", "t", "p", "keyid", "data"};
    enum { NUMBERS = 3, WORDS = 5 };
    uint32_t *numbers[NUMBERS] = {&phc->params.memory_kib, &phc->params.passes,
                                  &phc->params.lanes};
    unsigned seen = 0;

    for (int last = -1;;) {
        int key = 0;

        while (key < WORDS && !a2f_read_word(in, words[key]))
            key++;
        if (key == WORDS || (seen & 1u << key))
            return malformed(why, "parameters");
        seen |= 1u << key;
        if (key < last)
            phc->canonical = false;
        last = key;
        if (key < NUMBERS ? !a2f_read_decimal(in, numbers[key])
                          : !skip_extension(in))
            return malformed(why, names[key]);
        if (!a2f_read_word(in, ","))
            break;
    }
    *keyed = seen >> NUMBERS != 0;
    return (seen & 7) == 7 ? A2F_OK : malformed(why, "parameters");
}

static enum a2f_status read_phc(struct a2f_reader *in, struct a2f_phc *phc,
                                bool *keyed, struct a2f_why *why)
{
    struct a2f_params *params = &phc->params;
    struct a2f_span name;
    enum a2f_status s;

    phc->canonical = true;
    if (!a2f_read_word(in, PREFIX))
        return malformed(why, "prefix");
    name = read_field(in);
    if (!a2f_type_read(name.data, name.len, &params->type) ||
        !a2f_read_word(in, "$"))
        return malformed(why, "type");
    if (a2f_read_word(in, "v=")) {
        if (!a2f_read_decimal(in, &params->version) || !a2f_read_word(in, "$"))
            return malformed(why, "version");
    } else {
        params->version = VERSION_UNNAMED;
        phc->canonical = false;
    }
    s = read_cost(in, phc, keyed, why);
    if (s != A2F_OK)
        return s;
    if (!a2f_read_word(in, "$") ||
        !read_base64(in, &phc->salt, &params->salt_len, &phc->canonical))
        return malformed(why, "salt");
    if (!a2f_read_word(in, "$") ||
        !read_base64(in, &phc->tag, &params->tag_len, &phc->canonical) ||
        in->at != in->end)
        return malformed(why, "tag");
    return a2f_params_check(params, why) == A2F_OK ? A2F_OK : A2F_BAD_HASH;
}

enum a2f_status a2f_phc_parse(struct a2f_span text,
                              const struct a2f_limits *limits,
                              struct a2f_phc *phc, struct a2f_why *why)
{
    struct a2f_reader in = {text.data, text.data};
    bool keyed = false;
    enum a2f_status s;

    memset(phc, 0, sizeof *phc);
    if (text.len > limits->text)
        return a2f_refuse(A2F_OVER_LIMIT, why, "text", text.len, 0,
                          limits->text);
    if (text.len > 0)
        in.end += text.len;
    s = read_phc(&in, phc, &keyed, why);
    if (s == A2F_OK && keyed)
        s = a2f_refuse(A2F_NO_KEY, why, "keyid or data", 0, 0, 0);
    if (s == A2F_OK)
        s = a2f_params_limit(&phc->params, limits, why);
    if (s != A2F_OK)
        memset(phc, 0, sizeof *phc);
    return s;
}

enum a2f_status a2f_parse(struct a2f_span text, struct a2f_params *params,
                          bool *canonical, struct a2f_why *why)
{
    static const struct a2f_limits format_only = {
        .memory_kib = UINT32_MAX,
        .passes = UINT32_MAX,
        .lanes = UINT32_MAX,
        .work = UINT64_MAX,
        .salt = UINT32_MAX,
        .tag = UINT32_MAX,
        .text = A2F_TEXT_MAX - 1,
    };
    struct a2f_phc phc;
    enum a2f_status s;

    a2f_why_clear(why);
    s = a2f_phc_parse(text, &format_only, &phc, why);
    *params = phc.params;
    if (canonical != NULL)
        *canonical = phc.canonical;
    return s;
}

enum a2f_status a2f_needs_rehash(struct a2f_span text,
                                 const struct a2f_params *params, bool *needs,
                                 struct a2f_why *why)
{
    struct a2f_params now;
    enum a2f_status s;

    *needs = false;
    a2f_why_clear(why);
    s = a2f_params_check(params, why);
    if (s == A2F_OK)
        s = a2f_parse(text, &now, NULL, why);
    if (s == A2F_OK)
        *needs = now.type != params->type || now.version != params->version ||
                 now.memory_kib != params->memory_kib ||
                 now.passes != params->passes || now.lanes != params->lanes ||
                 now.tag_len != params->tag_len ||
                 now.salt_len != params->salt_len;
    return s;
}

/* ---- formatting ---- */

static void write_cost(struct a2f_writer *out, const struct a2f_params *params)
{
    a2f_write(out, PREFIX);
    a2f_write(out, a2f_type_name(params->type));
    a2f_write(out, "$v=");
    a2f_write_decimal(out, params->version);
    a2f_write(out, "$m=");
    a2f_write_decimal(out, params->memory_kib);
    a2f_write(out, ",t=");
    a2f_write_decimal(out, params->passes);
    a2f_write(out, ",p=");
    a2f_write_decimal(out, params->lanes);
    a2f_write_char(out, '$');
}

enum a2f_status a2f_phc_room(const struct a2f_params *params, size_t size,
                             struct a2f_why *why)
{
    struct a2f_writer count = {NULL, 0, 0};
    uint64_t needed;

    write_cost(&count, params);
    needed = count.len + encoded_len(params->salt_len) + strlen("$") +
             encoded_len(params->tag_len) + sizeof "";
    if (needed <= size)
        return A2F_OK;
    return a2f_refuse(A2F_BAD_PARAM, why, "size", size, needed, SIZE_MAX);
}

enum a2f_status a2f_encode(const struct a2f_params *params,
                           struct a2f_span salt, struct a2f_span tag,
                           char *text, size_t size, struct a2f_why *why)
{
    struct a2f_writer out = {text, size, 0};
    struct a2f_params p = *params;
    enum a2f_status s;

    a2f_why_clear(why);
    if (size > 0)
        text[0] = '\0';
    if (salt.len > UINT32_MAX)
        return a2f_refuse(A2F_BAD_PARAM, why, "salt", salt.len, A2F_SALT_MIN,
                          UINT32_MAX);
    if (tag.len > UINT32_MAX)
        return a2f_refuse(A2F_BAD_PARAM, why, "tag", tag.len, A2F_TAG_MIN,
                          UINT32_MAX);
    p.salt_len = (uint32_t)salt.len;
    p.tag_len = (uint32_t)tag.len;
    s = a2f_params_check(&p, why);
    if (s == A2F_OK)
        s = a2f_phc_room(&p, size, why);
    if (s != A2F_OK)
        return s;
    write_cost(&out, &p);
    write_base64(&out, salt);
    a2f_write_char(&out, '$');
    write_base64(&out, tag);
    (void)a2f_write_end(&out); /* there is room */
    return A2F_OK;
}
