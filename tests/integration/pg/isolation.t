#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# The specs of specs/, by pg_isolation_regress: who waits for whom.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Host;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = cluster('isolation', "shared_preload_libraries = 'pg_argon2'",
    'pg_argon2.total_memory = 96MB',
    'pg_argon2.max_passes = 30000', 'pg_argon2.max_work = 2000GB');

# The tester looks for heavyweight locks; a session in our queue is one that
# waits in an extension, and so it must say.
$node->safe_psql('postgres', q(
ALTER FUNCTION pg_catalog.pg_isolation_test_session_is_blocked RENAME TO for_locks_only;
CREATE FUNCTION pg_catalog.pg_isolation_test_session_is_blocked(integer, integer[])
RETURNS boolean LANGUAGE sql AS $$
    SELECT pg_catalog.for_locks_only($1, $2) OR EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event_type = 'Extension'
        AND wait_event IN ('Extension', 'PgArgon2Queue') AND query LIKE '%argon2_hash%') $$));

for my $name (map { m{(\w+)\.spec$} } sort glob 'specs/*.spec')
{
    my $out = "$WORK/log/$name";
    mkdir $out;
    my $ok = run_log([
        $ENV{PG_ISOLATION}, '--use-existing', '--dbname=postgres',
        '--host=' . $node->host, '--port=' . $node->port,
        "--inputdir=$WORK/tests", "--outputdir=$out", $name ]);
    ok($ok, $name);
    diag(slurp_file("$out/regression.diffs")) unless $ok;
}

$node->stop;
done_testing();
