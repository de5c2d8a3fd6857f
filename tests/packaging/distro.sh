#!/bin/sh
# SPDX-License-Identifier: MIT
# The packages in a new Debian $SUITE, from apt to a login: their life there,
# then their tests and the demo. Nothing is compiled on it but what the test of
# the static library compiles.
# shellcheck source=tests/packaging/debs.sh
. "$(dirname "$0")/debs.sh"
suite=${SUITE:-${1:-$machine}}

make_debs "$suite" >"$work/said" 2>&1
status=$?
sed 's/^/# /' "$work/said"
is "packages for $suite" $status 0
[ $status -eq 0 ] || finish
[ "$suite" = "$machine" ] || { # there it is packages.sh that asks
    root=$("$roots" make "$suite" lintian) || exit 1
    quiet "lintian of $suite says nothing" "$roots" run "$root" lintian \
        --fail-on error,warning --allow-root "$debs"/*.changes
}
root=$("$roots" fresh "$suite" "try-$suite") || exit 1
trap 'rm -rf "$work"; "$roots" remove "try-$suite"' EXIT

in_root() {
    "$roots" run "$root" "$@"
}

# alone COMMAND..: in the root with a network of its own, and its processes
# end with it.
alone() {
    unshare --net --pid --fork --kill-child sh -c '
        ip link set lo up 2>/dev/null || /usr/bin/python3 -c "
import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack(\"16sh14x\", b\"lo\", 65))"
        exec "$@"' sh "$roots" run "$root" "$@"
}

# Ours, from a directory that apt knows: dependencies are found there, too.
mkdir "$root/packages"
cp "$debs"/*.deb "$root/packages"
rm -f "$root"/packages/*dbgsym*
tests=$debs/tests
rm -rf "$tests"
mkdir "$tests"
tar -xJf "$debs"/*.debian.tar.xz -C "$tests" --strip-components=2 debian/tests
other=$(sed -n 's/^Depends: //p' "$tests/control" | sed '$d' | tr ',' '\n' |
    tr -d ' ' | grep -vE 'argon2fast|pg-argon2|mod-argon2' | sort -u)
postgresql=$(sed -n 's/.*\(postgresql-[0-9]*\)-pg-argon2.*/\1/p' "$tests/control")

# shellcheck disable=SC2086 # words
quiet 'hosts from the distribution' in_root apt-get install -qy \
    --no-install-recommends $other $postgresql libpam-runtime libsqlite3-0 \
    fakeroot perl python3 python3-argon2 sudo

# program NAME COMMAND..: its TAP must pass
program() {
    title=$1
    shift
    alone "$@" >"$work/said" 2>&1
    status=$?
    [ $status -eq 0 ] || sed 's/^/# /' "$work/said"
    is "$title: $(grep -c '^ok' "$work/said") passed" \
        "$status, $(grep -c '^not ok' "$work/said")" '0, 0'
}
program 'life of the packages' "$here/inside/life.sh"

quiet 'all of them by apt' in_root sh -c \
    'exec apt-get install -qy --no-install-recommends /packages/*.deb'
is 'no compiler there' "$(in_root sh -c 'command -v cc gcc clang c99')" ''
names=$(sed -n 's/^Tests: //p' "$tests/control" | grep -vx embed)
for test in $names; do
    quiet "test $test" alone "$tests/$test"
done
mkdir "$root/installed"
quiet 'what is installed, laid out for the demo' in_root \
    "$here/inside/lay.sh" /installed
for story in "$top"/demo/*.sh; do
    quiet "demo $(basename "$story" .sh)" alone env BUILD=/installed \
        PG_CONFIG="/usr/lib/postgresql/${postgresql#postgresql-}/bin/pg_config" \
        "$story"
done
# shellcheck disable=SC2046 # words
quiet 'a compiler for the last one' in_root apt-get install -qy \
    --no-install-recommends gcc libc6-dev pkg-config
quiet 'test embed' alone "$tests/embed"

finish
