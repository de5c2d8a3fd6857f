#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A users table in SQLite: hashed, verified, and shared with other programs.
# shellcheck source=demo/narrate
. "$(dirname "$0")/narrate"

db=$work/users.db

# sql STATEMENT [WANTED]: runs it on the file with the extension loaded.
sql() {
    local result

    result=$(sqlite3 -batch -init /dev/null -cmd ".load $BUILD/sqlite_argon2" \
        "$db" "$1")
    shows 'sqlite> ' "$1" "$result"
    [ $# -lt 2 ] || expect "$2" "$result"
}

# python CODE ARGUMENT..: /usr/bin/python3 is the one with python3-argon2.
python() {
    /usr/bin/python3 -c "$@"
}

chapter 'Passwords in SQLite'
say "A database file, and the extension loaded into the stock sqlite3 shell:"
sql 'SELECT argon2_version()'
sql 'CREATE TABLE users(name TEXT PRIMARY KEY, hash TEXT NOT NULL)' ''
sql "INSERT INTO users VALUES ('alice', argon2_hash('correct horse')),
           ('bob', argon2_hash('battery staple', 'owasp'))" ''
sql "SELECT name, substr(hash, 1, 31) || '..' FROM users"

say 'Log in: 1 for the right password, 0 for any other.'
login() {
    sql "SELECT argon2_verify('$2', hash) FROM users WHERE name = '$1'" "$3"
}
login alice 'correct horse' 1
login alice 'Correct horse' 0
login bob 'battery staple' 1
login bob '' 0

chapter 'The same hashes elsewhere'
say "From the distribution's argon2 command and from python3-argon2, into the
table:"
carol=$(printf %s 'open sesame' | argon2 'salt of carol' -id -t 2 -k 19456 -p 1 -e)
# shellcheck disable=SC2016
dave=$(python 'import argon2; print(argon2.PasswordHasher().hash("swordfish"))')
sql "INSERT INTO users VALUES ('carol', '$carol'),
           ('dave', '$dave')" ''
login carol 'open sesame' 1
login dave swordfish 1
login dave 'open sesame' 0

say 'And ours by them: python3-argon2 verifies what SQLite hashed,'
hash=$(sqlite3 -batch "$db" "SELECT hash FROM users WHERE name = 'alice'")
result=$(python 'import argon2, sys
print(argon2.PasswordHasher().verify(sys.argv[1], "correct horse"))' "$hash")
shows '>>> ' 'argon2.PasswordHasher().verify(hash, "correct horse")' "$result"
expect True "$result"
say 'and the argon2 command writes, with the same salt, the same string:'
sql "SELECT argon2_hash_with_salt('open sesame', 'salt of carol',
           'm=19456,t=2,p=1')" "$carol"

chapter 'Looking after a table'
say 'Who should get a new hash at the next log-in?'
sql "SELECT name, argon2_params(hash) FROM users
           WHERE argon2_needs_rehash(hash, 'default') AND name <= 'carol'" \
    'bob|m=19456,t=2,p=1
carol|m=19456,t=2,p=1,saltlen=13'
say 'A row that asks for 4 TiB is refused at once, and never reads as a
mismatch:'
# shellcheck disable=SC2016 # dollars are meant
hostile='$argon2id$v=19$m=4294967295,t=4294967295,p=16777215$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA'
if result=$(sqlite3 -batch -init /dev/null -cmd ".load $BUILD/sqlite_argon2" \
    "$db" "SELECT argon2_verify('x', '$hostile')" 2>&1); then
    expect 'an error' "$result"
fi
shows 'sqlite> ' "SELECT argon2_verify('x', '\$argon2id\$v=19\$m=4294967295..')" \
    "$result"
