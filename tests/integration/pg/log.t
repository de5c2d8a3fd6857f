#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# No password, salt, tag or PHC string in a message, at any level, whatever
# goes wrong. What the server itself logs of statements can be avoided as the
# README says, and that is tested, too.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Host;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = cluster('main', "shared_preload_libraries = 'pg_argon2'",
    'pg_argon2.total_memory = 128MB', 'log_min_messages = debug5',
    'log_error_verbosity = verbose');

# The secrets are put together in the server, so that no statement holds one.
$node->safe_psql('postgres', q(
CREATE TABLE s(password text, phc text, costly text, salt bytea);
INSERT INTO s SELECT 'Correct' || 'Horse' || 'Battery', argon2_hash('Correct' || 'Horse' || 'Battery', 'm=64,t=1,p=1');
UPDATE s SET costly = replace(phc, 'm=64', 'm=999999999'), salt = convert_to('Staple' || 'Salted' || 'Caramel', 'UTF8');
));
my ($phc) = $node->safe_psql('postgres', 'SELECT phc FROM s');
my (undef, undef, undef, undef, $salt, $tag) = split /\$/, $phc;
my @secrets = ('CorrectHorseBattery', 'StapleSaltedCaramel', $salt, $tag,
    unpack('H*', 'CorrectHorseBattery'), unpack('H*', 'StapleSaltedCaramel'));

my %failing = (
    'malformed' => "argon2_verify(phc, password || '!')",
    'swapped' => 'argon2_verify(phc, password)',
    'swapped, in an array' => 'argon2_verify(ARRAY[phc], ARRAY[password])',
    'malformed, in an array' => 'argon2_verify(ARRAY[password], ARRAY[password])',
    'truncated' => 'argon2_verify(password, left(phc, -2))',
    'with a newline' => "argon2_verify(password, phc || E'\\n')",
    'costly' => 'argon2_verify(password, costly)',
    'a password for params' => 'argon2_hash(password, password)',
    'a hash for params' => 'argon2_hash(password, phc)',
    'params of a password' => 'argon2_params(password)',
    'info of a password' => 'argon2_info(password)',
    'needs_rehash of a password' => 'argon2_needs_rehash(password)',
    'needs_rehash by a password' => 'argon2_needs_rehash(phc, password)',
    'a short salt' => "argon2_hash_with_salt(password, substr(salt, 1, 7), 'm=64,t=1,p=1')",
    'an empty salt' => "argon2_raw(password, '', 'm=64,t=1,p=1')",
    'upgrade, malformed' => "argon2_upgrade(password, phc || '!')",
    'upgrade, swapped' => 'argon2_upgrade(phc, password)',
    'upgrade by a password' => 'argon2_upgrade(password, phc, password)',
    'a long password' => 'argon2_hash(repeat(password, 10000))',
    'a long tag' => "argon2_raw(password, salt, 'm=64,t=1,p=1,len=9999')",
    'too much for the budget' => "argon2_hash(password, 'm=200000,t=1,p=1')",
);
for my $name (sort keys %failing)
{
    my (undef, undef, $err) = $node->psql('postgres',
        "\\set VERBOSITY verbose\nSET client_min_messages = debug5;\nSELECT $failing{$name} FROM s;");
    like($err, qr/ERROR:  (22023|53400)/, "$name: an error");
    my @leaked = grep { index($err, $_) >= 0 } @secrets;
    is(@leaked, 0, "$name: that tells the client no secret");
}
is(error_of($node, "SET statement_timeout = '30ms'; SELECT argon2_hash(password, 'm=65536,t=60,p=1') FROM s"),
    '57014', 'a timeout');
$node->safe_psql('postgres', "SELECT argon2_verify(password, phc), argon2_raw(password, salt, 'm=64,t=1,p=1') IS NULL FROM s");

my $log = slurp_file($node->logfile);
like($log, qr/argon2_verify: malformed Argon2 hash/, 'the log has the errors');
like($log, qr/DEBUG/, 'and all that the server has to say');
for my $i (0 .. $#secrets)
{
    ok(index($log, $secrets[$i]) < 0, "but not secret $i");
}

# ---- bind parameters and log_parameter_max_length, as the README says ----
$node->append_conf('postgresql.conf', "log_min_messages = info\nlog_statement = all\nlog_parameter_max_length = 0\n"
    . 'log_parameter_max_length_on_error = 0');
$node->restart;
append_to_file("$WORK/data/bind.sql", "SELECT argon2_verify((:word)::text, phc) FROM s;\nSELECT argon2_verify((:word)::text, (:word)::text);\n");
run_log([ 'pgbench', '-n', '-t', 1, '-M', 'extended', '-D', 'word=HunterTwo42',
    '-f', "$WORK/data/bind.sql", $node->connstr('postgres') ]);
$log = slurp_file($node->logfile);
like($log, qr/execute <unnamed>: SELECT argon2_verify\(\(\$1\)::text, phc\)/, 'a bound password is logged as $1');
like($log, qr/STATEMENT:  SELECT argon2_verify\(\(\$1\)/, 'in an error, too');
unlike($log, qr/HunterTwo42/, 'and not as what it is');
$node->stop;

done_testing();
