/* SPDX-License-Identifier: MIT */
/*
 * A shadow file or a password file from anywhere, after a line with the name
 * that is looked up in it. The first line of that user is found, whatever is
 * around it, and nothing else.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "entry.h"

/* The same search without a buffer: the user's first line, newline included.
 */
static struct a2f_span find_line(struct a2f_span file, const char *user)
{
    struct fuzz_input in = {file.data, file.len};
    size_t len = strlen(user);

    while (in.left > 0) {
        const uint8_t *start = in.at;
        struct a2f_span line = fuzz_take_line(&in);

        if (line.len > len && memcmp(line.data, user, len) == 0 &&
            start[len] == ':')
            return (struct a2f_span){start, (size_t)(in.at - start)};
    }
    return (struct a2f_span){NULL, 0};
}

/* What no program should have written: it counts as locked. */
static bool is_odd(struct a2f_span line)
{
    const char *text = line.data, *colon = memchr(text, ':', line.len), *end;
    size_t len = line.len - (text[line.len - 1] == '\n');

    if (line.len > A2F_LINE_MAX || len >= A2F_LINE_MAX ||
        memchr(text, '\0', len) != NULL)
        return true;
    end = memchr(colon + 1, ':', len - (size_t)(colon + 1 - text));
    if (end == NULL)
        end = text + len;
    return end - (colon + 1) > A2F_HASH_MAX;
}

static void check_found(const struct a2f_entry *entry, struct a2f_span line,
                        const char *user)
{
    size_t skip = strlen(user) + 1, hash = strlen(entry->hash);
    const char *text = line.data;

    if (is_odd(line)) {
        FUZZ_CHECK(entry->scheme == A2F_SCHEME_LOCKED && hash == 0);
        return;
    }
    FUZZ_CHECK(entry->line_len == line.len - (text[line.len - 1] == '\n'));
    FUZZ_CHECK(memcmp(entry->line, text, entry->line_len) == 0 &&
               entry->line[entry->line_len] == '\0');
    FUZZ_CHECK(memcmp(entry->hash, text + skip, hash) == 0);
    FUZZ_CHECK(strchr(":", entry->line[skip + hash]) != NULL);
    FUZZ_CHECK(entry->scheme != A2F_SCHEME_NONE);
    FUZZ_CHECK((entry->scheme == A2F_SCHEME_EMPTY) == (hash == 0));
    FUZZ_CHECK((entry->scheme == A2F_SCHEME_LOCKED) ==
               (*entry->hash == '!' || *entry->hash == '*'));
    FUZZ_CHECK((entry->scheme == A2F_SCHEME_ARGON2) ==
               (strncmp(entry->hash, "$argon2", 7) == 0));
    FUZZ_CHECK(fuzz_printable(a2f_scheme_name(entry->hash)));
}

/* The same line with the ageing fields of shadow(5). */
static void check_shadow(const struct a2f_entry *entry)
{
    struct a2f_line line = {
        .text = fuzz_copy((struct a2f_span){entry->line, entry->line_len}),
        .len = entry->line_len,
        .first = true,
        .last = true};
    struct a2f_entry shadow;

    a2f_entry_read(&line, true, &shadow);
    FUZZ_CHECK(shadow.scheme == entry->scheme &&
               strcmp(shadow.hash, entry->hash) == 0 &&
               strcmp(shadow.line, entry->line) == 0);
    FUZZ_CHECK(entry->ageing == A2F_AGE_FREE &&
               shadow.ageing <= A2F_AGE_EXPIRED);
    free(line.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    char *user = fuzz_take_string(&in);
    struct a2f_span file = {in.at, in.left};
    struct a2f_span line = find_line(file, user);
    struct a2f_entry entry;
    enum a2f_found found = a2f_entry_find(fuzz_file(0, file), user, &entry);

    FUZZ_CHECK(found != A2F_UNREADABLE);
    FUZZ_CHECK((found == A2F_FOUND) == (line.len > 0 && a2f_user_valid(user)));
    if (found == A2F_FOUND) {
        check_found(&entry, line, user);
        check_shadow(&entry);
    } else {
        FUZZ_CHECK(entry.scheme == A2F_SCHEME_NONE);
    }
    free(user);
    return 0;
}
