/* SPDX-License-Identifier: MIT */
/*
 * Messages between the PAM module and its helpers, from anywhere: whatever is
 * taken for a request or a reply is within its bounds, and when it is written
 * and read again it says the same.
 */
#include "fuzz.h"

#include <string.h>

#include "wire.h"

static bool same_text(const char *a, const char *b, size_t max)
{
    return strlen(a) <= max && strcmp(a, b) == 0;
}

static void check_request(const struct a2f_request *a)
{
    struct a2f_message message;
    struct a2f_request b;

    FUZZ_CHECK(a2f_wire_put_request(a, &message));
    FUZZ_CHECK(a2f_wire_get_request(&message, &b));
    FUZZ_CHECK(a->kind == b.kind && a->flags == b.flags &&
               a->origin == b.origin && a->remember == b.remember);
    FUZZ_CHECK(same_text(a->user, b.user, A2F_USER_MAX));
    FUZZ_CHECK(same_text(a->password, b.password, A2F_PASSWORD_MAX));
    FUZZ_CHECK(same_text(a->database, b.database, A2F_PATH_MAX));
    FUZZ_CHECK(same_text(a->params, b.params, 127));
    FUZZ_CHECK(same_text(a->conf, b.conf, A2F_PATH_MAX));
    FUZZ_CHECK(same_text(a->hash, b.hash, A2F_HASH_MAX));
    FUZZ_CHECK(memcmp(&a->stamp, &b.stamp, sizeof b.stamp) == 0);
}

static void check_reply(const struct a2f_reply *a)
{
    struct a2f_message message;
    struct a2f_reply b;

    FUZZ_CHECK(a2f_wire_put_reply(a, &message));
    FUZZ_CHECK(a2f_wire_get_reply(&message, &b));
    FUZZ_CHECK(a->verdict == b.verdict && a->scheme == b.scheme &&
               a->ageing == b.ageing && a->dry_run == b.dry_run);
    FUZZ_CHECK(same_text(a->note, b.note, sizeof b.note - 1));
    FUZZ_CHECK(same_text(a->hash, b.hash, A2F_HASH_MAX));
    FUZZ_CHECK(memcmp(&a->stamp, &b.stamp, sizeof b.stamp) == 0);
}

/* As a reader sees it who has only so much of it yet. */
static void check_length(const struct a2f_message *whole, bool taken)
{
    struct a2f_message part = *whole;

    for (part.len = 0; part.len < 8; part.len++)
        FUZZ_CHECK(a2f_wire_length(&part) == 0);
    FUZZ_CHECK(!taken || a2f_wire_length(whole) == whole->len);
    if (taken) {
        struct a2f_request request;
        struct a2f_reply reply;

        part.len = whole->len - 1;
        FUZZ_CHECK(!a2f_wire_get_request(&part, &request));
        FUZZ_CHECK(!a2f_wire_get_reply(&part, &reply));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct a2f_reply nothing;
    struct a2f_message message;
    struct a2f_request request;
    struct a2f_reply reply;

    message.len = size < sizeof message.bytes ? size : sizeof message.bytes;
    memcpy(message.bytes, data, message.len);
    bool asks = a2f_wire_get_request(&message, &request);
    bool says = a2f_wire_get_reply(&message, &reply);
    FUZZ_CHECK(!asks || !says);
    if (asks)
        check_request(&request);
    if (says)
        check_reply(&reply);
    else /* what is not understood never says "pass", nor anything else */
        FUZZ_CHECK(memcmp(&reply, &nothing, sizeof reply) == 0);
    check_length(&message, asks || says);
    return 0;
}
