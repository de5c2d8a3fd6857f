/* SPDX-License-Identifier: MIT */
/*
 * Where memory is short: a secure heap too small for anything, an address space
 * with a limit, and the provider's own ceiling for all derivations at once.
 */
#include "fixture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <openssl/crypto.h>

static int derive_with(EVP_KDF_CTX *ctx, uint32_t memory, uint32_t passes)
{
    struct args args = {.n = 0};
    uint8_t tag[TAG];

    args_u32(&args, "memcost", memory);
    args_u32(&args, "iter", passes);
    ERR_clear_error();
    return EVP_KDF_derive(ctx, tag, sizeof tag, args.list);
}

/* Once it is there, OpenSSL's own Argon2i and Argon2id need all blocks in it.
 * main makes it, for it must be there before anything is allocated. */
static void test_small_secure_heap(void **state)
{
    static const char *const names[] = {"ARGON2D", "ARGON2I", "ARGON2ID"};
    size_t used = CRYPTO_secure_used();

    (void)state;
    assert_true(CRYPTO_secure_malloc_initialized());
    for (int i = 0; i < 3; i++) {
        EVP_KDF_CTX *ctx = client_kdf(&client, names[i]);
        struct args args;

        args_standard(&args);
        args_text(&args, "secret", "pepper");
        assert_int_equal(EVP_KDF_CTX_set_params(ctx, args.list), 1);
        assert_int_equal(derive_with(ctx, 4096, 1), 1);
        assert_true(CRYPTO_secure_used() == used);
        EVP_KDF_CTX_free(ctx);
    }
}

/* The address space now in use, bytes. */
static rlim_t address_space(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;

    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void test_no_memory(void **state)
{
    static const uint32_t too_much[] = {1 << 20, 1 << 24, UINT32_MAX};
    EVP_KDF_CTX *ctx = standard_kdf();
    struct rlimit old, limit;

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    limit = old;
    limit.rlim_cur = address_space() + ((rlim_t)256 << 20);
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    for (size_t i = 0; i < COUNT(too_much); i++) {
        assert_int_equal(derive_with(ctx, too_much[i], 1), 0);
        /* The first error: what a program for encrypted disks looks for. */
        assert_int_equal(take_error(NULL), ERR_R_MALLOC_FAILURE);
    }
    assert_int_equal(derive_with(ctx, standard.memory, standard.passes), 1);
    assert_standard(ctx);
    assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
    EVP_KDF_CTX_free(ctx);
}

/* ---- max_concurrent_kib ---- */

static atomic_int done;

/* Until it is the first. */
static void *derive_long(void *arg)
{
    while (derive_with(arg, 65536, 40) == 0)
        ;
    atomic_store(&done, 1);
    return NULL;
}

static void test_concurrent(void **state)
{
    EVP_KDF_CTX *first, *second;
    struct client all = client;
    pthread_t thread;
    bool refused = false;

    (void)state;
    assert_true(client_open(&client, "max_concurrent_kib = 65537\n"));
    first = standard_kdf();
    second = standard_kdf();
    assert_int_equal(derive_with(first, 65544, 1), 0); /* never enough */
    assert_int_equal(take_error(NULL), ERR_R_MALLOC_FAILURE);
    assert_int_equal(pthread_create(&thread, NULL, derive_long, first), 0);
    while (!refused && !atomic_load(&done))
        refused = derive_with(second, 64, 1) == 0;
    /* At once: the other one still has most of its work to do. */
    assert_true(refused && !atomic_load(&done));
    assert_int_equal(take_error(NULL), ERR_R_MALLOC_FAILURE);
    pthread_join(thread, NULL);
    assert_int_equal(derive_with(second, 64, 1), 1);
    EVP_KDF_CTX_free(first);
    EVP_KDF_CTX_free(second);
    client_close(&client);
    client = all;
}

/* ---- keep_kib ---- */

/* Anonymous memory that is resident, KiB. */
static long resident(void)
{
    char line[256];
    long kib = -1;
    FILE *file = fopen("/proc/self/status", "r");

    assert_non_null(file);
    while (kib < 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "RssAnon:", 8) == 0)
            kib = strtol(line + 8, NULL, 10);
    fclose(file);
    assert_true(kib >= 0);
    return kib;
}

static void test_keep(void **state)
{
    static const char *const lines[] = {"keep_kib = 0\n", "keep_kib = 40000\n"};
    struct client all = client;

    (void)state;
    for (int keep = 0; keep < 2; keep++) {
        EVP_KDF_CTX *ctx;
        long before;

        assert_true(client_open(&client, lines[keep]));
        ctx = standard_kdf();
        assert_int_equal(derive_with(ctx, 64, 1), 1);
        before = resident();
        assert_int_equal(derive_with(ctx, 32768, 1), 1);
        if (keep)
            assert_true(resident() > before + 30000);
        else
            assert_true(resident() < before + 8000);
        EVP_KDF_CTX_free(ctx);
        client_close(&client);
        assert_true(resident() < before + 8000);
    }
    client = all;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_secure_heap),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_concurrent),
        cmocka_unit_test(test_keep),
    };

    if (CRYPTO_secure_malloc_init(4096, 16) != 1)
        return 1;
    return cmocka_run_group_tests(tests, open_client, close_client);
}
