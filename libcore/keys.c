/* SPDX-License-Identifier: MIT */
/* Pepper keys and the file they come from; see keys.h. */
#include "keys.h"

#include <string.h>

#include "base64.h"
#include "params.h"
#include "sys.h"
#include "text.h"

#define KEYS_MAX   64
#define FILE_MAX   65536
#define SECRET_MIN 16
#define SECRET_MAX 1024

struct a2f_keys {
    struct a2f_key key[KEYS_MAX];
    size_t n;
    const struct a2f_key *current;
    char file[FILE_MAX + 1]; /* secrets are decoded where they were read */
};

/* What is to be refused is one line's; or, with 0, the whole file's. */
struct scan {
    struct a2f_keys *keys;
    struct a2f_why *why;
    size_t line;
    struct a2f_span current; /* the id; data NULL: not met yet */
    size_t current_line;
};

static enum a2f_status wrong(const struct scan *scan, const char *what)
{
    return a2f_refuse(A2F_BAD_PARAM, scan->why, what, scan->line, 0, 0);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static struct a2f_span next_word(struct a2f_reader *in)
{
    const char *start;

    while (in->at < in->end && is_blank(*in->at))
        in->at++;
    start = in->at;
    while (in->at < in->end && !is_blank(*in->at))
        in->at++;
    return (struct a2f_span){start, (size_t)(in->at - start)};
}

static bool is_id(struct a2f_span word)
{
    const char *c = word.data;

    for (size_t i = 0; i < word.len; i++)
        if (!((c[i] >= 'A' && c[i] <= 'Z') || (c[i] >= 'a' && c[i] <= 'z') ||
              (c[i] >= '0' && c[i] <= '9') || c[i] == '.' || c[i] == '_' ||
              c[i] == '-'))
            return false;
    return word.len >= 1 && word.len <= A2F_KEYID_MAX;
}

static const struct a2f_key *find(const struct a2f_keys *keys,
                                  struct a2f_span id)
{
    for (const struct a2f_key *k = keys->key; k < keys->key + keys->n; k++)
        if (strlen(k->id) == id.len && memcmp(k->id, id.data, id.len) == 0)
            return k;
    return NULL;
}

static enum a2f_status add_key(struct scan *scan, struct a2f_span id,
                               struct a2f_span secret)
{
    struct a2f_keys *keys = scan->keys;
    struct a2f_key *key = &keys->key[keys->n];
    uint8_t *bytes = (uint8_t *)keys->file +
                     ((const char *)secret.data - (const char *)keys->file);

    if (!is_id(id))
        return wrong(scan, "id in the key file");
    if (find(keys, id) != NULL)
        return wrong(scan, "repeated id in the key file");
    if (!a2f_base64_unpad(&secret))
        return wrong(scan, "base64 in the key file");
    if (a2f_base64_bytes(secret.len) < SECRET_MIN ||
        a2f_base64_bytes(secret.len) > SECRET_MAX)
        return wrong(scan, "length of a secret in the key file");
    if (keys->n == KEYS_MAX)
        return wrong(scan, "one key too many in the key file");
    memcpy(key->id, id.data, id.len);
    a2f_base64_decode(secret, bytes);
    key->secret =
        (struct a2f_span){bytes, (size_t)a2f_base64_bytes(secret.len)};
    keys->n++;
    return A2F_OK;
}

static enum a2f_status read_line(struct scan *scan, struct a2f_reader line)
{
    static const char directive[] = "current";
    struct a2f_span first = next_word(&line), second = next_word(&line);

    if (first.len == 0 || *(const char *)first.data == '#')
        return A2F_OK;
    if (second.len == 0 || next_word(&line).len > 0)
        return wrong(scan, "not two words in the key file");
    if (first.len != sizeof directive - 1 ||
        memcmp(first.data, directive, first.len) != 0)
        return add_key(scan, first, second);
    if (scan->current.data != NULL)
        return wrong(scan, "repeated current in the key file");
    scan->current = second;
    scan->current_line = scan->line;
    return A2F_OK;
}

static enum a2f_status read_lines(struct scan *scan, size_t len)
{
    struct a2f_reader line = {scan->keys->file, NULL};
    const char *end = line.at + len;

    while (line.at < end) {
        const char *newline = memchr(line.at, '\n', (size_t)(end - line.at));
        enum a2f_status s;

        line.end = newline != NULL ? newline : end;
        scan->line++;
        s = read_line(scan, line);
        if (s != A2F_OK)
            return s;
        line.at = newline != NULL ? newline + 1 : end;
    }
    scan->line = 0;
    if (scan->keys->n == 0)
        return wrong(scan, "no key in the key file");
    if (scan->current.data == NULL)
        return A2F_OK;
    scan->keys->current = find(scan->keys, scan->current);
    scan->line = scan->current_line;
    return scan->keys->current != NULL
               ? A2F_OK
               : wrong(scan, "unknown id in the key file");
}

enum a2f_status a2f_keys_read(const char *path, struct a2f_keys **keys,
                              struct a2f_why *why)
{
    struct scan scan = {.why = why};
    const char *fault;
    size_t len = 0;
    enum a2f_status s;

    *keys = NULL;
    a2f_why_clear(why);
    scan.keys = a2f_sys_alloc(sizeof *scan.keys);
    if (scan.keys == NULL)
        return A2F_NO_MEMORY;
    fault =
        a2f_sys_key_file(path, scan.keys->file, sizeof scan.keys->file, &len);
    if (fault == NULL && len > FILE_MAX)
        fault = "key file that is too large";
    s = fault != NULL ? wrong(&scan, fault) : read_lines(&scan, len);
    if (s == A2F_OK)
        *keys = scan.keys;
    else
        a2f_keys_free(scan.keys);
    return s;
}

void a2f_keys_free(struct a2f_keys *keys)
{
    a2f_sys_free(keys, sizeof *keys);
}

const struct a2f_key *a2f_keys_current(const struct a2f_keys *keys)
{
    return keys != NULL ? keys->current : NULL;
}

const struct a2f_key *a2f_keys_find(const struct a2f_keys *keys,
                                    struct a2f_span keyid)
{
    uint8_t id[A2F_KEYID_MAX];
    size_t len = (size_t)a2f_base64_bytes(keyid.len);

    if (keys == NULL || len > sizeof id)
        return NULL;
    a2f_base64_decode(keyid, id);
    return find(keys, (struct a2f_span){id, len});
}
