#!/bin/sh
# SPDX-License-Identifier: MIT
# life.sh: in a Debian with our packages in /packages, all that they depend on
# installed: from installation through an upgrade to purge, which leaves the
# system as it was.
# shellcheck source=tests/tap/host.sh
. "$(dirname "$0")/../../tap/host.sh"
top=$(cd "$here/../../.." && pwd)
export DEBIAN_FRONTEND=noninteractive

# snapshot FILE: each file with type, mode, owner and digest. Left out are logs,
# what package managers note about themselves, and the previous shadow file.
snapshot() {
    set -- "$1" \( -path "$top" -o -path "$BUILD" -o -path /proc -o -path /dev \
        -o -path /sys -o -path /tmp -o -path /packages -o -path /var/log -o \
        -path /var/cache -o -path /var/lib/dpkg -o -path /var/lib/apt -o \
        -path /etc/shadow- \) -prune -o
    out=$1
    shift
    find / "$@" -printf '%p %y %m %u %g %l\n' | LC_ALL=C sort >"$out"
    find / "$@" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum >>"$out"
}

status_of() {
    # shellcheck disable=SC2016 # dpkg's variables
    dpkg-query -W -f '${db:Status-Abbrev} ${Version}' "$1" 2>/dev/null | tr -s ' '
}

field() { # field NAME [NEW]: a user's field of the shadow file
    if [ $# -eq 2 ]; then
        sed -i "s|^$1:[^:]*:|$1:$2:|" /etc/shadow
    else
        sed -n "s/^$1:\([^:]*\):.*/\1/p" /etc/shadow
    fi
}

# same NAME FILE FILE
same() {
    is "$1" "$(diff "$2" "$3" | head -n 40)" ''
}

# quietly COMMAND..: its output only if it fails
quietly() {
    "$@" >"$work/said" 2>&1 || {
        code=$?
        sed 's/^/# /' "$work/said"
        return $code
    }
}

# ---- the version before this one: the same files under another number ----
previous=0.8.0-1
mkdir "$work/old"
for deb in /packages/argon2fast_*.deb /packages/libpam-argon2fast_*.deb; do
    name=$(basename "$deb")
    dpkg-deb -R "$deb" "$work/unpacked"
    current=$(sed -n 's/^Version: //p' "$work/unpacked/DEBIAN/control")
    sed -i "s/$current/$previous/" "$work/unpacked/DEBIAN/control"
    dpkg-deb -b "$work/unpacked" "$work/old/$name" >/dev/null
    rm -rf "$work/unpacked"
done

useradd --create-home ann
# shellcheck disable=SC2016 # a dollar is meant
field ann "$(perl -e 'print crypt("battery staple", q($6$abcdefgh))')"
former=$(field ann)
(umask 077; cat /etc/shadow >"$work/shadow")
snapshot "$work/before"
cat /etc/pam.d/common-* >"$work/pam"

pam_is() {
    cat /etc/pam.d/common-* >"$work/pam.now"
    same "$1" "$work/pam" "$work/pam.now"
}

# ---- installation, and an upgrade ----
chmod a+rx "$work" "$work/old"
quietly apt-get install -qy "$work"/old/*.deb
is 'the version before' "$(status_of libpam-argon2fast)" "ii $previous"
pam_is 'installing changes nothing in /etc/pam.d'
quietly pam-auth-update --enable argon2fast
is 'the one command enables it' \
    "$(grep -lc pam_argon2fast /etc/pam.d/common-auth /etc/pam.d/common-password | wc -l)" 2
cat /etc/pam.d/common-* >"$work/enabled"
echo 'params = owasp' >>/etc/security/argon2fast.conf
cp /etc/security/argon2fast.conf "$work/conf"
quietly apt-get install -qy /packages/argon2fast_*.deb /packages/libpam-argon2fast_*.deb
is 'upgraded' "$(status_of libpam-argon2fast)" "ii $current"
same 'the upgrade keeps the configuration' "$work/conf" /etc/security/argon2fast.conf
cat /etc/pam.d/common-* >"$work/pam.now"
same 'and the profile enabled' "$work/enabled" "$work/pam.now"
is 'the checker is set-gid' "$(stat -c '%a %U %G' /usr/sbin/argon2fast_chkpwd)" \
    '2755 root shadow'

# ---- removal is refused while somebody needs the module ----
field ann "$(echo 'correct horse' | argon2fast hash)"
said=$(apt-get remove -qy libpam-argon2fast 2>&1)
is 'removal is refused' "$?" 100
like 'with the number of users' "$said" \
    '*users with Argon2 hashes, who could not log in: 1.*'
is 'it is as installed as before' "$(status_of libpam-argon2fast)" "ii $current"
cat /etc/pam.d/common-* >"$work/pam.now"
same 'and as enabled' "$work/enabled" "$work/pam.now"
field ann "!$(field ann)"
apt-get remove -qy libpam-argon2fast >/dev/null 2>&1
is 'also for a locked user' "$?" 100
quietly env ARGON2FAST_REMOVE=yes apt-get remove -qy libpam-argon2fast
is 'unless one insists' "$?" 0
pam_is 'removal gives the former /etc/pam.d back'
field ann "$former"

# ---- purge leaves nothing ----
quietly apt-get install -qy /packages/*.deb
same 'removal kept the configuration' "$work/conf" /etc/security/argon2fast.conf
is 'all packages are there' \
    "$(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' | grep -c '^ii .*\(argon2fast\|argon2fast-dev\|pg-argon2\|mod-argon2\)$')" 6
quietly pam-auth-update --enable argon2fast
printf 'battery staple\nsesame, open\nsesame, open\n' |
    setpriv --reuid ann --regid ann --init-groups passwd >/dev/null 2>&1
# shellcheck disable=SC2016 # a dollar is meant
like 'passwd writes Argon2' "$(field ann)" '$argon2id$*'
field ann "$former"
# shellcheck disable=SC2046 # words
quietly apt-get purge -qy $(for deb in /packages/*.deb; do dpkg-deb -f "$deb" Package; done)
is 'purged' "$?" 0
cat "$work/shadow" >/etc/shadow # passwd has changed a date, too
snapshot "$work/after"
same 'and everything is as it was' "$work/before" "$work/after"

userdel --remove ann 2>/dev/null
finish
