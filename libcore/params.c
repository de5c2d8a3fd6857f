/* SPDX-License-Identifier: MIT */
/* Ranges (RFC 9106 section 3.1), ceilings, presets and the params string. */
#include "params.h"

#include <string.h>

#include "text.h"

/* Argon2id of this cost, with the lengths RFC 9106 section 4 recommends. */
#define COST(m, t, p)                                                          \
    {                                                                          \
        A2F_ID, A2F_VERSION_13, m, t, p, 32, 16                                \
    }
/* RFC 9106 section 4, the second and the first recommended option. */
#define RFC9106      COST(65536, 3, 4)
#define RFC9106_HIGH COST(2097152, 1, 4)

const struct a2f_params a2f_params_default = RFC9106;

static const struct preset {
    const char *name;
    struct a2f_params params;
} presets[] = {
    {"default", RFC9106},
    {"rfc9106", RFC9106},
    {"rfc9106-high", RFC9106_HIGH},
    {"owasp", COST(19456, 2, 1)},
};

static const struct a2f_limits default_limits = {
    .memory_kib = 262144,
    .passes = 64,
    .lanes = 16,
    .work = 4194304,
    .password = 65536,
    .salt = 1024,
    .secret = 1024,
    .ad = 65536,
    .tag = 1024,
    .text = A2F_TEXT_MAX - 1,
};

struct a2f_limits a2f_limits_resolve(const struct a2f_limits *limits)
{
    struct a2f_limits r = *limits;

#define OR_DEFAULT(member)                                                     \
    r.member = r.member ? r.member : default_limits.member
    OR_DEFAULT(memory_kib);
    OR_DEFAULT(passes);
    OR_DEFAULT(lanes);
    OR_DEFAULT(work);
    OR_DEFAULT(password);
    OR_DEFAULT(salt);
    OR_DEFAULT(secret);
    OR_DEFAULT(ad);
    OR_DEFAULT(tag);
    OR_DEFAULT(text);
#undef OR_DEFAULT
    return r;
}

enum a2f_status a2f_refuse(enum a2f_status status, struct a2f_why *why,
                           const char *what, uint64_t value, uint64_t min,
                           uint64_t max)
{
    if (why != NULL)
        *why = (struct a2f_why){what, value, min, max};
    return status;
}

/* One value and the range it may have. */
struct bound {
    const char *what;
    uint64_t value, min, max;
};

static enum a2f_status first_outside(const struct bound *bounds, size_t n,
                                     enum a2f_status status,
                                     struct a2f_why *why)
{
    for (const struct bound *b = bounds; b < bounds + n; b++)
        if (b->value < b->min || b->value > b->max)
            return a2f_refuse(status, why, b->what, b->value, b->min, b->max);
    return A2F_OK;
}

#define FIRST_OUTSIDE(bounds, status, why)                                     \
    first_outside(bounds, sizeof bounds / sizeof *bounds, status, why)

enum a2f_status a2f_params_check(const struct a2f_params *params,
                                 struct a2f_why *why)
{
    /* The one version to compare with: what lies between is none. */
    const uint32_t version =
        params->version > A2F_VERSION_10 ? A2F_VERSION_13 : A2F_VERSION_10;
    const struct bound bounds[] = {
        {"version", params->version, version, version},
        {"type", (uint64_t)params->type, A2F_D, A2F_ID},
        {"lanes", params->lanes, 1, A2F_LANES_MAX},
        {"passes", params->passes, 1, UINT32_MAX},
        {"memory_kib", params->memory_kib, 8 * (uint64_t)params->lanes,
         UINT32_MAX},
        {"salt", params->salt_len, A2F_SALT_MIN, UINT32_MAX},
        {"tag", params->tag_len, A2F_TAG_MIN, UINT32_MAX},
    };

    return FIRST_OUTSIDE(bounds, A2F_BAD_PARAM, why);
}

enum a2f_status a2f_params_limit(const struct a2f_params *params,
                                 const struct a2f_limits *limits,
                                 struct a2f_why *why)
{
    const struct bound bounds[] = {
        {"memory_kib", params->memory_kib, 0, limits->memory_kib},
        {"passes", params->passes, 0, limits->passes},
        {"lanes", params->lanes, 0, limits->lanes},
        {"work", (uint64_t)params->memory_kib * params->passes, 0,
         limits->work},
        {"salt", params->salt_len, 0, limits->salt},
        {"tag", params->tag_len, 0, limits->tag},
    };

    return FIRST_OUTSIDE(bounds, A2F_OVER_LIMIT, why);
}

enum a2f_status a2f_input_check(const struct a2f_input *input,
                                const struct a2f_limits *limits,
                                struct a2f_why *why)
{
    const struct bound possible[] = {
        {"password", input->password.len, 0, UINT32_MAX},
        {"salt", input->salt.len, 0, UINT32_MAX},
        {"secret", input->secret.len, 0, UINT32_MAX},
        {"ad", input->ad.len, 0, UINT32_MAX},
    };
    const struct bound allowed[] = {
        {"password", input->password.len, 0, limits->password},
        {"secret", input->secret.len, 0, limits->secret},
        {"ad", input->ad.len, 0, limits->ad},
    };
    enum a2f_status s = FIRST_OUTSIDE(possible, A2F_BAD_PARAM, why);

    return s == A2F_OK ? FIRST_OUTSIDE(allowed, A2F_OVER_LIMIT, why) : s;
}

const char *a2f_type_name(enum a2f_type type)
{
    return type == A2F_D ? "d" : type == A2F_I ? "i" : "id";
}

bool a2f_type_read(const char *text, size_t len, enum a2f_type *type)
{
    for (int t = A2F_D; t <= A2F_ID; t++) {
        const char *name = a2f_type_name((enum a2f_type)t);

        if (strlen(name) == len && memcmp(name, text, len) == 0) {
            *type = (enum a2f_type)t;
            return true;
        }
    }
    return false;
}

/* The keys of a params string. `type` is the one that is not a number. */
enum { KEY_M, KEY_T, KEY_P, KEY_TYPE, KEY_V, KEY_SALTLEN, KEY_LEN, KEYS };

static const char *const key_words[KEYS] = {
    "m=", "t=", "p=", "type=", "v=", "saltlen=", "len="};

/* Reads one key=value; the key's number, or KEYS when it is none of ours. */
static int read_pair(struct a2f_reader *in, struct a2f_params *params,
                     bool *value_ok)
{
    uint32_t *numbers[KEYS] = {
        &params->memory_kib, &params->passes,   &params->lanes,  NULL,
        &params->version,    &params->salt_len, &params->tag_len};
    int key = 0;
    const char *comma;

    while (key < KEYS && !a2f_read_word(in, key_words[key]))
        key++;
    if (key == KEYS)
        return KEYS;
    if (key != KEY_TYPE) {
        *value_ok = a2f_read_decimal(in, numbers[key]);
    } else {
        comma = memchr(in->at, ',', (size_t)(in->end - in->at));
        if (comma == NULL)
            comma = in->end;
        *value_ok =
            a2f_type_read(in->at, (size_t)(comma - in->at), &params->type);
        in->at = comma;
    }
    return key;
}

static enum a2f_status read_pairs(struct a2f_reader *in,
                                  struct a2f_params *params,
                                  struct a2f_why *why)
{
    static const char *const wrong_values[KEYS] = {
        "value of m", "value of t",       "value of p",  "value of type",
        "value of v", "value of saltlen", "value of len"};
    const unsigned required = 1u << KEY_M | 1u << KEY_T | 1u << KEY_P;
    unsigned seen = 0;

    for (;;) {
        bool value_ok = false;
        int key = read_pair(in, params, &value_ok);

        if (key == KEYS)
            return a2f_refuse(A2F_BAD_PARAM, why, "unknown key in params", 0, 0,
                              0);
        if (seen & 1u << key)
            return a2f_refuse(A2F_BAD_PARAM, why, "repeated key in params", 0,
                              0, 0);
        seen |= 1u << key;
        if (!value_ok || (in->at < in->end && *in->at != ','))
            return a2f_refuse(A2F_BAD_PARAM, why, wrong_values[key], 0, 0, 0);
        if (in->at == in->end)
            break;
        in->at++;
    }
    if ((seen & required) != required)
        return a2f_refuse(A2F_BAD_PARAM, why, "m, t or p missing in params", 0,
                          0, 0);
    return A2F_OK;
}

enum a2f_status a2f_params_read(struct a2f_span text, struct a2f_params *params,
                                struct a2f_why *why)
{
    struct a2f_reader in = {text.data, text.data};
    enum a2f_status s;

    a2f_why_clear(why);
    *params = a2f_params_default;
    if (text.data == NULL)
        return A2F_OK;
    in.end += text.len;
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        if (strlen(presets[i].name) == text.len &&
            memcmp(presets[i].name, text.data, text.len) == 0) {
            *params = presets[i].params;
            return A2F_OK;
        }
    s = read_pairs(&in, params, why);
    if (s == A2F_OK)
        s = a2f_params_check(params, why);
    if (s != A2F_OK)
        memset(params, 0, sizeof *params);
    return s;
}

enum a2f_status a2f_params_write(const struct a2f_params *params, char *text,
                                 size_t size)
{
    const struct a2f_params *d = &a2f_params_default;
    struct a2f_writer out = {text, size, 0};
    const struct {
        int key;
        uint32_t value;
        bool wanted;
    } numbers[] = {
        {KEY_V, params->version, params->version != d->version},
        {KEY_SALTLEN, params->salt_len, params->salt_len != d->salt_len},
        {KEY_LEN, params->tag_len, params->tag_len != d->tag_len},
    };

    a2f_write(&out, "m=");
    a2f_write_decimal(&out, params->memory_kib);
    a2f_write(&out, ",t=");
    a2f_write_decimal(&out, params->passes);
    a2f_write(&out, ",p=");
    a2f_write_decimal(&out, params->lanes);
    if (params->type != d->type) {
        a2f_write(&out, ",type=");
        a2f_write(&out, a2f_type_name(params->type));
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (!numbers[i].wanted)
            continue;
        a2f_write_char(&out, ',');
        a2f_write(&out, key_words[numbers[i].key]);
        a2f_write_decimal(&out, numbers[i].value);
    }
    if (a2f_write_end(&out))
        return A2F_OK;
    if (size > 0)
        text[0] = '\0';
    return A2F_BAD_PARAM;
}
