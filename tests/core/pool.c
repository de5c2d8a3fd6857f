/* SPDX-License-Identifier: MIT */
/* The pool: every task once, with any number of workers, also none. */
#include "unit.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pool.h"
#include "sys.h"

enum { TASKS = 1000 };

struct tally {
    atomic_uint calls[TASKS];
    unsigned plain[TASKS]; /* read by the caller after the run, no atomics */
};

static void count(void *ctx, uint32_t i)
{
    struct tally *tally = ctx;

    atomic_fetch_add(&tally->calls[i], 1);
    tally->plain[i] += i;
}

static void check_runs(struct a2f_pool *pool, unsigned runs)
{
    static struct tally tally;

    memset(&tally, 0, sizeof tally);
    for (unsigned run = 1; run <= runs; run++) {
        uint32_t n = run % 3 == 0 ? TASKS : run % 7;

        for (uint32_t i = 0; i < TASKS; i++) {
            atomic_store(&tally.calls[i], 0);
            tally.plain[i] = 0;
        }
        a2f_pool_run(pool, n, count, &tally);
        for (uint32_t i = 0; i < TASKS; i++) {
            assert_int_equal(atomic_load(&tally.calls[i]), i < n);
            assert_int_equal(tally.plain[i], i < n ? i : 0);
        }
    }
}

static void test_every_task_once(void **state)
{
    (void)state;
    check_runs(NULL, 9);
    assert_null(a2f_pool_new(0));
    assert_int_equal(a2f_pool_workers(NULL), 0);
    for (unsigned workers = 1; workers <= 5; workers++) {
        struct a2f_pool *pool = a2f_pool_new(workers);

        assert_non_null(pool);
        assert_int_equal(a2f_pool_workers(pool), workers);
        check_runs(pool, 300);
        a2f_pool_free(pool);
    }
    a2f_pool_free(NULL);
}

/* Workers that sleep between runs wake up again. */
static void test_sleepers(void **state)
{
    struct a2f_pool *pool = a2f_pool_new(3);

    (void)state;
    assert_non_null(pool);
    for (unsigned i = 0; i < 30; i++) {
        usleep(1000);
        check_runs(pool, 3);
    }
    a2f_pool_free(pool);
}

/* Busy for a while that ends just before, at or after the moment at which
 * those who wait for it go to sleep. */
static void dawdle(void *ctx, uint32_t i)
{
    volatile unsigned turns = *(unsigned *)ctx * (i + 1) % 20011;

    while (turns > 0)
        turns--;
}

/* No wake-up is lost when sleep and work begin at about the same time. */
static void test_naps(void **state)
{
    struct a2f_pool *pool = a2f_pool_new(3);

    (void)state;
    assert_non_null(pool);
    alarm(300);
    for (unsigned i = 0; i < 20000; i++) {
        a2f_pool_run(pool, 2 + i % 5, dawdle, &i);
        dawdle(&i, 6);
    }
    alarm(0);
    a2f_pool_free(pool);
}

/* A task that only ends once another one has begun needs two threads. */
static void meet(void *ctx, uint32_t i)
{
    atomic_uint *arrived = ctx;

    (void)i;
    atomic_fetch_add(arrived, 1);
    while (atomic_load(arrived) < 3)
        ;
}

static void test_workers_take_part(void **state)
{
    struct a2f_pool *pool = a2f_pool_new(2);
    atomic_uint arrived = 0;

    (void)state;
    assert_non_null(pool);
    alarm(300);
    a2f_pool_run(pool, 3, meet, &arrived);
    alarm(0);
    a2f_pool_free(pool);
}

/* The system grants some of the threads, or none. */
static void test_refused_threads(void **state)
{
    struct a2f_pool *pool;

    (void)state;
    for (unsigned fails_at = 1; fails_at <= 5; fails_at++) {
        a2f_sys_fail(fails_at, true);
        pool = a2f_pool_new(3);
        a2f_sys_fail(0, false);
        /* the first call is for the memory of the pool */
        assert_int_equal(a2f_pool_workers(pool),
                         fails_at < 3 ? 0 : fails_at - 2);
        assert_int_equal(pool == NULL, fails_at < 3);
        check_runs(pool, 9);
        a2f_pool_free(pool);
    }
}

/* A child of fork frees its copy and joins nobody. */
static void test_fork(void **state)
{
    struct a2f_pool *pool = a2f_pool_new(2);
    int status = -1;
    pid_t child;

    (void)state;
    assert_non_null(pool);
    check_runs(pool, 9);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(300);
        a2f_pool_free(pool);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    check_runs(pool, 9);
    a2f_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_task_once),
        cmocka_unit_test(test_sleepers),
        cmocka_unit_test(test_naps),
        cmocka_unit_test(test_workers_take_part),
        cmocka_unit_test(test_refused_threads),
        cmocka_unit_test(test_fork),
    };

    return RUN(tests);
}
