#!/bin/sh
# SPDX-License-Identifier: MIT
# Configuration files: which provider serves ARGON2ID, and the traps there are.
# `ask` prints who it is. The results with a built-in Argon2 (OpenSSL 3.2 and
# later) and without one differ.
# shellcheck source=tests/integration/ossl/host.sh
. "$(dirname "$0")/host.sh"

ask() {
    host "$ask" "$@" 2>/dev/null | tr '\n' ' ' | sed 's/ $//'
}
cnf() {
    config "$@"
    export OPENSSL_CONF
}

# What serves ARGON2ID where ours does not.
without=$(ask kdf)
case $(ask version) in
3.[01].*) is 'no built-in Argon2 here' "$without" none ;;
*) is 'a built-in Argon2 here' "$without" default ;;
esac
theirs() {
    if [ "$without" = none ]; then echo argon2fast; else echo default; fi
}

# ---- order ----

cnf default ours
is 'after default' "$(ask kdf md)" "$(theirs) default"
cnf ours default
is 'before default' "$(ask kdf md)" 'argon2fast default'
is 'by property' "$(ask kdf=provider=argon2fast kdf=provider=default)" \
    "argon2fast $without"
properties='?provider=argon2fast'
cnf default ours
is 'default_properties' "$(ask kdf md)" 'argon2fast default'
is 'which a query of the program adds to' "$(ask 'kdf=provider=default')" \
    "$without"
properties='fips=yes,?provider=argon2fast'
cnf default ours
is 'merged with fips=yes' "$(ask kdf md kdf=-fips)" 'none none argon2fast'
properties=

# ---- loading by the program ----

OPENSSL_CONF=/dev/null
OPENSSL_MODULES=$BUILD/ossl-modules
export OPENSSL_CONF OPENSSL_MODULES
is 'loaded first' "$(ask load=argon2fast load=default kdf md)" \
    'argon2fast default'
is 'loaded second' "$(ask load=default load=argon2fast kdf md)" \
    "$(theirs) default"
is 'loaded late' "$(ask md kdf load=argon2fast kdf)" \
    "default $without $(theirs)"
is 'loaded late, by property' \
    "$(ask md load=argon2fast kdf=provider=argon2fast)" 'default argon2fast'
unset OPENSSL_MODULES

# ---- traps ----

cnf ours
is 'activating only ours disables the default provider' "$(ask kdf md)" \
    'argon2fast none'
cnf none default
is 'a missing module is silent' "$(ask kdf md)" "$without default"
ours='max_threads = many'
cnf ours default
is 'a bad value is silent, and ours does not serve' "$(ask kdf md)" \
    "$without default"
ours='max_memcost_kib = 8
max_iter = 2'
cnf ours default
is 'a ceiling holds' "$(ask derive)" 'nothing argon2fast'
ours='max_memcost_kib = 8
max_iter = 3'
cnf ours default
is 'just at the ceilings' "$(ask derive)" \
    "$(printf password | argon2 somesalt -id -t 3 -p 1 -k 8 -l 16 -r) argon2fast"
ours=

# ---- the sample that is installed ----

sample() {
    sed "s|^# *module = .*|module = $module|" \
        "$top/modules/ossl_provider/openssl.cnf" >"$work/sample.cnf"
    OPENSSL_CONF=$work/sample.cnf
}
sample
is 'the sample' "$(ask kdf md)" 'argon2fast default'
sed -n 's/^# \([a-z_]* = \)/\1/p' "$OPENSSL_CONF" >"$work/keys"
is 'has all keys' "$(wc -l <"$work/keys")" 8
sed -i 's/^# \([a-z_]* = \)/\1/' "$OPENSSL_CONF"
is 'the sample with all its keys' "$(ask kdf md)" 'argon2fast default'

finish
