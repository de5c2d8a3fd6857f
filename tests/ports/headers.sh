#!/bin/sh
# SPDX-License-Identifier: MIT
# The headers that programs include, in C and C++, by gcc and clang.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/tap/tap.sh"

compiles() { # compiles HEADER COMPILER LANGUAGE STANDARD
    printf '#include "%s"\nint main(void) { return 0; }\n' "${1##*/}" |
        "$2" -x "$3" "-std=$4" -Wall -Wextra -Werror -I"$root/libcore" \
            -I"$root/$(dirname "$1")" -fsyntax-only -
}

for header in libcore/argon2fast.h modules/ossl_provider/argon2fast_ossl.h \
    modules/sqlite_argon2/sqlite_argon2.h; do
    for compiler in gcc clang; do
        for standard in c99 c11 c17; do
            check "$header: $compiler, $standard" compiles "$header" $compiler c $standard
        done
        for standard in c++11 c++14 c++17 c++20; do
            check "$header: $compiler, $standard" compiles "$header" $compiler c++ $standard
        done
    done
done
tap_done
