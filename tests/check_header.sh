#!/bin/sh
# SPDX-License-Identifier: MIT
# The public header compiles alone: C99 and C11 without extensions, and C++.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/tap/tap.sh"

compiles() { # compiles LANGUAGE STANDARD OPTION..
    language=$1 standard=$2
    shift 2
    printf '#include "argon2fast.h"\nint main(void) { return A2F_OK; }\n' |
        ${CC:-cc} -x "$language" "-std=$standard" -pedantic-errors -Wall \
            -Wextra -Werror -I"$root/libcore" "$@" -fsyntax-only -
}

# Whether a result that nobody looks at is a warning.
unchecked() {
    printf '%s\n' '#include "argon2fast.h"' 'void f(void);' \
        'void f(void) { a2f_random(0, 0); }' |
        ${CC:-cc} -x c -std=c99 -Wall -I"$root/libcore" -c -o /dev/null - \
            2>&1 | grep -q unused-result || echo 'no warning'
}

check 'C99' compiles c c99
check 'C11' compiles c c11 -Wstrict-prototypes -Wmissing-prototypes
check 'C++98' compiles c++ c++98 -Wno-long-long
check 'C++17' compiles c++ c++17
check 'results are not to be ignored' unchecked
tap_done
