#!/bin/sh
# SPDX-License-Identifier: MIT
# rpm.sh TARBALL DIRECTORY: RPM packages, in DIRECTORY. On a machine of another
# family what the spec requires is known under other names: it is not asked for.
set -eu
tarball=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
version=$(basename "$tarball" .tar.gz)
version=${version#argon2fast-}

rm -rf "$out/work"
mkdir -p "$out/work/SOURCES"
cp "$tarball" "$out/work/SOURCES"
sed "s/@VERSION@/$version/" "$(dirname "$0")/rpm/argon2fast.spec" \
    >"$out/work/argon2fast.spec"
there=
[ -e /etc/redhat-release ] || there=--nodeps
# What make, or a test, has set is not for the build.
unset BUILD MAKEFLAGS MAKELEVEL MFLAGS
rpmbuild -bb $there --define "_topdir $out/work" \
    --define '_tmpfilesdir /usr/lib/tmpfiles.d' \
    --define '_unitdir /usr/lib/systemd/system' \
    --define '_libdir /usr/lib64' --define 'debug_package %{nil}' \
    "$out/work/argon2fast.spec" >"$out/work/log" 2>&1 || {
    tail -n 40 "$out/work/log" >&2
    exit 1
}
find "$out/work/RPMS" -name '*.rpm' -exec mv -t "$out" {} +
