# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by the shell tests of the provider.

# What is set here is used there.
# shellcheck disable=SC2034

# shellcheck source=tests/tap/host.sh
. "$(dirname "$0")/../../tap/host.sh"
# shellcheck source=tests/tap/sanitizer.sh
. "$(dirname "$0")/../../tap/sanitizer.sh"
top=$(cd "$here/../../.." && pwd)
module=$BUILD/ossl-modules/argon2fast.so
ask=$BUILD/tests/integration/ossl/ask
OPENSSL_CONF=/dev/null
export OPENSSL_CONF
# Not OPENSSL_MODULES: the distribution's own modules must stay in reach.

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
