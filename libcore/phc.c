/* SPDX-License-Identifier: MIT */
/* PHC strings; see phc.h. */
#include "phc.h"

#include <string.h>

#include "base64.h"
#include "params.h"
#include "text.h"

#define PREFIX "$argon2"
/* PHC strings name no version before v= was invented, at version 0x13. */
#define VERSION_UNNAMED A2F_VERSION_10

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
    size_t whole;

    *text = read_field(in);
    whole = text->len;
    if (!a2f_base64_unpad(text) || a2f_base64_bytes(text->len) > UINT32_MAX)
        return false;
    if (text->len < whole)
        *canonical = false;
    *len = (uint32_t)a2f_base64_bytes(text->len);
    return true;
}

/* The base64 of a "keyid=.." or "data=..", up to what cannot be of it. */
static bool read_extension(struct a2f_reader *in, struct a2f_span *text)
{
    const char *start = in->at;

    while (in->at < in->end && *in->at != ',' && *in->at != '$')
        in->at++;
    *text = (struct a2f_span){start, (size_t)(in->at - start)};
    return text->len > 0 && a2f_base64_valid(*text);
}

/* m=..,t=..,p=.. and perhaps keyid=.. and data=.., up to a '$'. */
static enum a2f_status read_cost(struct a2f_reader *in, struct a2f_phc *phc,
                                 struct a2f_why *why)
{
    static const char *const words[] = {"m=", "t=", "p=", "keyid=", "data="};
    static const char *const names[] = {"m", "t", "p", "keyid", "data"};
    enum { NUMBERS = 3, WORDS = 5 };
    uint32_t *numbers[NUMBERS] = {&phc->params.memory_kib, &phc->params.passes,
                                  &phc->params.lanes};
    struct a2f_span *texts[] = {&phc->keyid, &phc->data};
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
                          : !read_extension(in, texts[key - NUMBERS]))
            return malformed(why, names[key]);
        if (!a2f_read_word(in, ","))
            break;
    }
    if (a2f_base64_bytes(phc->keyid.len) > A2F_KEYID_MAX)
        return malformed(why, "keyid");
    return (seen & 7) == 7 ? A2F_OK : malformed(why, "parameters");
}

static enum a2f_status read_phc(struct a2f_reader *in, struct a2f_phc *phc,
                                struct a2f_why *why)
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
    s = read_cost(in, phc, why);
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
    enum a2f_status s;

    memset(phc, 0, sizeof *phc);
    if (text.len > limits->text)
        return a2f_refuse(A2F_OVER_LIMIT, why, "text", text.len, 0,
                          limits->text);
    if (text.len > 0)
        in.end += text.len;
    s = read_phc(&in, phc, why);
    if (s == A2F_OK && phc->data.len > 0)
        s = a2f_refuse(A2F_NO_KEY, why, "data", 0, 0, 0);
    if (s == A2F_OK)
        s = a2f_params_limit(&phc->params, limits, why);
    if (s != A2F_OK)
        memset(phc, 0, sizeof *phc);
    return s;
}

const struct a2f_limits a2f_phc_limits = {
    .memory_kib = UINT32_MAX,
    .passes = UINT32_MAX,
    .lanes = UINT32_MAX,
    .work = UINT64_MAX,
    .salt = UINT32_MAX,
    .tag = UINT32_MAX,
    .text = A2F_TEXT_MAX - 1,
};

enum a2f_status a2f_parse(struct a2f_span text, struct a2f_params *params,
                          bool *canonical, struct a2f_why *why)
{
    struct a2f_phc phc;
    enum a2f_status s;

    a2f_why_clear(why);
    s = a2f_phc_parse(text, &a2f_phc_limits, &phc, why);
    *params = phc.params;
    if (canonical != NULL)
        *canonical = phc.canonical;
    return s;
}

/* ---- formatting ---- */

/* All up to the salt. */
static void write_cost(struct a2f_writer *out, const struct a2f_params *params,
                       struct a2f_span keyid)
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
    if (keyid.len > 0) {
        a2f_write(out, ",keyid=");
        a2f_base64_write(out, keyid);
    }
    a2f_write_char(out, '$');
}

enum a2f_status a2f_phc_room(const struct a2f_params *params,
                             struct a2f_span keyid, size_t size,
                             struct a2f_why *why)
{
    struct a2f_writer count = {NULL, 0, 0};
    uint64_t needed;

    write_cost(&count, params, keyid);
    needed = count.len + a2f_base64_chars(params->salt_len) + strlen("$") +
             a2f_base64_chars(params->tag_len) + sizeof "";
    if (needed <= size)
        return A2F_OK;
    return a2f_refuse(A2F_BAD_PARAM, why, "size", size, needed, SIZE_MAX);
}

enum a2f_status a2f_phc_write(const struct a2f_params *params,
                              struct a2f_span keyid, struct a2f_span salt,
                              struct a2f_span tag, char *text, size_t size,
                              struct a2f_why *why)
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
        s = a2f_phc_room(&p, keyid, size, why);
    if (s != A2F_OK)
        return s;
    write_cost(&out, &p, keyid);
    a2f_base64_write(&out, salt);
    a2f_write_char(&out, '$');
    a2f_base64_write(&out, tag);
    (void)a2f_write_end(&out); /* there is room */
    return A2F_OK;
}

enum a2f_status a2f_encode(const struct a2f_params *params,
                           struct a2f_span salt, struct a2f_span tag,
                           char *text, size_t size, struct a2f_why *why)
{
    return a2f_phc_write(params, (struct a2f_span){NULL, 0}, salt, tag, text,
                         size, why);
}
