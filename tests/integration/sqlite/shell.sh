#!/bin/sh
# SPDX-License-Identifier: MIT
# The extension in the sqlite3 shell: loading, a table on disk, and what a
# schema may and may not call.
# shellcheck source=tests/integration/sqlite/host.sh
. "$(dirname "$0")/host.sh"

db=$work/users.db
hash=$(sql :memory: "SELECT argon2_hash('password', '$cheap')")

# ---- loading ----
is 'the file as it is named' \
    "$(sql :memory: "SELECT argon2_verify('password', argon2_hash('password'))")" 1
cp "$extension.so" "$work/argon2.so"
cp "$extension.so" "$work/lib99.so"
for name in argon2 lib99; do
    is "renamed to $name.so" "$(sql_with "$work/$name" :memory: \
        "SELECT argon2_verify('password', '$hash')")" 1
done
for entry in sqlite3_sqliteargon_init sqlite3_argon_init sqlite3_argon2_init \
    sqlite3_extension_init; do
    is "entry point $entry" "$(sql_with "$work/lib99 $entry" :memory: \
        "SELECT argon2_verify('password', '$hash')")" 1
done
is 'the functions, with the number of their arguments' \
    "$(sql :memory: "SELECT group_concat(f, ' ') FROM (SELECT name || narg AS f
        FROM pragma_function_list WHERE name LIKE 'argon2%' ORDER BY f)")" \
    "argon2_calibrate1 argon2_config1 argon2_config2 argon2_dummy_hash0 \
argon2_hash1 argon2_hash2 argon2_hash_with_salt3 argon2_info1 argon2_is_common1 \
argon2_is_valid1 argon2_needs_rehash1 argon2_needs_rehash2 argon2_params1 argon2_raw3 \
argon2_upgrade2 argon2_upgrade3 argon2_verify2 argon2_version0"
# deterministic 0x800, directonly 0x80000, innocuous 0x200000
is 'the flags' \
    "$(sql :memory: "SELECT DISTINCT name || narg || ' ' ||
        printf('%x', flags & 0x280800) FROM pragma_function_list
        WHERE name LIKE 'argon2%' ORDER BY 1" | xargs)" \
    "argon2_calibrate1 80000 argon2_config1 80000 argon2_config2 80000 \
argon2_dummy_hash0 80000 argon2_hash1 80000 argon2_hash2 80000 \
argon2_hash_with_salt3 80800 argon2_info1 200800 argon2_is_common1 200800 \
argon2_is_valid1 200800 argon2_needs_rehash1 200000 argon2_needs_rehash2 200800 argon2_params1 200800 \
argon2_raw3 80800 argon2_upgrade2 80000 argon2_upgrade3 80000 argon2_verify2 80800 argon2_version0 200000"
like 'the version names itself' "$(sql :memory: 'SELECT argon2_version()')" \
    "*$(sed -n 's/^#define A2F_VERSION "\(.*\)"/\1/p' \
        "$here/../../../libcore/argon2fast.h")*"

# ---- a table on disk ----
sql "$db" "CREATE TABLE users(name TEXT PRIMARY KEY, hash TEXT NOT NULL);
    INSERT INTO users SELECT value, argon2_hash(value || '!', '$cheap')
    FROM json_each('[\"ann\",\"bob\",\"cyd\"]')"
is 'right passwords, in another process' \
    "$(sql "$db" "SELECT sum(argon2_verify(name || '!', hash)) FROM users")" 3
is 'wrong passwords' \
    "$(sql "$db" "SELECT sum(argon2_verify(name || '?', hash)) FROM users")" 0
is 'three salts' "$(sql "$db" \
    "SELECT count(DISTINCT substr(hash, 1, 40)) FROM users")" 3
is 'params of each' "$(sql "$db" \
    'SELECT DISTINCT argon2_params(hash) FROM users')" "$cheap"
is 'rehash found by the default' "$(sql "$db" \
    'SELECT sum(argon2_needs_rehash(hash)) FROM users')" 3
is 'none to rehash by their own params' "$(sql "$db" \
    "SELECT sum(argon2_needs_rehash(hash, '$cheap')) FROM users")" 0
is 'a scalar subquery hashes once' "$(sql "$db" \
    "SELECT argon2_verify('bob!', (SELECT hash FROM users WHERE name = 'bob'))")" 1
is 'no such user is NULL' "$(sql "$db" \
    "SELECT argon2_verify('x', (SELECT hash FROM users WHERE name = 'x')) IS NULL")" 1

# ---- what a schema may call ----
strict="PRAGMA trusted_schema=OFF;"
table="CREATE TABLE t(hash TEXT CHECK (argon2_is_valid(hash)),
    cost AS (CASE WHEN argon2_is_valid(hash) THEN argon2_params(hash) END) STORED,
    info AS (CASE WHEN argon2_is_valid(hash) THEN argon2_info(hash) END),
    old AS (CASE WHEN argon2_is_valid(hash)
        THEN argon2_needs_rehash(hash, 'owasp') END));"
is 'CHECK and generated columns with an untrusted schema' \
    "$(sql "$work/t.db" "$strict $table INSERT INTO t VALUES ('$hash');
        CREATE INDEX i ON t(argon2_params(hash));
        SELECT cost, json_extract(info, '\$.lanes'), old FROM t
        WHERE argon2_params(hash) = '$cheap'")" \
    "$cheap|1|1"
like 'CHECK refuses what is no hash' \
    "$(sql "$work/t.db" "$strict INSERT INTO t VALUES ('hash')")" \
    '*CHECK constraint failed*'
manual() {
    sed -n '/^CREATE TABLE checked_users/,/^);/p' "$here/../../../docs/sqlite.md"
}
like 'CHECK of the manual refuses it too' "$(sql :memory: "$strict $(manual)
    INSERT INTO checked_users(name, hash) VALUES ('ann', 'hash')")" \
    '*CHECK constraint failed*'
is 'and its column shows the cost' "$(sql :memory: "$strict $(manual)
    INSERT INTO checked_users(name, hash) VALUES ('ann', '$hash');
    SELECT cost FROM checked_users")" "$cheap"

# refused NAME STATEMENTS: as SQLite words it, and in either trust
refused() {
    for trust in ON OFF; do
        rm -f "$work/r.db"
        like "refused in $1, trusted_schema=$trust" "$(sql "$work/r.db" \
            "PRAGMA trusted_schema=$trust; CREATE TABLE r(a, b); $2")" \
            '*unsafe use of argon2_*'
    done
}
refused 'a stored trigger' "CREATE TRIGGER g AFTER INSERT ON r BEGIN
    UPDATE r SET b = argon2_hash(NEW.a, '$cheap'); END; INSERT INTO r VALUES (1, 2)"
refused 'a view' "CREATE VIEW v AS SELECT argon2_verify(a, b) FROM r; SELECT * FROM v"
refused 'CHECK' "CREATE TABLE c(a CHECK (argon2_verify('x', a)))"
refused 'a generated column' \
    "CREATE TABLE c(a, b AS (argon2_raw(a, 'saltsalt', '$cheap')))"
refused 'an index' "CREATE INDEX i ON r(argon2_hash_with_salt(a, 'saltsalt', '$cheap'))"
refused 'a default' "CREATE TABLE c(a, b DEFAULT (argon2_hash('x', '$cheap')));
    INSERT INTO c(a) VALUES (1)"
refused 'a view, of the settings' \
    "CREATE VIEW v AS SELECT argon2_config('max_memory', 8); SELECT * FROM v"

is 'allowed in a TEMP trigger' "$(sql "$work/t2.db" "$strict
    CREATE TABLE u(name, hash);
    CREATE TEMP TRIGGER g AFTER INSERT ON main.u WHEN NOT argon2_is_valid(NEW.hash)
    BEGIN UPDATE u SET hash = argon2_hash(NEW.hash, '$cheap')
        WHERE rowid = NEW.rowid; END;
    INSERT INTO u VALUES ('ann', 'secret'), ('bob', '$hash');
    SELECT argon2_verify('secret', hash), hash = '$hash' FROM u" | xargs)" '1|0 0|1'

# ---- messages ----
said=$(for call in "verify('hunter2', 'zebra\$hunter3')" \
    "hash('hunter4', 'zebra=5')" "raw('hunter6', 'zebra7', '$cheap')" \
    "config('zebra8', 'hunter9')"; do
    sql :memory: "SELECT argon2_$call"
done)
is 'each says which function failed' \
    "$(echo "$said" | grep -o 'argon2_[a-z]*:' | xargs)" \
    'argon2_verify: argon2_hash: argon2_raw: argon2_config:'
is 'and repeats nothing it was given' \
    "$(echo "$said" | grep -o 'argon2_[a-z]*:.*' | grep -c 'zebra\|hunter')" 0

finish
