/* SPDX-License-Identifier: MIT */
/*
 * A thousand forks while another thread keeps an engine's workers busy: each
 * child gets the right tag from the same engine, with workers of its own, and
 * ends. A lock or a list inherited half-way would hang it.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "argon2fast.h"
#include "support.h"

enum { FORKS = 1000, SECONDS = 20, TAG = 32 };

static const struct a2f_params params = {A2F_ID, 0x13, 256, 1, 4, TAG, 16};
static const struct a2f_input input = {.password = {"password", 8},
                                       .salt = {"somesaltsomesalt", 16}};
static struct a2f_engine *engine;
static uint8_t expected[TAG];
static atomic_bool ended;

static bool derives_right(void)
{
    uint8_t tag[TAG];

    return a2f_derive(engine, &params, &input, tag, NULL) == A2F_OK &&
           memcmp(tag, expected, TAG) == 0;
}

static void *keep_busy(void *wrong)
{
    while (!atomic_load(&ended))
        *(unsigned *)wrong += !derives_right();
    return NULL;
}

/* 0: the child was right, and ended by itself. */
static int fork_one(void)
{
    int status = -1;
    pid_t child = fork();

    if (child == 0) {
        alarm(SECONDS);
        _exit(derives_right() ? 0 : 1);
    }
    return child > 0 && waitpid(child, &status, 0) == child ? status : -1;
}

int main(void)
{
    const struct a2f_config config = {
        .threads = 3, .keep_kib = 4096, .keep_threads = true};
    unsigned wrong = 0, bad = 0;
    pthread_t busy;

    tap_ok(a2f_new(&config, &engine) == A2F_OK &&
               a2f_derive(engine, &params, &input, expected, NULL) == A2F_OK,
           "an engine, and what it should say");
    tap_ok(pthread_create(&busy, NULL, keep_busy, &wrong) == 0,
           "a thread keeps its workers busy");
    for (unsigned i = 0; i < FORKS && bad == 0; i++)
        bad += fork_one() != 0;
    tap_ok(bad == 0, "%d children derive and end", FORKS);
    atomic_store(&ended, true);
    pthread_join(busy, NULL);
    tap_ok(wrong == 0, "and so does the parent all the while");
    a2f_free(engine);
    return tap_done();
}
