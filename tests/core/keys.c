/* SPDX-License-Identifier: MIT */
/*
 * Key files: what is read, what is refused and how it is said, who may own
 * them; and keys in hashes.
 */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "argon2fast.h"
#include "keys.h"
#include "sys.h"

#define SECRET_16 "AAECAwQFBgcICQoLDA0ODw"
#define SECRET_20 "bm90IGEgc2VjcmV0IGF0IGFsbA=="

static const struct a2f_params cheap = {A2F_ID, 0x13, 64, 1, 1, 32, 16};
static char dir[] = "/tmp/keys.XXXXXX", path[64];

static struct a2f_span span(const char *text)
{
    return (struct a2f_span){text, strlen(text)};
}

static void write_bytes(const void *data, size_t len, mode_t mode)
{
    FILE *file;

    (void)unlink(path);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static struct a2f_keys *read_text(const char *text)
{
    struct a2f_keys *keys = NULL;

    write_bytes(text, strlen(text), 0600);
    assert_int_equal(a2f_keys_read(path, &keys, NULL), A2F_OK);
    assert_non_null(keys);
    return keys;
}

/* An error that names `what`, and the line unless that is 0. */
static void refused(const char *what, unsigned line)
{
    struct a2f_keys *keys = (struct a2f_keys *)dir;
    struct a2f_why why = {0};
    char text[200], wanted[40] = "";

    assert_int_equal(a2f_keys_read(path, &keys, &why), A2F_BAD_PARAM);
    assert_null(keys);
    assert_non_null(strstr(why.what, what));
    assert_int_equal(why.value, line);
    a2f_explain(A2F_BAD_PARAM, &why, text, sizeof text);
    if (line > 0)
        snprintf(wanted, sizeof wanted, "in line %u", line);
    assert_non_null(strstr(text, wanted));
    assert_null(strstr(text, "AAEC"));
    assert_null(strstr(text, "allowed"));
}

static void test_read(void **state)
{
    struct a2f_keys *keys =
        read_text("# peppers\n\n  \t\ncurrent b-2\n2025.a\t" SECRET_16
                  "\n  b-2  " SECRET_20 "  \n\t# more\nc_ " SECRET_16 "==");
    const struct a2f_key *key = a2f_keys_current(keys);

    (void)state;
    assert_string_equal(key->id, "b-2");
    assert_int_equal(key->secret.len, 19);
    assert_memory_equal(key->secret.data, "not a secret at all", 19);
    key = a2f_keys_find(keys, span("MjAyNS5h"));
    assert_string_equal(key->id, "2025.a");
    assert_int_equal(key->secret.len, 16);
    assert_memory_equal(key->secret.data, "\0\1\2\3\4\5\6\7\10\11\12\13\14\15",
                        14);
    assert_string_equal(a2f_keys_find(keys, span("Y18"))->id, "c_");
    assert_null(a2f_keys_find(keys, span("Yi0")));          /* b- */
    assert_null(a2f_keys_find(keys, span("Yi0yMg")));       /* b-22 */
    assert_null(a2f_keys_find(keys, span("MjAyNS5iYmJi"))); /* 9 bytes */
    assert_null(a2f_keys_find(NULL, span("Y18")));
    assert_null(a2f_keys_current(NULL));
    a2f_keys_free(keys);
    a2f_keys_free(NULL);
    keys = read_text("a " SECRET_16 "\n");
    assert_null(a2f_keys_current(keys));
    a2f_keys_free(keys);
}

static void test_refusals(void **state)
{
    static const struct {
        const char *text, *what;
        unsigned line;
    } cases[] = {
        {"", "no key", 0},
        {"# a " SECRET_16 "\n", "no key", 0},
        {"a " SECRET_16 "\na " SECRET_20 "\n", "repeated id", 2},
        {"a " SECRET_16 "\ncurrent b\n", "unknown id", 2},
        {"\ncurrent b\na " SECRET_16, "unknown id", 2},
        {"current a\ncurrent a\na " SECRET_16, "repeated current", 2},
        {"a\n", "not two words", 1},
        {"current\n", "not two words", 1},
        {"a " SECRET_16 " # mine\n", "not two words", 1},
        {"\n\nabcdefghi " SECRET_16, "id", 3},
        {"a/b " SECRET_16, "id", 1},
        {"\xc3\xa4 " SECRET_16, "id", 1},
        {"current " SECRET_16 "\n", "no key", 0},
        {"a AAECAwQFBgcICQoLDA0O\n", "length", 1}, /* 15 bytes */
        {"a " SECRET_16 "=\n", "base64", 1},
        {"a " SECRET_16 "\r\n", "base64", 1},
        {"a AAECAwQFBgcICQoLDA0OD-\n", "base64", 1},
        {"a " SECRET_16 "AAA\n", "base64", 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_bytes(cases[i].text, strlen(cases[i].text), 0600);
        refused(cases[i].what, cases[i].line);
    }
    write_bytes("a " SECRET_16 "\nb AAEC\0AwQFBgcICQoLDA0ODw", 50, 0600);
    refused("base64", 2);
}

/* n lines of a key each, ids numbered. */
static char *many_keys(unsigned n)
{
    char *text = malloc(n * 40 + 1), *at = text;

    assert_non_null(text);
    for (unsigned i = 0; i < n; i++)
        at += sprintf(at, "%u " SECRET_16 "\n", i);
    return text;
}

static void test_bounds(void **state)
{
    char *text = many_keys(65), *big = malloc(70000);
    struct a2f_keys *keys = NULL;

    (void)state;
    write_bytes(text, strlen(text), 0600);
    refused("too many", 65);
    free(text);
    text = many_keys(64);
    a2f_keys_free(read_text(text));
    free(text);
    assert_non_null(big);
    memset(big, 'A', 70000);
    memcpy(big, "a ", 2);
    big[2 + 1366] = '\0'; /* 1024 bytes and 4 bits of zero */
    a2f_keys_free(read_text(big));
    big[2 + 1366] = 'A';
    big[2 + 1368] = '\0'; /* 1026 */
    write_bytes(big, strlen(big), 0600);
    refused("length", 1);
    memset(big, '\n', 70000);
    memcpy(big, "a " SECRET_16, 24);
    write_bytes(big, 65536, 0600);
    assert_int_equal(a2f_keys_read(path, &keys, NULL), A2F_OK);
    a2f_keys_free(keys);
    write_bytes(big, 65537, 0600);
    refused("too large", 0);
    free(big);
}

static void test_modes(void **state)
{
    static const mode_t modes[] = {0600, 0400, 0640, 0440, 0644,  0660, 0620,
                                   0604, 0601, 0700, 0610, 04600, 02640};
    const bool root = geteuid() == 0;
    struct a2f_keys *keys = NULL;

    (void)state;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        bool fine =
            (modes[i] & 07177) == 0 || (root && (modes[i] & 07137) == 0);

        write_bytes("a " SECRET_16, 24, modes[i]);
        if (!fine) {
            refused("owner or mode", 0);
            continue;
        }
        assert_int_equal(a2f_keys_read(path, &keys, NULL), A2F_OK);
        a2f_keys_free(keys);
    }
}

/* Whether a user of the group 23456 can read the keys. */
static bool others_read(void)
{
    struct a2f_keys *keys = NULL;
    int status = 1;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        if (setgid(23456) != 0 || setuid(12345) != 0)
            _exit(2);
        _exit(a2f_keys_read(path, &keys, NULL) == A2F_OK ? 0 : 3);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status == 0;
}

static void test_owners(void **state)
{
    (void)state;
    if (geteuid() != 0)
        return; /* only root can give files to others */
    write_bytes("a " SECRET_16, 24, 0600);
    assert_false(others_read());
    assert_int_equal(chown(path, 12345, 23456), 0);
    refused("owner or mode", 0); /* root itself trusts root's files alone */
    assert_int_equal(chmod(dir, 0711), 0);
    assert_true(others_read());
    /* root's, readable by the group: as /etc/shadow is */
    assert_int_equal(chown(path, 0, 23456), 0);
    assert_int_equal(chmod(path, 0640), 0);
    assert_true(others_read());
}

static void test_no_file(void **state)
{
    struct a2f_keys *keys = NULL;

    (void)state;
    (void)unlink(path);
    refused("cannot be opened", 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    refused("no regular file", 0);
    (void)unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
    refused("no regular file", 0);
    assert_int_equal(rmdir(path), 0);
    /* a link is as good as what it leads to */
    write_bytes("a " SECRET_16, 24, 0644);
    char link[80];
    snprintf(link, sizeof link, "%s.link", path);
    assert_int_equal(symlink(path, link), 0);
    assert_int_equal(a2f_keys_read(link, &keys, NULL), A2F_BAD_PARAM);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(a2f_keys_read(link, &keys, NULL), A2F_OK);
    a2f_keys_free(keys);
    assert_int_equal(unlink(link), 0);
    a2f_sys_fail(1, false);
    assert_int_equal(a2f_keys_read(path, &keys, NULL), A2F_NO_MEMORY);
    a2f_sys_fail(2, false);
    refused("cannot be read", 0);
    a2f_sys_fail(0, false);
}

/* A hash under a key is the one under its secret, and says which it was. */
static void test_hashes(void **state)
{
    struct a2f_keys *keys =
        read_text("current b\na " SECRET_16 "\nb " SECRET_20);
    struct a2f_keys *others = read_text("a " SECRET_16);
    const struct a2f_config config = {.keys = keys}, other = {.keys = others};
    struct a2f_input input = {.password = {"password", 8}};
    struct a2f_engine *engine, *plain, *lacking;
    struct a2f_why why = {0};
    const struct a2f_run run = {.why = &why};
    char keyed[A2F_TEXT_MAX], bare[A2F_TEXT_MAX];
    struct a2f_params params;
    bool canonical = false;

    (void)state;
    assert_int_equal(a2f_new(&config, &engine), A2F_OK);
    assert_int_equal(a2f_new(NULL, &plain), A2F_OK);
    assert_int_equal(a2f_new(&other, &lacking), A2F_OK);
    assert_int_equal(
        a2f_hash(engine, &cheap, &input, keyed, sizeof keyed, NULL), A2F_OK);
    assert_memory_equal(keyed, "$argon2id$v=19$m=64,t=1,p=1,keyid=Yg$", 37);
    assert_int_equal(a2f_parse(span(keyed), &params, &canonical, NULL), A2F_OK);
    assert_true(canonical);
    assert_memory_equal(&params, &cheap, sizeof params);
    assert_int_equal(a2f_verify(engine, span(keyed), &input, NULL), A2F_OK);
    assert_int_equal(a2f_verify(plain, span(keyed), &input, &run), A2F_NO_KEY);
    assert_string_equal(why.what, "keyid");
    assert_int_equal(a2f_verify(lacking, span(keyed), &input, NULL),
                     A2F_NO_KEY);
    /* the text decides which secret, not the caller's */
    input.secret = span("not a secret at all");
    assert_int_equal(a2f_verify(plain, span(keyed), &input, NULL), A2F_NO_KEY);
    input.secret = span("another");
    assert_int_equal(a2f_verify(engine, span(keyed), &input, NULL), A2F_OK);
    snprintf(bare, sizeof bare, "$argon2id$v=19$m=64,t=1,p=1%s", keyed + 36);
    input.secret = span("not a secret at all");
    assert_int_equal(a2f_verify(plain, span(bare), &input, NULL), A2F_OK);
    input.secret.len = 0;
    assert_int_equal(a2f_verify(engine, span(bare), &input, NULL),
                     A2F_MISMATCH);
    input.password.len = 7;
    assert_int_equal(a2f_verify(engine, span(keyed), &input, NULL),
                     A2F_MISMATCH);
    strstr(keyed, "Yg")[1] = 'Q'; /* b's hash under a's name */
    input.password.len = 8;
    assert_int_equal(a2f_verify(engine, span(keyed), &input, NULL),
                     A2F_MISMATCH);
    a2f_free(engine);
    a2f_free(plain);
    a2f_free(lacking);
    a2f_keys_free(keys);
    a2f_keys_free(others);
}

/* Where the caller brings a secret or a salt of its own, no key is used, nor
 * where none is current. */
static void test_unkeyed(void **state)
{
    struct a2f_keys *keys = read_text("current b\nb " SECRET_20);
    struct a2f_keys *retired = read_text("b " SECRET_20);
    struct a2f_config config = {.keys = keys};
    const struct a2f_input own[] = {
        {.password = {"x", 1}, .secret = {"mine", 4}},
        {.password = {"x", 1}, .salt = {"somesalt", 8}},
    };
    const struct a2f_input input = {.password = {"x", 1}};
    struct a2f_engine *engine;
    char text[A2F_TEXT_MAX];

    (void)state;
    assert_int_equal(a2f_new(&config, &engine), A2F_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(
            a2f_hash(engine, &cheap, &own[i], text, sizeof text, NULL), A2F_OK);
        assert_null(strstr(text, "keyid"));
        assert_int_equal(a2f_verify(engine, span(text), &own[i], NULL), A2F_OK);
    }
    /* the id counts where room is short */
    assert_int_equal(a2f_hash(engine, &cheap, &input, text, sizeof text, NULL),
                     A2F_OK);
    size_t len = strlen(text);
    assert_int_equal(a2f_hash(engine, &cheap, &input, text, len, NULL),
                     A2F_BAD_PARAM);
    assert_int_equal(a2f_hash(engine, &cheap, &input, text, len + 1, NULL),
                     A2F_OK);
    a2f_free(engine);
    config.keys = retired;
    assert_int_equal(a2f_new(&config, &engine), A2F_OK);
    assert_int_equal(a2f_verify(engine, span(text), &input, NULL), A2F_OK);
    assert_int_equal(a2f_hash(engine, &cheap, &input, text, sizeof text, NULL),
                     A2F_OK);
    assert_null(strstr(text, "keyid"));
    a2f_free(engine);
    a2f_keys_free(keys);
    a2f_keys_free(retired);
}

static int make_dir(void **state)
{
    (void)state;
    if (mkdtemp(dir) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/keys", dir);
    return 0;
}

static int remove_dir(void **state)
{
    (void)state;
    (void)unlink(path);
    return rmdir(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),   cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_bounds), cmocka_unit_test(test_modes),
        cmocka_unit_test(test_owners), cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_hashes), cmocka_unit_test(test_unkeyed),
    };

    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
