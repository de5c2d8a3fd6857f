#!/bin/sh
# SPDX-License-Identifier: MIT
# What docs/peppers.md shows of the shell, with a key file as it shows one.
set -u
here=$(cd "$(dirname "$0")" && pwd)
page=$here/../../../docs/peppers.md
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cd "$temp" || exit 1
PATH=$BUILD:$PATH
cheap=m=64,t=1,p=1
n=0
failed=0

# ok WHAT TEST..: runs a test.
ok() {
    what=$1
    shift
    n=$((n + 1))
    if "$@" >out 2>&1; then
        echo "ok $n - $what"
    else
        failed=$((failed + 1))
        echo "not ok $n - $what"
        sed 's/^/# /' out
    fi
}

# hash FILE KEYS; verify FILE KEYS
hash() {
    printf %s password | argon2fast hash --params $cheap --secret-file "$2" >"$1"
}
verify() {
    printf %s password | argon2fast verify --secret-file "$2" --hash-file "$1"
}
old() {
    argon2fast needs-rehash --params $cheap --secret-file "$2" --hash-file "$1"
}
another() {
    echo "2028 $(openssl rand -base64 32)" >>both && verify new both
}

# The file of the page; then with the other key current, and without the old.
sed -n '/^    # id/,/^    current/s/^    //p' "$page" >both
chmod 600 both
sed 's/^current .*/current 2026/' both >added
sed '/^2026/d' both >retired
chmod 600 added retired

ok "the page's file is one" hash new both
ok "  and its current key the second" grep -q ',keyid=MjAyNw\$' new
ok "with the first current" hash first added
ok "  that is named" grep -q ',keyid=MjAyNg\$' first
ok "  and it is not old" test "$(old first added)" = no
ok "the second made current: it verifies" verify first both
ok "  and is old" test "$(old first both)" = yes
ok "the first retired: the new one verifies" verify new retired
verify first retired >answer 2>&1
ok "the old one is an error" test $? -eq 2
ok "  in the words of the page" grep -qxF "    $(cat answer)" "$page"
ok "a line as the page makes one is a key" another

echo "1..$n"
test "$failed" -eq 0
