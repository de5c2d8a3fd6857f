# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced: how a host that was built without sanitizers runs with a module that
# was built with SAN.

# A sanitizer's runtime must be the first library of the process.
runtime() {
    # clang also knows where gcc's is, which is no use to it
    for name in "libclang_rt.$1-$(uname -m).so" "lib$1.so"; do
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

# host COMMAND..: the hosts' own leaks are not ours to find; those of our C
# programs are.
host() {
    if [ -n "$preload" ]; then
        LD_PRELOAD=$preload ASAN_OPTIONS=detect_leaks=0 "$@"
    else
        "$@"
    fi
}
