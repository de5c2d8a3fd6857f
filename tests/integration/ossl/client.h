/* SPDX-License-Identifier: MIT */
/*
 * What the C tests of the provider share: a library context that has loaded it
 * under a configuration of the test's, parameters, and libargon2 as the oracle.
 */
#ifndef CLIENT_H
#define CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/provider.h>

/* Reason numbers newer than the headers of OpenSSL 3.0. */
#define REASON_THREADS  234
#define REASON_MEMORY   235
#define REASON_REPEATED 252

#define TAG 32 /* bytes of most tags here */

/* A library context of its own with the provider in it. */
struct client {
    OSSL_LIB_CTX *libctx;
    OSSL_PROVIDER *provider;
};

/* lines: what the provider's section says, or NULL. On false the provider
 * would not load, and the client is to be closed nevertheless. */
bool client_open(struct client *client, const char *lines);
void client_close(struct client *client);
/* A context for ARGON2ID or another name; ends the test when there is none, or
 * when it is not our provider's. */
EVP_KDF_CTX *client_kdf(const struct client *client, const char *name);

/* A parameter list in the making: what is added twice is there twice. */
struct args {
    OSSL_PARAM list[24];
    uint32_t number[24];
    unsigned n;
};

void args_octets(struct args *args, const char *key, const void *data,
                 size_t len);
void args_text(struct args *args, const char *key, const char *text);
void args_u32(struct args *args, const char *key, uint32_t value);
void args_add(struct args *args, OSSL_PARAM param);

/* pass "password", salt "somesalt", iter 2, memcost 64, lanes 2. */
void args_standard(struct args *args);

/* What libargon2 says. */
struct wanted {
    int type; /* 0 d, 1 i, 2 id */
    uint32_t version, memory, passes, lanes;
    const char *pass, *salt, *secret, *ad; /* NULL: none */
};
/* That of args_standard with ARGON2ID. */
extern const struct wanted standard;

void oracle(const struct wanted *wanted, uint8_t *tag, size_t len);
/* Whether tag is libargon2's. */
bool is_tag_of(const struct wanted *wanted, const uint8_t *tag, size_t len);

/* Empties the error queue; its first error's reason and, if it is a place for
 * 256 bytes, data text. 0: the queue was empty. */
int take_error(char *data);

#endif
