/* SPDX-License-Identifier: MIT */
/* Messages between the PAM module and its helpers: whole ones and others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "wire.h"

static struct a2f_message sample_request(void)
{
    struct a2f_request request = {.kind = A2F_ASK_VERIFY,
                                  .flags = A2F_FLAG_MIGRATE,
                                  .origin = 1000,
                                  .remember = 7,
                                  .user = "ann",
                                  .password = "secret",
                                  .database = "/etc/users",
                                  .params = "owasp",
                                  .conf = "/etc/conf",
                                  .hash = "text"};
    memset(&request.stamp, 0x5a, sizeof request.stamp);
    struct a2f_message message;
    assert_true(a2f_wire_put_request(&request, &message));
    return message;
}

static struct a2f_message sample_reply(void)
{
    struct a2f_reply reply = {.verdict = A2F_SAYS_PASS,
                              .scheme = A2F_SCHEME_ARGON2,
                              .note = "a note",
                              .hash = "a hash"};
    struct a2f_message message;
    assert_true(a2f_wire_put_reply(&reply, &message));
    return message;
}

static void test_round_trip(void **state)
{
    (void)state;
    struct a2f_message message = sample_request();
    struct a2f_request request;
    assert_true(a2f_wire_get_request(&message, &request));
    assert_int_equal(request.kind, A2F_ASK_VERIFY);
    assert_int_equal(request.flags, A2F_FLAG_MIGRATE);
    assert_int_equal(request.origin, 1000);
    assert_int_equal(request.remember, 7);
    assert_string_equal(request.user, "ann");
    assert_string_equal(request.password, "secret");
    assert_string_equal(request.database, "/etc/users");
    assert_string_equal(request.params, "owasp");
    assert_string_equal(request.conf, "/etc/conf");
    assert_string_equal(request.hash, "text");
    assert_int_equal(request.stamp.bytes[A2F_STAMP_LEN - 1], 0x5a);

    struct a2f_reply reply;
    message = sample_reply();
    assert_true(a2f_wire_get_reply(&message, &reply));
    assert_int_equal(reply.verdict, A2F_SAYS_PASS);
    assert_int_equal(reply.scheme, A2F_SCHEME_ARGON2);
    assert_string_equal(reply.note, "a note");
    assert_string_equal(reply.hash, "a hash");
}

/* The longest of everything goes into one piece of a pipe. */
static void test_longest(void **state)
{
    (void)state;
    static char user[A2F_USER_MAX + 2], password[A2F_PASSWORD_MAX + 2],
        path[A2F_PATH_MAX + 2], hash[A2F_HASH_MAX + 2], params[129];
    memset(user, 'u', A2F_USER_MAX);
    memset(password, 'p', A2F_PASSWORD_MAX);
    memset(path, '/', A2F_PATH_MAX);
    memset(hash, 'h', A2F_HASH_MAX);
    memset(params, 'm', 127);
    struct a2f_request request = {.user = user,
                                  .password = password,
                                  .database = path,
                                  .params = params,
                                  .conf = path,
                                  .hash = hash};
    struct a2f_message message;
    assert_true(a2f_wire_put_request(&request, &message));
    assert_true(message.len <= 4096);
    char *const longer[] = {user, password, path, hash, params};
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
        size_t len = strlen(longer[i]);
        longer[i][len] = 'x';
        assert_false(a2f_wire_put_request(&request, &message));
        longer[i][len] = '\0';
    }
}

static void test_cut_short(void **state)
{
    (void)state;
    struct a2f_message whole = sample_reply();
    struct a2f_reply reply;
    for (size_t len = 0; len < whole.len; len++) {
        struct a2f_message part = whole;
        part.len = len;
        assert_false(a2f_wire_get_reply(&part, &reply));
        assert_int_equal(reply.verdict, 0);
    }
    whole.bytes[whole.len++] = 0;
    assert_false(a2f_wire_get_reply(&whole, &reply));
}

/* Whatever a byte becomes: no harm, and no yes but from the byte that says
 * so. */
static void test_garbled(void **state)
{
    (void)state;
    struct a2f_message no = sample_reply();
    no.bytes[5] = A2F_SAYS_WRONG;
    for (size_t i = 0; i < no.len; i++)
        for (int byte = 0; byte < 256; byte++) {
            struct a2f_message message = no;
            struct a2f_reply reply;
            message.bytes[i] = (uint8_t)byte;
            bool fine = a2f_wire_get_reply(&message, &reply);
            if (i != 5 || byte != A2F_SAYS_PASS)
                assert_true(reply.verdict != A2F_SAYS_PASS);
            if (i == 4 && byte != no.bytes[4])
                assert_false(fine);
        }
    struct a2f_message message = sample_request();
    struct a2f_request request;
    assert_false(a2f_wire_get_reply(&message, &(struct a2f_reply){0}));
    message = sample_reply();
    assert_false(a2f_wire_get_request(&message, &request));
}

static void add_field(struct a2f_message *message, uint8_t tag,
                      const void *data, size_t len)
{
    message->bytes[message->len++] = tag;
    message->bytes[message->len++] = (uint8_t)len;
    message->bytes[message->len++] = 0;
    memcpy(message->bytes + message->len, data, len);
    message->len += len;
    message->bytes[6] = (uint8_t)message->len;
    message->bytes[7] = (uint8_t)(message->len >> 8);
}

static void test_fields(void **state)
{
    (void)state;
    static const struct {
        uint8_t tag;
        const char *data;
        size_t len;
        bool fine;
    } cases[] = {
        {0xc0, "from later", 10, true}, /* optional */
        {0x40, "from later", 10, false},
        {3, "\0\0\0\0", 4, false}, /* a second time */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct a2f_message message = sample_reply();
        struct a2f_reply reply;
        add_field(&message, cases[i].tag, cases[i].data, cases[i].len);
        assert_int_equal(a2f_wire_get_reply(&message, &reply), cases[i].fine);
    }
    static const struct {
        const char *data;
        size_t len;
    } texts[] = {{"", 0}, {"ann", 3}, {"an\0n", 5}, {"ann\0", 5}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct a2f_message message = {
            8, {'A', '2', 'F', 'Q', 1, A2F_ASK_VERIFY, 8, 0}};
        struct a2f_request request;
        assert_true(a2f_wire_get_request(&message, &request));
        add_field(&message, 4, texts[i].data, texts[i].len);
        assert_false(a2f_wire_get_request(&message, &request));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_longest),
        cmocka_unit_test(test_cut_short),  cmocka_unit_test(test_garbled),
        cmocka_unit_test(test_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
