# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by the tests of packages: where those of a suite are, made of the
# tarball at most once for each state of the tree.

# What is set here is used there.
# shellcheck disable=SC2034

# shellcheck source=tests/tap/host.sh
. "$(dirname "$0")/../tap/host.sh"
top=$(cd "$here/../.." && pwd)
roots=$top/tests/support/debian-root.sh
BUILD=$(realpath "$BUILD")
export BUILD
version=$(sed -n 's/^#define A2F_VERSION "\(.*\)"/\1/p' "$top/libcore/argon2fast.h")
dist=$BUILD/dist/argon2fast-$version
machine=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)

# quiet NAME COMMAND..: a test that passes when the command does
quiet() {
    name=$1
    shift
    "$@" >"$work/said" 2>&1
    status=$?
    [ $status -eq 0 ] || sed 's/^/# /' "$work/said"
    is "$name" $status 0
}

# build_depends [ARCHITECTURE]: what a build needs, one a line.
build_depends() {
    sed -n '/^Build-Depends:/,/^[A-Z].*:/p' "$top/packaging/debian/control.in" |
        sed -n 's/^\(Build-Depends:\)\{0,1\} *\([a-z0-9-]*\).*/\2/p' |
        sed 's/^debhelper-compat$/debhelper/'
    echo build-essential
}

# make_debs SUITE: packages of SUITE, in $debs.
make_debs() {
    debs=$BUILD/deb/$1
    make -s -C "$top" dist BUILD="$BUILD" || return 1
    sum=$(sha256sum <"$dist.tar.gz")
    [ "$(cat "$debs/made-of" 2>/dev/null)" != "$sum" ] || return 0
    rm -rf "$debs"
    if [ "$1" = "$machine" ]; then
        "$top/packaging/deb.sh" "$dist.tar.gz" "$debs" || return 1
    else
        # shellcheck disable=SC2046 # words
        root=$("$roots" make "$1" $(build_depends)) || return
        "$roots" run "$root" env DEB_BUILD_OPTIONS=nocheck \
            "$top/packaging/deb.sh" "$dist.tar.gz" "$debs" || return 1
    fi
    echo "$sum" >"$debs/made-of"
}
