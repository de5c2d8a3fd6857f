#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# The runner in backends of a real server, and many connections. With
# A2F_GUEST=soak: load, in as many backends as there are CPUs.
use strict;
use warnings;

use Cwd qw(abs_path);
use FindBin;

BEGIN
{
    my $guest = "$ENV{BUILD}/tests/guest";
    $ENV{A2F_PG_FILES} //= join ' ', abs_path($0), "$guest/host_pg.so", "$guest/watch.so";
}
use lib $FindBin::Bin, "$FindBin::Bin/../integration/pg";
use Host;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $soak = ($ENV{A2F_GUEST} // '') eq 'soak';
my $connections = 10000 * ($ENV{GUEST_PERCENT} // 100) / 100;
my $node = PostgreSQL::Test::Cluster->new('guest');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->append_conf('postgresql.conf', "jit = off\nautovacuum = off\nlog_statement = none\npg_argon2.max_threads = 4\n");
{
    local $ENV{LD_PRELOAD} = "$WORK/tests/watch.so";
    $node->start;
}
$node->safe_psql('postgres', "CREATE EXTENSION pg_argon2;
CREATE FUNCTION guest_run(text, text) RETURNS int LANGUAGE C STRICT AS '$WORK/tests/host_pg', 'guest_run'");
my $server = $node->safe_psql('postgres', 'SELECT pg_postmaster_start_time()');

# run(NAME..): the runner in so many backends, and what each of them said
sub run
{
    my ($what, @names) = @_;
    my @running = map
    {
        IPC::Run::start([ 'psql', '-XAt', '-d', $node->connstr('postgres'),
            '-c', "SELECT guest_run('$WORK/data/$_', '$what')" ], '>', \my $out, '2>', \my $err)
    } @names;
    $_->finish for @running;
    for my $name (@names)
    {
        my $said = slurp_file("$WORK/data/$name");
        for my $line (split /\n/, $said)
        {
            if ($line =~ /^ok \d+ - .*# SKIP (.*)/) { SKIP: { skip $1, 1 } }
            elsif ($line =~ /^(not )?ok \d+ - (.*)$/) { ok(!$1, $2) }
            elsif ($line =~ /^# (.*)/) { note($1) }
        }
        like($said, qr/^1\.\.\d+$/m, 'the backend came to its end');
    }
}

if ($soak)
{
    chomp(my $cpus = `getconf _NPROCESSORS_ONLN`);
    run('soak', map { "soak$_" } 1 .. $cpus);
}
else
{
    run('all', 'all');
    append_to_file("$WORK/data/once.sql", "SELECT 1 / argon2_verify('x', argon2_hash('x', 'm=64,t=1,p=2'))::int\n");
    my ($ok, $out, $err);
    my @load = ('-c', 4, '-j', 2, '-t', int($connections / 4) || 1, '-f', "$WORK/data/once.sql");
    my $seconds = seconds(sub {
        $ok = IPC::Run::run([ 'pgbench', '-n', '-C', @load, $node->connstr('postgres') ], '>', \$out, '2>', \$err);
    });
    ok($ok, "the module in $connections connections") or diag($err);
    note(sprintf '%.2f ms each', 1e3 * $seconds / $connections);
}
is($node->safe_psql('postgres', 'SELECT pg_postmaster_start_time()'), $server, 'the server never restarted');
unlike(slurp_file($node->logfile), qr/terminated by signal|PANIC/, 'no backend crashed');
$node->stop;
done_testing();
