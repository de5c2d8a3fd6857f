# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# TAP for the tests that look at files. A check is a command that looks for what
# should not be there: what it prints, errors too, is why it failed.

tap_count=0
tap_failed=0

# check NAME COMMAND..
check() {
    tap_name=$1
    shift
    tap_count=$((tap_count + 1))
    tap_output=$("$@" 2>&1)
    if [ -z "$tap_output" ]; then
        echo "ok $tap_count - $tap_name"
    else
        tap_failed=$((tap_failed + 1))
        echo "not ok $tap_count - $tap_name"
        printf '%s\n' "$tap_output" | sed 's/^/# /'
    fi
}

tap_done() {
    echo "1..$tap_count"
    [ "$tap_failed" -eq 0 ] && [ "$tap_count" -gt 0 ]
}
