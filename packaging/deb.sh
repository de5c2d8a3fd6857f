#!/bin/sh
# SPDX-License-Identifier: MIT
# deb.sh TARBALL DIRECTORY [ARGUMENT OF dpkg-buildpackage..]: the Debian packages
# of a release, for the Debian this runs on. The build happens in DIRECTORY/tree.
set -eu
umask 022 # modes are part of the source package
tarball=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
shift 2
name=$(basename "$tarball" .tar.gz)

rm -rf "$out/tree"
mkdir "$out/tree"
cd "$out/tree"
cp "$tarball" "argon2fast_${name#argon2fast-}.orig.tar.gz"
tar -xzf "$tarball"
cd "$name"
cp -r packaging/debian debian
pg_buildext updatecontrol
find debian -exec touch -d "$(dpkg-parsechangelog -S Date)" {} +
# What make, or a test, has set is not for the build.
unset BUILD MAKEFLAGS MAKELEVEL MFLAGS
dpkg-buildpackage -us -uc "$@" >../log 2>&1 || {
    tail -n 60 ../log >&2
    exit 1
}
cd ..
find . -maxdepth 1 -type f ! -name log -exec mv -t "$out" {} +
