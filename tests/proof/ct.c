/* SPDX-License-Identifier: MIT */
/*
 * No branch and no address of the core depends on a secret, outside what RFC
 * 9106 makes data-dependent. Runs under valgrind; see taint.h. The secrets are
 * password and pepper, and all that is made of them.
 */
#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "fill.h"
#include "phc.h"
#include "secret.h"
#include "support.h"
#include "taint.h"

#define TAG  32
#define SALT 16

/* ---- what RFC 9106 reveals ---- */

/* The kernel at work behind `revealing`, and whether the slice that is being
 * filled is a data-dependent one: always for Argon2d, after the first half of
 * the first pass for Argon2id. */
static const struct a2f_kernel *behind;
static bool dependent;

/* The one place where something secret is declared known: J1 || J2, the first
 * word of the block before (RFC 9106 sections 3.4.1.1 and 3.4.1.3). 8 of its
 * 1,024 bytes; everything else stays secret. Word 0 is first in any layout. */
static void declassify_address(struct a2f_block *block)
{
    VALGRIND_MAKE_MEM_DEFINED(&block->w[0], sizeof block->w[0]);
}

/* The kernel without its look ahead, which would use the address before it
 * could be declassified; that kernels agree with and without it is tested in
 * tests/kernels.c. */
static const struct a2f_block *revealing(const struct a2f_block *prev,
                                         const struct a2f_block *ref,
                                         struct a2f_block *next, bool xor_old,
                                         const struct a2f_view *view)
{
    behind->fill_block(prev, ref, next, xor_old, NULL);
    if (dependent)
        declassify_address(next);
    return view != NULL ? view->blocks + a2f_refer(view, next->w[0]) : NULL;
}

/* ---- a fill ---- */

struct trial {
    struct a2f_params params;
    struct a2f_fill fill;
    bool reveal;
    unsigned rounds; /* each is one slice: see start_trial */
};

/* Between two rounds: from here on addresses depend on the last blocks. */
static int after_round(void *ctx)
{
    struct trial *t = ctx;
    const struct a2f_matrix *m = &t->fill.matrix;

    t->rounds++;
    if (t->reveal && t->params.type == A2F_ID && t->rounds == 2) {
        dependent = true;
        for (uint64_t s = 0; s < m->strands; s++)
            declassify_address(m->blocks + (m->length / 2 - 1) * m->strands +
                               s);
    }
    return 0;
}

/* Seeds, and declassifies what Argon2d's first references need. */
static bool seed(struct trial *t, const struct a2f_input *input)
{
    const struct a2f_matrix *m = &t->fill.matrix;

    dependent = t->reveal && t->params.type == A2F_D;
    if (a2f_fill_seed(&t->fill, 0, &t->params, input) != A2F_OK)
        return false;
    if (dependent)
        for (uint64_t s = 0; s < m->strands; s++)
            declassify_address(m->blocks + m->strands + s);
    return true;
}

static uint8_t tag[TAG];

/* All of RFC 9106 section 3.2 with a secret password and pepper. */
static bool run_trial(const struct a2f_kernel *kernel, struct trial *t,
                      unsigned workers)
{
    char password[] = "correct horse", pepper[] = "white pepper";
    struct a2f_input input = {.password = {password, strlen(password)},
                              .salt = {"salt and more salt", SALT},
                              .secret = {pepper, strlen(pepper)}};
    const struct a2f_kernel wrapped = {kernel->name, kernel->width,
                                       kernel->needs, revealing};
    struct a2f_run run = {.poll = after_round, .poll_ctx = t};
    struct a2f_arena arena;
    bool good;

    if (!a2f_arena_reserve(&arena, a2f_fill_bytes(&t->params, 1), true))
        abort();
    hide(password, input.password.len);
    hide(pepper, input.secret.len);
    behind = kernel;
    t->rounds = 0;
    t->fill = (struct a2f_fill){
        .arena = &arena, .pool = a2f_pool_new(workers), .run = &run};
    a2f_fill_init(&t->fill, &wrapped, &t->params, 1);
    good = seed(t, &input) && a2f_fill_matrix(&t->fill) == A2F_OK &&
           t->rounds == t->params.passes * A2F_SLICES;
    a2f_fill_tag(&t->fill, 0, tag, TAG);
    a2f_pool_free(t->fill.pool);
    a2f_arena_wipe(&arena, 0, 1);
    a2f_arena_release(&arena);
    return good;
}

/* 200 columns to a segment: two address blocks, and one round to a slice. */
static struct trial start_trial(enum a2f_type type, uint32_t lanes)
{
    bool longer = getenv("PROOF_LONG") != NULL;

    return (struct trial){.params = {.type = type,
                                     .version = 0x13,
                                     .memory_kib = 4 * lanes * 200,
                                     .passes = longer ? 3 : 2,
                                     .lanes = lanes,
                                     .tag_len = TAG,
                                     .salt_len = SALT},
                          .reveal = true};
}

static void test_fill(const struct a2f_kernel *kernel, enum a2f_type type,
                      uint32_t lanes, unsigned workers)
{
    static const char *const names[] = {"argon2d", "argon2i", "argon2id"};
    struct trial t = start_trial(type, lanes);
    unsigned before = reports();
    bool done = run_trial(kernel, &t, workers);

    tap_ok(done && reports() == before && is_hidden(tag, TAG),
           "%s, %s, %u lanes, %u threads", kernel->name, names[type], lanes,
           workers + 1);
}

static void test_kernel(const struct a2f_kernel *kernel)
{
    uint32_t most = getenv("PROOF_LONG") != NULL ? 8 : 3;

    for (int type = A2F_D; type <= A2F_ID; type++)
        for (uint32_t lanes = 1; lanes <= most; lanes += 2)
            for (unsigned workers = 0; workers < lanes && workers < 2;
                 workers++)
                test_fill(kernel, (enum a2f_type)type, lanes, workers);
}

/* ---- tags ---- */

/* The PHC text of a tag; the length of all that stands before the tag. */
static size_t encode(const uint8_t raw[TAG], char *text, size_t size)
{
    const struct a2f_params params = {.type = A2F_ID,
                                      .version = 0x13,
                                      .memory_kib = 64,
                                      .passes = 1,
                                      .lanes = 1};
    const struct a2f_span salt = {"salt and more salt", SALT};

    if (a2f_encode(&params, salt, (struct a2f_span){raw, TAG}, text, size,
                   NULL) != A2F_OK)
        abort();
    return strlen("$argon2id$v=19$m=64,t=1,p=1$") + (SALT * 8 + 5) / 6 + 1;
}

static void test_comparison(const char *name, const uint8_t *x,
                            const uint8_t *y)
{
    unsigned before = reports();
    volatile bool verdict = a2f_equal(x, y, TAG);

    tap_ok(reports() == before && is_hidden((const void *)&verdict, 1),
           "comparing tags that %s", name);
}

static void test_tags(void)
{
    const size_t len = (TAG * 8 + 5) / 6;
    uint8_t raw[TAG], again[TAG], other[TAG];
    char text[256];
    unsigned before = reports();
    size_t at;

    memset(raw, 'x', sizeof raw);
    memset(other, 'y', sizeof other);
    hide(raw, sizeof raw);
    hide(other, sizeof other);
    at = encode(raw, text, sizeof text);
    tap_ok(reports() == before && is_hidden(text + at, len), "tag to base64");
    before = reports();
    a2f_base64_decode((struct a2f_span){text + at, len}, again);
    tap_ok(reports() == before && is_hidden(again, TAG), "tag from base64");
    test_comparison("are equal", raw, again);
    test_comparison("differ", raw, other);
}

/* ---- what must be reported ---- */

static volatile unsigned sink;
static const uint8_t table[256] = {1, 2, 3};

static __attribute__((noinline)) void branch(const uint8_t *secret)
{
    if (secret[0] > 1)
        sink++;
}

static __attribute__((noinline)) void look_up(const uint8_t *secret)
{
    sink += table[secret[0]];
}

static __attribute__((noinline)) void leave_early(const uint8_t *secret)
{
    for (size_t i = 0; i < TAG && secret[i] == table[i]; i++)
        sink++;
}

static void test_control(const char *name, void (*leak)(const uint8_t *))
{
    uint8_t secret[TAG] = {0};
    unsigned before = reports();

    hide(secret, sizeof secret);
    leak(secret);
    tap_ok(reports() > before, "control: %s is reported", name);
}

/* The dependence that RFC 9106 does ask for, when nothing is declassified. */
static void test_unrevealed(enum a2f_type type, const char *name)
{
    struct trial t = start_trial(type, 1);
    unsigned before = reports();

    t.reveal = false;
    (void)run_trial(a2f_kernel_find(NULL), &t, 0);
    tap_ok(reports() > before, "control: %s undeclared is reported", name);
}

int main(void)
{
    const struct a2f_kernel *kernel;

    if (!RUNNING_ON_VALGRIND) {
        puts("Bail out! not under valgrind");
        return 1;
    }
    for (size_t i = 0; (kernel = a2f_kernel_at(i)) != NULL; i++)
        if (a2f_kernel_usable(kernel))
            test_kernel(kernel);
        else
            tap_note("%s is not for the CPU that valgrind shows", kernel->name);
    test_tags();
    test_control("a branch", branch);
    test_control("a table", look_up);
    test_control("a comparison that ends early", leave_early);
    test_unrevealed(A2F_D, "argon2d");
    test_unrevealed(A2F_ID, "argon2id");
    return tap_done();
}
