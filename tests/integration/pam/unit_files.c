/* SPDX-License-Identifier: MIT */
/* What the PAM module reads from files: lines, entries, the configuration. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conf.h"
#include "entry.h"
#include "stamp.h"

/* ---- lines and entries ---- */

static int file_with(const char *text, size_t len)
{
    char path[] = "/tmp/a2f-unit-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    unlink(path);
    assert_int_equal(write(fd, text, len), len);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

/* Files of every length around the buffer's, in lines of many lengths, come
 * out as they are. */
static void test_lines(void **state)
{
    (void)state;
    static char text[3 * A2F_LINE_MAX], out[3 * A2F_LINE_MAX];
    for (size_t step = 1; step < 9000; step = step * 3 / 2 + 1)
        for (size_t total = 0; total < sizeof text; total += 1021) {
            for (size_t i = 0; i < total; i++)
                text[i] = i % step == step - 1 ? '\n' : 'x';
            int fd = file_with(text, total), more;
            struct a2f_lines lines;
            struct a2f_line line;
            size_t got = 0;
            bool at_start = true;
            a2f_lines_begin(&lines, fd);
            while ((more = a2f_lines_next(&lines, &line)) > 0) {
                assert_int_equal(line.first, at_start);
                assert_true(line.len > 0 && got + line.len <= total);
                memcpy(out + got, line.text, line.len);
                got += line.len;
                at_start = line.last;
                assert_int_equal(line.last, line.text[line.len - 1] == '\n' ||
                                                got == total);
            }
            assert_int_equal(more, 0);
            assert_int_equal(got, total);
            assert_memory_equal(out, text, total);
            a2f_lines_end(&lines);
            close(fd);
        }
}

static struct a2f_entry entry_of(const char *text)
{
    char room[A2F_LINE_MAX];
    struct a2f_entry entry;
    struct a2f_line line = {
        .text = room, .len = strlen(text), .first = true, .last = true};
    memcpy(room, text, strlen(text) + 1);
    a2f_entry_read(&line, true, &entry);
    return entry;
}

static void test_entries(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        enum a2f_scheme scheme;
        const char *name;
    } cases[] = {
        {"a::1:2:3", A2F_SCHEME_EMPTY, "descrypt"},
        {"a:!:1", A2F_SCHEME_LOCKED, "descrypt"},
        {"a:*\n", A2F_SCHEME_LOCKED, "descrypt"},
        {"a:!!$y$x\n", A2F_SCHEME_LOCKED, "descrypt"},
        {"a:$argon2id$v=19$x:1:\n", A2F_SCHEME_ARGON2, "argon2"},
        {"a:$argon2\n", A2F_SCHEME_ARGON2, "argon2"},
        {"a:argon2\n", A2F_SCHEME_FOREIGN, "descrypt"},
        {"a:$y$j9T$x:1:", A2F_SCHEME_FOREIGN, "yescrypt"},
        {"a:$6$x", A2F_SCHEME_FOREIGN, "sha512crypt"},
        {"a:$2b$x", A2F_SCHEME_FOREIGN, "bcrypt"},
        {"a:$", A2F_SCHEME_FOREIGN, "unknown"},
        {"a:_x", A2F_SCHEME_FOREIGN, "bsdicrypt"},
        {"a", A2F_SCHEME_LOCKED, "descrypt"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct a2f_entry entry = entry_of(cases[i].line);
        assert_int_equal(entry.scheme, cases[i].scheme);
        assert_string_equal(a2f_scheme_name(entry.hash), cases[i].name);
    }
    static const char *const bad[] = {"", ":", "a:b", "a\nb", "+", "-x", "#x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(a2f_user_valid(bad[i]));
    assert_true(a2f_user_valid("ann") && a2f_user_valid("a b"));
}

static void test_stamps(void **state)
{
    (void)state;
    struct a2f_entry one = entry_of("ann:$6$x:19000:0:99999:7:::");
    struct a2f_stamp stamp, again;
    bool failed;
    assert_true(a2f_stamp_make(&one, &stamp) && a2f_stamp_make(&one, &again));
    assert_memory_not_equal(&stamp, &again, sizeof stamp);
    assert_true(a2f_stamp_fits(&one, &stamp, &failed) && !failed);
    static const char *const others[] = {
        "ann:$6$y:19000:0:99999:7:::", "ann:$6$x:19001:0:99999:7:::",
        "ann:$6$x:19000:0:99999:7::1:", "ann:$6$x:19000:0:99999:7::", ""};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct a2f_entry other = entry_of(others[i]);
        assert_false(a2f_stamp_fits(&other, &stamp, &failed) || failed);
    }
}

/* ---- the configuration ---- */

static bool read_conf(const char *text, struct a2f_conf *conf,
                      struct a2f_conf_error *error)
{
    char path[] = "/tmp/a2f-conf-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    bool fine = a2f_conf_read(path, "", conf, error);
    unlink(path);
    return fine;
}

static void test_conf(void **state)
{
    (void)state;
    struct a2f_conf conf;
    struct a2f_conf_error error;
    assert_true(read_conf("# comment\n\n  params=m=8192,t=2,p=1\t\n"
                          "budget = 512\nslots = no\r\n"
                          "migrate_include = staff, wheel\n"
                          "queue_timeout = 5",
                          &conf, &error));
    assert_int_equal(conf.params.memory_kib, 8192);
    assert_int_equal(conf.params.passes, 2);
    assert_int_equal(conf.budget_mib, 512);
    assert_false(conf.slots);
    assert_string_equal(conf.include, " staff wheel ");
    assert_int_equal(conf.queue_seconds, 5);
    assert_true(read_conf("", &conf, &error));
    assert_int_equal(conf.params.memory_kib, 65536);
    /* What new hashes cost can be verified. */
    assert_true(read_conf("params = m=1048576,t=80,p=32\nmax_memory = 8\n",
                          &conf, &error));
    assert_int_equal(conf.limits.memory_kib, 1048576);
    assert_int_equal(conf.limits.passes, 80);
    assert_int_equal(conf.limits.lanes, 32);
    assert_true(conf.limits.work >= UINT64_C(80) * 1048576);
    static const struct {
        const char *text;
        unsigned line;
    } bad[] = {
        {"what\n", 1},
        {"\n\nparams = m=1\n", 3},
        {"params =\n# x\nbudget 1\n", 1},
        {"budget = -1\n", 1},
        {"budget = 1x\n", 1},
        {"budget = 99999999999999999999\n", 1},
        {"queue_timeout = 0\n", 1},
        {"queue_timeout = 121\n", 1},
        {"slots = maybe\n", 1},
        {"frobnicate = 1\n", 1},
        {"budget = 1\nbudget = 1\n", 2},
        {"max_lanes = 16777216\n", 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(read_conf(bad[i].text, &conf, &error));
        assert_int_equal(error.line, bad[i].line);
        assert_non_null(error.what);
    }
    static char wide[6000];
    memset(wide, 'x', sizeof wide - 1);
    assert_false(read_conf(wide, &conf, &error));
    assert_false(a2f_conf_read("/nonexistent", "", &conf, &error));
    assert_false(a2f_conf_read("/dev/null", "", &conf, &error));
    assert_false(a2f_conf_read("/tmp", "", &conf, &error));
}

/* The sample that is installed says what the defaults are. */
static void test_sample(void **state)
{
    (void)state;
    struct a2f_conf sample, none;
    struct a2f_conf_error error;
    char text[8192];
    FILE *file = fopen(A2F_SAMPLE_CONF, "r");
    assert_non_null(file);
    size_t n = fread(text, 1, sizeof text - 1, file), keys = 0;
    text[n] = '\0';
    fclose(file);
    for (char *at = text; (at = strstr(at, "\n#")) != NULL; at += 2)
        if (at[2] != ' ' && strchr(at + 2, '=')) {
            at[1] = ' ';
            keys++;
        }
    assert_int_equal(keys, 15);
    assert_true(read_conf(text, &sample, &error));
    assert_true(read_conf("", &none, &error));
    assert_memory_equal(&sample, &none, sizeof sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),  cmocka_unit_test(test_entries),
        cmocka_unit_test(test_stamps), cmocka_unit_test(test_conf),
        cmocka_unit_test(test_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
