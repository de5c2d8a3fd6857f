#!/bin/sh
# SPDX-License-Identifier: MIT
# What is visible from outside: the core's names all begin with a2f_, for they
# live beside libargon2's in one process; a module exports just its list.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/tap/tap.sh"
cd "$root" || exit 1
library=$BUILD/libargon2fast.a

defined() {
    nm -g --defined-only "$library" | awk 'NF == 3 { print $3 }'
}

# A sanitizer adds names of its own.
foreign_names() {
    defined | grep -vE '^(a2f_|__(asan|ubsan|tsan|odr_asan)|DW\.ref\.)'
}

# Nothing that argon2fast.h declares is missing.
undefined_names() {
    defined >"$tmp/defined"
    sed -n 's/^[^*#]*[ *]\(a2f_[a-z0-9_]*\)(.*/\1/p' libcore/argon2fast.h |
        sort -u | grep -vxFf "$tmp/defined"
    [ -s "$tmp/defined" ] || echo "no names in $library"
}

exported() { # exported MODULE MAP
    nm -D --defined-only "$1" |
        awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >"$tmp/out"
    sed -n '/global:/,/local:/p' "$2" | sed 's/.*global:/ /; s/local:.*//' |
        tr -s ' ;\t' '\n' | grep . | sort >"$tmp/listed"
    comm -23 "$tmp/out" "$tmp/listed" | sed 's/$/: exported, not listed/'
    comm -13 "$tmp/out" "$tmp/listed" | sed 's/$/: listed, not exported/'
}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

check 'all names of the core begin with a2f_' foreign_names
check 'all functions of argon2fast.h are there' undefined_names
for map in modules/*/*.map; do
    [ -f "$map" ] || continue
    name=$(basename "$map" .map).so
    for module in "$BUILD/$name" "$BUILD"/ossl-modules/"$name" \
        "$BUILD"/pg/*/"$name"; do
        [ -f "$module" ] || continue
        check "${module#"$BUILD"/} exports what $map lists" \
            exported "$module" "$map"
    done
done
tap_done
