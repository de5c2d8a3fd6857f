#!/bin/sh
# SPDX-License-Identifier: MIT
# lay.sh DIRECTORY: copies what the packages have installed to where the
# Makefile would have built it, for the demo.
set -eu
out=$1
mkdir -p "$out/ossl-modules"

owned() { # owned PACKAGE PATTERN
    dpkg -L "$1" | grep -E "$2"
}
cp "$(owned argon2fast 'bin/argon2fast$')" "$out"
cp "$(owned libsqlite3-mod-argon2 'sqlite3/sqlite_argon2\.so$')" "$out"
cp "$(owned openssl-provider-argon2fast '/argon2fast\.so$')" "$out/ossl-modules"
cp "$(owned libpam-argon2fast 'pam_argon2fast\.so$')" "$out"
for name in chkpwd update; do
    cp "$(owned libpam-argon2fast "sbin/argon2fast_$name\$")" "$out"
done
for package in $(dpkg-query -W -f '${Package}\n' 'postgresql-*-pg-argon2'); do
    major=${package#postgresql-}
    major=${major%%-*}
    mkdir -p "$out/pg/$major/stage"
    owned "$package" '^/usr/(lib|share)/postgresql/.*\.[a-z]+$' |
        tar -c -T - | tar -x -C "$out/pg/$major/stage"
done
