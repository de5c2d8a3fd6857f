#!/bin/sh
# SPDX-License-Identifier: MIT
# What `argon2fast doctor` finds out about OpenSSL, for each way there is to
# get a configuration file wrong.
# shellcheck source=tests/integration/ossl/host.sh
. "$(dirname "$0")/host.sh"

doctor() {
    host "$BUILD/tests/integration/ossl/doctor" 2>&1
}
# finds NAME TEXT..: each among the findings, as it is
finds() {
    name=$1
    shift
    findings=$(doctor)
    for text; do
        case $findings in
        *"$text"*) is "$name: $text" same same ;;
        *) is "$name: $text" "$findings" "..$text.." ;;
        esac
    done
}
healthy() {
    is "$1" "$(doctor | grep -c PROBLEM)" 0
}
cnf() {
    config "$@"
    export OPENSSL_CONF
}
case $(host "$ask" kdf) in
none) without='no provider' ;;
*) without=default ;;
esac

# ---- nothing configured ----

finds 'an empty file' "NOTE ARGON2ID is served by $without" \
    'ossl-modules/argon2fast.so' '/dev/null has no line openssl_conf' 'NOTE OpenSSL 3'
healthy 'which is no problem'
OPENSSL_CONF=$work/absent
finds 'no file' "NOTE $work/absent cannot be read"
echo 'openssl_conf = init' >"$work/file"
OPENSSL_CONF=$work/file
finds 'a file without providers' "has no line providers = .. in [init]"
cnf default
finds 'a file with others' 'does not name argon2fast in [providers]'
healthy 'which is no problem either'

# ---- all is well ----

properties='?provider=argon2fast'
cnf default ours
finds 'in use' 'FINE ARGON2ID is served by argon2fast'
healthy 'without a problem'
properties=
cnf ours default
finds 'in use, by order' 'FINE ARGON2ID is served by argon2fast'

# ---- problems ----

cnf ours
finds 'no default provider' 'FINE ARGON2ID' 'PROBLEM SHA256'
ours='max_threads = many'
cnf ours default
finds 'a bad value' "NOTE ARGON2ID is served by $without" \
    'PROBLEM [argon2fast_section] does not load: max_threads = many: must be'
ours='max_thread = 2'
cnf ours default
finds 'a misspelt key' 'FINE ARGON2ID' \
    'PROBLEM [argon2fast_section] has the unknown key max_thread'
ours=
module=$work/absent.so
cnf ours default
finds 'a module that is not there' \
    "PROBLEM [argon2fast_section] does not load: filename($work/absent.so)"
module=$BUILD/ossl-modules/argon2fast.so
cnf ours default
sed -i '/^\[argon2fast_section/,/^activate/s/^activate.*//' "$OPENSSL_CONF"
finds 'not activated' 'PROBLEM [argon2fast_section] has no activate = 1'
cnf ours default
sed -i 's/^\[argon2fast_section/[another_section/' "$OPENSSL_CONF"
finds 'no section' \
    'PROBLEM argon2fast = argon2fast_section, but there is no [argon2fast_section]'
printf 'a = b\n[c\n' >"$work/file"
OPENSSL_CONF=$work/file
finds 'malformed' "PROBLEM $work/file is malformed in line 2"
if [ "$without" = default ]; then
    cnf default ours
    finds 'the default provider first' 'NOTE ARGON2ID is served by default' \
        'loads, but another provider of ARGON2ID comes first'
fi
is 'no file is left in /tmp' \
    "$(find /tmp -maxdepth 1 -name 'argon2fast-*' -newer "$work" | wc -l)" 0

finish
