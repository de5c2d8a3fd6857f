# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by the shell tests of the provider: TAP, a directory to work in, and
# how to run programs that were not built with the module's sanitizer.

# What is set here is used there.
# shellcheck disable=SC2034

set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
: "${BUILD:?the build directory}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

module=$BUILD/ossl-modules/argon2fast.so
ask=$BUILD/tests/integration/ossl/ask
OPENSSL_CONF=/dev/null
export OPENSSL_CONF
# Not OPENSSL_MODULES: the distribution's own modules must stay in reach.

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

# A sanitizer's runtime must be the first library of a process. What the hosts
# themselves leak is not ours to find; our C programs look for ours.
runtime() {
    for name in "lib$1.so" "libclang_rt.$1-$(uname -m).so"; do
        path=$(${CC:-cc} -print-file-name="$name")
        if [ "$path" != "$name" ] && [ -e "$path" ]; then
            echo "$path"
            return
        fi
    done
    echo "no shared $1 of ${CC:-cc}" >&2
    exit 1
}
preload=
case ,${SAN:-}, in
*,address,*) preload=$(runtime asan) || exit 1 ;;
*,thread,*) preload=$(runtime tsan) || exit 1 ;;
*,undefined,*) preload=$(runtime ubsan) || exit 1 ;;
esac
host() {
    if [ -n "$preload" ]; then
        LD_PRELOAD=$preload ASAN_OPTIONS=detect_leaks=0 "$@"
    else
        "$@"
    fi
}

# The command, with our directory of modules.
openssl_ours() {
    OPENSSL_MODULES=$BUILD/ossl-modules host openssl "$@"
}

# config SECTION..: a configuration file that activates providers in this
# order. default and others are known; ours is the module that was built, with
# the lines in $ours; none is one whose module does not exist. What is in
# $properties becomes default_properties.
ours=
properties=
config() {
    OPENSSL_CONF=$work/openssl.cnf
    {
        echo 'openssl_conf = init'
        echo '[init]'
        echo 'providers = providers'
        if [ -n "$properties" ]; then
            echo 'alg_section = algorithms'
        fi
        echo '[providers]'
        for name; do
            case $name in
            ours) echo 'argon2fast = argon2fast_section' ;;
            *) echo "$name = ${name}_section" ;;
            esac
        done
        for name; do
            case $name in
            ours) printf '[argon2fast_section]\nmodule = %s\n%s\n' \
                "$module" "$ours" ;;
            *) echo "[${name}_section]" ;;
            esac
            echo 'activate = 1'
        done
        if [ -n "$properties" ]; then
            printf '[algorithms]\ndefault_properties = %s\n' "$properties"
        fi
    } >"$OPENSSL_CONF"
}
