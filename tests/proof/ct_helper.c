/* SPDX-License-Identifier: MIT */
/*
 * The answers of PAM's helper, all of them with a secret password and under
 * valgrind (taint.h): no branch and no address depends on it. The hashes are
 * Argon2i, so RFC 9106 makes nothing data-dependent and nothing is declassified
 * here. That a password's character is not its end is no secret.
 */
#include <crypt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "answer.h"
#include "argon2fast.h"
#include "support.h"
#include "taint.h"

#define PARAMS "m=64,t=2,p=1,type=i"
/* As crypt(3) writes it, and as long: 43 characters of digest. */
#define CRYPT  "$5$salt$"
#define DIGEST 43

/* Every character has bit 7, which stays known: so it is not NUL. */
#define RIGHT "\xc3\xb6\xc3\xa4\xc3\xbc\xc3\x9f"

static void hide_text(char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        uint8_t below = 0x7f;

        VALGRIND_SET_VBITS(text + i, &below, 1);
    }
}

/* ---- what answers call ---- */

/* The verdict is all that a caller may learn; what follows from it is public.
 * So the comparison is made, must stay secret, and the test answers. */
static bool verdict, undeclared;
static unsigned compared;

bool __real_a2f_equal(const void *a, const void *b, size_t len);
bool __wrap_a2f_equal(const void *a, const void *b, size_t len);
bool __wrap_a2f_equal(const void *a, const void *b, size_t len)
{
    unsigned before = reports();
    volatile bool same;

    hide(b, len); /* what is stored is as secret as what was computed */
    same = __real_a2f_equal(a, b, len);
    /* The last byte alone: what crypt(3) makes begins with its setting. */
    if (is_hidden((const char *)a + len - 1, 1) &&
        is_hidden((const void *)&same, 1) && reports() == before)
        compared++;
    return undeclared ? same : verdict;
}

/* libcrypt has its own ways with a password, which are not looked at here. */
char *__wrap_crypt_r(const char *password, const char *setting,
                     struct crypt_data *data);
char *__wrap_crypt_r(const char *password, const char *setting,
                     struct crypt_data *data)
{
    (void)password;
    (void)setting;
    strcpy(data->output, CRYPT);
    memset(data->output + strlen(CRYPT), 0xff, DIGEST);
    data->output[strlen(CRYPT) + DIGEST] = '\0';
    hide_text(data->output, strlen(CRYPT) + DIGEST);
    VALGRIND_MAKE_MEM_DEFINED(data->output, strlen(CRYPT));
    return data->output;
}

/* ---- answers ---- */

static char database[] = "/tmp/argon2fast-ct-XXXXXX";
static char conf[] = "/tmp/argon2fast-ct-XXXXXX";

static void remove_files(void)
{
    unlink(database);
    unlink(conf);
}

static void write_file(char *name, const char *text)
{
    int fd = mkstemp(name);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        printf("Bail out! %s\n", name);
        exit(1);
    }
}

static void write_database(void)
{
    const struct a2f_input input = {.password = {RIGHT, strlen(RIGHT)}};
    struct a2f_params params;
    struct a2f_engine *engine;
    char hash[A2F_HASH_MAX + 1], digest[DIGEST + 1], lines[4096];

    if (a2f_params_read((struct a2f_span){PARAMS, strlen(PARAMS)}, &params,
                        NULL) != A2F_OK ||
        a2f_new(NULL, &engine) != A2F_OK ||
        a2f_hash(engine, &params, &input, hash, sizeof hash, NULL) != A2F_OK)
        abort();
    a2f_free(engine);
    memset(digest, 'x', DIGEST);
    digest[DIGEST] = '\0';
    (void)snprintf(lines, sizeof lines,
                   "ours:%s\ncrypt:" CRYPT "%s\nlocked:!%s\nbad:%s$\n", hash,
                   digest, hash, hash);
    write_file(database, lines);
}

struct expected {
    const char *name, *user;
    enum a2f_kind kind;
    bool verdict; /* what the test answers to each comparison */
    enum a2f_verdict says;
    unsigned comparisons; /* that there must be */
};

static unsigned ask(const struct expected *e, bool root,
                    struct a2f_reply *reply)
{
    char password[] = RIGHT;
    struct a2f_request request = {.kind = e->kind,
                                  .flags = A2F_FLAG_FOREIGN,
                                  .user = e->user,
                                  .password = password,
                                  .database = database,
                                  .params = PARAMS,
                                  .conf = conf,
                                  .hash = ""};
    struct a2f_asker asker = {.helper = true, .root = root, .pipe = -1};
    unsigned before = reports();

    hide_text(password, strlen(RIGHT));
    verdict = e->verdict;
    compared = 0;
    a2f_answer(&request, &asker, reply);
    return reports() - before;
}

static void test_answer(const struct expected *e, bool root)
{
    static struct a2f_reply reply;
    unsigned made = ask(e, root, &reply);

    if (!tap_ok(made == 0 && reply.verdict == e->says &&
                    compared == e->comparisons,
                "%s, for %s", e->name, root ? "root" : "a user"))
        tap_note("says %c, %u comparisons, %u reports; %s", (int)reply.verdict,
                 compared, made, reply.note);
}

/* The verdict itself depends on the password: that must be seen. */
static void test_control(const struct expected *e)
{
    static struct a2f_reply reply;

    undeclared = true;
    tap_ok(ask(e, false, &reply) > 0,
           "control: a verdict undeclared is reported");
    undeclared = false;
}

int main(void)
{
    static const struct expected all[] = {
        {"right", "ours", A2F_ASK_VERIFY, true, A2F_SAYS_PASS, 1},
        {"wrong", "ours", A2F_ASK_VERIFY, false, A2F_SAYS_WRONG, 1},
        {"nobody", "none", A2F_ASK_VERIFY, false, A2F_SAYS_UNKNOWN, 1},
        {"locked", "locked", A2F_ASK_VERIFY, false, A2F_SAYS_WRONG, 1},
        {"malformed", "bad", A2F_ASK_VERIFY, false, A2F_SAYS_WRONG, 1},
        {"crypt, right", "crypt", A2F_ASK_VERIFY, true, A2F_SAYS_PASS, 1},
        {"crypt, wrong", "crypt", A2F_ASK_VERIFY, false, A2F_SAYS_WRONG, 1},
    };
    static const struct expected renew = {
        "a new password", "ours", A2F_ASK_RENEW, false, A2F_SAYS_PASS, 0};

    if (!RUNNING_ON_VALGRIND) {
        puts("Bail out! not under valgrind");
        return 1;
    }
    write_database();
    write_file(conf, "slots = no\n");
    if (atexit(remove_files) != 0)
        return 1;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        test_answer(&all[i], false);
        test_answer(&all[i], true);
    }
    test_answer(&renew, true);
    test_control(&all[0]);
    return tap_done();
}
