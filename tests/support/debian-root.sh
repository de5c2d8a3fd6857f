#!/bin/sh
# SPDX-License-Identifier: MIT
# debian-root.sh make SUITE PACKAGE..
#     Prints the path of a Debian SUITE that has these packages. debootstrap
#     makes it once; it is kept in $ROOTS (default: $BUILD/roots).
# debian-root.sh run ROOT COMMAND..
#     Runs a command in it, as root and with an empty environment. This source
#     tree and $BUILD are there under their own paths, and /proc and /dev; all
#     mounts end with the command.
# Exit code 77 of make: this machine cannot make one, standard error says why.
set -eu

: "${BUILD:?the build directory}"
BUILD=$(realpath "$BUILD")
tree=$(cd "$(dirname "$0")/../.." && pwd)
ROOTS=${ROOTS:-$BUILD/roots}

say() {
    echo "debian-root: $*" >&2
}

cannot() {
    say "NO DEBIAN ROOT CAN BE MADE HERE: $*"
    exit 77
}

# The mirror apt itself uses, whatever file and format it is written in.
mirror() {
    # shellcheck disable=SC2016 # apt's variables
    apt-get indextargets --format '$(LABEL) $(REPO_URI)' \
        'Created-By: Packages' 'Origin: Debian' 2>/dev/null |
        sed -n 's/^Debian //p' | head -n 1
}

in_root() {
    # shellcheck disable=SC2016 # expanded by the inner shell
    unshare --mount --propagation private sh -eu -c '
        build=$1 tree=$2 root=$3
        shift 3
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        for here in "$tree" "$build"; do
            mkdir -p "$root$here"
            mount --bind "$here" "$root$here"
        done
        exec chroot "$root" /usr/bin/env -i BUILD="$build" HOME=/root \
            PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
            ${http_proxy:+http_proxy="$http_proxy"} \
            DEBIAN_FRONTEND=noninteractive "$@"' sh "$BUILD" "$tree" "$@"
}

# A root is whole when it has its new name: an interrupted one is made anew.
bootstrap() {
    suite=$1
    root=$2
    from=$(mirror)
    [ -n "$from" ] || cannot "apt here knows no Debian mirror"
    [ "$(id -u)" -eq 0 ] || cannot "only the superuser can"
    unshare --mount true 2>/dev/null || cannot "no mount namespaces"
    wget -q --spider --tries=2 --timeout=20 "${from%/}/dists/$suite/InRelease" ||
        cannot "no $suite at $from"
    rm -rf "$root.new"
    say "making $root from $from"
    debootstrap --variant=minbase "$suite" "$root.new" "$from" \
        >"$root.log" 2>&1 || {
        tail -n 20 "$root.log" >&2
        return 1
    }
    # Packages must not start their services: they would run outside.
    printf '#!/bin/sh\nexit 101\n' >"$root.new/usr/sbin/policy-rc.d"
    chmod 755 "$root.new/usr/sbin/policy-rc.d"
    mv "$root.new" "$root"
}

# True when the root has each of the packages.
has() {
    root=$1
    shift
    # shellcheck disable=SC2016 # dpkg's variable
    for package; do
        chroot "$root" dpkg-query -W -f '${db:Status-Status}\n' "$package" \
            2>/dev/null | grep -qx installed || return 1
    done
}

make_root() {
    root=$ROOTS/$1
    mkdir -p "$ROOTS"
    exec 9>"$ROOTS/$1.lock"
    flock 9
    [ -d "$root" ] || bootstrap "$1" "$root"
    shift
    if ! has "$root" "$@"; then
        say "installing $* in $root"
        cp -L /etc/resolv.conf "$root/etc/resolv.conf"
        in_root "$root" sh -c 'apt-get update -q && apt-get install -qy \
            --no-install-recommends "$@"' sh "$@" >"$root.log" 2>&1 9>&- || {
            tail -n 20 "$root.log" >&2
            return 1
        }
    fi
    echo "$root"
}

case ${1:-} in
make)
    shift
    make_root "$@"
    ;;
run)
    shift
    in_root "$@"
    ;;
*)
    sed -n 's/^# //p' "$0" >&2
    exit 2
    ;;
esac
