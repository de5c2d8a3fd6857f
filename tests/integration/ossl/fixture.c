/* SPDX-License-Identifier: MIT */
/* See fixture.h. */
#include "fixture.h"

struct client client;

int open_client(void **state)
{
    (void)state;
    return client_open(&client, NULL) ? 0 : -1;
}

int close_client(void **state)
{
    (void)state;
    client_close(&client);
    return 0;
}

EVP_KDF_CTX *standard_kdf(void)
{
    EVP_KDF_CTX *ctx = client_kdf(&client, "ARGON2ID");
    struct args args;

    args_standard(&args);
    assert_int_equal(EVP_KDF_CTX_set_params(ctx, args.list), 1);
    return ctx;
}

void assert_standard(EVP_KDF_CTX *ctx)
{
    uint8_t tag[TAG];

    assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, NULL), 1);
    assert_true(is_tag_of(&standard, tag, sizeof tag));
}

void assert_refused(struct args *args, int reason)
{
    EVP_KDF_CTX *ctx = standard_kdf();
    uint8_t tag[TAG];

    ERR_clear_error();
    assert_int_equal(EVP_KDF_derive(ctx, tag, sizeof tag, args->list), 0);
    assert_int_equal(take_error(NULL), reason);
    EVP_KDF_CTX_free(ctx);
}
