#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# What a hash can do to the server's memory: nothing that was not allowed.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Host;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $budget = 65536;
my $node = cluster('main', "shared_preload_libraries = 'pg_argon2'",
    "pg_argon2.total_memory = '$budget kB'", 'max_connections = 60');
my $since = 'SELECT pg_postmaster_start_time()';
my $postmaster = $node->safe_psql('postgres', $since);
my $hash = $node->safe_psql('postgres', "SELECT argon2_hash('x', 'm=8192,t=1,p=1')");

# ---- a string that claims 4 TiB ----
my ($ms, $grown) = $node->safe_psql('postgres', q(
CREATE FUNCTION peak() RETURNS bigint LANGUAGE sql AS
    $$ SELECT (regexp_match(pg_read_file('/proc/self/status'), 'VmPeak:\s+(\d+)'))[1]::bigint $$;
CREATE FUNCTION claim() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RETURN argon2_verify('x', '$argon2id$v=19$m=4294967295,t=1,p=1$c29tZXNhbHQ$FqGkmHNGCd0BRW2kBt6fPZ2pPmyGwwChL8FGUhTOSSI');
EXCEPTION WHEN configuration_limit_exceeded THEN
    RETURN NULL;
END $$;
SELECT claim(), peak();
CREATE TEMP TABLE before AS SELECT peak() AS kb, clock_timestamp() AS at;
SELECT count(claim()) FROM generate_series(1, 1000);
SELECT extract(epoch FROM clock_timestamp() - at), peak() - kb FROM before;)) =~ /([\d.]+)\|(\d+)$/;
cmp_ok($ms, '<', 1, 'refused in less than a millisecond');
cmp_ok($grown, '<', 1024, 'and nothing is allocated');

# ---- the system has no more ----
my ($code, $out, $err) = $node->psql('postgres', q(
\set VERBOSITY sqlstate
SELECT argon2_is_valid('x');
SELECT pg_backend_pid() AS pid \gset
\setenv PID :pid
\! prlimit --pid $PID --as=$(( $(cut -d' ' -f1 /proc/$PID/statm) * 4096 + 33554432 ))
SELECT argon2_hash('x', 'm=65536,t=1,p=1');
SELECT argon2_hash(ARRAY['x'], 'm=65536,t=1,p=1');
SELECT argon2_verify('x', argon2_hash('x', 'm=8192,t=1,p=1'));
), on_error_stop => 0);
is($err, "psql:<stdin>:7: ERROR:  53200\npsql:<stdin>:8: ERROR:  53200",
    'out of memory is an error of its own');
is($out, "f\nt", 'and the session goes on');

# ---- nothing stays behind ----
sub rss { "(regexp_match(pg_read_file('/proc/self/status'), 'VmRSS:\\s+(\\d+)'))[1]::bigint" }
my $kept = sub {
    return $node->safe_psql('postgres', "SET pg_argon2.keep_arena = '$_[0]';
SELECT argon2_is_valid(argon2_hash('x', 'm=16384,t=1,p=1')) AND ${\rss} > 0;
SELECT ${\rss} AS before, argon2_is_valid(argon2_hash('x', 'm=16384,t=1,p=1')), ${\rss} < 16384 + (SELECT setting::int * 8 FROM pg_settings WHERE name = 'shared_buffers');
SELECT pg_read_file('/proc/self/smaps') ~ 'Rss:\\s+(1638[4-9]|163[89]\\d|1[67]\\d\\d\\d|18[0-4]\\d\\d) kB'");
};
like($kept->('0'), qr/f$/, 'a session keeps no memory');
like($kept->('32MB'), qr/t$/, 'unless it is told to');

# ---- 40 clients under a budget ----
sub pgbench
{
    my ($name, $script, @options) = @_;
    my $file = "$WORK/data/$name.sql";
    append_to_file($file, $script);
    my @watch = ([ 'psql', '-XAt', '-d', $node->connstr('postgres'), '-c', q(
DO $$
DECLARE
    most bigint := 0;
    queued int := 0;
    seen record;
BEGIN
    LOOP
        SELECT * INTO seen FROM argon2_admission();
        most := greatest(most, seen.in_use_kib);
        queued := greatest(queued, seen.waiting);
        EXIT WHEN EXISTS (SELECT FROM pg_tables WHERE tablename = 'enough');
        PERFORM pg_sleep(0.002);
    END LOOP;
    RAISE NOTICE 'most % queued %', most, queued;
END $$) ], '>', \my $nothing, '2>', \my $seen);
    my $watcher = IPC::Run::start(@watch);
    my $ok = IPC::Run::run([ 'pgbench', '-n', '-c', 40, '-j', 2, '-f', $file, @options,
        $node->connstr('postgres') ], '>', \my $out, '2>', \my $err);
    $node->safe_psql('postgres', 'CREATE TABLE enough()');
    $watcher->finish;
    $node->safe_psql('postgres', 'DROP TABLE enough');
    ok($ok, "$name: no client fails") or diag($err);
    my ($most, $queued) = $seen =~ /most (\d+) queued (\d+)/;
    cmp_ok($most, '<=', $budget, "$name: never more than the budget ($most kB)");
    cmp_ok($most, '>', 0, "$name: and it was looked at");
    return $queued;
}

my $queued = pgbench('patient', "SELECT argon2_verify('x', '$hash');\n", '-t', 20);
cmp_ok($queued, '>=', 20, 'clients queue');
is($node->safe_psql('postgres', 'SELECT rejected FROM argon2_admission'), 0,
    'and all of them are served');

pgbench('impatient', qq(DO \$\$ BEGIN
    PERFORM argon2_verify('x', '$hash');
EXCEPTION WHEN lock_not_available THEN
    NULL;
END \$\$;
), '-t', 20);
is($node->safe_psql('postgres', 'SELECT rejected FROM argon2_admission'), 0,
    'ten seconds are enough for 40 clients');
$node->append_conf('postgresql.conf', "pg_argon2.queue_timeout = '5ms'");
$node->reload;
pgbench('hasty', qq(DO \$\$ BEGIN
    PERFORM argon2_verify('x', '$hash');
EXCEPTION WHEN lock_not_available THEN
    NULL;
END \$\$;
), '-t', 20);
cmp_ok($node->safe_psql('postgres', 'SELECT rejected FROM argon2_admission'), '>', 0,
    'with less patience some are refused, by 55P03 and nothing else');

is($node->safe_psql('postgres', 'SELECT in_use_kib, running, waiting FROM argon2_admission'),
    '0|0|0', 'in the end all is given back');
is($node->safe_psql('postgres', $since), $postmaster, 'the server never restarted');

# ---- leaving the queue before one's turn ----
sub session
{
    my (@sql) = @_;
    my %s = (out => '', err => '');
    $s{run} = IPC::Run::start([ 'psql', '-XAt', '-v', 'VERBOSITY=sqlstate',
        '-d', $node->connstr('postgres'), map { ('-c', $_) } @sql ],
        '>', \$s{out}, '2>', \$s{err});
    return \%s;
}
my $holder = session('SET pg_argon2.max_passes = 30000', "SET pg_argon2.max_work = '2000GB'",
    "SELECT argon2_hash('x', 'm=65536,t=30000,p=1')");
wait_until($node, 'SELECT running = 1 FROM argon2_admission');
for my $end ([ 'pg_cancel_backend', 'ERROR:  57014' ], [ 'pg_terminate_backend', 'FATAL:  57P01' ])
{
    my ($function, $want) = @$end;
    my $waiter = session('SET pg_argon2.queue_timeout = -1',
        "SELECT argon2_verify('x', '$hash') AS waiter");
    wait_until($node, 'SELECT waiting = 1 FROM argon2_admission');
    $node->safe_psql('postgres', "SELECT $function(pid) FROM pg_stat_activity
        WHERE wait_event_type = 'Extension' AND query LIKE '%AS waiter'");
    $waiter->{run}->finish;
    like($waiter->{err}, qr/^$want$/m, "$function while queued");
    wait_until($node, 'SELECT waiting = 0 AND running = 1 FROM argon2_admission');
}
is(error_of($node, "SET pg_argon2.queue_timeout = -1; SET statement_timeout = '100ms';
    SELECT argon2_verify('x', '$hash')"), '57014', 'a timeout while queued');
$node->safe_psql('postgres', "SELECT pg_cancel_backend(pid) FROM pg_stat_activity
    WHERE query LIKE 'SELECT argon2_hash%' AND state = 'active'");
$holder->{run}->finish;
is($node->safe_psql('postgres', 'SELECT in_use_kib, running, waiting FROM argon2_admission'),
    '0|0|0', 'nobody is left');

# ---- an array has what it uses, and not what its elements would together ----
my $array = session('SET pg_argon2.max_passes = 30000', "SET pg_argon2.max_work = '2000GB'",
    "SELECT argon2_hash(array_fill('x'::text, ARRAY[8]), 'm=8192,t=30000,p=4')");
wait_until($node, 'SELECT running = 1 FROM argon2_admission');
is($node->safe_psql('postgres', 'SELECT in_use_kib FROM argon2_admission'), 8192, 'one hash at a time is one hash');
$node->safe_psql('postgres', "SELECT pg_cancel_backend(pid) FROM pg_stat_activity
    WHERE query LIKE 'SELECT argon2_hash%' AND state = 'active'");
$array->{run}->finish;

# ---- the budget can change while the server runs ----
$node->append_conf('postgresql.conf', "pg_argon2.total_memory = '4MB'");
$node->reload;
wait_until($node, "SELECT total_kib = 4096 FROM argon2_admission");
is(error_of($node, "SELECT argon2_verify('x', '$hash')"), '53400',
    'more than the budget is refused');
$node->append_conf('postgresql.conf', 'pg_argon2.total_memory = 0');
$node->reload;
wait_until($node, 'SELECT argon2_admission() IS NULL');
is($node->safe_psql('postgres', "SELECT argon2_verify('x', '$hash')"), 't', 'no budget, no limit');
like($node->safe_psql('postgres', 'SELECT argon2_version()'), qr/admission: off/, 'and it says so');
unlike(slurp_file($node->logfile), qr/terminated by signal|terminating any other active|PANIC/,
    'no server process crashed');
$node->stop;

# ---- without preload ----
my $plain = cluster('plain', "pg_argon2.total_memory = '64MB'");
my $version = $plain->safe_psql('postgres', "SELECT argon2_is_valid(argon2_hash('x', 'm=64,t=1,p=1')), argon2_version()");
my $said = () = slurp_file($plain->logfile) =~ /LOG:.*pg_argon2\.total_memory has no effect/g;
if ($MAJOR >= 17)
{
    like($version, qr/^t\|.*admission: 65536 kB$/, 'no preload is needed');
    is($said, 0, 'and there is nothing to say');
    is($plain->safe_psql('postgres', 'SELECT total_kib, in_use_kib FROM argon2_admission'), '65536|0', 'the view');
}
else
{
    like($version, qr/^t\|.*admission: off$/, 'without preload there is no admission');
    is($said, 1, 'the log says so, once a session');
    is($plain->safe_psql('postgres', 'SELECT argon2_admission() IS NULL'), 't', 'the view');
}
$plain->stop;

done_testing();
