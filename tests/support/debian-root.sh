#!/bin/sh
# SPDX-License-Identifier: MIT
# debian-root.sh make SUITE PACKAGE..
#     Prints the path of a Debian SUITE that has these packages, also those of
#     other architectures. debootstrap makes the bare SUITE once; both are kept
#     in $ROOTS (default: $BUILD/roots).
# debian-root.sh fresh SUITE NAME
#     Prints the path of a new copy of the bare SUITE, $ROOTS/NAME.
# debian-root.sh remove NAME
#     Removes such a copy.
# debian-root.sh run ROOT COMMAND..
#     Runs a command in it, as root and with an empty environment. This source
#     tree and $BUILD are there under their own paths, and /proc and /dev; all
#     mounts end with the command.
# Exit code 77 of make and fresh: this machine cannot make one, standard error says why.
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
        mount --bind "$root" "$root" # for programs that unshare mounts
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

# bare SUITE: prints the path of SUITE as debootstrap makes it. A root is whole
# when it has its name: an interrupted one is made anew.
bare() {
    suite=$1
    base=$ROOTS/$suite.bare
    mkdir -p "$ROOTS"
    exec 8>"$base.lock"
    flock 8
    [ -d "$base" ] || bootstrap
    exec 8>&-
    echo "$base"
}

bootstrap() {
    from=$(mirror)
    [ -n "$from" ] || cannot "apt here knows no Debian mirror"
    [ "$(id -u)" -eq 0 ] || cannot "only the superuser can"
    unshare --mount true 2>/dev/null || cannot "no mount namespaces"
    wget -q --spider --tries=2 --timeout=20 "${from%/}/dists/$suite/InRelease" ||
        cannot "no $suite at $from"
    rm -rf --one-file-system "$base.new"
    say "making $base from $from"
    # A suite that debootstrap has not heard of is made like the newest.
    like=/usr/share/debootstrap/scripts/$suite
    [ -e "$like" ] || like=sid
    # What it mounts must end with it.
    unshare --mount --propagation private debootstrap --variant=minbase \
        "$suite" "$base.new" "$from" "${like##*/}" >"$base.log" 2>&1 || {
        tail -n 20 "$base.log" >&2
        return 1
    }
    # Packages must not start their services: they would run outside.
    printf '#!/bin/sh\nexit 101\n' >"$base.new/usr/sbin/policy-rc.d"
    chmod 755 "$base.new/usr/sbin/policy-rc.d"
    # What is thrown away need not survive a power cut.
    echo force-unsafe-io >"$base.new/etc/dpkg/dpkg.cfg.d/unsafe-io"
    # A mirror may have stood still for longer than testing promises.
    echo 'Acquire::Check-Valid-Until "false";' \
        >"$base.new/etc/apt/apt.conf.d/still"
    cp -L /etc/resolv.conf "$base.new/etc/resolv.conf"
    in_root "$base.new" apt-get update -q >>"$base.log" 2>&1
    rm -f "$base.new"/var/cache/apt/archives/*.deb
    mv "$base.new" "$base"
}

fresh() {
    base=$(bare "$1")
    rm -rf --one-file-system "${ROOTS:?}/$2"
    cp -ax "$base" "$ROOTS/$2"
    echo "$ROOTS/$2"
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

# add ROOT PACKAGE..
add() {
    root=$1
    shift
    for package; do
        case $package in
        *:*) chroot "$root" dpkg --add-architecture "${package#*:}" ;;
        esac
    done
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    # shellcheck disable=SC2016 # expanded by the inner shell
    in_root "$root" sh -c 'apt-get update -q && apt-get install -qy \
        --no-install-recommends "$@"' sh "$@" >"$root.log" 2>&1 9>&- || {
        tail -n 20 "$root.log" >&2
        return 1
    }
}

make_root() {
    suite=$1
    root=$ROOTS/$1
    mkdir -p "$ROOTS"
    exec 9>"$ROOTS/$1.lock"
    flock 9
    if [ ! -d "$root" ]; then
        fresh "$suite" "$suite.new" >/dev/null
        mv "$root.new" "$root"
    fi
    shift
    if ! has "$root" "$@"; then
        say "installing $* in $root"
        add "$root" "$@"
    fi
    echo "$root"
}

case ${1:-} in
make)
    shift
    make_root "$@"
    ;;
fresh)
    fresh "$2" "$3"
    ;;
remove)
    rm -rf --one-file-system "${ROOTS:?}/${2:?}"
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
