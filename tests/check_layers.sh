#!/bin/sh
# SPDX-License-Identifier: MIT
# Includes point downward, and what is a secret of one room stays there: see
# tests/layers.txt and ARCHITECTURE.md.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/tap/tap.sh"
cd "${1:-$root}" || exit 1 # another tree: for trying the checks themselves

# The name of a file of libcore/, without its suffix; ISA files keep the .inc
# of what they include, and so do generated tables.
names() {
    find libcore -name '*.[ch]' -o -name '*.inc' |
        sed 's|^libcore/||; s|\.[ch]$||' | sort -u
}

listed() {
    sed -n 's/^floor [0-9]: //p' tests/layers.txt | tr -s ' ' '\n' | sort
}

same_names() {
    names >"$tmp/names"
    listed >"$tmp/listed"
    comm -23 "$tmp/names" "$tmp/listed" | sed 's/$/: on no floor/'
    comm -13 "$tmp/names" "$tmp/listed" | sed 's/$/: on a floor, but not there/'
}

# "A B": A includes B; both names relative to libcore/.
edges() {
    grep -rn --include='*.[ch]' '^ *# *include *"' libcore |
        sed 's|^libcore/\([^:]*\):[0-9]*: *# *include *"\([^"]*\)".*|\1 \2|' |
        while read -r from to; do
            case $from in
                simd/*) case $to in
                    ../*) to=${to#../} ;;
                    *) to=simd/$to ;;
                esac ;;
            esac
            echo "${from%.[ch]} ${to%.[ch]}"
        done | sort -u
}

downward() {
    edges | awk '
        function glob(pattern) {
            gsub(/\./, "\\.", pattern)
            gsub(/\*/, "[^/]*", pattern)
            return "^" pattern "$"
        }
        FILENAME != "-" && $1 == "floor" {
            for (i = 3; i <= NF; i++)
                floor[$i] = $2 + 0
        }
        FILENAME != "-" && $1 == "edge" {
            from[++edges] = glob($2)
            to[edges] = glob($3)
        }
        FILENAME != "-" { next }
        $2 == "argon2fast" { next } # open to all
        !($1 in floor) || !($2 in floor) {
            print $1 " includes " $2 ", which is on no floor"
            next
        }
        $1 != $2 && floor[$2] >= floor[$1] {
            for (i = 1; i <= edges; i++)
                if (floor[$1] == floor[$2] && $1 ~ from[i] && $2 ~ to[i])
                    next
            print $1 " (floor " floor[$1] ") includes " $2 " (" floor[$2] ")"
        }' tests/layers.txt -
}

# Files with instructions of an ISA may not draw in a shared inline function:
# the linker keeps one copy, and it could be theirs.
isa_files() {
    find libcore/simd -name '*.[ch]' |
        grep -E '/(sse|ssse|avx|neon|round)[^/]*$'
}

isa_includes() {
    # shellcheck disable=SC2046
    grep -Hn '^ *# *include *"' $(isa_files) | grep -v '"[a-z0-9_.]*"'
}

isa_guards() {
    # shellcheck disable=SC2046
    grep -L '# *error' $(isa_files | grep '\.c$')
}

# Words that belong to one file of the core, or to a few.
only_in() { # only_in PATTERN ALLOWED-FILES-PATTERN DIRECTORY..
    pattern=$1 allowed=$2
    shift 2
    grep -rnE --include='*.[ch]' -e "$pattern" "$@" | grep -vE "^($allowed):"
}

upstairs() { # the includes of the rooms above the core
    dirs='cli'
    for dir in modules/*/; do
        [ -d "$dir" ] && dirs="$dirs ${dir%/}"
    done
    for dir in $dirs; do
        grep -Hn '^ *# *include *"' "$dir"/*.[ch] | while IFS= read -r line; do
            header=$(printf '%s' "$line" | sed 's/.*"\(.*\)".*/\1/')
            [ "$header" = argon2fast.h ] || [ -f "$dir/$header" ] || echo "$line"
        done
    done
}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

check 'every file of the core is on a floor' same_names
check 'includes point downward' downward
check 'ISA files include headers of simd/ alone' isa_includes
check 'ISA files refuse other flags' isa_guards
check 'only ISA files have intrinsics' \
    only_in '(imm|[a-z]mm)intrin\.h|arm_(neon|sve)\.h|\b_mm[0-9]*_|__m(128|256|512)' \
    'libcore/simd/(sse|ssse|avx|neon)[^/:]*' \
    libcore modules cli
check 'only sys.c asks the system for memory, threads and randomness' \
    only_in '\b(mmap|munmap|madvise|pthread_create|getrandom|malloc|calloc|realloc|free) *\(' \
    'libcore/sys\.c' libcore
check 'hosts know argon2fast.h alone' upstairs
# shellcheck disable=SC2016 # a dollar is meant
check 'PHC text is written by phc.c alone' \
    only_in '"[^"]*\$argon2' 'libcore/phc\.c' libcore modules
check 'hosts leave memory and threads to the core' \
    only_in '\b(mmap|pthread_create)\b' none modules
check 'no host has a name in the core' \
    only_in '\b(sqlite|sqlite3|postgres|postgresql|openssl|libpam)' none libcore
tap_done
