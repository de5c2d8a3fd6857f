/* SPDX-License-Identifier: MIT */
/*
 * ask WORD..: a program that uses OpenSSL, one step for each word, in its
 * default library context, which reads the configuration file.
 *
 *     load=NAME        OSSL_PROVIDER_load; prints nothing
 *     kdf[=PROPERTIES] who serves ARGON2ID: a provider's name, or "none"
 *     md[=PROPERTIES]  who serves SHA256
 *     derive           the tag of a cheap derivation, hex, by whom it is
 *     version          OpenSSL's
 */
#include <stdio.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/provider.h>

static void print_kdf(const char *properties)
{
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, "ARGON2ID", properties);

    puts(kdf != NULL ? OSSL_PROVIDER_get0_name(EVP_KDF_get0_provider(kdf))
                     : "none");
    EVP_KDF_free(kdf);
}

static void print_md(const char *properties)
{
    EVP_MD *md = EVP_MD_fetch(NULL, "SHA256", properties);

    puts(md != NULL ? OSSL_PROVIDER_get0_name(EVP_MD_get0_provider(md))
                    : "none");
    EVP_MD_free(md);
}

static void derive(void)
{
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, "ARGON2ID", NULL);
    EVP_KDF_CTX *ctx = EVP_KDF_CTX_new(kdf);
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_string("pass", (char *)"password", 8),
        OSSL_PARAM_construct_octet_string("salt", (char *)"somesalt", 8),
        OSSL_PARAM_construct_end()};
    unsigned char tag[16];

    if (ctx == NULL || EVP_KDF_derive(ctx, tag, sizeof tag, params) != 1)
        printf("nothing");
    else
        for (size_t i = 0; i < sizeof tag; i++)
            printf("%02x", tag[i]);
    printf(" %s\n", kdf != NULL
                        ? OSSL_PROVIDER_get0_name(EVP_KDF_get0_provider(kdf))
                        : "none");
    EVP_KDF_CTX_free(ctx);
    EVP_KDF_free(kdf);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *value = strchr(word, '=');
        size_t len = value != NULL ? (size_t)(value - word) : strlen(word);

        value = value != NULL ? value + 1 : NULL;
        if (strncmp(word, "load", len) == 0 && value != NULL)
            (void)OSSL_PROVIDER_load(NULL, value);
        else if (strncmp(word, "kdf", len) == 0)
            print_kdf(value);
        else if (strncmp(word, "md", len) == 0)
            print_md(value);
        else if (strcmp(word, "derive") == 0)
            derive();
        else if (strcmp(word, "version") == 0)
            puts(OpenSSL_version(OPENSSL_VERSION_STRING));
        else
            return 2;
    }
    return 0;
}
