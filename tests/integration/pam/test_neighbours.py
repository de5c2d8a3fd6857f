#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""Other modules in the stack, and a server with users of its own: pam_faillock,
pam_pwhistory, pam_pwquality, pam_gnome_keyring, pam_exec; vsftpd with a
password file."""

import ftplib
import os
import subprocess

from world import World, append, argon2id, foreign, listens, read, run_as, sh, shadow, talk, tap, verifies

OK = ["prompt: Password: ", "authenticate: SUCCESS"]
world = World()
world.conf()
world.user("ann", argon2id("password"))
uid = world.user("bob", foreign("password", "$6$"))

# ---- pam_faillock counts our failures ----
world.stack("faillock", "auth required pam_faillock.so preauth silent deny=2 dir=/run/faillock\n"
            "auth [success=1 default=ignore] pam_argon2fast.so nodelay\n"
            "auth [default=die] pam_faillock.so authfail deny=2 dir=/run/faillock\n"
            "auth sufficient pam_faillock.so authsucc dir=/run/faillock\n"
            "auth required pam_permit.so\n")
tap.same("pam_faillock: right", talk("faillock", "ann", ["authenticate"], ["password"]), OK)
for _ in range(2):
    tap.ok("pam_faillock: wrong", "SUCCESS" not in talk("faillock", "ann", ["authenticate"], ["x"])[-1])
tap.ok("pam_faillock: shut after two", "SUCCESS" not in talk("faillock", "ann", ["authenticate"], ["password"])[-1])

# ---- modules behind find the passwords ----
world.stack("tell", "auth optional pam_argon2fast.so nodelay\nauth required pam_exec.so expose_authtok quiet /run/tell\n"
            "password required pam_argon2fast.so\npassword required pam_argon2fast.so use_authtok pwdfile=/etc/vusers\n")
with open("/run/tell", "w") as file:
    file.write("#!/bin/sh\ntr -d '\\0' > /run/told\n")
os.chmod("/run/tell", 0o755)
for user, what in (("ann", "an Argon2 user's"), ("bob", "a foreign user's"), ("nobody-here", "an unknown user's")):
    talk("tell", user, ["authenticate"], ["password"])
    tap.same(f"the next module has {what} password", read("/run/told"), "password")
append("/etc/vusers", f"ann:{argon2id('password')}\n")
tap.same("and the new one", talk("tell", "ann", ["chauthtok"], ["new-password", "new-password"])[-1], "chauthtok: SUCCESS")
tap.ok("which both have written", verifies(shadow("ann")[0], "new-password") and
       verifies(shadow("ann", "/etc/vusers")[0], "new-password"))
os.unlink("/etc/vusers")

# ---- pam_pwhistory before us ----
open("/etc/security/opasswd", "w").close()
world.stack("history", "password requisite pam_pwhistory.so remember=3\npassword required pam_argon2fast.so use_authtok\n")
for old, new in (("new-password", "second-one"), ("second-one", "third-one")):
    got = talk("history", "ann", [f"ruid={uid}", "chauthtok"], [old, new, new])
    tap.ok(f"pam_pwhistory: {new}", got[-1] == "chauthtok: SUCCESS" and verifies(shadow("ann")[0], new), got)
tap.ok("our own list is none of its business", not os.path.exists("/etc/security/argon2fast.history"))

# ---- pam_pwquality before us: it judges, and compares with the old password ----
world.stack("quality", "password requisite pam_pwquality.so retry=1 minlen=12 dictcheck=0 usercheck=0\n"
            "password required pam_argon2fast.so use_authtok\n")
for old, new, why in (("third-one", "short", "shorter than"), ("third-one", "third-one-third", None),
                      ("third-one-third", "THIRD-one-third", "differs with case changes only")):
    before = shadow("ann")[0]
    got = talk("quality", "ann", [f"ruid={uid}", "chauthtok"], [old, new, new])
    if why:
        tap.ok(f"pam_pwquality: {new} is refused", got[-1] == "chauthtok: AUTHTOK_ERR" and any(why in line for line in got) and
               shadow("ann")[0] == before, got)
    else:
        tap.ok(f"pam_pwquality: {new} is taken", got[-1] == "chauthtok: SUCCESS" and verifies(shadow("ann")[0], new), got)

# ---- pam_gnome_keyring behind us has the password, old and new ----
kay = world.user("kay", argon2id("password"))
runtime = f"/run/user/{kay}"
os.makedirs(runtime)
os.chown(runtime, kay, kay)
append("/run/environment", f"XDG_RUNTIME_DIR={runtime}\n")
world.stack("keyring", "auth required pam_env.so readenv=1 envfile=/run/environment\nauth required pam_argon2fast.so nodelay\n"
            "auth optional pam_gnome_keyring.so auto_start\npassword required pam_argon2fast.so\n"
            "password optional pam_gnome_keyring.so use_authtok\n")


def keyring(user, words, answers):
    world.log.take()
    got = talk("keyring", user, ["setcred", *words], answers)
    return got[-1], [line for line in world.log.take() if "gkr-pam" in line]


last, log = keyring("kay", ["authenticate"], ["password"])
tap.ok("pam_gnome_keyring: starts and unlocks", last == "authenticate: SUCCESS" and "unlocked keyring" in "".join(log), last, *log)
run_as(kay, "gnome-keyring-daemon", "--start", "--components=secrets",
       env={"XDG_RUNTIME_DIR": runtime, "HOME": "/home/kay", "PATH": "/usr/bin:/bin"})
last, log = keyring("kay", [f"ruid={kay}", "chauthtok"], ["password", "new-password", "new-password"])
tap.ok("pam_gnome_keyring: follows a change", last == "chauthtok: SUCCESS" and "changed password for login keyring" in "".join(log),
       last, *log)
last, log = keyring("kay", ["authenticate"], ["new-password"])
tap.ok("pam_gnome_keyring: opens with the new one", last == "authenticate: SUCCESS" and "unlocked login keyring" in "".join(log), last, *log)
sh("usermod", "-p", argon2id("set-by-root"), "kay")
last, log = keyring("kay", ["authenticate"], ["set-by-root"])
tap.ok("pam_gnome_keyring: and with no other", last == "authenticate: SUCCESS" and "was invalid" in "".join(log), last, *log)

# ---- twice in one stack: two databases ----
append("/etc/vusers", f"vic:{argon2id('virtual')}\n")
os.chmod("/etc/vusers", 0o644)
world.stack("twice", "auth [success=2 default=ignore] pam_argon2fast.so nodelay pwdfile=/etc/vusers\n"
            "auth [success=1 default=ignore] pam_argon2fast.so nodelay\nauth requisite pam_deny.so\nauth required pam_permit.so\n"
            "password [success=2 default=ignore] pam_argon2fast.so pwdfile=/etc/vusers\n"
            "password [success=1 default=ignore] pam_argon2fast.so use_authtok\npassword requisite pam_deny.so\npassword required pam_permit.so\n")
tap.same("two databases: the first's user", talk("twice", "vic", ["authenticate"], ["virtual"]), OK)
tap.same("the second's", talk("twice", "ann", ["authenticate"], ["third-one-third"]), OK)
tap.ok("nobody's", "SUCCESS" not in talk("twice", "nobody-here", ["authenticate"], ["third-one"])[-1])
got = talk("twice", "ann", ["chauthtok"], ["fourth-one", "fourth-one"])
tap.ok("a change goes to the right one", got[-1] == "chauthtok: SUCCESS" and verifies(shadow("ann")[0], "fourth-one") and
       read("/etc/vusers").count("\n") == 1, got)
got = talk("twice", "vic", ["chauthtok"], ["virtual-two", "virtual-two"])
tap.ok("and to the other", got[-1] == "chauthtok: SUCCESS" and verifies(shadow("vic", "/etc/vusers")[0], "virtual-two"), got)

# ---- vsftpd ----
os.makedirs("/run/vsftpd/empty")
os.makedirs("/run/ftp/vic")
world.user("ftpguest", "*")
with open("/run/vsftpd.conf", "w") as file:
    file.write("listen=YES\nlisten_port=2121\nlisten_address=127.0.0.1\nanonymous_enable=NO\nlocal_enable=YES\nguest_enable=YES\n"
               "guest_username=ftpguest\npam_service_name=ftp-virtual\nuser_sub_token=$USER\nlocal_root=/run/ftp/$USER\n"
               "secure_chroot_dir=/run/vsftpd/empty\nbackground=NO\nxferlog_enable=NO\nseccomp_sandbox=NO\npasv_min_port=30000\n"
               "virtual_use_local_privs=YES\npasv_max_port=30100\nmax_login_fails=3\n")
world.stack("ftp-virtual", "auth required pam_argon2fast.so nodelay pwdfile=/etc/vusers\naccount required pam_permit.so\n"
            "session required pam_permit.so\n")
world.conf("params = m=65536,t=1,p=4\n")
append("/etc/vusers", f"big:{argon2id('virtual', m=65536, p=4)}\n")
os.makedirs("/run/ftp/big")
os.chmod("/etc/vusers", 0o600)
server = subprocess.Popen(["/usr/sbin/vsftpd", "/run/vsftpd.conf"])
listens(2121)


def ftp(user, password):
    try:
        with ftplib.FTP() as client:
            client.connect("127.0.0.1", 2121, timeout=20)
            client.login(user, password)
            return client.pwd()
    except ftplib.error_perm as error:
        return str(error)[:3]


tap.same("vsftpd: a virtual user", ftp("vic", "virtual-two"), "/run/ftp/vic")
tap.same("vsftpd: a wrong password", ftp("vic", "virtual"), "530")
tap.same("vsftpd: an unknown user", ftp("ann", "fourth-one"), "530")
tap.same("vsftpd: 64 MiB under its limits", ftp("big", "virtual"), "/run/ftp/big")
server.terminate()
server.wait()
tap.end()
