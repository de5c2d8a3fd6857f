/* SPDX-License-Identifier: MIT */
/*
 * A whole fill against the naive Argon2: jobs, threads, polls, cancelling at
 * every poll, and what is counted as written.
 */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "fill.h"
#include "support.h"

static const struct a2f_input inputs[] = {
    {.password = {"one", 3}, .salt = {"saltsalt", 8}},
    {.password = {"two", 3}, .salt = {"pepperpepper", 12}, .ad = {"x", 1}},
    {.salt = {"saltsaltsalt", 12}, .secret = {"key", 3}},
};

struct polls {
    unsigned made, stop_at; /* 0: never */
};

static int poll(void *ctx)
{
    struct polls *polls = ctx;

    polls->made++;
    return polls->made == polls->stop_at;
}

/* Everything a fill needs, for the fastest kernel. */
struct fixture {
    struct a2f_arena arena;
    struct polls polls;
    struct a2f_run run;
    struct a2f_fill fill;
};

static void start(struct fixture *f, const struct a2f_params *params,
                  size_t jobs, unsigned workers)
{
    size_t bytes = a2f_fill_bytes(params, jobs);

    memset(f, 0, sizeof *f);
    f->run.poll = poll;
    f->run.poll_ctx = &f->polls;
    assert_true(bytes > 0);
    assert_true(a2f_arena_reserve(&f->arena, bytes, false));
    f->fill.arena = &f->arena;
    f->fill.run = &f->run;
    f->fill.pool = a2f_pool_new(workers);
    a2f_fill_init(&f->fill, a2f_kernel_find(NULL), params, jobs);
}

static void end(struct fixture *f)
{
    a2f_pool_free(f->fill.pool);
    a2f_arena_release(&f->arena);
}

static enum a2f_status run_all(struct fixture *f,
                               const struct a2f_params *params, size_t jobs)
{
    enum a2f_status s = A2F_OK;

    for (size_t job = 0; job < jobs && s == A2F_OK; job++)
        s = a2f_fill_seed(&f->fill, job, params, &inputs[job]);
    return s == A2F_OK ? a2f_fill_matrix(&f->fill) : s;
}

static void check_fill(const struct a2f_params *params, size_t jobs,
                       unsigned workers)
{
    struct fixture f;

    start(&f, params, jobs, workers);
    assert_int_equal(run_all(&f, params, jobs), A2F_OK);
    assert_int_equal(f.arena.written, a2f_fill_bytes(params, jobs));
    for (size_t job = 0; job < jobs; job++) {
        struct naive naive = naive_start(params, &inputs[job]);
        uint8_t ours[100], wanted[100];

        for (uint32_t pass = 0; pass < params->passes; pass++)
            naive_pass(&naive, pass);
        assert_true(
            matrix_agrees(&f.fill.matrix, job, &naive, params->passes - 1));
        a2f_fill_tag(&f.fill, job, ours, params->tag_len);
        naive_tag(&naive, wanted);
        assert_memory_equal(ours, wanted, params->tag_len);
        free(naive.block);
    }
    end(&f);
}

static void test_jobs_and_threads(void **state)
{
    (void)state;
    for (int type = A2F_D; type <= A2F_ID; type++)
        for (uint32_t lanes = 1; lanes <= 9; lanes++) {
            struct a2f_params params = {(enum a2f_type)type,
                                        lanes % 2 ? 0x13 : 0x10,
                                        lanes * 4 * (lanes * 29) + 5,
                                        2,
                                        lanes,
                                        20 + 8 * lanes,
                                        8};

            for (unsigned workers = lanes % 2; workers <= 3; workers += 2)
                check_fill(&params, 1 + (lanes + workers) % 3, workers);
        }
}

/* Groups that are handed out in several portions. */
static void test_many_lanes(void **state)
{
    const struct a2f_params params = {A2F_ID, 0x13, 8 * 300 + 3, 2, 300, 32, 8};

    (void)state;
    check_fill(&params, 1, 0);
    check_fill(&params, 2, 2);
}

static void test_cancel_at_every_poll(void **state)
{
    const struct a2f_params params = {A2F_ID, 0x13, 21000, 2, 3, 32, 8};
    struct fixture f;
    unsigned polls;

    (void)state;
    start(&f, &params, 1, 1);
    assert_int_equal(run_all(&f, &params, 1), A2F_OK);
    polls = f.polls.made;
    end(&f);
    assert_in_range(polls, 6, 200);
    for (unsigned stop = 1; stop <= polls; stop++) {
        start(&f, &params, 1, stop % 3);
        f.polls.stop_at = stop;
        assert_int_equal(run_all(&f, &params, 1), A2F_CANCELLED);
        /* not one more was asked for, and the rest was not touched */
        assert_int_equal(f.polls.made, stop);
        assert_true(f.arena.written <= f.arena.present);
        end(&f);
    }
}

/* Seeding millions of lanes takes minutes: it asks too. */
static void test_cancel_while_seeding(void **state)
{
    const struct a2f_params params = {A2F_D, 0x13, 8 * 1000, 1, 1000, 32, 8};
    struct fixture f;

    (void)state;
    start(&f, &params, 1, 0);
    f.polls.stop_at = 2;
    assert_int_equal(a2f_fill_seed(&f.fill, 0, &params, &inputs[0]),
                     A2F_CANCELLED);
    end(&f);
}

/* So does seeding many jobs of a few lanes each. */
static void test_cancel_while_seeding_jobs(void **state)
{
    const struct a2f_params params = {A2F_D, 0x13, 8 * 100, 1, 100, 32, 8};
    struct fixture f;
    enum a2f_status s = A2F_OK;

    (void)state;
    start(&f, &params, 9, 0);
    f.polls.stop_at = 3;
    for (size_t job = 0; job < 9 && s == A2F_OK; job++)
        s = a2f_fill_seed(&f.fill, job, &params, &inputs[0]);
    assert_int_equal(s, A2F_CANCELLED);
    end(&f);
}

static void test_bytes(void **state)
{
    struct a2f_params params = {A2F_ID, 0x13, 8, 1, 1, 32, 8};

    (void)state;
    assert_int_equal(a2f_fill_bytes(&params, 1), 8192);
    params.memory_kib = 11;
    assert_int_equal(a2f_fill_bytes(&params, 3), 3 * 8192);
    params.memory_kib = UINT32_MAX;
    assert_true(a2f_fill_bytes(&params, 1) == ((uint64_t)UINT32_MAX - 3) << 10);
    assert_int_equal(a2f_fill_bytes(&params, 0), 0);
    assert_int_equal(a2f_fill_bytes(&params, SIZE_MAX), 0);
    assert_int_equal(a2f_fill_bytes(&params, (size_t)1 << 23), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jobs_and_threads),
        cmocka_unit_test(test_many_lanes),
        cmocka_unit_test(test_cancel_at_every_poll),
        cmocka_unit_test(test_cancel_while_seeding),
        cmocka_unit_test(test_cancel_while_seeding_jobs),
        cmocka_unit_test(test_bytes),
    };

    return RUN(tests);
}
