#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Logins with Argon2, through the real sshd, su and passwd: on loopback, in
# private namespaces over a copy of /etc. Nothing of this machine is changed.
# shellcheck source=demo/narrate
. "$(dirname "$0")/narrate"

[ "$(id -u)" -eq 0 ] || {
    say 'The PAM demo needs root, to make its namespaces: try sudo.'
    exit 1
}
if [ -z "${A2F_DEMO_INSIDE:-}" ]; then
    rm -rf "$work"
    export A2F_DEMO_INSIDE=1 BUILD
    exec unshare --mount --propagation private --net --pid --fork \
        --kill-child --mount-proc -- "$0" "$@"
fi

# ---- a machine of its own ----

# cover DIR: from here on a copy of it.
cover() {
    mkdir -p "$work/machine$1"
    cp -a "$1/." "$work/machine$1"
    mount --bind "$work/machine$1" "$1"
}

mkdir "$work/machine"
mount -t tmpfs -o mode=0755 tmpfs "$work/machine"
trap 'umount -l "$work/machine"; rm -rf "$work"' EXIT
module=$(basename "$BUILD"/pam_argon2fast.so)
security=$(dirname "$(ldconfig -p | sed -n 's/.*libpam\.so\.0.*=> //p' | head -n 1)")/security
checker=$(grep -aoE '/[A-Za-z0-9_./+-]*argon2fast_chkpwd' "$BUILD/$module" | head -n 1)
sbin=$(dirname "$checker")
ip link set lo up 2>/dev/null || /usr/bin/python3 -c '
import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh14x", b"lo", 65))'
# The directories emptied below may be those of this repository.
mkdir "$work/machine/build"
cp "$BUILD/$module" "$BUILD"/argon2fast{,_chkpwd,_update} "$work/machine/build"
BUILD=$work/machine/build
cover /etc
cover "$security"
cover "$sbin"
for directory in /run /home /var/log /root; do
    mount -t tmpfs -o mode=0755 tmpfs "$directory"
done
mkdir -p /run/sshd
install -m 644 "$BUILD/$module" "$security"
install -m 2755 -g shadow "$BUILD/argon2fast_chkpwd" "$sbin"
install -m 700 "$BUILD/argon2fast_update" "$sbin"
rm -f /etc/security/argon2fast.*

cat >/etc/pam.d/common-auth <<'EOF'
auth [success=2 default=ignore] pam_argon2fast.so migrate rehash nodelay
auth [success=1 default=ignore] pam_unix.so try_first_pass nodelay
auth requisite pam_deny.so
auth required pam_permit.so
EOF
cat >/etc/pam.d/common-password <<'EOF'
password [success=2 default=ignore] pam_argon2fast.so remember=5
password [success=1 default=ignore] pam_unix.so use_authtok yescrypt
password requisite pam_deny.so
password required pam_permit.so
EOF

# user NAME HASH
user() {
    uid=$((30000 + $(wc -l </etc/passwd)))
    echo "$1:x:$uid:$uid::/home/$1:/bin/sh" >>/etc/passwd
    echo "$1:x:$uid:" >>/etc/group
    echo "$1:$2:20000:0:99999:7:::" >>/etc/shadow
    mkdir -p "/home/$1"
    chown "$uid:$uid" "/home/$1"
}

# entry NAME: the beginning of a user's hash.
entry() {
    local field

    field=$(sed -n "s/^$1:\([^:]*\):.*/\1/p" /etc/shadow)
    echo "${field%\$*\$*}\$..." # without salt and tag
}

show_entry() {
    shows '# ' "grep ^$1: /etc/shadow" "$1:$(entry "$1")"
}

# as USER COMMAND..: standard input is what is typed.
as() {
    local name=$1
    shift
    setpriv --reuid="$name" --regid="$name" --init-groups "$@" 2>&1
}

ssh_login() { # ssh_login USER PASSWORD WANTED
    local result

    result=$(SSHPASS=$2 sshpass -e ssh -F none -o StrictHostKeyChecking=no \
        -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -o \
        NumberOfPasswordPrompts=1 -o PreferredAuthentications=password \
        "$1@127.0.0.1" id -un 2>/dev/null </dev/null) || result=refused
    shows '$ ' "ssh $1@localhost id -un     # password: $2" "$result"
    expect "$3" "$result"
}

su_login() { # su_login AS USER PASSWORD WANTED
    local result

    result=$(echo "$3" | as "$1" su "$2" -c 'id -un' | sed 's/^Password: //') || true
    shows '$ ' "su $2 -c 'id -un'     # as $1; password: $3" "$result"
    expect "$4" "$result"
}

ssh-keygen -q -t ed25519 -N '' -f /run/host_key
printf '%s\n' 'ListenAddress 127.0.0.1' 'UsePAM yes' 'HostKey /run/host_key' \
    'StrictModes no' >/run/sshd_config
/usr/sbin/sshd -D -E /run/sshd.log -f /run/sshd_config &
sshd=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
    (: </dev/tcp/127.0.0.1/22) 2>/dev/null && break
    sleep 0.2
done

# ---- the demo ----

chapter 'Logins with Argon2: sshd, su, passwd'
say 'A new user, whose hash the command has made:'
hash=$(echo 'correct horse' | "$BUILD/argon2fast" hash)
user ann "$hash"
show_entry ann
ssh_login ann 'correct horse' ann
ssh_login ann 'Correct horse' refused

say 'A user who has been here for years, with yescrypt:'
# shellcheck disable=SC2016 # a dollar is meant
user bob "$(perl -e 'print crypt("battery staple", q($y$j9T$abcdefghijklmnop))')"
show_entry bob
su_login ann bob 'battery staple' bob
say 'One login, and the entry is Argon2id; the next finds it so:'
show_entry bob
su_login ann bob 'battery staple' bob
su_login ann bob 'correct horse' 'su: Authentication failure'

say 'passwd changes it; and then changes back, which is refused:'
result=$(printf '%s\n' 'battery staple' 'tr0ub4dor and 3' 'tr0ub4dor and 3' | as bob passwd |
    grep -o 'password updated successfully') || true
shows '$ ' 'passwd     # as bob: to "tr0ub4dor and 3"' "$result"
expect 'password updated successfully' "$result"
result=$(printf '%s\n' 'tr0ub4dor and 3' 'battery staple' 'battery staple' | as bob passwd |
    grep -o 'The password has been used before.' | head -n 1) || true
shows '$ ' 'passwd     # as bob: back to "battery staple"' "$result"
expect 'The password has been used before.' "$result"
ssh_login bob 'tr0ub4dor and 3' bob
ssh_login bob 'battery staple' refused

say 'What the administrator sees:'
result=$("$BUILD/argon2fast" shadow audit) || true
shows '# ' 'argon2fast shadow audit' "$result"
case $result in *'2 with Argon2'*) ;; *) expect '2 with Argon2' "$result" ;; esac
result=$("$BUILD/argon2fast" doctor | grep '^pam') || true
shows '# ' "argon2fast doctor | grep '^pam'" "$result"
kill "$sshd"
