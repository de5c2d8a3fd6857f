#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# libargon2 in the same backend, loaded before and after: the server opens
# libraries for all to see, and still nobody calls the other's functions.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Host;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = cluster('main');
$node->safe_psql('postgres', q(
CREATE EXTENSION plpython3u;
CREATE FUNCTION libargon2(password text, salt text, m int, t int) RETURNS text LANGUAGE plpython3u AS $$
import ctypes
lib = ctypes.CDLL('libargon2.so.1', mode=ctypes.RTLD_GLOBAL)
out = ctypes.create_string_buffer(200)
p, s = password.encode(), salt.encode()
n = ctypes.c_size_t
code = lib.argon2id_hash_encoded(t, m, 1, p, n(len(p)), s, n(len(s)), n(32), out, n(len(out)))
return out.value.decode() if code == 0 else 'error %d' % code
$$;
CREATE FUNCTION libargon2_verify(password text, hash text) RETURNS boolean LANGUAGE plpython3u AS $$
import ctypes
lib = ctypes.CDLL('libargon2.so.1', mode=ctypes.RTLD_GLOBAL)
p = password.encode()
return lib.argon2id_verify(hash.encode(), p, ctypes.c_size_t(len(p))) == 0
$$;));

my $ours = "argon2_hash_with_salt('password', 'somesalt', 'm=64,t=2,p=1')";
my $theirs = "libargon2('password', 'somesalt', 64, 2)";
my $want = '$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHQ$FqGkmHNGCd0BRW2kBt6fPZ2pPmyGwwChL8FGUhTOSSI';
is($node->safe_psql('postgres', "SELECT $ours; SELECT $theirs; SELECT $ours"),
    join("\n", ($want) x 3), 'ours first');
is($node->safe_psql('postgres', "SELECT $theirs; SELECT $ours; SELECT $theirs"),
    join("\n", ($want) x 3), 'libargon2 first');
is($node->safe_psql('postgres', "SELECT libargon2_verify('x', argon2_hash('x', 'm=64,t=1,p=2')), argon2_verify('y', libargon2('y', 'saltsalt', 128, 3))"),
    't|t', 'each verifies the other');
is($node->safe_psql('postgres', q(
CREATE EXTENSION pgcrypto;
SELECT argon2_verify('x', argon2_hash('x', 'm=64,t=1,p=1')) AND crypt('y', crypt('y', gen_salt('bf', 4))) IS NOT NULL AND length(digest('x', 'sha512')) = 64)),
    't', 'pgcrypto, too');

# What the library shows to others: the entry points, and no function of the core.
my ($library) = glob "$WORK/root/*/*/*/*/lib/pg_argon2.so $WORK/root/*/*/*/*/*/pg_argon2.so";
my @symbols = map { /(\S+)$/ } grep { /\S/ } split /\n/, (run_command([ 'nm', '-D', '--defined-only', $library ]))[0];
cmp_ok(scalar @symbols, '>', 30, 'symbols there are');
is_deeply([ grep { !/^(_PG_init|Pg_magic_func|(pg_finfo_)?pg_argon2_\w+)$/ } @symbols ], [],
    'and no others');
my %called = map { $_ => 1 } split /\n/, $node->safe_psql('postgres',
    "SELECT DISTINCT prosrc FROM pg_proc WHERE probin LIKE '%pg\\_argon2'");
is_deeply([ sort grep { /^pg_argon2_/ } @symbols ], [ sort keys %called ],
    'every one of them is a SQL function');
$node->stop;

done_testing();
