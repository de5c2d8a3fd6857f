#!/bin/sh
# SPDX-License-Identifier: MIT
# The table of common passwords is what its generator makes of the list, and
# the generator refuses a list it cannot make a table of.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/tap/tap.sh"
cd "$root/libcore/common" || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

same_table() {
    /usr/bin/python3 generate.py | diff - table.inc
}

# Differences in case alone are none: 10,000 is what the cut is after.
list() {
    /usr/bin/python3 - >"$tmp/ranked.json" <<'END'
import json
lines = open("passwords.txt").read().split("\n")[:-1]
ranked = [word for line in lines for word in (line, line.upper())]
print(json.dumps(ranked + ["not among the first"]))
END
    /usr/bin/python3 generate.py list "$tmp/ranked.json" | diff - passwords.txt
}

short_list() {
    cp generate.py "$tmp/"
    sed 1d passwords.txt >"$tmp/passwords.txt"
    /usr/bin/python3 "$tmp/generate.py" >"$tmp/out" 2>"$tmp/err" &&
        echo "a table of 9,999"
    grep -q '9999 different passwords' "$tmp/err" || cat "$tmp/err"
    [ ! -s "$tmp/out" ] || echo "some table"
}

# One other password in the list is another table.
other_list() {
    cp generate.py "$tmp/"
    sed '1s/.*/a password of our own/' passwords.txt >"$tmp/passwords.txt"
    /usr/bin/python3 "$tmp/generate.py" >"$tmp/out"
    cmp -s "$tmp/out" table.inc && echo "the same table"
    cmp -s "$tmp/out" /dev/null && echo "no table"
}

check 'the table is generated from the list' same_table
check 'ranks are cut where 10,000 differ' list
check 'too short a list is refused' short_list
check 'another list makes another table' other_list
tap_done
