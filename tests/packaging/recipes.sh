#!/bin/sh
# SPDX-License-Identifier: MIT
# RPM packages as far as a Debian machine can make them, and the recipes for
# Arch and Alpine as far as a shell can tell.
# shellcheck source=tests/packaging/debs.sh
. "$(dirname "$0")/debs.sh"

quiet 'make dist' make -s -C "$top" dist BUILD="$BUILD"
rm -rf "$BUILD/rpm"
quiet 'make rpm' "$top/packaging/rpm.sh" "$dist.tar.gz" "$BUILD/rpm"
is 'six packages' "$(find "$BUILD/rpm" -maxdepth 1 -name '*.rpm' | wc -l)" 6

# holds PACKAGE FILE..: it has these
holds() {
    package=$1
    shift
    rpm -qp --qf '[%{FILEMODES:perms} %{FILENAMES}\n]' \
        "$BUILD/rpm/$package-$version-1".*.rpm >"$work/list" 2>"$work/said"
    for file; do
        like "$package: $file" "$(grep -F -- "$file" "$work/list")" "*$file*"
    done
}
holds argon2fast '-rwxr-xr-x /usr/bin/argon2fast' /man1/argon2fast.1
holds pam_argon2fast '-rwsr-xr-x /usr/sbin/argon2fast_chkpwd' \
    '-rwx------ /usr/sbin/argon2fast_update' /usr/lib64/security/pam_argon2fast.so \
    /etc/security/argon2fast.conf /authselect/vendor/argon2fast/system-auth \
    /usr/lib/tmpfiles.d/argon2fast.conf
holds openssl-provider-argon2fast /usr/lib64/ossl-modules/argon2fast.so
holds sqlite-argon2 /usr/lib64/sqlite_argon2.so
holds postgresql-pg_argon2 /pg_argon2.so /pg_argon2.control
holds argon2fast-devel /usr/lib64/libargon2fast.a /usr/include/argon2fast.h \
    /usr/lib64/pkgconfig/argon2fast.pc

for recipe in arch/PKGBUILD alpine/APKBUILD; do
    shell='sh'
    [ "$recipe" = alpine/APKBUILD ] || shell=bash
    quiet "$recipe: syntax" "$shell" -n "$top/packaging/$recipe"
    quiet "$recipe: shellcheck" shellcheck "$top/packaging/$recipe"
    is "$recipe: version" \
        "$(sed -n 's/^pkgver=//p' "$top/packaging/$recipe")" "$version"
done
is 'debian/changelog: version' \
    "$(sed -n '1s/.*(\(.*\)-1).*/\1/p' "$top/packaging/debian/changelog")" "$version"

finish
