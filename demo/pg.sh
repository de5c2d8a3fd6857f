#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A users table in PostgreSQL: hashed on insert, verified on log-in, rehashed
# when the default rises, and a server that cannot be hurt by it. The cluster
# is made for this and thrown away.
# shellcheck source=demo/narrate
. "$(dirname "$0")/narrate"

pg_config=${PG_CONFIG:-pg_config}
major=$("$pg_config" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
bin=$("$(dirname "$0")/../modules/pg_argon2/stage.sh" "$pg_config" \
    "$BUILD/pg/$major/stage" "$work/root")

# The server will not run as root.
as_owner() {
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --reuid postgres --regid postgres --clear-groups "$@"
    else
        "$@"
    fi
}

start() {
    if [ "$(id -u)" -eq 0 ]; then
        chown postgres "$work"
    fi
    as_owner "$bin/initdb" -D "$work/data" -A trust -U postgres -E UTF8 \
        --locale C --no-sync >/dev/null
    printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$work'" \
        "shared_preload_libraries = 'pg_argon2'" \
        "pg_argon2.total_memory = '2GB'" 'fsync = off' 'jit = off' |
        as_owner tee -a "$work/data/postgresql.conf" >/dev/null
    as_owner "$bin/pg_ctl" -D "$work/data" -l "$work/log" -s -w start
}
stop() {
    as_owner "$bin/pg_ctl" -D "$work/data" -s -m immediate stop || true
    rm -rf "$work"
}

psql() {
    "$bin/psql" -h "$work" -U postgres -d postgres -X -q -v VERBOSITY=verbose \
        "$@" 2>&1 | grep -v '^LOCATION'
}

# sql STATEMENT [WANTED]: what psql prints, bare rows; an error counts as
# printed, too.
sql() {
    local result

    result=$(psql -At -c "$1" || true)
    shows 'postgres=# ' "$1" "$result"
    [ $# -lt 2 ] || expect "$2" "$result"
}

chapter 'Passwords in PostgreSQL'
start
trap stop EXIT
say "A PostgreSQL $major cluster, made for this, and the extension:"
sql 'CREATE EXTENSION pg_argon2' ''
sql 'SELECT argon2_version()'
sql 'CREATE TABLE users(name text PRIMARY KEY, email text,
           hash text NOT NULL CHECK (argon2_is_valid(hash)))' ''
sql "INSERT INTO users VALUES
           ('alice', 'alice@example.org', argon2_hash('correct horse')),
           ('bob', 'bob@example.org', argon2_hash('battery staple', 'owasp'))" ''
sql 'SELECT name, left(hash, 31) FROM users'
say 'A password in the clear does not get in:'
psql_error=$(psql -At -c "INSERT INTO users VALUES ('eve', NULL, 'sesame')" |
    sed -n 's/^ERROR:  \([0-9]*\).*/\1/p' || true)
shows 'postgres=# ' "INSERT INTO users VALUES ('eve', NULL, 'sesame')" \
    "ERROR:  $psql_error"
expect 23514 "$psql_error"

say 'Log in: t for the right password, f for any other.'
login() {
    sql "SELECT argon2_verify('$2', hash) FROM users WHERE name = '$1'" "$3"
}
login alice 'correct horse' t
login alice 'Correct horse' f
login bob 'battery staple' t
say 'A user who does not exist takes as long as one who does:'
sql "SELECT argon2_verify('x', coalesce((SELECT hash FROM users
           WHERE name = 'mallory'), argon2_dummy_hash()))" f
say 'The planner knows what is expensive: verify runs last.'
sql "EXPLAIN (COSTS OFF) SELECT name FROM users
           WHERE argon2_verify('x', hash) AND lower(email) = 'a@example.org'" \
    "Seq Scan on users
  Filter: ((lower(email) = 'a@example.org'::text) AND argon2_verify('x'::text, hash))"

chapter 'The default rises'
sql "ALTER DATABASE postgres SET pg_argon2.default_params = 'm=98304,t=3,p=4'" ''
sql 'SELECT name, argon2_params(hash), argon2_needs_rehash(hash) FROM users' \
    'alice|m=65536,t=3,p=4|t
bob|m=19456,t=2,p=1|t'
say 'At the next log-in, verify and renew in one statement:'
sql "UPDATE users SET hash = argon2_hash('correct horse')
           WHERE name = 'alice' AND argon2_needs_rehash(hash)
           AND argon2_verify('correct horse', hash) RETURNING argon2_params(hash)" \
    'm=98304,t=3,p=4'
login alice 'correct horse' t

chapter 'A server that cannot be hurt'
say 'A string that claims 4 TiB is refused before anything is allocated:'
# shellcheck disable=SC2016 # dollars are meant
hostile='$argon2id$v=19$m=4294967295,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$c29tZXNhbHRzb21lc2FsdA'
sql "SELECT argon2_verify('x', '$hostile')" \
    'ERROR:  53400: argon2_verify: above a configured limit
DETAIL:  memory_kib is 4294967295, at most 262144 is allowed.
HINT:  The limit is pg_argon2.max_memory.'
say 'A hash of 1 GiB and 50 passes, with the ceilings raised, and a timeout:'
timeout_error=$(psql -At -c "SET pg_argon2.max_memory = '1GB'" \
    -c "SET pg_argon2.max_work = '64GB'" -c "SET pg_argon2.max_passes = 64" \
    -c "SET statement_timeout = '100ms'" \
    -c "SELECT argon2_hash('x', 'm=1048576,t=50,p=1')" || true)
shows 'postgres=# ' "SET statement_timeout = '100ms';
             SELECT argon2_hash('x', 'm=1048576,t=50,p=1')" "$timeout_error"
expect 'ERROR:  57014' "${timeout_error%%:\ canceling*}"
say 'and the memory of all sessions together has a budget:'
sql 'SELECT * FROM argon2_admission' '2097152|0|0|0|0'
