#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The argon2fast command: hash, verify, and see what a hash costs.
# shellcheck source=demo/narrate
. "$(dirname "$0")/narrate"

command=$BUILD/argon2fast

chapter 'Passwords in the shell'
say 'Hash what comes in; the password is never an argument:'
hash=$(printf %s password | "$command" hash --params 'm=19456,t=2,p=1')
shows '$ ' "printf %s password | argon2fast hash --params 'm=19456,t=2,p=1'" \
    "$hash"

say 'Exit codes: 0 match, 1 mismatch, 2 error.'
try() { # try PASSWORD HASH CODE
    local code=0 result

    result=$(printf %s "$1" | "$command" verify "$2" 2>&1) || code=$?
    shows '$ ' "printf %s $1 | argon2fast verify '${2:0:24}..'; echo \$?" \
        "$result
$code"
    expect "$3" "$code"
}
try password "$hash" 0
try Password "$hash" 1
try password "${hash%??}!" 2

say 'What does it cost?'
shows '$ ' "argon2fast info '${hash:0:24}..'" "$("$command" info "$hash")"

say 'The same password under the argon2 command:'
theirs=$(printf %s password | argon2 somesalt -id -t 3 -k 65536 -p 4 -e)
shows '$ ' 'printf %s password | argon2 somesalt -id -t 3 -k 65536 -p 4 -e' \
    "$theirs"
try password "$theirs" 0
