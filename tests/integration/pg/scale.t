#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# On the engines of PostgreSQL's world: parallel query, a standby, another
# server through postgres_fdw, pooled connections. The README has the examples.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Host;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = cluster('main', "shared_preload_libraries = 'pg_argon2'",
    'pg_argon2.total_memory = 256MB', 'max_prepared_transactions = 0', 'log_statement = none',
    'pg_argon2.max_passes = 1000000', 'pg_argon2.max_work = 2000GB');
$node->safe_psql('postgres', q(
CREATE TABLE users AS SELECT 'user' || n AS name, argon2_hash('secret' || n % 10, 'm=64,t=1,p=1') AS hash
FROM generate_series(1, 5000) AS n;
ANALYZE users;));

# ---- parallel query ----
my $parallel = q(
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SET pg_argon2.max_threads = 2;);
my $plan = $node->safe_psql('postgres', "$parallel
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT count(*) FROM users WHERE argon2_verify('secret3', hash);");
like($plan, qr/Workers Launched: [12].*Parallel Seq Scan.*argon2_verify/s, 'parallel workers verify');
is($node->safe_psql('postgres', "$parallel SELECT count(*) FROM users WHERE argon2_verify('secret3', hash)"),
    500, 'and find what there is to find');
is($node->safe_psql('postgres', 'SELECT running, in_use_kib FROM argon2_admission'), '0|0',
    'admission is back');
is(error_of($node, "$parallel SET statement_timeout = '300ms';
    SELECT count(*) FROM users WHERE argon2_verify(name, replace(hash, 't=1', 't=100000'))"),
    '57014', 'a timeout reaches the workers');
wait_until($node, "SELECT running = 0 FROM argon2_admission");
is(error_of($node, "$parallel SELECT count(*) FROM users WHERE argon2_verify('x', CASE WHEN name = 'user4000' THEN 'broken' ELSE hash END)"),
    '22023', 'so does an error from one of them');

# ---- hot standby ----
$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->append_conf('postgresql.conf', "max_standby_streaming_delay = 0\nhot_standby_feedback = off");
$standby->start;
$node->safe_psql('postgres', "INSERT INTO users VALUES ('late', argon2_hash('late', 'm=64,t=1,p=1'))");
$node->wait_for_catchup($standby, 'replay', $node->lsn('insert'));
is($standby->safe_psql('postgres', "SELECT argon2_verify('late', hash) FROM users WHERE name = 'late'"),
    't', 'a standby verifies');
is($standby->safe_psql('postgres', "SELECT argon2_is_valid(argon2_hash('x')), argon2_needs_rehash(argon2_hash('x', 'owasp')), argon2_is_valid(argon2_dummy_hash())"),
    't|t|t', 'and hashes, for there is nothing to write');
is($standby->safe_psql('postgres', 'SELECT total_kib, in_use_kib FROM argon2_admission'), '262144|0',
    'under its own budget');

# what replay must remove is in the way of a query that takes long
$node->safe_psql('postgres', 'CREATE TABLE doomed AS SELECT n FROM generate_series(1, 1000) AS n');
$node->wait_for_catchup($standby, 'replay', $node->lsn('insert'));
my $reader = IPC::Run::start([ 'psql', '-XAt', '-v', 'VERBOSITY=sqlstate', '-d', $standby->connstr('postgres'),
    '-c', "SELECT count(*), argon2_hash('x', 'm=65536,t=30000,p=1') FROM doomed",
    ], '>', \my $out, '2>', \my $err);
wait_until($standby, 'SELECT running = 1 FROM argon2_admission');
$node->safe_psql('postgres', 'DELETE FROM doomed');
$node->safe_psql('postgres', 'VACUUM doomed');
my $took = seconds(sub { $reader->finish });
like($err, qr/^ERROR:  40001$/m, 'a recovery conflict');
cmp_ok($took, '<', 10, 'the conflict does not wait for the hash');
wait_until($standby, 'SELECT running = 0 FROM argon2_admission');
is($standby->safe_psql('postgres', "SELECT argon2_verify('late', hash) FROM users WHERE name = 'late'"),
    't', 'and the standby goes on');
$standby->stop;

# ---- postgres_fdw ----
my $remote = cluster('remote');
$remote->safe_psql('postgres', q(CREATE TABLE users(name text, hash text);
INSERT INTO users VALUES ('alice', argon2_hash('secret', 'm=64,t=1,p=1')), ('bob', argon2_hash('hunter2', 'm=64,t=1,p=1'));));
my ($host, $port) = ($remote->host, $remote->port);
$node->safe_psql('postgres', qq(CREATE EXTENSION postgres_fdw;
CREATE SERVER remote FOREIGN DATA WRAPPER postgres_fdw
    OPTIONS (host '$host', port '$port', dbname 'postgres', extensions 'pg_argon2');
CREATE USER MAPPING FOR CURRENT_USER SERVER remote;
CREATE SCHEMA far;
IMPORT FOREIGN SCHEMA public LIMIT TO (users) FROM SERVER remote INTO far;));
sub remote_sql
{
    my ($sql) = @_;
    my $plan = $node->safe_psql('postgres', "EXPLAIN (VERBOSE, COSTS OFF) $sql");
    return $plan =~ /Remote SQL: (.*)/ ? $1 : $plan;
}
is($node->safe_psql('postgres', "SELECT name FROM far.users WHERE argon2_verify('secret', hash)"),
    'alice', 'verify works on a foreign table');
like(remote_sql("SELECT name FROM far.users WHERE argon2_verify('secret', hash)"),
    qr/argon2_verify\('secret'/, 'it is shipped, password and all');
like(remote_sql("SELECT name FROM far.users WHERE argon2_params(hash) = 'owasp'"),
    qr/argon2_params/, 'so is what else depends on its arguments alone');
unlike(remote_sql("SELECT name FROM far.users WHERE argon2_needs_rehash(hash, 'owasp')"),
    qr/argon2_needs_rehash/, 'but not what looks at the keys of this server');
unlike(remote_sql("UPDATE far.users SET hash = argon2_hash('new') WHERE name = 'bob'"),
    qr/argon2_hash/, 'and never one with a salt of its own');
unlike(remote_sql("SELECT argon2_verify('secret', hash) FROM (SELECT hash FROM far.users WHERE name = 'alice' OFFSET 0) AS one"),
    qr/argon2_verify/, 'a subquery keeps the password here');
is($node->safe_psql('postgres', "SELECT argon2_verify('secret', hash) FROM (SELECT hash FROM far.users WHERE name = 'alice' OFFSET 0) AS one"),
    't', 'with the same result');
$remote->stop;

# ---- pgbouncer ----
my $pool = $port + 1 > 65000 ? $port - 1 : $port + 1;
my $dir = "$WORK/data";
append_to_file("$dir/pgbouncer.ini", <<"END");
[databases]
postgres = host=${\$node->host} port=${\$node->port} dbname=postgres user=${\scalar getpwuid $>}
[pgbouncer]
listen_addr =
unix_socket_dir = $dir
listen_port = $pool
auth_type = any
pool_mode = transaction
default_pool_size = 4
logfile = $dir/pgbouncer.log
pidfile = $dir/pgbouncer.pid
END
my $bouncer = IPC::Run::start([ 'pgbouncer', "$dir/pgbouncer.ini" ], '>', '/dev/null', '2>', '/dev/null');
my $through = "host=$dir port=$pool dbname=postgres";
for (1 .. 100)
{
    last if -S "$dir/.s.PGSQL.$pool";
    Time::HiRes::sleep(0.1);
}
append_to_file("$dir/pooled.sql", q(\set n random(1, 5000)
SELECT 1 / argon2_verify('secret' || :n % 10, (SELECT hash FROM users WHERE name = 'user' || :n))::int;
SELECT 1 / argon2_verify('x', argon2_hash('x', 'm=64,t=1,p=1'))::int;
));
$node->safe_psql('postgres', 'CREATE INDEX ON users(name)');
my $ok = IPC::Run::run([ 'pgbench', '-n', '-c', 20, '-j', 2, '-t', 50, '-f', "$dir/pooled.sql", $through ],
    '>', \$out, '2>', \$err);
ok($ok, 'twenty clients through pgbouncer') or diag($err);
like($out, qr/number of transactions actually processed: 1000\/1000/, 'all of them are right');
my $backends = $node->safe_psql('postgres', "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE '%pgbench%'");
cmp_ok($backends, '<=', 4, "over $backends connections");
$bouncer->kill_kill;
$node->stop;

done_testing();
