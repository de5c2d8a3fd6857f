#!/bin/sh
# SPDX-License-Identifier: MIT
# Packages for arm64, cross-built in a Debian 13 without PostgreSQL, installed
# there beside its own, and run by qemu-user.
# shellcheck source=tests/packaging/debs.sh
. "$(dirname "$0")/debs.sh"

quiet 'make dist' make -s -C "$top" dist BUILD="$BUILD"
# shellcheck disable=SC2046 # words
root=$("$roots" make trixie $(build_depends) crossbuild-essential-arm64 \
    qemu-user libcrypt-dev:arm64 libpam0g-dev:arm64 libsqlite3-dev:arm64 \
    libssl-dev:arm64 libsqlite3-0:arm64) || exit 1
debs=$BUILD/deb/arm64

in_root() {
    "$roots" run "$root" "$@"
}

rm -rf "$debs"
quiet 'a cross build, PostgreSQL left out' in_root \
    env DEB_BUILD_OPTIONS='nocheck noautodbgsym' "$top/packaging/deb.sh" \
    "$dist.tar.gz" "$debs" -aarm64 -Pcross,nocheck,pkg.argon2fast.nopg -b
is 'five packages, all of them for arm64' \
    "$(find "$debs" -maxdepth 1 -name '*_arm64.deb' | wc -l)" 5
tree=/arm64
rm -rf "${root:?}$tree"
for deb in "$debs"/argon2fast_*.deb "$debs"/libsqlite3-mod-argon2_*.deb; do
    quiet "$(basename "$deb") unpacked" dpkg-deb -x "$deb" "$root$tree"
done
# shellcheck disable=SC2016 # expanded in the root
quiet 'the sqlite3 shell of arm64' in_root sh -euc '
    cd "$1" && apt-get -q download sqlite3:arm64 libreadline8t64:arm64 \
        libtinfo6:arm64 zlib1g:arm64
    for deb in ./*.deb; do dpkg-deb -x "$deb" .; done' sh "$tree"

emulated() { # emulated PROGRAM ARGUMENT..
    program=$tree/usr/bin/$1
    shift
    in_root qemu-aarch64 \
        -E "LD_LIBRARY_PATH=$tree/usr/lib/aarch64-linux-gnu" "$program" "$@"
}
hash=$(printf %s password | emulated argon2fast hash --params owasp)
# shellcheck disable=SC2016 # dollars are meant
like 'the command hashes' "$hash" '$argon2id$v=19$m=19456,t=2,p=1$*'
is 'and verifies' "$(printf %s password | emulated argon2fast verify "$hash")" ok
is 'and tells passwords apart' \
    "$(printf %s Password | emulated argon2fast verify "$hash" >"$work/said"; echo $?)" 1
is 'the SQLite module verifies it' "$(emulated sqlite3 -batch -init /dev/null \
    :memory: ".load $tree/usr/lib/aarch64-linux-gnu/sqlite3/sqlite_argon2" \
    "SELECT argon2_verify('password', '$hash'), argon2_verify('Password', '$hash')")" '1|0'

finish
