/* SPDX-License-Identifier: MIT */
/*
 * Every kernel of this build that this CPU can run, against the scalar one:
 * random and extreme blocks, every place of a block against an unmapped page,
 * every aliasing, xor, with and without a view. `--bench` measures them.
 * A2F_REQUIRE=avx512,avx2 makes it a failure when one of these cannot run.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "simd/kernel.h"
#include "support.h"

#define ROUNDS 2000

/* Word order of kernel and RFC. */
static void to_layout(struct a2f_block *out, const struct a2f_block *in,
                      unsigned width)
{
    for (unsigned i = 0; i < A2F_BLOCK_WORDS; i++)
        out->w[a2f_block_pos(width, i)] = in->w[i];
}

/* Carries and products show at the ends of the range of a word, and a block of
 * one value shows what mixes up places. */
static void random_block(struct a2f_block *block)
{
    static const uint64_t extreme[] = {0,
                                       UINT64_MAX,
                                       1,
                                       (uint64_t)1 << 63,
                                       UINT32_MAX,
                                       UINT64_MAX << 32,
                                       0x8000000080000000,
                                       0x7fffffff7fffffff};
    unsigned kind = random_range(0, 3);
    uint64_t word = extreme[random_range(0, 7)];

    for (unsigned i = 0; i < A2F_BLOCK_WORDS; i++)
        block->w[i] = kind == 0   ? word
                      : kind == 1 ? extreme[random_range(0, 7)]
                                  : random_u64();
    if (kind == 2) /* one bit among zeroes */
        for (unsigned i = 0; i < A2F_BLOCK_WORDS; i++)
            block->w[i] = i == word % 128 ? (uint64_t)1 << (word % 61) : 0;
}

/* A place of a pass; a view for the scalar's and the kernel's blocks alike:
 * nothing is read there. */
static struct a2f_view random_view(const struct a2f_block *blocks)
{
    struct a2f_view view = {.blocks = blocks};
    struct a2f_place at = {.pass = random_range(0, 2),
                           .slice = random_range(0, 3)};
    uint32_t lanes = random_range(1, 9);

    view.stride = lanes * random_range(1, 3);
    view.lane = random_range(0, lanes - 1);
    view.length = 4 * random_range(3, 1000);
    at.index = random_range(at.pass == 0 && at.slice == 0 ? 2 : 0,
                            view.length / 4 - 1);
    a2f_view_move(&view, lanes, at);
    return view;
}

/* How next shares memory with its sources. */
enum alias { APART, NEXT_IS_PREV, NEXT_IS_REF, ALL_ONE, ALIASES };

/* One block by the kernel, in the slots' memory, and by scalar. */
static bool agrees(const struct a2f_kernel *kernel, struct a2f_block *slots[3],
                   enum alias alias, bool xor, bool look)
{
    struct a2f_block in[3], out, expected;
    struct a2f_block *prev = slots[0], *ref = slots[1], *next = slots[2];
    const struct a2f_block *got, *wanted;
    struct a2f_view view = random_view(slots[0]);

    for (unsigned i = 0; i < 3; i++)
        random_block(&in[i]);
    if (alias == NEXT_IS_REF || alias == ALL_ONE) {
        ref = next;
        in[1] = in[2];
    }
    if (alias == NEXT_IS_PREV || alias == ALL_ONE) {
        prev = next;
        in[0] = in[2];
    }
    to_layout(prev, &in[0], kernel->width);
    to_layout(ref, &in[1], kernel->width);
    to_layout(next, &in[2], kernel->width);
    got = kernel->fill_block(prev, ref, next, xor, look ? &view : NULL);
    out = *next;
    a2f_fill_block_scalar(&in[0], &in[1], &in[2], xor, NULL);
    to_layout(&expected, &in[2], kernel->width);
    wanted = look ? view.blocks + a2f_refer(&view, in[2].w[0]) : NULL;
    if (memcmp(&out, &expected, sizeof out) != 0 || got != wanted)
        return false;
    /* Sources that are not the target are only read. */
    for (unsigned i = 0; i < 2; i++) {
        if ((i == 0 ? prev : ref) == next)
            continue;
        to_layout(&expected, &in[i], kernel->width);
        if (memcmp(slots[i], &expected, sizeof expected) != 0)
            return false;
    }
    return true;
}

/* Memory for three blocks, each between two unmapped pages. */
static unsigned char *guarded[3];
static size_t page;

static void make_guarded(void)
{
    page = (size_t)sysconf(_SC_PAGESIZE);
    for (unsigned i = 0; i < 3; i++) {
        unsigned char *at =
            mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        if (at == MAP_FAILED ||
            mprotect(at + page, page, PROT_READ | PROT_WRITE) != 0) {
            printf("Bail out! no memory\n");
            exit(1);
        }
        guarded[i] = at + page;
    }
}

/* Block i at every 64-byte offset of its page, the last one against the
 * page that is not there; so is the first. */
static void test_offsets(const struct a2f_kernel *kernel)
{
    size_t places = (page - A2F_BLOCK_BYTES) / 64 + 1;
    unsigned bad = 0;

    for (size_t place = 0; place < places; place++)
        for (unsigned variant = 0; variant < 4 * ALIASES; variant++) {
            struct a2f_block *slots[3];

            for (size_t i = 0; i < 3; i++)
                slots[i] = (void *)(guarded[i] + (place + i * 7) % places * 64);
            bad +=
                !agrees(kernel, slots, variant / 4, variant & 1, variant & 2);
        }
    tap_ok(bad == 0, "%s: %zu places against a guard page, %u differ",
           kernel->name, places, bad);
}

static void test_blocks(const struct a2f_kernel *kernel)
{
    static const char *const names[ALIASES] = {"apart", "next is prev",
                                               "next is ref", "all one"};
    struct a2f_block *slots[3] = {(void *)guarded[0], (void *)guarded[1],
                                  (void *)guarded[2]};

    for (unsigned variant = 0; variant < 4 * ALIASES; variant++) {
        unsigned bad = 0;

        for (unsigned i = 0; i < ROUNDS; i++)
            bad +=
                !agrees(kernel, slots, variant / 4, variant & 1, variant & 2);
        tap_ok(bad == 0, "%s: %s%s%s", kernel->name, names[variant / 4],
               variant & 1 ? ", xor" : "", variant & 2 ? ", with a view" : "");
    }
}

/* Whether `name` is one of the words of A2F_REQUIRE; NULL: how many words. */
static unsigned required(const char *name)
{
    const char *list = getenv("A2F_REQUIRE");
    unsigned words = 0;

    while (list != NULL && *list != '\0') {
        size_t len = strcspn(list, ",");

        if (len > 0 && name == NULL)
            words++;
        else if (len > 0 && strlen(name) == len && memcmp(name, list, len) == 0)
            return 1;
        list += len + (list[len] == ',');
    }
    return words;
}

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The best of 25 runs over blocks that stay in the L1 and L2 caches, each
 * block the source of the next. */
static void bench(const struct a2f_kernel *kernel)
{
    enum { BLOCKS = 32, CHAIN = 8192 };
    static struct a2f_block blocks[BLOCKS];
    double best = 1e18;

    for (unsigned i = 0; i < BLOCKS; i++)
        random_block(&blocks[i]);
    for (unsigned run = 0; run < 25; run++) {
        double start = now_ns(), took;

        for (unsigned i = 0; i < CHAIN; i++)
            kernel->fill_block(&blocks[i % BLOCKS],
                               &blocks[(i * 7 + 3) % BLOCKS],
                               &blocks[(i + 1) % BLOCKS], false, NULL);
        took = (now_ns() - start) / CHAIN;
        best = took < best ? took : best;
    }
    printf("%-10s %7.1f ns/block\n", kernel->name, best);
}

int main(int argc, char **argv)
{
    bool benching = argc == 2 && strcmp(argv[1], "--bench") == 0;
    const struct a2f_kernel *kernel = NULL, *last = NULL;
    unsigned found = 0;

    random_start();
    make_guarded();
    for (size_t i = 0; (kernel = a2f_kernel_at(i)) != NULL; i++) {
        last = kernel;
        found += required(kernel->name);
        if (!a2f_kernel_usable(kernel)) {
            tap_note("%s: not on this CPU", kernel->name);
            if (required(kernel->name))
                tap_ok(false, "%s is usable", kernel->name);
        } else if (benching) {
            bench(kernel);
        } else {
            test_offsets(kernel);
            test_blocks(kernel);
            tap_ok(a2f_kernel_check(kernel), "%s: its self-check",
                   kernel->name);
            tap_ok(a2f_kernel_find(kernel->name) == kernel,
                   "%s is found by its name", kernel->name);
        }
    }
    if (benching)
        return 0;
    tap_ok(last != NULL && strcmp(last->name, "scalar") == 0,
           "the last kernel is scalar");
    tap_ok(a2f_kernel_find("no such kernel") == NULL, "an unknown name");
    tap_ok(a2f_kernel_find(NULL) != NULL, "a kernel is chosen");
    tap_ok(found == required(NULL), "every word of A2F_REQUIRE is a kernel");
    return tap_done();
}
