# SPDX-License-Identifier: MIT
# What every test here begins with: `use Host;`. It makes an installation that
# has the extension, under a directory of its own, and runs the test a second
# time from there, as a user who may run a server. That second time it offers
# PostgreSQL's own test modules and a few helpers.
package Host;

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(basename dirname);
use File::Temp qw(tempdir);

our @EXPORT = qw($WORK $MAJOR cluster error_of seconds wait_until hash_of);

our ($WORK, $MAJOR);

sub output
{
    open my $pipe, '-|', @_ or die "$_[0]: $!";
    chomp(my $text = do { local $/; <$pipe> } // '');
    close $pipe or die "@_ failed";
    return $text;
}

# Servers that are still there, because the test died.
sub stop_servers
{
    for my $file (glob "$_[0]/{data,tests/tmp_check}/*/pgdata/postmaster.pid")
    {
        open my $in, '<', $file or next;
        my $pid = <$in>;
        kill 'QUIT', $1 if $pid =~ /^(\d+)/;
    }
}

# Of a test that failed: the ends of its servers' logs.
sub show_logs
{
    for my $file (glob "$_[0]/{log,tests/tmp_check/log}/*.log")
    {
        print "# ---- ", basename($file), "\n";
        print map { "# $_" } split /^/, output('tail', '-n', 30, $file);
    }
}

sub environment
{
    my ($work, $pg_config, $bin) = @_;
    my $pgxs = dirname(dirname(dirname(output($pg_config, '--pgxs'))));

    $ENV{A2F_PG_WORK} = $work;
    $ENV{PATH} = "$bin:$ENV{PATH}";
    $ENV{PERL5LIB} = "$pgxs/src/test/perl";
    $ENV{PG_REGRESS} = "$pgxs/src/test/regress/pg_regress";
    $ENV{PG_ISOLATION} = "$pgxs/src/test/isolation/pg_isolation_regress";
    $ENV{TESTDATADIR} = "$work/data";
    $ENV{TESTLOGDIR} = "$work/log";
    $ENV{PG_TEST_PORT_DIR} = "$work/ports";
    $ENV{TMPDIR} = '/tmp';
    delete @ENV{qw(PGHOST PGPORT PGUSER PGDATABASE PGOPTIONS PGSERVICE)};
}

# Runs the test again; does not return.
sub run_inside
{
    my $here = dirname(abs_path(__FILE__));
    my $build = $ENV{BUILD} or die 'BUILD: the build directory';
    my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
    my ($major) = output($pg_config, '--version') =~ /(\d+)/;
    my $work = tempdir('/tmp/argon2XXXXXX');
    my $pid = 0;
    my @user;

    chmod 0755, $work;
    my $bin = output("$here/../../../modules/pg_argon2/stage.sh", $pg_config, "$build/pg/$major/stage",
        "$work/root");
    system("$here/sanitized.sh", $bin) == 0 or die 'sanitized.sh' if $ENV{SAN};
    system('cp', '-rL', $here, "$work/tests") == 0 or die 'cp';
    # What a test of another directory needs there, itself first.
    system('cp', split(' ', $ENV{A2F_PG_FILES}), "$work/tests") == 0 or die 'cp'
      if $ENV{A2F_PG_FILES};
    mkdir "$work/$_" for qw(data log ports);
    $ENV{A2F_PG_MAJOR} = $major;
    environment($work, $pg_config, $bin);
    if ($> == 0)
    {
        my $user = getpwnam('postgres') ? 'postgres' : 'nobody';
        system('chown', '-R', $user, $work) == 0 or die 'chown';
        @user = ('setpriv', '--reuid', $user, '--regid',
            (getgrgid((getpwnam $user)[3]))[0], '--clear-groups');
    }
    local $SIG{TERM} = local $SIG{INT} = sub { kill 'TERM', $pid if $pid };
    $pid = fork // die "fork: $!";
    if ($pid == 0)
    {
        chdir "$work/tests" or die "chdir: $!";
        exec @user, $^X, '-I.', basename($0) or die "exec: $!";
    }
    waitpid $pid, 0;
    my $status = $?;
    stop_servers($work);
    show_logs($work) if $status != 0;
    # To be looked at and, if right, put into expected/.
    system("cp $work/log/*/results/*.out '$ENV{A2F_PG_RESULTS}'")
      if $ENV{A2F_PG_RESULTS};
    system('rm', '-rf', $work);
    exit($status >> 8 || $status & 127);
}

BEGIN
{
    run_inside() unless $ENV{A2F_PG_WORK};
    $WORK = $ENV{A2F_PG_WORK};
    $MAJOR = $ENV{A2F_PG_MAJOR};
}

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time sleep);

# cluster(NAME, SETTINGS): a started one, with the extension in postgres
sub cluster
{
    my ($name, @settings) = @_;
    my $node = PostgreSQL::Test::Cluster->new($name);

    $node->init(allows_streaming => 1,
        extra => [ '--encoding=UTF8', '--locale=C' ]);
    $node->append_conf('postgresql.conf', join "\n", 'jit = off',
        'autovacuum = off', @settings);
    $node->start;
    $node->safe_psql('postgres', 'CREATE EXTENSION pg_argon2');
    return $node;
}

# error_of(NODE, SQL): the SQLSTATE, as psql says it; '' if all went well
sub error_of
{
    my ($node, $sql) = @_;
    my (undef, undef, $err) = $node->psql('postgres',
        "\\set VERBOSITY sqlstate\n$sql", on_error_stop => 1);

    return $err =~ /(?:ERROR|FATAL):\s+(\w{5})/ ? $1 : $err;
}

# seconds(CODE): how long it took
sub seconds
{
    my $from = time;
    $_[0]->();
    return time - $from;
}

# wait_until(NODE, QUERY): until it gives t
sub wait_until
{
    my ($node, $query) = @_;
    $node->poll_query_until('postgres', $query)
      or die "never: $query";
}

# hash_of(NODE, PASSWORD): a cheap one
sub hash_of
{
    my ($node, $password) = @_;
    return $node->safe_psql('postgres',
        "SELECT argon2_hash('$password', 'm=64,t=1,p=1')");
}

1;
