/* SPDX-License-Identifier: MIT */
/* See secret_host.h. */
#include "secret_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base64.h"
#include "memory.h"
#include "phc.h"
#include "support.h"

static uint8_t hidden[3][SECRET_LEN];
static struct secrets lent;

void secrets_start(void)
{
    random_start();
    random_bytes(hidden, sizeof hidden);
}

static void reveal(const uint8_t from[SECRET_LEN], char *to)
{
    for (size_t i = 0; i < SECRET_LEN; i++)
        to[i] = (char)('0' + (from[i] ^ 0x2a) % 64);
    to[SECRET_LEN] = '\0';
}

struct secrets *secrets_lend(void)
{
    reveal(hidden[0], lent.password);
    reveal(hidden[1], lent.pepper);
    reveal(hidden[2], lent.wrong);
    return &lent;
}

void secrets_wipe(void)
{
    a2f_wipe(&lent, sizeof lent);
}

/* ---- the child that searches ---- */

static struct needles needles;

static void make_needles(const struct hashed *hashed)
{
    static const struct a2f_limits none = {
        UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT64_MAX, UINT32_MAX,
        UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    const struct secrets *secrets = secrets_lend();
    struct a2f_input input = {.password = {secrets->password, SECRET_LEN},
                              .salt = {SALT, strlen(SALT)}};
    const char *text = hashed->text;
    static uint8_t salt[1024];
    struct a2f_phc phc = {0};

    if (hashed->pepper)
        input.secret = (struct a2f_span){secrets->pepper, SECRET_LEN};
    if (text != NULL) {
        if (a2f_phc_parse((struct a2f_span){text, strlen(text)}, &none, &phc,
                          NULL) != A2F_OK ||
            phc.params.salt_len > sizeof salt)
            _exit(3);
        a2f_base64_decode(phc.salt, salt);
        input.salt = (struct a2f_span){salt, phc.params.salt_len};
    }
    needles_make(&needles, text != NULL ? &phc.params : hashed->params, &input,
                 !hashed->begun);
}

static struct findings search_core(pid_t pid)
{
    struct findings found = {0};
    char path[64], command[256];

    (void)snprintf(path, sizeof path, "/tmp/argon2fast-core-%d", (int)getpid());
    (void)snprintf(command, sizeof command,
                   "gcore -o %s %d >/dev/null 2>&1 </dev/null", path, (int)pid);
    if (system(command) == 0) { /* NOLINT: a test's own words */
        (void)snprintf(command, sizeof command, "%s.%d", path, (int)pid);
        found = file_search(command, &needles);
        (void)unlink(command);
    }
    return found;
}

static int report(const char *what, const struct findings *found)
{
    char text[512];

    if (found->bytes == 0) {
        tap_note("%s: could not be read", what);
        return 2;
    }
    if (!findings_any(found))
        return 0;
    findings_print(found, text, sizeof text);
    tap_note("%s: %s", what, text);
    return 1;
}

/* 0: nothing is there; 1: something; more: the search itself failed. */
static int search(const struct hashed *hashed)
{
    int status = -1;
    pid_t pid;

    (void)fflush(stdout);
    pid = fork();
    if (pid == 0) {
        struct findings found;
        int result;

        make_needles(hashed);
        found = memory_search(getppid(), &needles);
        result = report("memory", &found);
        if (result == 0 && hashed->dumped) {
            found = search_core(getppid());
            result = report("core dump", &found);
        }
        _exit(result);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

void expect_nothing(const char *name, const struct hashed *hashed)
{
    tap_ok(search(hashed) == 0, "%s leaves nothing", name);
}

void expect_found(const char *name, const struct hashed *hashed)
{
    tap_ok(search(hashed) == 1, "control: %s is found", name);
}
