/* SPDX-License-Identifier: MIT */
/* derive PASSWORD SALT: derives with Argon2id, prints the tag and who made
 * it. Real programs take no password from their command line. */
#include <argon2fast_ossl.h>
#include <openssl/err.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    uint32_t memcost = 65536, iter = 3, lanes = 4; /* memcost: KiB */
    unsigned char tag[32];

    if (argc != 3)
        return 2;
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, "ARGON2ID", NULL);
    EVP_KDF_CTX *ctx = EVP_KDF_CTX_new(kdf);
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_PASSWORD, argv[1],
                                          strlen(argv[1])),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, argv[2],
                                          strlen(argv[2])),
        OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_ITER, &iter),
        OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_ARGON2_LANES, &lanes),
        OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_ARGON2_MEMCOST, &memcost),
        OSSL_PARAM_construct_end()};
    if (ctx == NULL || EVP_KDF_derive(ctx, tag, sizeof tag, params) != 1) {
        ERR_print_errors_fp(stderr);
        return 1;
    }
    for (size_t i = 0; i < sizeof tag; i++)
        printf("%02x", tag[i]);
    printf(" %s\n", OSSL_PROVIDER_get0_name(EVP_KDF_get0_provider(kdf)));
    EVP_KDF_CTX_free(ctx);
    EVP_KDF_free(kdf);
    return 0;
}
