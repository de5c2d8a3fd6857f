#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# The SQL of sql/, by pg_regress: one test each.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Host;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = cluster('regress');
my @names = map { m{(\w+)\.sql$} } sort glob 'sql/*.sql';

for my $name (@names)
{
    my $out = "$WORK/log/$name";
    mkdir $out;
    my $ok = run_log([
        $ENV{PG_REGRESS}, '--use-existing', '--dbname=postgres',
        '--host=' . $node->host, '--port=' . $node->port,
        "--inputdir=$WORK/tests", "--outputdir=$out", $name ]);
    ok($ok, $name);
    diag(slurp_file("$out/regression.diffs")) unless $ok;
}

$node->stop;
done_testing();
