#!/bin/sh
# SPDX-License-Identifier: MIT
# dist.sh VERSION DIRECTORY: the source tarball of a release, the same bytes
# wherever and whenever it is made of the same tree. In a clone it has what git
# tracks; in an unpacked tarball, what that had.
set -eu
version=$1
mkdir -p "$2"
out=$(realpath "$2")
cd "$(dirname "$0")/.."

files() {
    if [ -e .git ]; then
        git ls-files
    else
        find . \( -name build -o -name 'build-*' -o -name debian -path ./debian \
            -o -name __pycache__ \) -prune -o \( -type f -o -type l \) -print |
            sed 's|^\./||'
    fi
}

if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then
    when=$SOURCE_DATE_EPOCH
elif [ -e .git ]; then
    when=$(git log -1 --format=%ct)
else
    when=$(stat -c %Y CHANGELOG.md)
fi
# Whole or not there, also when two make it at once.
tarball=$out/argon2fast-$version.$$.tar
trap 'rm -f "$tarball"' EXIT
files | LC_ALL=C sort |
    tar -c -f "$tarball" --format=ustar --mtime="@$when" --owner=0 --group=0 \
        --numeric-owner --mode='u=rwX,go=rX' --no-recursion \
        --transform="s|^|argon2fast-$version/|S" -T -
gzip -9n "$tarball"
mv "$tarball.gz" "$out/argon2fast-$version.tar.gz"
