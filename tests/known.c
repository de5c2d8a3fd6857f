/* SPDX-License-Identifier: MIT */
/*
 * The known answers of tests/known, on every kernel this CPU can run and with
 * one to four threads: the tag may depend on neither. With A2F_BRIEF set, each
 * kernel has one number of threads.
 */
#include <stdlib.h>
#include <string.h>

#include "argon2fast.h"
#include "support.h"

enum { FIELDS = 5, PASSWORD = 0, SALT, SECRET, AD, TAG, BYTES = 8192 };

/* One line of a file; struct input's spans point into bytes. */
struct known_case {
    struct a2f_params params;
    struct a2f_input input;
    struct a2f_span tag;
    uint8_t bytes[FIELDS][BYTES];
};

static enum a2f_type read_type(const char *name)
{
    return strcmp(name, "d") == 0   ? A2F_D
           : strcmp(name, "i") == 0 ? A2F_I
                                    : A2F_ID;
}

static bool read_case(char *line, struct known_case *c)
{
    char *words[5 + FIELDS], *save = NULL;
    struct a2f_span *spans[FIELDS] = {&c->input.password, &c->input.salt,
                                      &c->input.secret, &c->input.ad, &c->tag};

    for (size_t i = 0; i < 5 + FIELDS; i++) {
        words[i] = strtok_r(i == 0 ? line : NULL, " ", &save);
        if (words[i] == NULL)
            return false;
    }
    c->params = (struct a2f_params){
        .type = read_type(words[0]),
        .version = (uint32_t)strtoul(words[1], NULL, 0),
        .memory_kib = (uint32_t)strtoul(words[2], NULL, 10),
        .passes = (uint32_t)strtoul(words[3], NULL, 10),
        .lanes = (uint32_t)strtoul(words[4], NULL, 10),
    };
    for (size_t i = 0; i < FIELDS; i++) {
        size_t len = hex_read(words[5 + i], c->bytes[i], BYTES);

        if (len == SIZE_MAX)
            return false;
        *spans[i] = (struct a2f_span){c->bytes[i], len};
    }
    c->params.tag_len = (uint32_t)c->tag.len;
    return true;
}

/* All cases of a file; at_least is how many there must be. */
static void check_file(const char *name, unsigned at_least,
                       struct a2f_engine *engine, unsigned threads)
{
    static struct known_case c;
    static char line[4 * BYTES];
    uint8_t tag[BYTES];
    FILE *file = known_open(name);
    unsigned cases = 0, bad = 0;
    const struct a2f_run run = {.threads = threads};

    while (known_line(file, line, sizeof line) != NULL) {
        enum a2f_status s;

        cases++;
        if (!read_case(line, &c)) {
            bad++;
            tap_note("%s, case %u: not understood", name, cases);
            continue;
        }
        s = a2f_derive(engine, &c.params, &c.input, tag, &run);
        if (s != A2F_OK || memcmp(tag, c.tag.data, c.tag.len) != 0) {
            bad++;
            tap_note("%s, case %u: %s", name, cases,
                     s == A2F_OK ? "another tag" : a2f_status_text(s));
        }
    }
    fclose(file);
    tap_ok(bad == 0 && cases >= at_least,
           "%s: %u cases, kernel %s, %u threads, %u wrong", name, cases,
           a2f_kernel_name(engine, 0), threads, bad);
}

int main(void)
{
    const char *kernel = NULL, *brief = getenv("A2F_BRIEF");

    for (size_t i = 0; (kernel = a2f_kernel_name(NULL, i)) != NULL; i++) {
        struct a2f_config config = {
            .threads = 4, .kernel = kernel, .limits = {.tag = UINT32_MAX}};
        struct a2f_engine *engine = NULL;

        if (!tap_ok(a2f_new(&config, &engine) == A2F_OK, "engine with %s",
                    kernel))
            continue;
        for (unsigned threads = 1; threads <= 4; threads++) {
            if (brief != NULL && *brief != '\0' && threads != 2 + i % 3)
                continue;
            check_file("rfc9106.txt", 3, engine, threads);
            check_file("costs.txt", 290, engine, threads);
            check_file("lengths.txt", 200, engine, threads);
        }
        a2f_free(engine);
    }
    return tap_done();
}
