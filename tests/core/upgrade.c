/* SPDX-License-Identifier: MIT */
/*
 * Which hashes are old, and that an upgrade gives the password a hash that is
 * better in something and worse in nothing.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "argon2fast.h"

/* What differs from it is made member by member. */
static const struct a2f_params base = {A2F_I, 0x13, 128, 2, 2, 24, 12};
static struct a2f_keys *old_current, *new_current, *none_current;

static struct a2f_span span(const char *text)
{
    return (struct a2f_span){text, strlen(text)};
}

static struct a2f_keys *read_keys(const char *text)
{
    char path[] = "/tmp/upgrade.XXXXXX";
    struct a2f_keys *keys = NULL;
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    assert_int_equal(close(fd), 0);
    assert_int_equal(a2f_keys_read(path, &keys, NULL), A2F_OK);
    assert_int_equal(unlink(path), 0);
    return keys;
}

static struct a2f_engine *new_engine(const struct a2f_keys *keys)
{
    const struct a2f_config config = {
        .keys = keys, .limits = {.memory_kib = 512, .work = 2048}};
    struct a2f_engine *engine = NULL;

    assert_int_equal(a2f_new(&config, &engine), A2F_OK);
    return engine;
}

static const struct a2f_input right = {.password = {"password", 8}};
static const struct a2f_input not_right = {.password = {"Password", 8}};

static void hash(const struct a2f_keys *keys, const struct a2f_params *params,
                 const struct a2f_input *input, char text[A2F_TEXT_MAX])
{
    struct a2f_engine *engine = new_engine(keys);

    assert_int_equal(a2f_hash(engine, params, input, text, A2F_TEXT_MAX, NULL),
                     A2F_OK);
    a2f_free(engine);
}

static struct a2f_params parsed(const char *text)
{
    struct a2f_params params;

    assert_int_equal(a2f_parse(span(text), &params, NULL, NULL), A2F_OK);
    return params;
}

static bool needs(const char *text, const struct a2f_params *params,
                  const struct a2f_keys *keys)
{
    bool old;

    assert_int_equal(a2f_needs_rehash(span(text), params, keys, &old, NULL),
                     A2F_OK);
    return old;
}

/* params that differ from base in one member, more (1) or less (-1). */
enum { MEMBERS = 7 };
static struct a2f_params changed(int member, int by)
{
    struct a2f_params p = base;

    switch (member) {
    case 0:
        p.type = by > 0 ? A2F_ID : A2F_D;
        break;
    case 1:
        p.version = by > 0 ? 0x13 : 0x10; /* there is nothing above */
        break;
    case 2:
        p.memory_kib += (uint32_t)(8 * by);
        break;
    case 3:
        p.passes += (uint32_t)by;
        break;
    case 4:
        p.lanes += (uint32_t)by;
        break;
    case 5:
        p.tag_len += (uint32_t)by;
        break;
    default:
        p.salt_len += (uint32_t)by;
    }
    return p;
}

/* Upgrades and checks all that is so for every upgrade. */
static bool upgrade(const struct a2f_keys *keys, const char *old,
                    const struct a2f_params *params,
                    const struct a2f_input *input, char text[A2F_TEXT_MAX])
{
    struct a2f_engine *engine = new_engine(keys);
    char again[A2F_TEXT_MAX];

    assert_int_equal(a2f_verify_upgrade(engine, span(old), input, params, text,
                                        A2F_TEXT_MAX, NULL),
                     A2F_OK);
    /* what was stored is good for the next log-in, and current then */
    assert_int_equal(a2f_verify_upgrade(engine, span(text), input, params,
                                        again, sizeof again, NULL),
                     A2F_OK);
    assert_string_equal(again, text);
    assert_int_equal(a2f_verify_upgrade(engine, span(text), &not_right, params,
                                        again, sizeof again, NULL),
                     A2F_MISMATCH);
    assert_string_equal(again, "");
    a2f_free(engine);
    return strcmp(old, text) != 0;
}

static void test_cost(void **state)
{
    char old[A2F_TEXT_MAX], text[A2F_TEXT_MAX];

    (void)state;
    hash(NULL, &base, &right, old);
    assert_false(needs(old, &base, NULL));
    assert_false(upgrade(NULL, old, &base, &right, text));
    for (int member = 0; member < MEMBERS; member++) {
        struct a2f_params more = changed(member, 1);
        struct a2f_params less = changed(member, -1);

        assert_true(needs(old, &less, NULL));
        assert_false(upgrade(NULL, old, &less, &right, text));
        if (member == 1) { /* a hash of version 0x10 is old instead */
            hash(NULL, &less, &right, old);
            more = base;
        }
        assert_true(needs(old, &more, NULL));
        assert_true(upgrade(NULL, old, &more, &right, text));
        struct a2f_params now = parsed(text);
        assert_memory_equal(&now, &more, sizeof now);
        assert_false(needs(text, &more, NULL));
        hash(NULL, &base, &right, old);
    }
}

/* More of one thing and less of another: the more of both. */
static void test_mixed(void **state)
{
    const struct a2f_params wanted = {A2F_ID, 0x13, 64, 5, 1, 32, 8};
    const struct a2f_params both = {A2F_ID, 0x13, 128, 5, 2, 32, 12};
    char old[A2F_TEXT_MAX], text[A2F_TEXT_MAX];

    (void)state;
    hash(NULL, &base, &right, old);
    assert_true(upgrade(NULL, old, &wanted, &right, text));
    struct a2f_params now = parsed(text);
    assert_memory_equal(&now, &both, sizeof now);
}

/* 512 KiB once and 64 KiB 32 times are each the most that is allowed. */
static void test_ceilings(void **state)
{
    const struct a2f_params broad = {A2F_ID, 0x13, 512, 1, 1, 32, 16};
    const struct a2f_params tall = {A2F_ID, 0x13, 64, 32, 1, 32, 16};
    struct a2f_params over = broad;
    struct a2f_engine *engine = new_engine(NULL);
    struct a2f_why why = {0};
    const struct a2f_run run = {.why = &why};
    char old[A2F_TEXT_MAX], text[A2F_TEXT_MAX];

    (void)state;
    hash(NULL, &broad, &right, old);
    assert_false(upgrade(NULL, old, &tall, &right, text));
    /* the key is changed all the same */
    assert_true(upgrade(new_current, old, &tall, &right, text));
    struct a2f_params now = parsed(text);
    assert_memory_equal(&now, &broad, sizeof now);
    /* params that no hash may have are the caller's mistake */
    over.memory_kib = 513;
    assert_int_equal(a2f_verify_upgrade(engine, span(old), &right, &over, text,
                                        sizeof text, &run),
                     A2F_OVER_LIMIT);
    assert_string_equal(why.what, "memory_kib");
    over.memory_kib = 7;
    assert_int_equal(a2f_verify_upgrade(engine, span(old), &right, &over, text,
                                        sizeof text, &run),
                     A2F_BAD_PARAM);
    assert_string_equal(text, "");
    a2f_free(engine);
}

/* Unkeyed or another's: old, once a key is current. Never the other way. */
static void test_keys(void **state)
{
    char bare[A2F_TEXT_MAX], first[A2F_TEXT_MAX], second[A2F_TEXT_MAX];
    char text[A2F_TEXT_MAX];

    (void)state;
    hash(NULL, &base, &right, bare);
    assert_false(needs(bare, &base, none_current));
    assert_false(upgrade(none_current, bare, &base, &right, text));
    assert_true(needs(bare, &base, old_current));
    assert_true(upgrade(old_current, bare, &base, &right, first));
    assert_non_null(strstr(first, ",keyid=MQ$"));
    assert_false(needs(first, &base, old_current));
    assert_true(needs(first, &base, new_current));
    assert_true(upgrade(new_current, first, &base, &right, second));
    assert_non_null(strstr(second, ",keyid=Mg$"));
    assert_false(needs(second, &base, new_current));
    /* without a current key a pepper stays */
    assert_false(needs(first, &base, none_current));
    assert_false(needs(first, &base, NULL));
    const struct a2f_params more = changed(3, 1);
    assert_true(needs(first, &more, none_current));
    assert_false(upgrade(none_current, first, &more, &right, text));
}

/* From a secret of the caller's own to one with a name. */
static void test_own_secret(void **state)
{
    const struct a2f_input own = {
        .password = {"password", 8}, .secret = {"mine", 4}, .ad = {"ad", 2}};
    const struct a2f_params more = changed(3, 1);
    char old[A2F_TEXT_MAX], text[A2F_TEXT_MAX];

    (void)state;
    hash(NULL, &base, &own, old);
    assert_true(upgrade(NULL, old, &more, &own, text));
    assert_null(strstr(text, "keyid"));
    assert_true(upgrade(new_current, old, &base, &own, text));
    assert_non_null(strstr(text, ",keyid=Mg$"));
}

static int stop(void *ctx)
{
    int *left = ctx;

    return --*left <= 0;
}

static void test_errors(void **state)
{
    struct a2f_engine *engine = new_engine(new_current);
    struct a2f_engine *lacking = new_engine(NULL);
    const struct a2f_params more = changed(3, 1);
    struct a2f_why why = {0};
    int left = 1;
    const struct a2f_run run = {.why = &why},
                         stopped = {.poll = stop, .poll_ctx = &left};
    char old[A2F_TEXT_MAX], text[A2F_TEXT_MAX] = "#";

    (void)state;
    hash(new_current, &base, &right, old);
    assert_int_equal(a2f_verify_upgrade(lacking, span(old), &right, &more, text,
                                        sizeof text, &run),
                     A2F_NO_KEY);
    assert_string_equal(why.what, "keyid");
    assert_string_equal(text, "");
    assert_int_equal(a2f_verify_upgrade(engine, span("$1$x"), &right, &more,
                                        text, sizeof text, NULL),
                     A2F_BAD_HASH);
    for (size_t size = 0; size <= strlen(old); size++) {
        assert_int_equal(a2f_verify_upgrade(engine, span(old), &right, &base,
                                            text, size, &run),
                         A2F_BAD_PARAM);
        assert_string_equal(why.what, "size");
        assert_int_equal(why.min, strlen(old) + 1);
    }
    assert_int_equal(a2f_verify_upgrade(engine, span(old), &right, &base, text,
                                        strlen(old) + 1, &run),
                     A2F_OK);
    assert_null(why.what);
    memset(text, '#', sizeof text);
    assert_int_equal(a2f_verify_upgrade(engine, span(old), &right, &more, text,
                                        sizeof text, &stopped),
                     A2F_CANCELLED);
    assert_string_equal(text, "");
    a2f_free(engine);
    a2f_free(lacking);
}

static void test_needs_errors(void **state)
{
    struct a2f_params params = base;
    struct a2f_why why = {0};
    bool old = true;

    (void)state;
    assert_int_equal(a2f_needs_rehash(span("$1$x"), &params, NULL, &old, &why),
                     A2F_BAD_HASH);
    assert_false(old);
    params.passes = 0;
    assert_int_equal(a2f_needs_rehash(span("$1$x"), &params, NULL, &old, &why),
                     A2F_BAD_PARAM);
    assert_string_equal(why.what, "passes");
    /* the order of m, t and p is no reason, an unnamed version is one */
    params = (struct a2f_params){A2F_ID, 0x13, 64, 2, 1, 7, 8};
    assert_false(needs("$argon2id$v=19$p=1,t=2,m=64$c29tZXNhbHQ$c29tZXRhZw",
                       &params, NULL));
    assert_true(
        needs("$argon2id$m=64,t=2,p=1$c29tZXNhbHQ$c29tZXRhZw", &params, NULL));
}

static int make_keys(void **state)
{
    (void)state;
    old_current = read_keys("current 1\n"
                            "1 b25lIG9uZSBvbmUgb25lIG9uZQ\n");
    new_current = read_keys("current 2\n"
                            "1 b25lIG9uZSBvbmUgb25lIG9uZQ\n"
                            "2 dHdvIHR3byB0d28gdHdvIHR3bw\n");
    none_current = read_keys("1 b25lIG9uZSBvbmUgb25lIG9uZQ\n");
    return 0;
}

static int free_keys(void **state)
{
    (void)state;
    a2f_keys_free(old_current);
    a2f_keys_free(new_current);
    a2f_keys_free(none_current);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cost),         cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_ceilings),     cmocka_unit_test(test_keys),
        cmocka_unit_test(test_own_secret),   cmocka_unit_test(test_errors),
        cmocka_unit_test(test_needs_errors),
    };

    return cmocka_run_group_tests(tests, make_keys, free_keys);
}
