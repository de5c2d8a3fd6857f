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
        check "$header: $compiler, C11" compiles "$header" $compiler c c11
        check "$header: $compiler, C++11" compiles "$header" $compiler c++ c++11
        check "$header: $compiler, C++20" compiles "$header" $compiler c++ c++20
    done
done
tap_done
