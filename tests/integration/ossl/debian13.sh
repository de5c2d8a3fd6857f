#!/bin/sh
# SPDX-License-Identifier: MIT
# The same files on Debian 13, whose OpenSSL 3.5 has an Argon2 of its own: it
# is the oracle, and there is precedence to be shown. Nothing is built again.
# shellcheck source=tests/integration/ossl/host.sh
. "$(dirname "$0")/host.sh"

# skip WHY: one test that counts as skipped
skip() {
    printf '1..1\nok 1 # SKIP %s\n' "$1"
    exit 0
}

[ -z "${SAN:-}" ] || skip "a sanitizer's runtime is of the other Debian"
root=$("$top/tests/support/debian-root.sh" make trixie \
    openssl libargon2-1 argon2 libcmocka0 2>"$work/said")
case $? in
0) ;;
77)
    cat "$work/said" >&2
    skip "$(tail -n 1 "$work/said")"
    ;;
*)
    cat "$work/said" >&2
    exit 1
    ;;
esac

in_root() {
    "$top/tests/support/debian-root.sh" run "$root" "$@"
}

like 'another OpenSSL' "$(in_root openssl version)" 'OpenSSL 3.5.*'
is 'the very same file' "$(in_root sha256sum "$module")" \
    "$(sha256sum "$module")"

# program NAME COMMAND..: one that prints TAP of its own must pass
program() {
    name=$1
    shift
    "$top/tests/support/debian-root.sh" run "$root" \
        env CMOCKA_MESSAGE_OUTPUT=TAP "$@" >"$work/output" 2>&1
    status=$?
    [ $status -eq 0 ] || sed 's/^/# /' "$work/output"
    is "$name passes" "$status, $(grep -c '^not ok' "$work/output")" '0, 0'
    like "$name has $(grep -c '^ok' "$work/output") tests" \
        "$(grep -c '^ok' "$work/output")" '[1-9]*'
}

tests=$BUILD/tests/integration/ossl
program 'differential test with the built-in' "$tests/differential" builtin
program 'precedence and configuration' "$here/config.sh"
program 'the doctor' "$here/doctor.sh"
for test in parameters context configuration memory threads linked; do
    program "$test" "$tests/$test"
done

finish
