#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Argon2 in OpenSSL: the openssl command, a configuration file, a C program.
# shellcheck source=demo/narrate
. "$(dirname "$0")/narrate"

top=$(cd "$(dirname "$0")/.." && pwd)
export OPENSSL_CONF=/dev/null

# runs COMMAND: shows it with its result, which is in $result.
runs() {
    result=$(cd "$work" && eval "$1")
    shows '$ ' "$1" "$result"
}

chapter "Argon2 in $(openssl version | cut -d' ' -f1-2)"
say 'The openssl command derives with Argon2id:'
OPENSSL_MODULES=$BUILD/ossl-modules
export OPENSSL_MODULES
runs 'openssl kdf -provider argon2fast -provider default -keylen 32 \
    -kdfopt pass:password -kdfopt salt:somesalt \
    -kdfopt iter:3 -kdfopt lanes:4 -kdfopt memcost:65536 ARGON2ID'
ours=$(tr -d ':\n' <<<"$result" | tr A-F a-f)

say 'It is the tag of the argon2 command:'
runs 'printf password | argon2 somesalt -id -t 3 -p 4 -k 65536 -l 32 -r'
expect "$result" "$ours"

say 'Other costs, the tag as a key of 16 bytes, four threads:'
runs 'openssl kdf -provider argon2fast -keylen 16 -kdfopt pass:password \
    -kdfopt salt:somesalt -kdfopt iter:2 -kdfopt lanes:4 \
    -kdfopt threads:4 -kdfopt memcost:19456 ARGON2ID'
expect "$(printf password | argon2 somesalt -id -t 2 -p 4 -k 19456 -l 16 -r)" \
    "$(tr -d ':\n' <<<"$result" | tr A-F a-f)"

say 'By configuration every program has it, without a word of its own:'
unset OPENSSL_MODULES
sed "s|^# module = .*|module = $BUILD/ossl-modules/argon2fast.so|" \
    "$top/modules/ossl_provider/openssl.cnf" >"$work/openssl.cnf"
export OPENSSL_CONF=$work/openssl.cnf
shows '' "$(grep -v '^#' "$OPENSSL_CONF" | grep .)" ''
runs 'openssl list -kdf-algorithms | grep ARGON2ID'
expect '  ARGON2ID @ argon2fast' "$(grep argon2fast <<<"$result")"

# What is installed from packages is shown on machines without a compiler.
command -v "${CC:-cc}" >/dev/null || exit 0
say 'A program that asks OpenSSL for "ARGON2ID":'
cp "$top/modules/ossl_provider/examples/derive.c" "$work"
shows '' "$(sed -n '/^int main/,$p' "$work/derive.c")" ''
runs "\${CC:-cc} -I'$top/modules/ossl_provider' -o derive derive.c -lcrypto"
runs './derive password somesalt'
expect "$ours argon2fast" "$result"
