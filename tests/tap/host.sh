# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by tests of real hosts: TAP, and a directory to work in.

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
