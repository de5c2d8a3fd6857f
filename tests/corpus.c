/* SPDX-License-Identifier: MIT */
/*
 * The texts of tests/known/phc.txt: each gets its verdict, and a refusal costs
 * next to no time and not one allocation (malloc, calloc, realloc and mmap of
 * this program are wrapped).
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "argon2fast.h"
#include "support.h"

enum { TEXT = 16384 };

/* What --wrap makes of the calls of all objects of this program. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_mmap(void *at, size_t size, int prot, int flags, int fd,
                  off_t offset);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_mmap(void *at, size_t size, int prot, int flags, int fd,
                  off_t offset);

static unsigned heap_calls, map_calls;

void *__wrap_malloc(size_t size)
{
    heap_calls++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    heap_calls++;
    return __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    heap_calls++;
    return __real_realloc(old, size);
}

void *__wrap_mmap(void *at, size_t size, int prot, int flags, int fd,
                  off_t offset)
{
    map_calls++;
    return __real_mmap(at, size, prot, flags, fd, offset);
}

static const struct {
    const char *name;
    enum a2f_status status;
} verdicts[] = {
    {"OK", A2F_OK},
    {"MISMATCH", A2F_MISMATCH},
    {"BAD_HASH", A2F_BAD_HASH},
    {"OVER_LIMIT", A2F_OVER_LIMIT},
    {"NO_KEY", A2F_NO_KEY},
};

enum { VERDICTS = sizeof verdicts / sizeof *verdicts, BAD_HASH = 2 };

struct text_case {
    size_t verdict;
    char canonical; /* '1', '0' or '-' */
    char text[TEXT];
    size_t len;
};

/* status TAB canonical TAB text with \xHH. */
static bool read_case(char *line, struct text_case *c)
{
    char *tab = strchr(line, '\t'), *in;

    if (tab == NULL || tab[1] == '\0' || tab[2] != '\t')
        return false;
    *tab = '\0';
    c->canonical = tab[1];
    c->verdict = 0;
    while (c->verdict < VERDICTS &&
           strcmp(line, verdicts[c->verdict].name) != 0)
        c->verdict++;
    c->len = 0;
    for (in = tab + 3; *in != '\0' && c->len < TEXT; in++) {
        uint8_t byte = (uint8_t)*in;

        if (byte == '\\') {
            const char digits[3] = {in[2], in[3], '\0'};

            if (hex_read(digits, &byte, 1) != 1)
                return false;
            in += 3;
        }
        c->text[c->len++] = (char)byte;
    }
    return c->verdict < VERDICTS && c->len < TEXT;
}

/* a2f_parse knows no ceilings, and sees what is canonical. */
static bool parse_agrees(const struct text_case *c)
{
    struct a2f_params params;
    bool canonical = true;
    enum a2f_status s = a2f_parse((struct a2f_span){c->text, c->len}, &params,
                                  &canonical, NULL);

    if (c->canonical == '-')
        return s == verdicts[c->verdict].status && !canonical &&
               params.memory_kib == 0;
    return s == A2F_OK && canonical == (c->canonical == '1');
}

static bool verify_agrees(struct a2f_engine *engine, const struct text_case *c)
{
    static const struct a2f_input input = {.password = {"password", 8}};
    /* of just this size, so that a sanitizer sees a read past its end */
    char *copy = malloc(c->len + 1);
    unsigned heap, maps;
    enum a2f_status s, wanted = verdicts[c->verdict].status;

    if (copy == NULL)
        return false;
    memcpy(copy, c->text, c->len);
    heap = heap_calls;
    maps = map_calls;
    s = a2f_verify(engine, (struct a2f_span){copy, c->len}, &input, NULL);
    heap = heap_calls - heap;
    maps = map_calls - maps;
    free(copy);
    if (s != wanted)
        tap_note("verify says: %s", a2f_status_text(s));
    /* a hash that is computed needs both: the counters do count */
    if (s == A2F_OK || s == A2F_MISMATCH)
        return s == wanted && heap > 0 && maps > 0;
    if (heap + maps > 0)
        tap_note("a refusal took %u + %u allocations", heap, maps);
    return s == wanted && heap + maps == 0;
}

/* A thousand times the worst that a stranger may send. */
static void check_time(struct a2f_engine *engine)
{
    static const char hostile[] =
        "$argon2id$v=19$m=4294967295,t=4294967295,p=16777215$AAAAAAAAAAA$"
        "AAAAAAAAAAAAAAAAAAAAAA";
    static char longest[A2F_TEXT_MAX - 1];
    static const struct a2f_input input = {.password = {"password", 8}};
    const struct a2f_span texts[] = {{hostile, sizeof hostile - 1},
                                     {longest, sizeof longest}};

    memset(longest, 'A', sizeof longest);
    memcpy(longest, hostile, sizeof hostile - 1);
    for (size_t i = 0; i < 2; i++) {
        double start = cpu_ms(), took;
        unsigned refused = 0;

        for (unsigned n = 0; n < 1000; n++)
            refused +=
                a2f_verify(engine, texts[i], &input, NULL) == A2F_OVER_LIMIT;
        took = cpu_ms() - start;
        tap_ok(refused == 1000 && took < 1000,
               "%zu characters of hostile text are refused in %.1f us",
               texts[i].len, took);
    }
}

int main(void)
{
    static struct text_case c;
    static char line[4 * TEXT];
    struct a2f_engine *engine = NULL;
    FILE *file = known_open("phc.txt");
    unsigned counts[VERDICTS] = {0}, number = 0;

    if (!tap_ok(a2f_new(NULL, &engine) == A2F_OK, "an engine"))
        return tap_done();
    while (known_line(file, line, sizeof line) != NULL) {
        bool understood = read_case(line, &c);

        number++;
        tap_ok(understood && verify_agrees(engine, &c) && parse_agrees(&c),
               "case %u: %s", number,
               understood ? verdicts[c.verdict].name : "not understood");
        counts[c.verdict % VERDICTS] += understood;
    }
    fclose(file);
    for (size_t i = 0; i < VERDICTS; i++)
        tap_ok(counts[i] >= (i == BAD_HASH ? 150 : 5), "%u cases of %s",
               counts[i], verdicts[i].name);
    check_time(engine);
    a2f_free(engine);
    return tap_done();
}
