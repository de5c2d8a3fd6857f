#!/bin/sh
# SPDX-License-Identifier: MIT
# The module looks for its helpers where they are installed, also when it was
# built for another place before.
# shellcheck source=tests/tap/host.sh
. "$(dirname "$0")/../../tap/host.sh"

# What was built, in a copy: nothing else uses it.
mkdir "$work/build"
for part in cli libcore modules libargon2fast.a argon2fast argon2fast_chkpwd \
    argon2fast_update pam_argon2fast.so pam-place; do
    cp -a "$BUILD/$part" "$work/build"
done
sbin() {
    grep -aoE '/[A-Za-z0-9_./+-]*argon2fast_chkpwd' "$work/build/pam_argon2fast.so"
}
before=$(sbin)
make -s -C "$here/../../.." BUILD="$work/build" SAN= PREFIX=/somewhere pam cli >/dev/null
is 'another place' "$(sbin)" /somewhere/sbin/argon2fast_chkpwd
is 'which was not the one before' "$([ "$before" != "$(sbin)" ] && echo other)" other
made=$(stat -c %Y.%y "$work/build/pam_argon2fast.so")
make -s -C "$here/../../.." BUILD="$work/build" SAN= PREFIX=/somewhere pam >/dev/null
is 'the same place: nothing is built' \
    "$(stat -c %Y.%y "$work/build/pam_argon2fast.so")" "$made"
finish
