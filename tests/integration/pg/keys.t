#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# The life of a pepper, as the README has it: keys in a file, the current one
# changed while users log in, an old one retired, and what a missing one says.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Host;
use MIME::Base64 qw(decode_base64 encode_base64);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my %secret = (k1 => 'the first pepper of this test', k2 => 'another one, somewhat longer than the first');
my %base64 = map { $_ => encode_base64($secret{$_}, '') } keys %secret;
my $file = "$WORK/data/keys";

# write_keys(LINE.., MODE): the file, put in place in one go
sub write_keys
{
    my $mode = pop;
    append_to_file("$file.new", join '', map { "$_\n" } @_);
    chmod $mode, "$file.new";
    rename "$file.new", $file or die "rename: $!";
}
write_keys("k1 $base64{k1}", 'current k1', 0600);

my $node = cluster('main', "pg_argon2.default_params = 'm=64,t=1,p=1'", 'log_min_messages = debug1',
    "shared_preload_libraries = 'pg_argon2'", "pg_argon2.total_memory = '64MB'");
sub sql { return $node->safe_psql('postgres', $_[0]) }

# From then on new connections have the new configuration.
sub reload
{
    my $before = sql('SELECT pg_conf_load_time()');
    $node->reload;
    wait_until($node, "SELECT pg_conf_load_time() > '$before'");
}

# A session that stays, as a pool would have it.
my ($in, $out, $err) = ('', '', '');
my $pooled = IPC::Run::start([ 'psql', '-XAt', '-v', 'VERBOSITY=verbose', '-d', $node->connstr('postgres') ],
    '<', \$in, '>', \$out, '2>', \$err);
sub ask
{
    ($out, $err) = ('', '');
    $in .= "$_[0];\n\\echo .\n";
    $pooled->pump until $out =~ s/^\.\n//m;
    chomp $out;
    return $out;
}
sub reload_all
{
    my $before = ask('SELECT pg_conf_load_time()');
    reload();
    1 while ask("SELECT pg_conf_load_time() > '$before'") ne 't';
}

my $login = q(PREPARE login(text, text) AS
WITH who AS MATERIALIZED (
    SELECT coalesce((SELECT hash FROM users WHERE name = $1), argon2_dummy_hash()) AS old_hash),
checked AS MATERIALIZED (
    SELECT old_hash, argon2_upgrade($2, old_hash) AS new_hash FROM who),
stored AS (
    UPDATE users SET hash = new_hash FROM checked
    WHERE name = $1 AND hash = old_hash AND new_hash <> old_hash)
SELECT new_hash IS NOT NULL AS ok FROM checked;);
sub login { return sql("$login EXECUTE login('$_[0]', '$_[1]')") }
sub key_of { return decode_base64(sql("SELECT substring(hash FROM 'keyid=([^\$,]*)') FROM users WHERE name = '$_[0]'")) }
my $old = 'SELECT count(*) FROM users WHERE argon2_needs_rehash(hash, argon2_params(hash))';

# ---- without keys ----
sql(q(CREATE TABLE users(name text PRIMARY KEY, hash text NOT NULL CHECK (argon2_is_valid(hash)));
INSERT INTO users SELECT name, argon2_hash('secret of ' || name) FROM unnest(ARRAY['alice', 'bob', 'carol', 'dave']) AS name));
is(ask('SELECT count(*) FROM users WHERE argon2_needs_rehash(hash)'), 0, 'no keys: nothing is old');

# ---- the first key ----
$node->append_conf('postgresql.conf', "pg_argon2.secret_file = '$file'");
reload_all();
is(ask('SELECT count(*) FROM users WHERE argon2_needs_rehash(hash)'), 4, 'a first key: everything is old, in a session that was there before');
is(sql($old), 4, 'and in new ones');
is(ask("SELECT argon2_hash('x') LIKE '\$argon2id\$v=19\$m=64,t=1,p=1,keyid=azE\$%'"), 't', 'a new hash names its key');
is(login('alice', 'wrong'), 'f', 'a wrong password is wrong');
is(key_of('alice'), '', 'and changes nothing');
is(login('alice', 'secret of alice'), 't', 'a string without a key verifies');
is(key_of('alice'), 'k1', 'and is renewed with the key');
is(login('alice', 'secret of alice'), 't', 'which verifies');
is(login('alice', 'Secret of alice'), 'f', 'or does not');
is(login('nobody', 'secret'), 'f', 'nor does anybody else');
is(login('bob', 'secret of bob'), 't', 'another one');
is(sql($old), 2, 'two have logged in');
is(sql("SELECT argon2_hash_with_salt('password', 'somesalt', 'm=64,t=2,p=1')"),
    '$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHQ$FqGkmHNGCd0BRW2kBt6fPZ2pPmyGwwChL8FGUhTOSSI', 'who brings the salt gets no key');
is(sql("SELECT bool_and(h LIKE '%keyid=azE\$%'), argon2_verify(ARRAY['a', 'b', 'x'], array_agg(h)) FROM unnest(argon2_hash(ARRAY['a', 'b', 'c'])) AS h"),
    't|{t,t,f}', 'arrays use the key, too');
is(sql("SELECT argon2_params(hash), argon2_is_valid(hash), (argon2_info(hash)).canonical FROM users WHERE name = 'alice'"),
    'm=64,t=1,p=1|t|t', 'a string with a key is as good as others');
my $forced = $MAJOR >= 16 ? 'debug_parallel_query' : 'force_parallel_mode';
is(sql("SET $forced = on; SELECT argon2_verify('secret of bob', hash) FROM users WHERE name = 'bob'"), 't',
    'a parallel worker reads the file itself');
like(sql("SET $forced = on; EXPLAIN SELECT argon2_verify('secret of bob', hash) FROM users WHERE name = 'bob'"),
    qr/Gather/, 'which it is that verifies');

# ---- a second key: known to all first, then current ----
write_keys('# next year', "k2 $base64{k2}", "k1 $base64{k1}", 'current k1', 0600);
reload_all();
is(sql($old), 2, 'a key more: no hash is older for it');
write_keys("k2 $base64{k2}", "k1 $base64{k1}", 'current k2', 0600);
reload_all();
is(ask($old), 4, 'it becomes the current one: all are old');
is(login('alice', 'secret of alice'), 't', 'alice logs in');
is(login('carol', 'secret of carol'), 't', 'and carol, who never had a key');
is(key_of($_), 'k2', "$_ has the new key") for qw(alice carol);
is(ask("SELECT argon2_verify('secret of bob', hash) FROM users WHERE name = 'bob'"), 't', 'bob has the old one');
is(sql('SELECT name FROM users WHERE argon2_needs_rehash(hash) ORDER BY name'), "bob\ndave", 'two are left');

# ---- the first one is retired, too early for bob ----
write_keys("k2 $base64{k2}", 'current k2', 0600);
reload_all();
is(login('alice', 'secret of alice'), 't', 'alice does not notice');
is(login('dave', 'secret of dave'), 't', 'nor does dave, who never had a key');
for my $f ("argon2_verify('secret of bob', hash)", "argon2_verify('wrong', hash)", "argon2_upgrade('secret of bob', hash)",
    "argon2_verify(ARRAY['secret of bob'], ARRAY[hash])")
{
    is(error_of($node, "SELECT $f FROM users WHERE name = 'bob'"), '55000', "$f: an error, and no answer");
}
ask("SELECT argon2_verify('secret of bob', hash) FROM users WHERE name = 'bob'");
like($err, qr/^ERROR:  55000: argon2_verify: .*\bkey\b/, 'that says what is missing');
is(sql("SELECT name FROM users WHERE argon2_needs_rehash(hash)"), 'bob', 'who it is can be asked');
write_keys("k2 $base64{k2}", "k1 $base64{k1}", 'current k2', 0600);
reload_all();
is(login('bob', 'secret of bob'), 't', 'the key is put back, and bob logs in');
is(sql($old), 0, 'now it may be retired');
write_keys("k2 $base64{k2}", 'current k2', 0600);
reload_all();
is(login($_, "secret of $_"), 't', "$_ logs in") for qw(alice bob carol dave);

# ---- a file that is no good: who has keys keeps them ----
my %bad = (
    'not base64' => [ "k2 !$base64{k2}", 'current k2', 0600 ],
    'no such key' => [ "k2 $base64{k2}", 'current k3', 0600 ],
    'twice' => [ "k2 $base64{k2}", "k2 $base64{k1}", 0600 ],
    'for all to read' => [ "k2 $base64{k2}", 'current k2', 0644 ],
    'for the group to read' => [ "k2 $base64{k2}", 'current k2', 0640 ],
);
for my $what (sort keys %bad)
{
    write_keys(@{ $bad{$what} });
    my $log = -s $node->logfile;
    reload_all();
    is(ask("SELECT argon2_verify('secret of bob', hash), argon2_hash('x') LIKE '%keyid=azI\$%' FROM users WHERE name = 'bob'"),
        't|t', "$what: the keys stay");
    like($err, qr/WARNING:  F0000: pg_argon2\.secret_file could not be read\nHINT:  The keys that were read before stay in use/,
        "$what: with a warning");
    unlike($err, qr/DETAIL|\Q$file\E/, "$what: that leaves details to the log");
    is(ask("SELECT argon2_is_valid(argon2_hash('x'))") . $err, 't', "$what: once");
    my $said = slurp_file($node->logfile, $log);
    like($said, qr/WARNING:.*pg_argon2\.secret_file could not be read\n.*DETAIL:  .*key file/, "$what: the log has both");
}
is(error_of($node, "SELECT argon2_verify('secret of bob', hash) FROM users WHERE name = 'bob'"), '55000', 'a new session has no keys');
is(error_of($node, $_), '55000', "$_: nothing is made without")
  for "SELECT argon2_hash('x')", "SELECT argon2_hash(ARRAY['x'])", "SELECT argon2_upgrade('x', argon2_dummy_hash())",
    'SELECT argon2_needs_rehash(hash) FROM users';
is(sql("SELECT argon2_verify('password', argon2_hash_with_salt('password', 'somesalt', 'm=64,t=2,p=1')), argon2_is_valid(hash) FROM users LIMIT 1"),
    't|t', 'what needs no key works');
unlink $file;
reload_all();
is(ask("SELECT argon2_verify('secret of bob', hash) FROM users WHERE name = 'bob'"), 't', 'a file that is gone: the keys stay');

# ---- keys that only verify; none ----
write_keys("k2 $base64{k2}", 0600);
reload_all();
is(ask("SELECT argon2_verify('secret of bob', hash), argon2_hash('x') LIKE '%keyid%' FROM users WHERE name = 'bob'"), 't|f',
    'no current key: none for new hashes');
is(login('bob', 'secret of bob'), 't', 'old ones verify');
is(key_of('bob'), 'k2', 'and keep their key');
$node->append_conf('postgresql.conf', "pg_argon2.secret_file = ''");
reload_all();
ask("SELECT argon2_verify('secret of bob', hash) FROM users WHERE name = 'bob'");
like($err, qr/^ERROR:  55000:/, 'no file: no keys, for those that had them, either');
is(ask("SELECT argon2_hash('x') LIKE '%keyid%'"), 'f', 'and none are wanted');

# ---- whose it is ----
sql('CREATE ROLE argon2_user LOGIN');
$node->append_conf('postgresql.conf', "pg_argon2.secret_file = '$file'");
reload();
is(error_of($node, "SET pg_argon2.secret_file = '/tmp/x'"), '55P02', 'a superuser sets it in the configuration only');
is(error_of($node, "SET ROLE argon2_user; SELECT argon2_version(); $_"), '42501', "$_: not for everybody")
  for 'SHOW pg_argon2.secret_file', "SELECT current_setting('pg_argon2.secret_file')";
is(sql("SET ROLE argon2_user; SELECT count(*) FROM (SELECT argon2_version()) AS loaded, pg_settings WHERE name = 'pg_argon2.secret_file'"),
    0, 'nor is it listed');
is(error_of($node, "ALTER ROLE argon2_user SET pg_argon2.secret_file = '/tmp/x'"), '55P02', 'no role has its own');

# ---- no secret in the log ----
$in .= "\\q\n";
$pooled->finish;
$node->stop;
my $log = slurp_file($node->logfile);
for my $key (sort keys %secret)
{
    ok(index($log, $_) < 0, "the log has no $key") for $secret{$key}, $base64{$key}, unpack('H*', $secret{$key});
}

done_testing();
