#!/bin/sh
# SPDX-License-Identifier: MIT
# rpm.sh TARBALL DIRECTORY: RPM packages, in DIRECTORY. On a machine of another
# family what the spec requires is known under other names: it is not asked for.
set -eu
tarball=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
top=$out/rpmbuild
version=$(basename "$tarball" .tar.gz)
version=${version#argon2fast-}

rm -rf "$top"
mkdir -p "$top/SOURCES"
cp "$tarball" "$top/SOURCES"
sed "s/@VERSION@/$version/" "$(dirname "$0")/rpm/argon2fast.spec" \
    >"$top/argon2fast.spec"
there=
[ -e /etc/redhat-release ] || there=--nodeps
# What make, or a test, has set is not for the build.
unset BUILD MAKEFLAGS MAKELEVEL MFLAGS
rpmbuild -bb $there --define "_topdir $top" \
    --define '_tmpfilesdir /usr/lib/tmpfiles.d' \
    --define '_unitdir /usr/lib/systemd/system' \
    --define '_libdir /usr/lib64' --define 'debug_package %{nil}' \
    "$top/argon2fast.spec" >"$top/log" 2>&1 || {
    tail -n 40 "$top/log" >&2
    exit 1
}
find "$top/RPMS" -name '*.rpm' -exec mv -t "$out" {} +
