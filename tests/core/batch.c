/* SPDX-License-Identifier: MIT */
/* A batch gives every job what it would have got alone. */
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "argon2fast.h"

enum { JOBS = 24 };

/* Costs that differ in one thing each, and one that is refused. */
static const struct a2f_params costs[] = {
    {A2F_ID, 0x13, 64, 2, 2, 32, 16}, {A2F_ID, 0x13, 64, 2, 2, 16, 8},
    {A2F_D, 0x13, 64, 2, 2, 32, 16},  {A2F_ID, 0x10, 64, 2, 2, 32, 16},
    {A2F_ID, 0x13, 64, 2, 1, 32, 16}, {A2F_ID, 0x13, 64, 2, 0, 32, 16},
};

static int count_down(void *ctx)
{
    int *left = ctx;

    return *left > 0 && --*left == 0;
}

struct fixture {
    struct a2f_engine *engine;
    struct a2f_job jobs[JOBS];
    char text[JOBS][256];
};

/* Jobs that hash, each another password. */
static void start(struct fixture *f)
{
    static const char *const words = "abcdefghijklmnopqrstuvwxyz";
    const struct a2f_config config = {.threads = 2, .keep_kib = 4096};

    memset(f, 0, sizeof *f);
    assert_int_equal(a2f_new(&config, &f->engine), A2F_OK);
    for (size_t i = 0; i < JOBS; i++) {
        f->jobs[i].params = &costs[i % 6];
        f->jobs[i].input.password = (struct a2f_span){words, i};
        f->jobs[i].text = f->text[i];
        f->jobs[i].size = sizeof f->text[i];
    }
}

static void test_hash_and_verify(void **state)
{
    struct fixture f;

    (void)state;
    start(&f);
    assert_int_equal(a2f_batch(f.engine, f.jobs, JOBS, NULL), A2F_OK);
    for (size_t i = 0; i < JOBS; i++) {
        struct a2f_span hash = {f.text[i], strlen(f.text[i])};
        struct a2f_params params;
        bool canonical;

        if (costs[i % 6].lanes == 0) {
            assert_int_equal(f.jobs[i].status, A2F_BAD_PARAM);
            assert_string_equal(f.jobs[i].why.what, "lanes");
            assert_int_equal(f.text[i][0], '\0');
            continue;
        }
        assert_int_equal(f.jobs[i].status, A2F_OK);
        assert_null(f.jobs[i].why.what);
        assert_int_equal(a2f_verify(f.engine, hash, &f.jobs[i].input, NULL),
                         A2F_OK);
        assert_int_equal(a2f_parse(hash, &params, &canonical, NULL), A2F_OK);
        assert_memory_equal(&params, &costs[i % 6], sizeof params);
    }
    /* the same again as verifications, with wrong ones and broken ones */
    for (size_t i = 0; i < JOBS; i++) {
        f.jobs[i].params = NULL;
        f.jobs[i].hash = (struct a2f_span){f.text[i], strlen(f.text[i])};
        f.jobs[i].input.password.len += i % 4 == 1;
    }
    assert_int_equal(a2f_batch(f.engine, f.jobs, JOBS, NULL), A2F_OK);
    for (size_t i = 0; i < JOBS; i++)
        assert_int_equal(f.jobs[i].status, f.text[i][0] == '\0' ? A2F_BAD_HASH
                                           : i % 4 == 1         ? A2F_MISMATCH
                                                                : A2F_OK);
    a2f_free(f.engine);
}

static void test_none(void **state)
{
    struct fixture f;

    (void)state;
    start(&f);
    assert_int_equal(a2f_batch(f.engine, NULL, 0, NULL), A2F_OK);
    a2f_free(f.engine);
}

/* Jobs that are done stay done; the others say that they were cancelled and
 * have no text. A refused job is refused either way. */
static void test_cancel(void **state)
{
    struct fixture f;
    int left = 30;
    struct a2f_run run = {.poll = count_down, .poll_ctx = &left};
    unsigned cancelled = 0;

    (void)state;
    for (int stop = 1; stop < 60; stop += 9) {
        left = stop;
        start(&f);
        assert_int_equal(a2f_batch(f.engine, f.jobs, JOBS, &run),
                         A2F_CANCELLED);
        cancelled = 0;
        for (size_t i = 0; i < JOBS; i++) {
            cancelled += f.jobs[i].status == A2F_CANCELLED;
            assert_true(f.jobs[i].status == A2F_OK ||
                        f.jobs[i].status == A2F_CANCELLED ||
                        costs[i % 6].lanes == 0);
            assert_int_equal(f.text[i][0] != '\0', f.jobs[i].status == A2F_OK);
        }
        assert_true(cancelled > 0);
        a2f_free(f.engine);
    }
}

/* Address space of the process, KiB. */
static long mapped_kib(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    long pages = 0;

    assert_non_null(f);
    assert_int_equal(fscanf(f, "%ld", &pages), 1);
    fclose(f);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static int note_peak(void *ctx)
{
    long *peak = ctx, now = mapped_kib();

    if (*peak < now)
        *peak = now;
    return 0;
}

/* a2f_batch_kib tells what a batch then takes, no less and not much more. */
static void test_memory(void **state)
{
    static const struct {
        uint64_t in_flight_kib;
        struct a2f_params cost;
        uint64_t want[4]; /* KiB for so many jobs */
    } cases[] = {
        {0, {A2F_ID, 0x13, 16384, 1, 1, 32, 16}, {0, 16384, 32768, 32768}},
        {24576, {A2F_ID, 0x13, 16384, 1, 1, 32, 16}, {0, 16384, 16384, 16384}},
        {0, {A2F_ID, 0x13, 16384, 1, 2, 32, 16}, {0, 16384, 16384, 16384}},
        {0, {A2F_ID, 0x13, 8192, 1, 1, 32, 16}, {0, 8192, 8192, 8192}},
        {4096, {A2F_ID, 0x13, 8192, 1, 1, 32, 16}, {0, 8192, 8192, 8192}},
        {0, {A2F_ID, 0x13, 8192, 1, 0, 32, 16}, {0, 0, 0, 0}},
    };
    struct fixture f;
    long peak;
    const struct a2f_run run = {.poll = note_peak, .poll_ctx = &peak};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t n = 0; n < 4; n++) {
            const struct a2f_config config = {.in_flight_kib =
                                                  cases[i].in_flight_kib};
            long want = (long)cases[i].want[n], before;

            start(&f);
            a2f_free(f.engine);
            assert_int_equal(a2f_new(&config, &f.engine), A2F_OK);
            assert_int_equal(a2f_batch_kib(f.engine, &cases[i].cost, n, &run),
                             want);
            for (size_t j = 0; j < n; j++)
                f.jobs[j].params = &cases[i].cost;
            before = peak = mapped_kib();
            assert_int_equal(a2f_batch(f.engine, f.jobs, n, &run), A2F_OK);
            if (n > 0 && f.jobs[0].status == A2F_OK)
                assert_in_range(peak - before, want, want + 4096);
            a2f_free(f.engine);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash_and_verify),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_memory),
    };

    return RUN(tests);
}
