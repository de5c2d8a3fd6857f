#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# From a fresh Debian machine to a running argon2fast:
#   ./bootstrap.sh demo    install what is missing, build, show the main job
#   ./bootstrap.sh test    install what is missing, build, run all tests
#   ./bootstrap.sh deps    only install what is missing
set -euo pipefail
cd "$(dirname "$0")"

# Every room says in a file named packages what it needs to be built and
# shown; tests/packages and bench/packages, what the tests need besides.
packages() {
    sed 's/#.*//' "$@"
}
mapfile -t demo_packages < <(packages cli/packages modules/*/packages)
mapfile -t test_packages < <(packages tests/packages bench/packages)
jobs=$(getconf _NPROCESSORS_ONLN)

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)

apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -o DPkg::Lock::Timeout=300 "$@" >/dev/null
}

# The tests run servers of their own; those that come with a package are to
# start neither now nor at the next boot.
start_nothing() {
    local policy=/usr/sbin/policy-rc.d

    [ ! -e "$policy" ] || return 0
    # shellcheck disable=SC2064 # the value now
    trap "${as_root[*]} rm -f $policy" EXIT
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
    "${as_root[@]}" chmod 755 "$policy"
}

installed() {
    dpkg-query -W -f '${db:Status-Status} ${binary:Package}\n' |
        sed -n 's/^installed //p' | LC_ALL=C sort
}

# Only a unit with an [Install] section can start by itself.
disable_services() { # PACKAGE..
    local units unit

    command -v systemctl >/dev/null || return 0
    mapfile -t units < <(dpkg -L "$@" |
        sed -n 's|^\(.*/systemd/system/[^/@]*\.service\)$|\1|p' |
        xargs -r grep -ls '^\[Install\]' | sed 's|.*/||' | sort -u)
    for unit in "${units[@]}"; do
        "${as_root[@]}" systemctl --quiet disable "$unit" 2>/dev/null || true
    done
}

# install PACKAGE..: those that are not there yet.
install() {
    local missing=() package before new

    command -v apt-get >/dev/null || {
        echo "no apt-get here; needed are: $*"
        return
    }
    for package; do
        [ -n "$package" ] || continue
        dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null |
            grep -qx installed || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "== installing ${missing[*]}"
    before=$(installed)
    start_nothing
    apt update
    apt install -y --no-install-recommends "${missing[@]}"
    # What systemd brings is for the machine, and not what was asked for.
    mapfile -t new < <(LC_ALL=C comm -13 <(echo "$before") <(installed) |
        grep -vx 'systemd.*')
    [ ${#new[@]} -eq 0 ] || disable_services "${new[@]}"
}

passed=0
failed=0

# stage NAME COMMAND..: runs a part of the tests, and adds the count that it
# ends in; without one it is itself one test.
stage() {
    local name=$1 log code=0 count
    shift

    echo "== $name: $*"
    log=$(mktemp)
    "$@" 2>&1 | tee "$log" || code=$?
    count=$(grep -xE '[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1) ||
        count="$((code == 0)) passed, $((code != 0)) failed"
    rm -f "$log"
    # shellcheck disable=SC2086 # four words
    set -- $count
    passed=$((passed + $1))
    failed=$((failed + $3))
    if [ "$code" -ne 0 ] && [ "$3" -eq 0 ]; then
        failed=$((failed + 1))
    fi
}

run_tests() {
    local make=(make --no-print-directory -j"$jobs" WERROR=1)

    stage gcc "${make[@]}" CC=gcc check
    stage clang "${make[@]}" CC=clang BUILD=build/clang all check-core
    stage sanitizers "${make[@]}" CC=gcc SAN=address,undefined check
    stage races "${make[@]}" CC=gcc SAN=thread check-race
    stage fuzz "${make[@]}" fuzz
    stage ct "${make[@]}" CC=gcc ct
    stage ct-clang "${make[@]}" CC=clang BUILD=build/clang ct
    stage memcheck "${make[@]}" CC=gcc memcheck
    stage secrets "${make[@]}" CC=gcc secrets
    stage ports "${make[@]}" ports PORTS='aarch64 s390x i686 musl gcc-O0 gcc-lto clang-O1'
    stage guest "${make[@]}" guest GUEST_PERCENT=10
    stage soak "${make[@]}" soak SOAK_SECONDS=3
    stage packages "${make[@]}" check-packages
    stage bookworm "${make[@]}" check-distro SUITE=bookworm
    stage trixie "${make[@]}" check-distro SUITE=trixie
    stage lint "${make[@]}" lint
    stage format "${make[@]}" format-check
    echo
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}

run_demo() {
    local story

    make --no-print-directory -j"$jobs"
    for story in demo/*.sh; do
        BUILD=$(realpath -m "${BUILD:-build}") "$story"
    done
}

case ${1-} in
deps)
    install "${demo_packages[@]}" "${test_packages[@]}"
    ;;
demo)
    install "${demo_packages[@]}"
    run_demo
    ;;
test)
    install "${demo_packages[@]}" "${test_packages[@]}"
    run_tests
    ;;
*)
    sed -n '3,7s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
