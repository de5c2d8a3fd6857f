/* SPDX-License-Identifier: MIT */
/* BLAKE2b and H' against tests/known/blake2b.txt, whole and in pieces. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "blake2b.h"
#include "support.h"

enum { BYTES = 2048 };

struct digest_case {
    char function[16];
    uint32_t out_len;
    size_t in_len;
    uint8_t in[BYTES], out[BYTES];
};

static bool next_case(FILE *file, struct digest_case *c)
{
    static char line[4 * BYTES], in[2 * BYTES], out[2 * BYTES];

    if (known_line(file, line, sizeof line) == NULL)
        return false;
    assert_int_equal(sscanf(line, "%15s %u %4095s %4095s", c->function,
                            &c->out_len, in, out),
                     4);
    c->in_len = hex_read(in, c->in, BYTES);
    assert_true(c->in_len <= BYTES);
    assert_int_equal(hex_read(out, c->out, BYTES), c->out_len);
    return true;
}

static void test_blake2b(void **state)
{
    FILE *file = known_open("blake2b.txt");
    static struct digest_case c;
    unsigned cases = 0;

    (void)state;
    while (next_case(file, &c)) {
        if (strcmp(c.function, "blake2b") != 0)
            continue;
        cases++;
        for (size_t piece = 1; piece <= c.in_len + 1; piece += 1 + piece / 3) {
            struct a2f_blake2b hash;
            uint8_t out[64];

            a2f_blake2b_init(&hash, c.out_len);
            for (size_t at = 0; at < c.in_len; at += piece)
                a2f_blake2b_update(&hash, c.in + at,
                                   piece < c.in_len - at ? piece
                                                         : c.in_len - at);
            a2f_blake2b_final(&hash, out);
            assert_memory_equal(out, c.out, c.out_len);
        }
    }
    fclose(file);
    assert_true(cases >= 50);
}

static void test_long(void **state)
{
    FILE *file = known_open("blake2b.txt");
    static struct digest_case c;
    unsigned cases = 0;

    (void)state;
    while (next_case(file, &c)) {
        /* of this very size, so that a sanitizer sees a byte too many */
        uint8_t *out = malloc(c.out_len);

        assert_non_null(out);
        if (strcmp(c.function, "long") == 0) {
            cases++;
            a2f_blake2b_long(out, c.out_len, c.in, c.in_len);
            assert_memory_equal(out, c.out, c.out_len);
        }
        free(out);
    }
    fclose(file);
    assert_true(cases >= 40);
}

static void test_empty_span(void **state)
{
    struct a2f_blake2b a, b;
    uint8_t x[32], y[32];

    (void)state;
    a2f_blake2b_init(&a, sizeof x);
    a2f_blake2b_init(&b, sizeof y);
    a2f_blake2b_update(&a, NULL, 0);
    a2f_blake2b_final(&a, x);
    a2f_blake2b_final(&b, y);
    assert_memory_equal(x, y, sizeof x);
}

static void test_state_is_wiped(void **state)
{
    static const struct a2f_blake2b zero;
    struct a2f_blake2b hash;
    uint8_t out[64];

    (void)state;
    a2f_blake2b_init(&hash, sizeof out);
    a2f_blake2b_update(&hash, "password", 8);
    a2f_blake2b_final(&hash, out);
    assert_memory_equal(&hash, &zero, sizeof hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blake2b),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_empty_span),
        cmocka_unit_test(test_state_is_wiped),
    };

    return RUN(tests);
}
