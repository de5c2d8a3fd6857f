#!/bin/sh
# SPDX-License-Identifier: MIT
# The openssl command with the provider: what it derives, lists and says.
# shellcheck source=tests/integration/ossl/host.sh
. "$(dirname "$0")/host.sh"

# kdf NAME OPTION..: the tag in hex as libargon2's tool prints it
kdf() {
    name=$1
    shift
    for option; do
        set -- "$@" -kdfopt "$option"
        shift
    done
    openssl_ours kdf -provider argon2fast -provider default -keylen 32 \
        "$@" "$name" 2>&1 | tr -d ':\n' | tr 'A-F' 'a-f'
}

# ---- tags ----

for type in d i id; do
    name=ARGON2$(echo $type | tr di DI)
    is "$name is libargon2's" \
        "$(kdf "$name" pass:password salt:somesalt iter:3 lanes:4 \
            memcost:65536)" \
        "$(printf password | argon2 somesalt -$type -t 3 -p 4 -k 65536 -l 32 -r)"
done
is 'threads change nothing' \
    "$(kdf argon2id pass:password salt:somesalt iter:2 lanes:4 threads:4 \
        memcost:1024)" \
    "$(printf password | argon2 somesalt -id -t 2 -p 4 -k 1024 -l 32 -r)"
is 'version 0x10' \
    "$(kdf ARGON2I pass:password salt:somesalt iter:2 memcost:1024 version:16)" \
    "$(printf password | argon2 somesalt -i -t 2 -p 1 -k 1024 -l 32 -r -v 10)"
# RFC 9106 section 5.3, octets in hex
ones=$(printf '01%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
is 'the test vector of RFC 9106' \
    "$(kdf ARGON2ID "hexpass:$ones$ones" \
        hexsalt:02020202020202020202020202020202 hexsecret:0303030303030303 \
        hexad:040404040404040404040404 iter:3 lanes:4 memcost:32)" \
    0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659
openssl_ours kdf -provider argon2fast -provider default -keylen 100 -binary \
    -out "$work/tag" -kdfopt pass:password -kdfopt salt:somesalt ARGON2ID
is 'binary, to a file' "$(od -An -tx1 -v "$work/tag" | tr -d ' \n')" \
    "$(printf password | argon2 somesalt -id -t 3 -p 1 -k 8 -l 100 -r)"

# ---- lists ----

openssl_ours list -kdf-algorithms -verbose -provider argon2fast \
    >"$work/kdfs" 2>&1
is 'list of KDFs' "$(cat "$work/kdfs")" "$(cat "$here/golden/kdfs.txt")"
openssl_ours list -providers -verbose -provider argon2fast 2>&1 |
    sed 's/argon2fast [0-9.]*, kernel [a-z0-9]*, threads [0-9]*$/BUILD/
        s/version: [0-9.]*$/version: VERSION/' >"$work/providers"
is 'list of providers' "$(cat "$work/providers")" \
    "$(cat "$here/golden/providers.txt")"

# ---- refusals ----

like 'what is wrong is said' "$(kdf ARGON2ID pass:p salt:short)" \
    '*invalid salt length*salt must have 8 to 4294967295 bytes*'
like 'and whose error it is' "$(kdf ARGON2ID pass:p salt:somesalt iter:0)" \
    '*argon2fast*invalid iteration count*iter is 0, but 1 to*'
like 'no fips claim' \
    "$(openssl_ours kdf -provider argon2fast -propquery fips=yes -keylen 32 \
        -kdfopt pass:p -kdfopt salt:somesalt ARGON2ID 2>&1)" '*unsupported*'
cat >"$work/bad.cnf" <<END
openssl_conf = init
[init]
providers = providers
[providers]
argon2fast = ours
[ours]
max_memcost_kib = 64M
END
like 'a bad value is named' \
    "$(OPENSSL_CONF=$work/bad.cnf kdf ARGON2ID pass:p salt:somesalt)" \
    '*max_memcost_kib = 64M must be a number from 8 to 4294967295*'

# ---- the file ----

like 'no libcrypto' "$(readelf -d "$module" | grep NEEDED)" '*libc.so*'
is 'none at all' "$(readelf -d "$module" | grep -c 'NEEDED.*crypto')" 0
is 'one symbol' "$(nm -D --defined-only "$module" | sed 's/.* //')" \
    OSSL_provider_init
if [ -z "${SAN:-}" ]; then
    is 'no other library than libc' \
        "$(readelf -d "$module" | grep -c NEEDED)" 1
    is 'stays mapped' "$(readelf -d "$module" | grep -c NODELETE)" 1
    # crt's own constructor and destructor are 8 bytes each
    is 'no constructors or destructors of ours' \
        "$(readelf -d "$module" |
            sed -n 's/.*(\(INIT\|FINI\)_ARRAYSZ) *\([0-9]*\).*/\2/p' | sort -u)" 8
fi

finish
