#!/bin/sh
# SPDX-License-Identifier: MIT
# Beside the legacy provider and tpm2-openssl (with a TPM in software), all of
# them activated by one configuration file and each of them at work.
# shellcheck source=tests/integration/ossl/host.sh
. "$(dirname "$0")/host.sh"

swtpm=
stop() {
    [ -z "$swtpm" ] || kill "$swtpm" 2>/dev/null
    rm -rf "$work"
}
trap stop EXIT

# Two ports in a row, one for commands and one for control.
start_tpm() {
    for port in $(shuf -i 20000-29000 -n 20); do
        swtpm socket --tpm2 --tpmstate "dir=$work" \
            --server "type=tcp,port=$port" \
            --ctrl "type=tcp,port=$((port + 1))" \
            --flags not-need-init,startup-clear \
            --pid "file=$work/pid" --daemon 2>/dev/null && return 0
    done
    return 1
}
start_tpm
is 'a TPM in software starts' $? 0
swtpm=$(cat "$work/pid")
TPM2OPENSSL_TCTI=swtpm:host=127.0.0.1,port=$port
export TPM2OPENSSL_TCTI OPENSSL_CONF

# OpenSSL 3.0 has tpm2-openssl sign only if no provider at all, be it `base`, is
# activated after `default`.
for order in 'legacy tpm2 ours default' 'ours tpm2 legacy default'; do
    # shellcheck disable=SC2086 # words
    config $order
    is "all are active: $order" \
        "$(host openssl list -providers |
            sed -n 's/^  \([a-z0-9]*\)$/\1/p' | sort | tr '\n' ' ')" \
        'argon2fast default legacy tpm2 '
    is 'argon2fast derives' "$(host "$ask" derive)" \
        "$(printf password |
            argon2 somesalt -id -t 3 -p 1 -k 8 -l 16 -r) argon2fast"
    is 'legacy digests' "$(printf abc | host openssl dgst -md4 -r)" \
        'a448017aaf21d8525fc10ae87aa6729d *stdin'
    printf message >"$work/message"
    host openssl genpkey -propquery provider=tpm2 -algorithm EC \
        -pkeyopt group:P-256 -out "$work/key" 2>"$work/errors"
    is 'tpm2 makes a key' "$(head -n 1 "$work/key")" \
        '-----BEGIN TSS2 PRIVATE KEY-----'
    host openssl pkey -in "$work/key" -pubout -out "$work/public" \
        2>>"$work/errors"
    host openssl dgst -sha256 -sign "$work/key" -out "$work/signature" \
        "$work/message" 2>>"$work/errors"
    is 'and signs with it' \
        "$(host openssl dgst -sha256 -verify "$work/public" \
            -signature "$work/signature" "$work/message")" 'Verified OK'
done

finish
