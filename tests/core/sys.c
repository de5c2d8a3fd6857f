/* SPDX-License-Identifier: MIT */
/* The door to the system, and that every one of its leaves can be shut. */
#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys.h"

#define SIZE ((size_t)4 << 20)

static void test_alloc(void **state)
{
    unsigned char *memory = a2f_sys_alloc(100);

    (void)state;
    assert_non_null(memory);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(memory[i], 0);
    memset(memory, 1, 100);
    a2f_sys_free(memory, 100);
    a2f_sys_free(NULL, 100);
}

static void test_map(void **state)
{
    unsigned char *memory = a2f_sys_map(SIZE), mapped;

    (void)state;
    assert_non_null(memory);
    a2f_sys_huge(memory, SIZE);
    a2f_sys_private(memory, SIZE);
    (void)a2f_sys_populate(memory, SIZE / 2);
    assert_int_equal(memory[0], 0);
    assert_int_equal(memory[SIZE - 1], 0);
    memory[0] = memory[SIZE - 1] = 1;
    a2f_sys_unmap(memory, SIZE);
    assert_int_equal(mincore(memory, SIZE, &mapped), -1);
    assert_null(a2f_sys_map(SIZE_MAX / 2));
}

/* A child of fork does not see what was in private memory. */
static void test_private(void **state)
{
    unsigned char *memory = a2f_sys_map(SIZE);
    int status = -1;
    pid_t child;

    (void)state;
    assert_non_null(memory);
    a2f_sys_private(memory, SIZE);
    memory[0] = 1;
    child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(memory[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(memory[0], 1);
    a2f_sys_unmap(memory, SIZE);
}

/* Reports through arg whether a signal could reach this thread. */
static void *see_signals(void *arg)
{
    sigset_t set;

    pthread_sigmask(SIG_SETMASK, NULL, &set);
    *(bool *)arg = sigismember(&set, SIGTERM) && sigismember(&set, SIGUSR1) &&
                   sigismember(&set, SIGALRM);
    return NULL;
}

static void test_thread(void **state)
{
    pthread_t thread;
    bool blocked = false;
    sigset_t before, after;

    (void)state;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    assert_true(a2f_sys_thread(&thread, see_signals, &blocked));
    pthread_join(thread, NULL);
    assert_true(blocked);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int s = 1; s < 32; s++)
        assert_int_equal(sigismember(&before, s), sigismember(&after, s));
}

static void test_fail_points(void **state)
{
    pthread_t thread;
    unsigned char bytes[8];
    bool unused;

    (void)state;
    a2f_sys_fail(1, true);
    assert_null(a2f_sys_alloc(8));
    assert_null(a2f_sys_map(SIZE));
    assert_false(a2f_sys_random(bytes, sizeof bytes));
    assert_false(a2f_sys_thread(&thread, see_signals, &unused));
    assert_false(a2f_sys_populate(bytes, 0));
    assert_int_equal(a2f_sys_fail(2, false), 5);
    assert_true(a2f_sys_random(bytes, sizeof bytes));
    assert_false(a2f_sys_random(bytes, sizeof bytes));
    assert_true(a2f_sys_random(bytes, sizeof bytes));
    assert_int_equal(a2f_sys_fail(0, false), 3);
}

static void *wake_later(void *arg)
{
    atomic_uint *word = arg;

    usleep(1000);
    atomic_store(word, 1);
    a2f_sys_wake(word, UINT32_MAX);
    return NULL;
}

static void test_sleep(void **state)
{
    atomic_uint word = 0;
    pthread_t thread;

    (void)state;
    alarm(300);
    a2f_sys_sleep(&word, 1); /* it is not: returns at once */
    assert_true(a2f_sys_thread(&thread, wake_later, &word));
    while (atomic_load(&word) == 0)
        a2f_sys_sleep(&word, 0);
    alarm(0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alloc),   cmocka_unit_test(test_map),
        cmocka_unit_test(test_private), cmocka_unit_test(test_thread),
        cmocka_unit_test(test_sleep),   cmocka_unit_test(test_fail_points),
    };

    return RUN(tests);
}
