/* SPDX-License-Identifier: MIT */
/*
 * An engine where it is not alone: threads that share it, forks, and a system
 * that refuses.
 */
#include "unit.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "argon2fast.h"
#include "sys.h"

static const struct a2f_params cheap = {A2F_ID, 0x13, 64, 2, 2, 32, 16};
/* More than one round, more than one huge page. */
static const struct a2f_params costly = {A2F_ID, 0x13, 16384, 2, 4, 32, 16};

static struct a2f_engine *new_engine(const struct a2f_config *config)
{
    struct a2f_engine *engine = NULL;

    assert_int_equal(a2f_new(config, &engine), A2F_OK);
    assert_non_null(engine);
    return engine;
}

static struct a2f_input password(const char *text)
{
    return (struct a2f_input){.password = {text, strlen(text)}};
}

static struct a2f_span span(const char *text)
{
    return (struct a2f_span){text, strlen(text)};
}

/* The n-th call of the system fails, and then all from the n-th on. Memory is
 * an error, threads and advice are not; the next call finds all in order. */
static void check_failures(const struct a2f_config *config, bool all)
{
    struct a2f_input input = password("password");
    unsigned errors = 0, successes = 0;

    for (unsigned n = 1; n <= 40; n++) {
        struct a2f_engine *engine = NULL;
        char text[A2F_TEXT_MAX] = "#";
        enum a2f_status s;

        a2f_sys_fail(n, all);
        s = a2f_new(config, &engine);
        assert_int_equal(engine == NULL, s != A2F_OK);
        if (engine != NULL) {
            s = a2f_hash(engine, &cheap, &input, text, sizeof text, NULL);
            assert_int_equal(text[0], s == A2F_OK ? '$' : '\0');
        }
        a2f_sys_fail(0, false);
        assert_true(s == A2F_OK || s == A2F_NO_MEMORY || s == A2F_SYSTEM);
        errors += s != A2F_OK;
        successes += s == A2F_OK;
        if (engine == NULL)
            continue;
        if (s == A2F_OK)
            assert_int_equal(a2f_verify(engine, span(text), &input, NULL),
                             A2F_OK);
        assert_int_equal(
            a2f_hash(engine, &cheap, &input, text, sizeof text, NULL), A2F_OK);
        a2f_free(engine);
    }
    assert_true(errors >= 4); /* engine, shelf, task, salt, blocks */
    assert_true(successes >= 20);
}

enum { BATCH = 6 };

/* A batch whose memory is refused ends, and every job says so. Each needs more
 * than the one before, so that the lease grows. */
static void check_failing_batch(unsigned n, bool all)
{
    const struct a2f_config config = {.threads = 2, .in_flight_kib = 1024};
    struct a2f_engine *engine = new_engine(&config);
    struct a2f_params params[BATCH];
    struct a2f_job jobs[BATCH];
    char text[BATCH][256];

    memset(jobs, 0, sizeof jobs);
    for (uint32_t i = 0; i < BATCH; i++) {
        params[i] = cheap;
        params[i].memory_kib *= 1 + i / 2;
        jobs[i] = (struct a2f_job){.params = &params[i],
                                   .input = password("password"),
                                   .text = text[i],
                                   .size = sizeof text[i]};
    }
    a2f_sys_fail(n, all);
    assert_int_equal(a2f_batch(engine, jobs, BATCH, NULL), A2F_OK);
    a2f_sys_fail(0, false);
    for (size_t i = 0; i < BATCH; i++) {
        assert_true(jobs[i].status == A2F_OK ||
                    jobs[i].status == A2F_NO_MEMORY ||
                    jobs[i].status == A2F_SYSTEM);
        assert_int_equal(text[i][0], jobs[i].status == A2F_OK ? '$' : '\0');
    }
    /* and nothing of it is still counted as in flight */
    params[0].memory_kib = 1024;
    assert_int_equal(a2f_hash(engine, &params[0], &jobs[0].input, text[0],
                              sizeof text[0], NULL),
                     A2F_OK);
    a2f_free(engine);
}

static void test_failing_batch(void **state)
{
    (void)state;
    alarm(300);
    for (unsigned n = 1; n <= 60; n++) {
        check_failing_batch(n, false);
        check_failing_batch(n, true);
    }
    alarm(0);
}

static void test_failing_system(void **state)
{
    static const struct a2f_config configs[] = {
        {.threads = 1}, {.threads = 3, .keep_kib = 1024, .keep_threads = true}};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        check_failures(&configs[i], false);
        check_failures(&configs[i], true);
    }
}

/* Calls of several threads share one engine, its kept memory and workers. */
static void *hammer(void *arg)
{
    struct a2f_engine *engine = arg;
    unsigned failures = 0;

    for (unsigned i = 0; i < 25; i++) {
        struct a2f_params params = i % 5 == 0 ? costly : cheap;
        struct a2f_input input = password(i % 2 ? "one" : "two");
        struct a2f_run run = {.threads = i % 4};
        char text[A2F_TEXT_MAX];

        params.memory_kib = params.memory_kib / (1 + i % 3);
        failures += a2f_hash(engine, &params, &input, text, sizeof text,
                             &run) != A2F_OK;
        failures += a2f_verify(engine, span(text), &input, &run) != A2F_OK;
        input = password("three");
        failures +=
            a2f_verify(engine, span(text), &input, NULL) != A2F_MISMATCH;
    }
    return (void *)(uintptr_t)failures;
}

static void test_shared_by_threads(void **state)
{
    static const struct a2f_config configs[] = {
        {.threads = 3},
        {.threads = 4, .keep_kib = 40000, .keep_threads = true}};

    (void)state;
    for (size_t c = 0; c < 2; c++) {
        struct a2f_engine *engine = new_engine(&configs[c]);
        pthread_t threads[4];
        void *failures;

        for (size_t i = 0; i < 4; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, hammer, engine),
                             0);
        for (size_t i = 0; i < 4; i++) {
            pthread_join(threads[i], &failures);
            assert_null(failures);
        }
        a2f_free(engine);
    }
}

/* ThreadSanitizer loses count of threads that a forked child makes. */
#ifdef __SANITIZE_THREAD__
enum { CHILD_THREADS = 1 };
#else
enum { CHILD_THREADS = 3 };
#endif

/* A child of fork uses the engine as if it were its own, and so does its
 * parent afterwards; kept memory and parked threads stay with the parent. */
static void test_fork(void **state)
{
    struct a2f_config config = {
        .threads = 3, .keep_kib = 1 << 20, .keep_threads = true};
    struct a2f_engine *engine = new_engine(&config);
    struct a2f_input input = password("password");
    char text[A2F_TEXT_MAX];
    int status = -1;
    pid_t child;

    (void)state;
    assert_int_equal(a2f_hash(engine, &costly, &input, text, sizeof text, NULL),
                     A2F_OK);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct a2f_run run = {.threads = CHILD_THREADS};
        enum a2f_status s;

        alarm(300);
        s = a2f_verify(engine, span(text), &input, &run);
        if (s == A2F_OK)
            s = a2f_hash(engine, &cheap, &input, text, sizeof text, &run);
        a2f_free(engine);
        _exit((int)s);
    }
    assert_int_equal(a2f_verify(engine, span(text), &input, NULL), A2F_OK);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), A2F_OK);
    assert_int_equal(a2f_verify(engine, span(text), &input, NULL), A2F_OK);
    a2f_free(engine);
}

enum { NO_NAMESPACES = 77 };

/* What a forked child returned, or ended by. */
static int wait_for(pid_t child)
{
    int status = -1;

    if (child < 0 || waitpid(child, &status, 0) != child)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

/* Process 1 of a namespace, whose child is process 1 of another one. */
static int run_process_1(void)
{
    const struct a2f_config config = {.threads = 3, .keep_threads = true};
    struct a2f_input input = password("password");
    struct a2f_engine *engine;
    char text[A2F_TEXT_MAX];
    enum a2f_status s = a2f_new(&config, &engine);
    pid_t child;

    if (s == A2F_OK)
        s = a2f_hash(engine, &cheap, &input, text, sizeof text, NULL);
    if (s != A2F_OK)
        return (int)s;
    if (unshare(CLONE_NEWPID) != 0)
        return NO_NAMESPACES;
    usleep(100000); /* until the parked worker sleeps */
    child = fork();
    if (child == 0) {
        s = a2f_verify(engine, span(text), &input, NULL);
        a2f_free(engine);
        _exit((int)s);
    }
    return wait_for(child);
}

/* A child may have its parent's process id, and is another process still. */
static void test_fork_with_the_same_pid(void **state)
{
    pid_t child;
    int code;

    (void)state;
    if (CHILD_THREADS == 1)
        return;
    child = fork();
    if (child == 0) {
        pid_t first;

        alarm(300);
        if (unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0)
            _exit(NO_NAMESPACES);
        first = fork();
        if (first == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            _exit(run_process_1());
        }
        _exit(wait_for(first));
    }
    code = wait_for(child);
    if (code == NO_NAMESPACES)
        print_message("# no namespaces here: not tried\n");
    else
        assert_int_equal(code, A2F_OK);
}

/* A call that waits in its poll until it is let go. */
struct held_call {
    struct a2f_engine *engine;
    pthread_barrier_t begun, go;
    unsigned polls;
    enum a2f_status status;
};

static int hold(void *ctx)
{
    struct held_call *call = ctx;

    if (call->polls++ == 0) {
        pthread_barrier_wait(&call->begun);
        pthread_barrier_wait(&call->go);
    }
    return 0;
}

static void *run_held(void *arg)
{
    struct held_call *call = arg;
    const struct a2f_run run = {.poll = hold, .poll_ctx = call};
    struct a2f_input input = password("password");
    char text[A2F_TEXT_MAX];

    call->status =
        a2f_hash(call->engine, &cheap, &input, text, sizeof text, &run);
    return NULL;
}

/* What the parent had in flight when it forked is none of the child's. */
static void test_fork_amid_a_call(void **state)
{
    const struct a2f_config config = {.in_flight_kib = cheap.memory_kib};
    struct held_call call = {.engine = new_engine(&config)};
    struct a2f_input input = password("password");
    char text[A2F_TEXT_MAX];
    pthread_t thread;
    int status = -1;
    pid_t child;

    (void)state;
    pthread_barrier_init(&call.begun, NULL, 2);
    pthread_barrier_init(&call.go, NULL, 2);
    assert_int_equal(pthread_create(&thread, NULL, run_held, &call), 0);
    pthread_barrier_wait(&call.begun);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(300);
        _exit((int)a2f_hash(call.engine, &cheap, &input, text, sizeof text,
                            NULL));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), A2F_OK);
    assert_int_equal(
        a2f_hash(call.engine, &cheap, &input, text, sizeof text, NULL),
        A2F_NO_MEMORY);
    pthread_barrier_wait(&call.go);
    pthread_join(thread, NULL);
    assert_int_equal(call.status, A2F_OK);
    pthread_barrier_destroy(&call.begun);
    pthread_barrier_destroy(&call.go);
    a2f_free(call.engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failing_system),
        cmocka_unit_test(test_failing_batch),
        cmocka_unit_test(test_shared_by_threads),
        cmocka_unit_test(test_fork),
        cmocka_unit_test(test_fork_with_the_same_pid),
        cmocka_unit_test(test_fork_amid_a_call),
    };

    return RUN(tests);
}
