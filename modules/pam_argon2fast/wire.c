/* SPDX-License-Identifier: MIT */
/*
 * See wire.h. A message is "A2F" and a letter for what it is, a version, a
 * kind or verdict, its length (16 bits), and fields: tag, length (16 bits),
 * bytes. All numbers are little-endian.
 */
#include "wire.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { HEADER = 8, FIELD = 3, VERSION = 1, OPTIONAL = 0x80 };

enum field_type { NUMBER, STRING, ROOM, STAMP };

struct field {
    uint8_t tag; /* with OPTIONAL: a reader that does not know it may go on */
    uint8_t type;
    uint16_t offset;
    uint16_t max; /* bytes of a string, without its NUL */
};

#define AT(type, member) (uint16_t) offsetof(struct type, member)

static const struct field request_fields[] = {
    {1, NUMBER, AT(a2f_request, flags), 0},
    {2, NUMBER, AT(a2f_request, origin), 0},
    {3, NUMBER, AT(a2f_request, remember), 0},
    {4, STRING, AT(a2f_request, user), A2F_USER_MAX},
    {5, STRING, AT(a2f_request, password), A2F_PASSWORD_MAX},
    {6, STRING, AT(a2f_request, database), A2F_PATH_MAX},
    {7, STRING, AT(a2f_request, params), 127},
    {8, STRING, AT(a2f_request, conf), A2F_PATH_MAX},
    {9, STRING, AT(a2f_request, hash), A2F_HASH_MAX},
    {10, STAMP, AT(a2f_request, stamp), 0},
    {0, 0, 0, 0},
};

static const struct field reply_fields[] = {
    {1 | OPTIONAL, NUMBER, AT(a2f_reply, scheme), 0},
    {2 | OPTIONAL, NUMBER, AT(a2f_reply, ageing), 0},
    {3, NUMBER, AT(a2f_reply, dry_run), 0},
    {4 | OPTIONAL, ROOM, AT(a2f_reply, note), 255},
    {5, ROOM, AT(a2f_reply, hash), A2F_HASH_MAX},
    {6, STAMP, AT(a2f_reply, stamp), 0},
    {0, 0, 0, 0},
};

static const struct format {
    char letter;
    uint16_t first; /* offset of the kind or the verdict */
    const struct field *fields;
} requests = {'Q', AT(a2f_request, kind), request_fields},
  replies = {'R', AT(a2f_reply, verdict), reply_fields};

enum a2f_verdict a2f_reply_says(struct a2f_reply *reply,
                                enum a2f_verdict verdict, const char *note, ...)
{
    reply->verdict = verdict;
    va_list args;
    va_start(args, note);
    vsnprintf(reply->note, sizeof reply->note, note, args);
    va_end(args);
    return verdict;
}

/* ---- writing ---- */

static void put16(uint8_t *to, size_t value)
{
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
}

static size_t get16(const uint8_t *from)
{
    return from[0] | (size_t)from[1] << 8;
}

static bool append(struct a2f_message *message, uint8_t tag, const void *data,
                   size_t len)
{
    if (len > sizeof message->bytes - FIELD ||
        message->len > sizeof message->bytes - FIELD - len)
        return false;
    uint8_t *at = message->bytes + message->len;
    at[0] = tag;
    put16(at + 1, len);
    memcpy(at + FIELD, data, len);
    message->len += FIELD + len;
    return true;
}

static bool append_field(struct a2f_message *message, const struct field *f,
                         const uint8_t *from)
{
    const uint8_t *at = from + f->offset;
    if (f->type == NUMBER) {
        uint32_t value = *(const uint32_t *)(const void *)at;
        uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8),
                            (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
        return append(message, f->tag, bytes, sizeof bytes);
    }
    if (f->type == STAMP)
        return append(message, f->tag, at, A2F_STAMP_LEN);
    const char *text = f->type == STRING
                           ? *(const char *const *)(const void *)at
                           : (const char *)at;
    size_t len = text ? strlen(text) : 0;
    if (len > f->max)
        return false;
    /* A string travels with its NUL, so that a reader can use it in place. */
    return append(message, f->tag, text ? text : "", len + 1);
}

static bool put(const struct format *format, const void *from,
                struct a2f_message *message)
{
    const uint8_t *base = from;
    uint32_t first = *(const uint32_t *)(const void *)(base + format->first);
    message->len = HEADER;
    memcpy(message->bytes, "A2F", 3);
    message->bytes[3] = (uint8_t)format->letter;
    message->bytes[4] = VERSION;
    message->bytes[5] = (uint8_t)first;
    for (const struct field *f = format->fields; f->tag; f++)
        if (!append_field(message, f, base))
            return false;
    put16(message->bytes + 6, message->len);
    return true;
}

bool a2f_wire_put_request(const struct a2f_request *request,
                          struct a2f_message *message)
{
    return put(&requests, request, message);
}

bool a2f_wire_put_reply(const struct a2f_reply *reply,
                        struct a2f_message *message)
{
    return put(&replies, reply, message);
}

/* ---- reading ---- */

size_t a2f_wire_length(const struct a2f_message *message)
{
    if (message->len < HEADER)
        return 0;
    size_t len = get16(message->bytes + 6);
    return len < HEADER ? SIZE_MAX : len;
}

static const struct field *find_field(const struct format *format, uint8_t tag)
{
    for (const struct field *f = format->fields; f->tag; f++)
        if (f->tag == tag)
            return f;
    return NULL;
}

static bool take_field(const struct field *f, const uint8_t *data, size_t len,
                       uint8_t *to)
{
    uint8_t *at = to + f->offset;
    if (f->type == NUMBER) {
        if (len != 4)
            return false;
        *(uint32_t *)(void *)at = data[0] | (uint32_t)data[1] << 8 |
                                  (uint32_t)data[2] << 16 |
                                  (uint32_t)data[3] << 24;
        return true;
    }
    if (f->type == STAMP) {
        if (len != A2F_STAMP_LEN)
            return false;
        memcpy(at, data, len);
        return true;
    }
    if (len == 0 || len - 1 > f->max || memchr(data, 0, len) != data + len - 1)
        return false;
    if (f->type == STRING)
        *(const char **)(void *)at = (const char *)data;
    else
        memcpy(at, data, len);
    return true;
}

/* Each known field at most once, in any order; what is missing stays zero. */
static bool get(const struct format *format, const struct a2f_message *message,
                void *to)
{
    const uint8_t *at = message->bytes;
    if (message->len < HEADER || a2f_wire_length(message) != message->len ||
        memcmp(at, "A2F", 3) != 0 || at[3] != (uint8_t)format->letter ||
        at[4] != VERSION)
        return false;
    uint8_t *base = to;
    *(uint32_t *)(void *)(base + format->first) = at[5];
    uint64_t seen = 0;
    for (size_t i = HEADER; i < message->len;) {
        if (message->len - i < FIELD)
            return false;
        uint8_t tag = at[i];
        size_t len = get16(at + i + 1);
        i += FIELD;
        if (len > message->len - i)
            return false;
        const struct field *f = find_field(format, tag);
        if (f) {
            uint64_t bit = UINT64_C(1) << (tag & 63);
            if (seen & bit || !take_field(f, at + i, len, base))
                return false;
            seen |= bit;
        } else if (!(tag & OPTIONAL)) {
            return false;
        }
        i += len;
    }
    return true;
}

bool a2f_wire_get_request(const struct a2f_message *message,
                          struct a2f_request *request)
{
    *request = (struct a2f_request){.user = "",
                                    .password = "",
                                    .database = "",
                                    .params = "",
                                    .conf = "",
                                    .hash = ""};
    return get(&requests, message, request);
}

bool a2f_wire_get_reply(const struct a2f_message *message,
                        struct a2f_reply *reply)
{
    *reply = (struct a2f_reply){0};
    if (get(&replies, message, reply))
        return true;
    *reply = (struct a2f_reply){0};
    return false;
}
