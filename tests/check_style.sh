#!/bin/sh
# SPDX-License-Identifier: MIT
# What a reader may rely on in every file: licence, size, and nothing left over.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/tap/tap.sh"
cd "$root" || exit 1

sources() { # sources NAME-PATTERN..
    for pattern; do
        find . \( -name .git -o -name build -o -name 'build-*' \) -prune \
            -o -type f -name "$pattern" -print
    done
}

no_licence() {
    sources '*.[ch]' '*.sh' '*.py' '*.pm' '*.mk' '*.sql' Makefile run |
        while read -r file; do
            head -n 2 "$file" | grep -qE '(#|/\*) SPDX-License-Identifier: MIT( \*/)?$' ||
                echo "$file"
        done
}

too_long() {
    sources '*.[ch]' '*.sh' '*.mk' Makefile | while read -r file; do
        lines=$(wc -l <"$file")
        [ "$lines" -le 400 ] || echo "$file: $lines lines"
    done
}

# A function lies between a { and a } that begin their lines.
long_functions() {
    sources '*.[ch]' | xargs awk '
        /^{/ { start = FNR }
        /^}/ && start && FNR - start > 60 { print FILENAME ":" start }
        /^}/ { start = 0 }'
}

blanks() {
    sources '*.[ch]' '*.sh' '*.py' '*.pm' '*.mk' '*.sql' '*.map' Makefile run |
        xargs grep -nE '[[:blank:]]$'
    sources '*.[ch]' '*.py' '*.pm' | xargs grep -nP '\t'
}

left_over() {
    words='TO''DO|FIX''ME|X''XX|HA''CK'
    sources '*.[ch]' '*.sh' '*.py' '*.mk' '*.sql' Makefile |
        xargs grep -nwE "$words"
}

# C names without a prefix would meet those of libargon2 and others.
typedefs() {
    grep -rnE --include='*.[ch]' '^ *typedef' libcore modules cli |
        grep -vE 'typedef .* vec;|:typedef const struct a2f_block \*a2f_fill_block'
}

check 'an SPDX line in every file' no_licence
check 'no file over 400 lines' too_long
check 'no function over 60 lines' long_functions
check 'no blanks at line ends, no tabs in C and Python' blanks
check 'nothing left over' left_over
check 'no typedef' typedefs
tap_done
