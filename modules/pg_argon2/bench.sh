#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# bench.sh [ROUNDS [SECONDS]]: verifies a second in PostgreSQL, by pgbench, at
# the OWASP cost: this extension, libargon2 through PL/Python, and pgcrypto's
# bcrypt at cost 10. The candidates take turns, round by round, in one
# throw-away cluster; printed are medians. BUILD is the build directory.
set -euo pipefail
: "${BUILD:?the build directory}"
rounds=${1:-5} seconds=${2:-4}
here=$(cd "$(dirname "$0")" && pwd)
pg_config=${PG_CONFIG:-pg_config}
major=$("$pg_config" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
work=$(mktemp -d)
chmod 755 "$work"
bin=$("$here/stage.sh" "$pg_config" "$BUILD/pg/$major/stage" "$work/root")

as_owner() {
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --reuid postgres --regid postgres --clear-groups "$@"
    else
        "$@"
    fi
}
stop() {
    as_owner "$bin/pg_ctl" -D "$work/data" -s -m immediate stop || true
    rm -rf "$work"
}
psql() {
    "$bin/psql" -h "$work" -U postgres -d postgres -XAtq -v ON_ERROR_STOP=1 "$@"
}

if [ "$(id -u)" -eq 0 ]; then
    chown postgres "$work"
fi
as_owner "$bin/initdb" -D "$work/data" -A trust -U postgres --no-sync >/dev/null
printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$work'" \
    'fsync = off' 'jit = off' | as_owner tee -a "$work/data/postgresql.conf" \
    >/dev/null
as_owner "$bin/pg_ctl" -D "$work/data" -l "$work/log" -s -w start
trap stop EXIT

psql <<'SQL'
CREATE EXTENSION pg_argon2;
CREATE EXTENSION pgcrypto;
CREATE EXTENSION plpython3u;
CREATE FUNCTION libargon2_verify(password text, hash text) RETURNS boolean
LANGUAGE plpython3u AS $$
if 'lib' not in GD:
    import ctypes
    GD['lib'] = ctypes.CDLL('libargon2.so.1').argon2id_verify
    GD['lib'].argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]
p = password.encode()
return GD['lib'](hash.encode(), p, len(p)) == 0
$$;
CREATE TABLE one(argon2 text, bcrypt text);
INSERT INTO one VALUES (argon2_hash('correct horse', 'owasp'),
    crypt('correct horse', gen_salt('bf', 10)));
SQL
# A division by zero stops pgbench if a password does not verify.
sql_of() {
    case $1 in
    pg_argon2) echo "argon2_verify('correct horse', argon2)" ;;
    kept) echo "argon2_verify('correct horse', argon2)" ;;
    libargon2) echo "libargon2_verify('correct horse', argon2)" ;;
    bcrypt) echo "(bcrypt = crypt('correct horse', bcrypt))" ;;
    esac
}
candidates='pg_argon2 kept libargon2 bcrypt'
for c in $candidates; do
    echo "SELECT 1 / ($(sql_of "$c"))::int FROM one;" >"$work/$c.sql"
done
chmod 644 "$work"/*.sql

# run CANDIDATE CLIENTS: transactions a second
run() {
    local options=

    [ "$1" != kept ] || options='-c pg_argon2.keep_arena=32MB'
    PGOPTIONS=$options "$bin/pgbench" -h "$work" -U postgres -n -c "$2" \
        -j "$2" -T "$seconds" -f "$work/$1.sql" postgres 2>&1 |
        sed -n 's/^tps = \([0-9.]*\).*/\1/p'
}
for clients in 1 2; do
    for ((r = 0; r < rounds; r++)); do
        for c in $candidates; do
            run "$c" $clients >>"$work/$c.$clients"
        done
        # The next round begins with another one.
        candidates="${candidates#* } ${candidates%% *}"
    done
done

median() {
    sort -n "$1" | sed -n "$(((rounds + 1) / 2))p"
}
range() {
    printf '%.1f-%.1f' "$(sort -n "$1" | head -n 1)" "$(sort -n "$1" | tail -n 1)"
}
# shellcheck disable=SC2016 # backquotes are meant
describe() {
    case $1 in
    pg_argon2) echo '`argon2_verify`' ;;
    kept) echo '`argon2_verify`, `pg_argon2.keep_arena = 32MB`' ;;
    libargon2) echo 'libargon2 from PL/Python' ;;
    bcrypt) echo '`crypt()` of pgcrypto, bcrypt, cost 10' ;;
    esac
}
psql -c 'SELECT version()' -c 'SELECT argon2_version()'
sed -n 's/^model name.*: //p' /proc/cpuinfo | sort | uniq -c
printf '\n| verify | 1 client, a second | range | 2 clients, a second | range |\n'
printf '| --- | --- | --- | --- | --- |\n'
for c in pg_argon2 kept libargon2 bcrypt; do
    printf '| %s | %.1f | %s | %.1f | %s |\n' "$(describe "$c")" \
        "$(median "$work/$c.1")" "$(range "$work/$c.1")" \
        "$(median "$work/$c.2")" "$(range "$work/$c.2")"
done
