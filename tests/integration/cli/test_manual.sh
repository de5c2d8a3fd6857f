#!/bin/sh
# SPDX-License-Identifier: MIT
# Help, version, man page and installation agree with each other.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
page=$root/cli/argon2fast.1
command=$BUILD/argon2fast
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
n=0
failed=0

# ok WHAT TEST..: runs a test.
ok() {
    what=$1
    shift
    n=$((n + 1))
    if "$@" >"$temp/out" 2>&1; then
        echo "ok $n - $what"
    else
        failed=$((failed + 1))
        echo "not ok $n - $what"
        sed 's/^/# /' "$temp/out"
    fi
}

# says WORDS FILE: the fixed string is in the file.
says() {
    grep -qF -e "$1" "$2" || { cat "$2" && false; }
}

plain_page() {
    MANWIDTH=100 LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l "$page" 2>&1 |
        sed 's/.\x08//g; s/‐/-/g; s/−/-/g' >"$temp/page"
}

no_warnings() {
    LC_ALL=C.UTF-8 MANWIDTH=80 \
        man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null |
        tee "$temp/warnings"
    test ! -s "$temp/warnings"
}

version=$(sed -n 's/^#define A2F_VERSION "\(.*\)"/\1/p' \
    "$root/libcore/argon2fast.h")
ok "--version says the header's version" \
    test "$("$command" --version)" = "argon2fast $version"
ok "the man page has no warnings" no_warnings
ok "the man page says the version" says "argon2fast $version" "$page"
plain_page
"$command" --help >"$temp/help" 2>"$temp/err"
ok "--help succeeds, on standard output" test $? -eq 0 -a ! -s "$temp/err"
"$command" -h >"$temp/h"
ok "-h is the same" cmp "$temp/help" "$temp/h"

commands=$(sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p' "$temp/help")
ok "--help lists commands" test "$(echo "$commands" | wc -l)" -ge 5
for c in $commands; do
    "$command" "$c" --help >"$temp/$c" 2>"$temp/err" </dev/null
    ok "$c --help succeeds" test $? -eq 0 -a ! -s "$temp/err"
    ok "  says how it is used" says "Usage: argon2fast $c [" "$temp/$c"
    "$command" "$c" -h >"$temp/h"
    ok "  also as -h" cmp "$temp/$c" "$temp/h"
    ok "  keeps to 80 columns" test -z "$(grep -E '.{81}' "$temp/$c")"
    ok "  is in the man page" says "argon2fast $c" "$temp/page"
    options=$(grep '^ ' "$temp/$c" | grep -o -e '--[a-z][a-z-]*' | sort -u)
    for option in $options; do
        ok "  $option is in the man page" says "$option" "$temp/page"
    done
done

# -o: what is being tested is not built again under the other tests.
ok "make install-cli" make -s -C "$root" -o "$BUILD/argon2fast" \
    BUILD="$BUILD" DESTDIR="$temp/root" PREFIX=/usr install-cli
ok "the installed command runs" "$temp/root/usr/bin/argon2fast" --version
ok "the man page is installed" \
    cmp "$page" "$temp/root/usr/share/man/man1/argon2fast.1"

echo "1..$n"
test "$failed" -eq 0
