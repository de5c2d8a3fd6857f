# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by tests of real hosts: TAP, a directory to work in, and how to run a
# host that was not built with sanitizers when the module was.

# What is set here is used there.
# shellcheck disable=SC2034

set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${BUILD:?the build directory}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

count=0
failed=0

# is NAME GOT WANTED
is() {
    count=$((count + 1))
    if [ "$2" = "$3" ]; then
        echo "ok $count - $1"
    else
        failed=$((failed + 1))
        echo "not ok $count - $1"
        printf 'got:    %s\nwanted: %s\n' "$2" "$3" | sed 's/^/# /'
    fi
}

# like NAME GOT PATTERN: a pattern of case
like() {
    # shellcheck disable=SC2254 # a pattern is meant
    case $2 in
    $3) is "$1" same same ;;
    *) is "$1" "$2" "$3" ;;
    esac
}

finish() {
    echo "1..$count"
    [ "$failed" -eq 0 ]
}

# A sanitizer's runtime must be the first library of the process. The hosts'
# own leaks are not ours to find; those of our C programs are.
runtime() {
    # clang also knows where gcc's is, which is no use to it
    for name in "libclang_rt.$1-$(uname -m).so" "lib$1.so"; do
        path=$(${CC:-cc} -print-file-name="$name")
        if [ "$path" != "$name" ] && [ -e "$path" ]; then
            echo "$path"
            return
        fi
    done
    echo "no shared $1 of ${CC:-cc}" >&2
    exit 1
}
preload=
case ,${SAN:-}, in
*,address,*) preload=$(runtime asan) || exit 1 ;;
*,thread,*) preload=$(runtime tsan) || exit 1 ;;
*,undefined,*) preload=$(runtime ubsan) || exit 1 ;;
esac
host() {
    if [ -n "$preload" ]; then
        LD_PRELOAD=$preload ASAN_OPTIONS=detect_leaks=0 "$@"
    else
        "$@"
    fi
}
