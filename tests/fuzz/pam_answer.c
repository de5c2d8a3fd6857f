/* SPDX-License-Identifier: MIT */
/*
 * What the checking helper does with a message from anywhere: it answers it
 * about a password file, which is what follows the message. It passes only a
 * password that the core verifies.
 */
#include "fuzz.h"

#include <string.h>

#include "answer.h"
#include "entry.h"
#include "wire.h"

#define CHEAP "m=8,t=1,p=1"

static const char conf[] = "params = " CHEAP "\nmax_memory = 64\n"
                           "max_passes = 3\nmax_lanes = 4\nslots = no\n";

/* Costs as above, no crypt(3), whose costs have no ceiling, and no files but
 * those of this test. */
static void tame(struct a2f_request *request, struct a2f_span database)
{
    request->conf = fuzz_file(0, (struct a2f_span){conf, sizeof conf - 1});
    request->database = fuzz_file(1, database);
    request->flags &= ~(uint32_t)A2F_FLAG_FOREIGN;
    request->remember = 0;
    if (strcmp(request->params, CHEAP) != 0)
        request->params = "";
}

static bool may_pass(const struct a2f_request *request)
{
    static struct a2f_engine *engine;
    struct a2f_entry entry;
    const struct a2f_input input = {
        .password = {request->password, strlen(request->password)}};

    if (engine == NULL)
        FUZZ_CHECK(a2f_new(NULL, &engine) == A2F_OK);
    if (a2f_entry_find(request->database, request->user, &entry) != A2F_FOUND)
        return false;
    if (entry.scheme == A2F_SCHEME_EMPTY)
        return (request->flags & A2F_FLAG_NULLOK) && !*request->password;
    return entry.scheme == A2F_SCHEME_ARGON2 &&
           a2f_verify(engine, (struct a2f_span){entry.hash, strlen(entry.hash)},
                      &input, NULL) == A2F_OK;
}

static void check_reply(const struct a2f_request *request,
                        const struct a2f_reply *reply,
                        const struct a2f_asker *asker)
{
    static const struct a2f_stamp no_stamp;
    struct a2f_message message;
    struct a2f_reply read;

    FUZZ_CHECK(a2f_wire_put_reply(reply, &message));
    FUZZ_CHECK(a2f_wire_get_reply(&message, &read) &&
               read.verdict == reply->verdict);
    FUZZ_CHECK(fuzz_printable(reply->note));
    if (request->kind == A2F_ASK_VERIFY && reply->verdict == A2F_SAYS_PASS)
        FUZZ_CHECK(may_pass(request));
    if (asker->root)
        return;
    /* what others than root must not learn */
    FUZZ_CHECK(reply->hash[0] == '\0');
    FUZZ_CHECK(memcmp(&reply->stamp, &no_stamp, sizeof no_stamp) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct a2f_message message = {.len = size < 8 ? size : 8};
    struct a2f_request request;
    struct a2f_reply reply;
    size_t len;

    memcpy(message.bytes, data, message.len);
    len = a2f_wire_length(&message);
    if (len == 0 || len > size || len > sizeof message.bytes)
        return -1; /* not worth a place in the corpus */
    message.len = len;
    memcpy(message.bytes, data, len);
    if (!a2f_wire_get_request(&message, &request))
        return -1;
    const struct a2f_asker asker = {.helper = true,
                                    .root = request.origin % 2 == 0,
                                    .origin = request.origin,
                                    .pipe = -1};
    tame(&request, (struct a2f_span){data + len, size - len});
    a2f_answer(&request, &asker, &reply);
    check_reply(&request, &reply, &asker);
    return 0;
}
