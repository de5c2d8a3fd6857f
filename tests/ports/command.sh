#!/bin/sh
# SPDX-License-Identifier: MIT
# The command on another machine: its strings are this machine's, and the
# other way round. Runs beside the program, in build/ports/PORT/tests.
# shellcheck source=tests/tap/host.sh
. "${TOP:?the top directory}/tests/tap/host.sh"

ours() {
    "$TOP/tests/ports/emulate.sh" "$here/../argon2fast" "$@"
}

# verdict HASH PASSWORD: the exit status of verify
verdict() {
    printf %s "$2" | ours verify "$1" >/dev/null 2>&1
    echo $?
}

for type in id i d; do
    # The distribution's libargon2, on this machine.
    theirs=$(printf %s password | argon2 somesaltsomesalt "-$type" -t 2 -k 256 -p 4 -e)
    is "Argon2$type: libargon2's hash verifies" "$(verdict "$theirs" password)" 0
    is "Argon2$type: and not with another password" "$(verdict "$theirs" passwort)" 1
    hash=$(printf %s password | ours hash --params "m=256,t=2,p=4,type=$type")
    is "Argon2$type: a hash made here" "$(verdict "$hash" password)" 0
    is "Argon2$type: verifies in libargon2" "$(printf '%s\n' "$hash" | PASSWORD=password /usr/bin/python3 -c '
import os, sys
from argon2.low_level import Type, verify_secret
text = sys.stdin.readline().strip().encode()
kind = {b"id": Type.ID, b"i": Type.I, b"d": Type.D}[text.split(b"$")[1][6:]]
print(verify_secret(text, os.environ["PASSWORD"].encode(), kind))')" True
done
is 'malformed text' "$(verdict "\$argon2id\$v=19\$m=256,t=2,p=4\$x" password)" 2
is 'above a ceiling' "$(verdict "\$argon2id\$v=19\$m=4294967295,t=2,p=4\$c29tZXNhbHQ\$FqGkmHNGCd0BRW2kBt6fPZ2pPmyGwwChL8FGUhTOSSI" password)" 2
like 'info' "$(ours info "$theirs")" '*256*'
like 'doctor' "$(ours doctor 2>&1)" '*kernel*'
finish
