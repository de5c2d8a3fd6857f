#!/bin/sh
# SPDX-License-Identifier: MIT
# The PostgreSQL extension compiles for the oldest and for the newest server
# that Debian has, besides those it is packaged for.
# shellcheck source=tests/packaging/debs.sh
. "$(dirname "$0")/debs.sh"

for suite in bullseye forky; do
    root=$("$roots" make "$suite" build-essential postgresql-server-dev-all)
    status=$?
    is "a Debian $suite" $status 0
    [ $status -eq 0 ] || continue
    for pg_config in "$root"/usr/lib/postgresql/*/bin/pg_config; do
        pg_config=${pg_config#"$root"}
        major=$(echo "$pg_config" | tr -dc 0-9)
        rm -rf "$BUILD/majors/$major"
        quiet "$suite: PostgreSQL $major" "$roots" run "$root" make -s -C "$top" \
            BUILD="$BUILD/majors/$major" WERROR=1 PG_CONFIG="$pg_config" pg
        is "PostgreSQL $major: the module" \
            "$(cd "$BUILD/majors/$major" && echo pg/*/*.so)" "pg/$major/pg_argon2.so"
    done
done

finish
