/* SPDX-License-Identifier: MIT */
/* The stock: what is kept, how much is out at once, and how many threads. */
#include "unit.h"

#include <string.h>

#include "lease.h"
#include "sys.h"

#define KIB ((size_t)1024)

static struct a2f_stock new_stock(struct a2f_config config)
{
    struct a2f_stock stock;

    assert_int_equal(a2f_stock_init(&stock, &config), A2F_OK);
    return stock;
}

static struct a2f_lease take(struct a2f_stock *stock, size_t bytes,
                             unsigned threads)
{
    struct a2f_lease lease;

    assert_int_equal(a2f_lease_take(stock, bytes, threads, &lease), A2F_OK);
    assert_true(lease.arena.size >= bytes);
    return lease;
}

/* Writes all over the memory, as a hash does. */
static void use(struct a2f_lease *lease)
{
    memset(lease->arena.blocks, 0xAA, lease->bytes);
    lease->arena.present = lease->arena.written = lease->bytes;
}

/* Whether the kept memory was used for this one, and that it is all zero. */
static void assert_clean(const struct a2f_lease *lease)
{
    const unsigned char *bytes = (const void *)lease->arena.blocks;

    for (size_t i = 0; i < lease->bytes; i++)
        assert_int_equal(bytes[i], 0);
    assert_int_equal(lease->arena.written, 0);
}

static void test_nothing_kept_by_default(void **state)
{
    struct a2f_stock stock = new_stock((struct a2f_config){0});
    struct a2f_lease lease = take(&stock, 64 * KIB, 1);

    (void)state;
    use(&lease);
    a2f_lease_end(&stock, &lease, false);
    lease = take(&stock, 64 * KIB, 1);
    assert_int_equal(lease.arena.present, 0);
    assert_clean(&lease);
    a2f_lease_end(&stock, &lease, false);
    a2f_stock_free(&stock);
}

static void test_keep(void **state)
{
    struct a2f_stock stock = new_stock((struct a2f_config){.keep_kib = 256});
    struct a2f_lease a = take(&stock, 64 * KIB, 1), b;
    void *kept = a.arena.blocks;

    (void)state;
    use(&a);
    a2f_lease_end(&stock, &a, false);
    a = take(&stock, 32 * KIB, 1); /* smaller, out of the kept one */
    assert_ptr_equal(a.arena.blocks, kept);
    assert_clean(&a);
    b = take(&stock, 64 * KIB, 1); /* at the same time: another one */
    assert_ptr_not_equal(b.arena.blocks, kept);
    use(&a);
    use(&b);
    a2f_lease_end(&stock, &a, false);
    a2f_lease_end(&stock, &b, true); /* abandoned: never kept */
    a = take(&stock, 48 * KIB, 1);
    assert_ptr_equal(a.arena.blocks, kept);
    assert_clean(&a);
    b = take(&stock, 48 * KIB, 1);
    assert_int_equal(b.arena.present, 0);
    a2f_lease_end(&stock, &b, false);
    a2f_lease_end(&stock, &a, false);
    a = take(&stock, 512 * KIB, 1); /* more than may be kept */
    use(&a);
    a2f_lease_end(&stock, &a, false);
    a = take(&stock, 512 * KIB, 1);
    assert_true(a.arena.present <= 256 * KIB);
    a2f_lease_end(&stock, &a, false);
    a2f_stock_free(&stock);
}

/* However many there were, no more than keep_kib stay. */
static void test_keep_is_a_ceiling(void **state)
{
    struct a2f_stock stock = new_stock((struct a2f_config){.keep_kib = 256});
    struct a2f_lease leases[40];
    unsigned kept = 0;

    (void)state;
    for (size_t i = 0; i < 40; i++)
        leases[i] = take(&stock, 64 * KIB, 1);
    for (size_t i = 0; i < 40; i++) {
        use(&leases[i]);
        a2f_lease_end(&stock, &leases[i], false);
    }
    for (size_t i = 0; i < 40; i++) {
        leases[i] = take(&stock, 64 * KIB, 1);
        kept += leases[i].arena.present > 0;
        assert_clean(&leases[i]);
    }
    assert_int_equal(kept, 4);
    for (size_t i = 0; i < 40; i++)
        a2f_lease_end(&stock, &leases[i], true);
    a2f_stock_free(&stock);
}

static void test_in_flight(void **state)
{
    struct a2f_stock stock =
        new_stock((struct a2f_config){.in_flight_kib = 128});
    struct a2f_lease a = take(&stock, 64 * KIB, 1);
    struct a2f_lease b = take(&stock, 64 * KIB, 1), c;

    (void)state;
    assert_int_equal(a2f_lease_take(&stock, KIB, 1, &c), A2F_NO_MEMORY);
    a2f_lease_end(&stock, &a, false);
    assert_int_equal(a2f_lease_take(&stock, 65 * KIB, 1, &c), A2F_NO_MEMORY);
    c = take(&stock, 64 * KIB, 1);
    a2f_lease_end(&stock, &b, true);
    a2f_lease_end(&stock, &c, false);
    /* what the system refuses is not counted as taken */
    a2f_sys_fail(1, true);
    assert_int_equal(a2f_lease_take(&stock, 100 * KIB, 1, &c), A2F_NO_MEMORY);
    assert_int_equal(c.bytes, 0);
    a2f_sys_fail(0, false);
    c = take(&stock, 128 * KIB, 1);
    a2f_lease_end(&stock, &c, false);
    a2f_stock_free(&stock);
}

static void test_threads(void **state)
{
    struct a2f_stock stock = new_stock((struct a2f_config){.threads = 4});
    struct a2f_lease a = take(&stock, 8 * KIB, 3);
    struct a2f_lease b = take(&stock, 8 * KIB, 3);
    struct a2f_lease c = take(&stock, 8 * KIB, 3);

    (void)state;
    assert_int_equal(a2f_pool_workers(a.pool), 2);
    assert_int_equal(a2f_pool_workers(b.pool), 1);
    assert_null(c.pool);
    a2f_lease_end(&stock, &a, false);
    a = take(&stock, 8 * KIB, 4);
    assert_int_equal(a2f_pool_workers(a.pool), 2);
    a2f_lease_end(&stock, &c, false);
    a2f_lease_end(&stock, &b, true);
    a2f_lease_end(&stock, &a, false);
    a = take(&stock, 8 * KIB, 4);
    assert_int_equal(a2f_pool_workers(a.pool), 3);
    a2f_lease_end(&stock, &a, false);
    a2f_stock_free(&stock);
}

static void test_parked_threads(void **state)
{
    struct a2f_stock stock =
        new_stock((struct a2f_config){.threads = 4, .keep_threads = true});
    struct a2f_lease a = take(&stock, 8 * KIB, 3), b;
    struct a2f_pool *parked = a.pool;

    (void)state;
    a2f_lease_end(&stock, &a, false);
    a = take(&stock, 8 * KIB, 3);
    assert_ptr_equal(a.pool, parked);
    b = take(&stock, 8 * KIB, 4);
    assert_int_equal(a2f_pool_workers(b.pool), 1);
    a2f_lease_end(&stock, &b, false);
    a2f_lease_end(&stock, &a, false);
    a = take(&stock, 8 * KIB, 1);
    assert_null(a.pool);
    a2f_lease_end(&stock, &a, false);
    a = take(&stock, 8 * KIB, 4); /* more than the parked ones */
    assert_int_equal(a2f_pool_workers(a.pool), 3);
    a2f_lease_end(&stock, &a, true);
    a2f_stock_free(&stock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_kept_by_default),
        cmocka_unit_test(test_keep),
        cmocka_unit_test(test_keep_is_a_ceiling),
        cmocka_unit_test(test_in_flight),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_parked_threads),
    };

    return RUN(tests);
}
