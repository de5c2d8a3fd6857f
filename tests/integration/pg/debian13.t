#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# Everything once more inside a Debian 13, whose PostgreSQL 17 has shared
# memory by name, wait events by name, and errors raised where 15 only cancels.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(basename dirname);
use Test::More;

my $here = dirname(abs_path(__FILE__));
my $top = abs_path("$here/../../..");
my $script = "$top/tests/support/debian-root.sh";
my $build = $ENV{BUILD} or die 'BUILD: the build directory';
my $pg_config = '/usr/lib/postgresql/17/bin/pg_config';

# Prints what a command says as comments, and returns its status.
sub run
{
    open my $out, '-|', 'sh', '-c', 'exec "$@" 2>&1', 'sh', @_ or die "@_: $!";
    my @lines = <$out>;
    close $out;
    return ($? >> 8, @lines);
}

plan(skip_all => 'this is the other Debian') if -e $pg_config;
my ($status, @said) = run($script, 'make', 'trixie', qw(gcc libargon2-1
    libipc-run-perl make perl pgbouncer postgresql-17 postgresql-plpython3-17
    postgresql-server-dev-17 util-linux));
plan(skip_all => "no Debian 13 here: $said[-1]") if $status == 77;
die "@said" if $status != 0;
chomp(my $root = $said[-1]);

($status, @said) = run($script, 'run', $root, 'make', '-C', $top,
    "BUILD=$build/trixie", 'CC=gcc', "PG_CONFIG=$pg_config", 'pg');
is($status, 0, 'builds') or diag(@said);

for my $test (map { basename $_ } sort glob "$here/*.t")
{
    next if $test eq basename(__FILE__);
    ($status, @said) = run($script, 'run', $root, 'env', "BUILD=$build/trixie",
        "PG_CONFIG=$pg_config", "$here/$test");
    my $passed = grep { /^ok/ } @said;
    ok($status == 0 && $passed > 0, "$test: $passed tests") or diag(@said);
}

done_testing();
