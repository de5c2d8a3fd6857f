#!/bin/sh
# SPDX-License-Identifier: MIT
# stage.sh PG_CONFIG STAGE ROOT: under ROOT, which must be new, a PostgreSQL
# installation that has the extension in STAGE (a DESTDIR of `make install-pg`)
# and leaves the one of the system as it is. Prints its bin directory.
#
# The server finds its files by where its own executable is, links resolved. So
# executables are copies; everything else is a link.
set -eu
pg_config=$1 stage=$2 root=$3

bin=$("$pg_config" --bindir)
share=$("$pg_config" --sharedir)
lib=$("$pg_config" --pkglibdir)

mkdir -p "$root$bin" "$root$share" "$root$lib"
cp "$bin"/* "$root$bin"
ln -s "$lib"/* "$root$lib"
ln -s "$share"/* "$root$share"
rm "$root$share/extension"
mkdir "$root$share/extension"
ln -s "$share"/extension/* "$root$share/extension"
cp -r --remove-destination "$stage/." "$root"
chmod -R a+rX "$root"
echo "$root$bin"
