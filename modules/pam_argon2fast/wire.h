/* SPDX-License-Identifier: MIT */
/*
 * Requests and replies as bytes on a pipe. Both have a version and tagged
 * fields, so that a host that loaded an older module can talk to a newer
 * helper: a field that is not known is an error only when its tag says so.
 */
#ifndef A2F_PAM_WIRE_H
#define A2F_PAM_WIRE_H

#include "request.h"

/* One message; as long as what a pipe takes in one piece (PIPE_BUF). */
struct a2f_message {
    size_t len;
    uint8_t bytes[4096];
};

/* False: it does not fit. */
bool a2f_wire_put_request(const struct a2f_request *request,
                          struct a2f_message *message);
bool a2f_wire_put_reply(const struct a2f_reply *reply,
                        struct a2f_message *message);

/* False: not a whole, well-formed message. The request's strings point into
 * the message. */
bool a2f_wire_get_request(const struct a2f_message *message,
                          struct a2f_request *request);
bool a2f_wire_get_reply(const struct a2f_message *message,
                        struct a2f_reply *reply);

/* How long the message will be that begins with these bytes: 0 when it is too
 * early to say, more than sizeof bytes when it is no message. */
size_t a2f_wire_length(const struct a2f_message *message);

#endif
