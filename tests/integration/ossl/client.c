/* SPDX-License-Identifier: MIT */
/* See client.h. */
#include "client.h"

#include <argon2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void die(const char *what)
{
    fprintf(stderr, "%s\n", what);
    ERR_print_errors_fp(stderr);
    abort();
}

/* ---- clients ---- */

static void write_config(const char *path, const char *lines)
{
    FILE *file = fopen(path, "w");

    if (file == NULL)
        die(path);
    fprintf(file,
            "openssl_conf = init\n[init]\nproviders = all\n"
            "[all]\nargon2fast = ours\n[ours]\n%s",
            lines);
    fclose(file);
}

bool client_open(struct client *client, const char *lines)
{
    const char *build = getenv("BUILD");
    char modules[4096], path[] = "/tmp/argon2fast-XXXXXX";

    client->libctx = OSSL_LIB_CTX_new();
    client->provider = NULL;
    if (build == NULL || client->libctx == NULL)
        die("BUILD, or a library context");
    snprintf(modules, sizeof modules, "%s/ossl-modules", build);
    OSSL_PROVIDER_set_default_search_path(client->libctx, modules);
    if (lines != NULL) {
        int fd = mkstemp(path);

        if (fd < 0)
            die(path);
        close(fd);
        write_config(path, lines);
        /* Only names what is known of the provider; it is not active yet. */
        if (!OSSL_LIB_CTX_load_config(client->libctx, path))
            die("configuration");
        unlink(path);
    }
    client->provider = OSSL_PROVIDER_load(client->libctx, "argon2fast");
    return client->provider != NULL;
}

void client_close(struct client *client)
{
    if (client->provider != NULL)
        OSSL_PROVIDER_unload(client->provider);
    OSSL_LIB_CTX_free(client->libctx);
}

EVP_KDF_CTX *client_kdf(const struct client *client, const char *name)
{
    EVP_KDF *kdf = EVP_KDF_fetch(client->libctx, name, NULL);
    EVP_KDF_CTX *ctx = kdf != NULL ? EVP_KDF_CTX_new(kdf) : NULL;

    if (ctx == NULL)
        die(name);
    if (EVP_KDF_get0_provider(kdf) != client->provider)
        die("another provider");
    EVP_KDF_free(kdf);
    return ctx;
}

/* ---- parameters ---- */

void args_add(struct args *args, OSSL_PARAM param)
{
    if (args->n + 1 >= sizeof args->list / sizeof *args->list)
        die("too many parameters");
    args->list[args->n++] = param;
    args->list[args->n] = OSSL_PARAM_construct_end();
}

void args_octets(struct args *args, const char *key, const void *data,
                 size_t len)
{
    args_add(args, OSSL_PARAM_construct_octet_string(key, (void *)data, len));
}

void args_text(struct args *args, const char *key, const char *text)
{
    args_octets(args, key, text, strlen(text));
}

void args_u32(struct args *args, const char *key, uint32_t value)
{
    uint32_t *place = &args->number[args->n];

    *place = value;
    args_add(args, OSSL_PARAM_construct_uint32(key, place));
}

void args_standard(struct args *args)
{
    args->n = 0;
    args_text(args, "pass", "password");
    args_text(args, "salt", "somesalt");
    args_u32(args, "iter", 2);
    args_u32(args, "memcost", 64);
    args_u32(args, "lanes", 2);
}

/* ---- the oracle ---- */

const struct wanted standard = {2,          0x13,       64,   2,   2,
                                "password", "somesalt", NULL, NULL};

static uint32_t length(const char *text)
{
    return text != NULL ? (uint32_t)strlen(text) : 0;
}

void oracle(const struct wanted *w, uint8_t *tag, size_t len)
{
    argon2_context context = {
        .out = tag,
        .outlen = (uint32_t)len,
        .pwd = (uint8_t *)w->pass,
        .pwdlen = length(w->pass),
        .salt = (uint8_t *)w->salt,
        .saltlen = length(w->salt),
        .secret = (uint8_t *)w->secret,
        .secretlen = length(w->secret),
        .ad = (uint8_t *)w->ad,
        .adlen = length(w->ad),
        .t_cost = w->passes,
        .m_cost = w->memory,
        .lanes = w->lanes,
        .threads = 1,
        .version = w->version,
        .flags = ARGON2_DEFAULT_FLAGS,
    };

    if (argon2_ctx(&context, (argon2_type)w->type) != ARGON2_OK)
        die("libargon2");
}

bool is_tag_of(const struct wanted *wanted, const uint8_t *tag, size_t len)
{
    uint8_t *right = malloc(len);
    bool same;

    if (right == NULL)
        die("memory");
    oracle(wanted, right, len);
    same = memcmp(tag, right, len) == 0;
    free(right);
    return same;
}

/* ---- errors ---- */

int take_error(char *data)
{
    const char *text = "";
    int flags = 0;
    unsigned long error = ERR_get_error_all(NULL, NULL, NULL, &text, &flags);

    if (data != NULL)
        snprintf(data, 256, "%s", (flags & ERR_TXT_STRING) ? text : "");
    ERR_clear_error();
    return ERR_GET_REASON(error);
}
