#!/bin/sh
# SPDX-License-Identifier: MIT
# What a release is made of: the tarball, its bill of materials, packages for
# the Debian this runs on: lintian's opinion, and the same bytes when they are
# built again elsewhere.
# shellcheck source=tests/packaging/debs.sh
. "$(dirname "$0")/debs.sh"

# ---- the tarball ----
quiet 'make dist' make -s -C "$top" dist BUILD="$BUILD"
mkdir "$work/tree"
tar -xzf "$dist.tar.gz" -C "$work/tree"
tree=$work/tree/argon2fast-$version
# shellcheck disable=SC2016 # expanded by the inner shell
quiet 'make dist in what was unpacked, without git' env TZ=Asia/Tokyo \
    sh -c 'umask 002; exec make -s -C "$1" dist BUILD="$2"' sh \
    "$tree" "$work/build"
quiet 'gives the same tarball' cmp "$dist.tar.gz" \
    "$work/build/dist/argon2fast-$version.tar.gz"
quiet 'and the same bill of materials' cmp "$dist.spdx.json" \
    "$work/build/dist/argon2fast-$version.spdx.json"
cd "$tree" || exit 1
quiet 'the bill names every file with its digest' /usr/bin/python3 -c '
import hashlib, json, os, sys
bill = json.load(open(sys.argv[1]))
assert bill["spdxVersion"] == "SPDX-2.3"
listed = {f["fileName"]: f["checksums"] for f in bill["files"]}
found = {}
for where, _, names in os.walk("."):
    for name in names:
        path = os.path.join(where, name)
        if not os.path.islink(path):
            found[path] = open(path, "rb").read()
assert listed.keys() == found.keys(), listed.keys() ^ found.keys()
for path, data in found.items():
    for sum in listed[path]:
        got = hashlib.new(sum["algorithm"].lower(), data).hexdigest()
        assert got == sum["checksumValue"], path
ids = {f["SPDXID"] for f in bill["files"]}
assert ids == {r["relatedSpdxElement"] for r in bill["relationships"]}
assert all(f["licenseInfoInFiles"] == ["MIT"] for f in bill["files"]
           if f["fileTypes"] == ["SOURCE"] and
           f["fileName"].endswith((".c", ".h", ".sh", ".py", ".mk")))
' "$dist.spdx.json"

# ---- packages ----
quiet 'make deb' make_debs "$machine"
is 'six packages' \
    "$(find "$debs" -maxdepth 1 -name '*.deb' ! -name '*dbgsym*' | wc -l)" 6
quiet 'lintian says nothing' lintian --fail-on error,warning \
    --allow-root "$debs/argon2fast_$version-1_$(dpkg --print-architecture).changes"
quiet 'make deb elsewhere, without tests' env TZ=Asia/Tokyo LC_ALL=C.UTF-8 \
    DEB_BUILD_OPTIONS=nocheck sh -c 'umask 002; exec "$@"' sh \
    "$top/packaging/deb.sh" "$dist.tar.gz" "$work/again"
for deb in "$debs"/*.deb "$debs"/*.dsc; do
    quiet "$(basename "$deb"): the same bytes" cmp "$deb" \
        "$work/again/$(basename "$deb")"
done

finish
