/* SPDX-License-Identifier: MIT */
/*
 * A key file from anywhere: every line of one that is taken is a comment, a
 * key that is found under its id, or names the current one.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "keys.h"

static struct a2f_span word(struct fuzz_input *line)
{
    struct a2f_span w;

    while (line->left > 0 && (*line->at == ' ' || *line->at == '\t'))
        (void)fuzz_take_byte(line);
    w = (struct a2f_span){line->at, 0};
    while (w.len < line->left && line->at[w.len] != ' ' &&
           line->at[w.len] != '\t')
        w.len++;
    return fuzz_take_span(line, w.len);
}

static bool is(struct a2f_span a, const char *text, size_t len)
{
    return a.len == len && memcmp(a.data, text, len) == 0;
}

/* Looked up by the base64 of its id, as a PHC text has it; what is found has
 * that id and no other. */
static const struct a2f_key *find(const struct a2f_keys *keys,
                                  struct a2f_span id)
{
    char text[16];
    struct a2f_writer out = {text, sizeof text, 0};

    a2f_base64_write(&out, id);
    FUZZ_CHECK(a2f_write_end(&out));
    const struct a2f_key *key =
        a2f_keys_find(keys, (struct a2f_span){text, out.len});
    FUZZ_CHECK(key == NULL || is(id, key->id, strlen(key->id)));
    return key;
}

static void check_line(const struct a2f_keys *keys, struct a2f_span text,
                       size_t *n)
{
    char secret[1400];
    struct a2f_writer out = {secret, sizeof secret, 0};
    struct fuzz_input line = {text.data, text.len};
    struct a2f_span first = word(&line), second = word(&line);

    if (first.len == 0 || *(const char *)first.data == '#')
        return;
    FUZZ_CHECK(second.len > 0 && word(&line).len == 0);
    if (is(first, "current", 7)) {
        FUZZ_CHECK(a2f_keys_current(keys) == find(keys, second));
        return;
    }
    const struct a2f_key *key = find(keys, first);
    FUZZ_CHECK(key != NULL);
    (void)find(keys, (struct a2f_span){first.data, first.len - 1});
    FUZZ_CHECK(key->secret.len >= 16 && key->secret.len <= 1024);
    a2f_base64_write(&out, key->secret);
    FUZZ_CHECK(a2f_write_end(&out));
    while (second.len > out.len &&
           ((const char *)second.data)[second.len - 1] == '=')
        second.len--;
    FUZZ_CHECK(is(second, secret, out.len));
    ++*n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(0, (struct a2f_span){data, size});
    struct fuzz_input in = {data, size};
    struct a2f_keys *keys;
    struct a2f_why why;
    enum a2f_status s = a2f_keys_read(path, &keys, &why);
    size_t lines = 0, n = 0;

    while (in.left > 0) {
        struct a2f_span line = fuzz_take_line(&in);

        lines++;
        if (s == A2F_OK)
            check_line(keys, line, &n);
    }
    if (s == A2F_OK) {
        FUZZ_CHECK(n >= 1 && n <= 64);
        a2f_keys_free(keys);
        return 0;
    }
    FUZZ_CHECK(s == A2F_BAD_PARAM && keys == NULL);
    FUZZ_CHECK(why.what != NULL && why.value <= lines && why.max == 0);
    fuzz_check_why(s, &why);
    return 0;
}
