#!/bin/sh
# SPDX-License-Identifier: MIT
# Strings to and from the distribution's argon2 command, through a database.
# shellcheck source=tests/integration/sqlite/host.sh
. "$(dirname "$0")/host.sh"

db=$work/interop.db
sql "$db" 'CREATE TABLE h(password, hash)'

# theirs TYPE VERSION MEMORY PASSES LANES LENGTH
theirs() {
    hash=$(printf 'pass word' | argon2 "some salt $1$2" "-$1" -v "$2" -k "$3" -t "$4" \
        -p "$5" -l "$6" -e)
    sql "$db" "INSERT INTO h VALUES ('pass word', '$hash')"
    is "verifies the argon2 command's $1 $2 m=$3 t=$4 p=$5 len=$6" \
        "$(sql "$db" "SELECT argon2_verify(password, hash),
            argon2_verify(password || 'x', hash) FROM h WHERE hash = '$hash'")" '1|0'
    is '.. whose string it would write itself' "$(sql "$db" \
        "SELECT hash = argon2_hash_with_salt(password, 'some salt $1$2',
            argon2_params(hash)) FROM h WHERE hash = '$hash'")" 1
}
for version in 10 13; do
    theirs id $version 64 1 1 32
    theirs id $version 1024 2 4 16
    theirs i $version 256 3 2 32
    theirs d $version 100 2 3 64
done

# ours PARAMS TYPE VERSION MEMORY PASSES LANES LENGTH
ours() {
    is "the argon2 command makes the string of $1" \
        "$(printf 'pass word' | argon2 'some salt' "-$2" -v "$3" -k "$4" \
            -t "$5" -p "$6" -l "$7" -e)" \
        "$(sql "$db" "SELECT argon2_hash_with_salt('pass word', 'some salt', '$1')")"
    is '.. and its raw tag' \
        "$(printf 'pass word' | argon2 'some salt' "-$2" -v "$3" -k "$4" \
            -t "$5" -p "$6" -l "$7" -r)" \
        "$(sql "$db" "SELECT lower(hex(argon2_raw('pass word', 'some salt', '$1')))")"
}
ours 'm=64,t=1,p=1' id 13 64 1 1 32
ours 'm=19456,t=2,p=1' id 13 19456 2 1 32
ours 'm=512,t=3,p=4,type=i' i 13 512 3 4 32
ours 'm=200,t=2,p=2,type=d,v=16,len=100' d 10 200 2 2 100
ours default id 13 65536 3 4 32

finish
