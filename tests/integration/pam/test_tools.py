#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""What an administrator uses: make install, argon2fast shadow and doctor, the
profile for pam-auth-update, fail2ban's filters, the manual pages."""

import json
import os
import shutil
import stat
import subprocess

from world import (BUILD, CHKPWD, UPDATE, World, argon2id, foreign, read, run_as, security_directory, sh, shadow,
                   talk, tap, verifies)

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
PACKAGING = os.path.join(ROOT, "packaging/pam")
TOOL = os.path.join(BUILD, "argon2fast")


def tool(*words):
    done = subprocess.run([TOOL, *words], text=True, capture_output=True)
    return done.returncode, done.stdout + done.stderr


world = World()
world.conf()
with open("/etc/shadow") as file:
    clean = [line.split(":")[0] + ":*:19000::::::\n" for line in file]
with open("/etc/shadow", "w") as file:
    file.writelines(clean)

# ---- audit and revert ----
code, said = tool("shadow", "audit")
tap.ok("audit: a file without Argon2", code == 0 and "0 with Argon2" in said and f"{len(clean)}  locked" in said, said)
world.stack("login", "auth required pam_argon2fast.so nodelay migrate rehash\npassword required pam_argon2fast.so")
hashes = {name: foreign("password", prefix) for name, prefix in (("ann", "$y$"), ("bob", "$6$"), ("cat", "$6$"), ("dan", "$5$"))}
for name, field in hashes.items():
    world.user(name, field)
world.user("eve", "")
world.user("toor", hashes["bob"], uid=0)
code, said = tool("shadow", "audit")
tap.ok("audit: before a migration", code == 0 and "3  sha512crypt\n" in said and "1  yescrypt\n" in said and
       "1  empty\n" in said and "rewrites 4 of them, and leaves 1" in said, said)
for name in ("ann", "bob", "cat"):
    talk("login", name, ["authenticate"], ["password"])
talk("login", "cat", ["chauthtok"], ["brand-new", "brand-new"])
code, said = tool("shadow", "audit")
tap.ok("audit: with Argon2 entries", code == 1 and "3  argon2 m=64,t=1,p=1\n" in said and "3 with Argon2" in said, said)
sh("usermod", "-L", "ann")
tap.ok("audit: a locked one is still one", "3 with Argon2" in tool("shadow", "audit")[1])
sh("usermod", "-U", "ann")
tap.ok("no hash in what it says", "$" not in said)
tap.same("audit: not for everybody", run_as(20001, TOOL, "shadow", "audit")[0], 2)
tap.same("revert: one user", tool("shadow", "revert", "ann"), (0, "ann: restored\n"))
tap.same("has the old hash", shadow("ann"), [hashes["ann"], "19000", "0", "99999", "7", "", "", ""])
tap.same("revert: a user without a backup", tool("shadow", "revert", "cat")[0], 1)
tap.ok("keeps the new password", verifies(shadow("cat")[0], "brand-new"))
talk("login", "dan", ["authenticate"], ["password"])
sh("usermod", "-p", argon2id("set-by-root"), "dan")
code, said = tool("shadow", "revert")
tap.same("revert: all others", (code, sorted(said.splitlines())),
         (1, ["bob: restored", "dan: left, the password has been changed since"]))
tap.ok("as it says", shadow("bob")[0] == hashes["bob"] and verifies(shadow("dan")[0], "set-by-root"))
tap.same("a restored user logs in", talk("login", "bob", ["authenticate"], ["password"])[-1], "authenticate: SUCCESS")
code, said = tool("shadow", "frobnicate")
tap.ok("neither of them", code == 2, said)
hash = subprocess.run([TOOL, "hash", "--params", "m=64,t=1,p=1"], input="from-the-command\n", text=True,
                      capture_output=True, check=True).stdout.strip()
subprocess.run(["chpasswd", "-e"], input=f"eve:{hash}\n", text=True, check=True)
tap.same("argon2fast hash for chpasswd -e", talk("login", "eve", ["authenticate"], ["from-the-command"])[-1],
         "authenticate: SUCCESS")


# ---- doctor ----
def doctor():
    return [(one["finding"], one["text"]) for one in json.loads(tool("doctor", "--json")[1]) if one["chapter"] == "pam"]


tap.ok("doctor: all in order", not [one for one in doctor() if one[0] == "problem"], doctor())
os.chmod(CHKPWD, 0o755)
tap.ok("doctor: the helper's mode", any("has mode 0755" in text for finding, text in doctor() if finding == "problem"), doctor())
os.chmod(CHKPWD, 0o2755)
world.conf("params = m=64,t=1,p=1\nnonsense = 1\n")
tap.ok("doctor: the configuration", any("line 2: an unknown key" in text for finding, text in doctor() if finding == "problem"), doctor())
world.conf("budget = 1048576\n")
tap.ok("doctor: a budget beyond the machine", any(text.startswith("budget 1048576") for finding, text in doctor() if finding == "problem"), doctor())
world.conf()
shutil.rmtree("/run/argon2fast", ignore_errors=True)
os.mkdir("/run/argon2fast", 0o777)
os.chmod("/run/argon2fast", 0o777)
tap.ok("doctor: the run directory", any(text.startswith("/run/argon2fast") for finding, text in doctor() if finding == "problem"), doctor())
shutil.rmtree("/run/argon2fast")
os.rename(CHKPWD, CHKPWD + ".away")
os.rename(UPDATE, UPDATE + ".away")
tap.same("doctor: nothing installed", doctor(), [("note", "pam_argon2fast is not installed")])
os.rename(CHKPWD + ".away", CHKPWD)
os.rename(UPDATE + ".away", UPDATE)

# ---- install ----
os.makedirs("/run/stage")
sh("make", "-s", "-C", ROOT, f"BUILD={BUILD}", "DESTDIR=/run/stage", "install-pam", stdout=subprocess.DEVNULL,
   env={key: value for key, value in os.environ.items() if not key.startswith("MAKE")})
moddir = security_directory() if os.path.exists("/run/stage" + security_directory()) else \
    security_directory().removeprefix("/usr")
installed = {path: os.stat("/run/stage" + path) for path in (CHKPWD, UPDATE, moddir + "/pam_argon2fast.so",
                                                             "/etc/security/argon2fast.conf")}
tap.same("install: modes", [oct(stat.S_IMODE(status.st_mode)) for status in installed.values()],
         ["0o2755", "0o700", "0o644", "0o644"])
tap.same("install: the helper's group", installed[CHKPWD].st_gid, os.stat("/etc/shadow").st_gid)
exported = subprocess.run(["nm", "-D", "--defined-only", "/run/stage" + moddir + "/pam_argon2fast.so"],
                          text=True, capture_output=True).stdout.split()[2::3]
tap.same("what the module exports", exported, ["pam_sm_authenticate", "pam_sm_chauthtok", "pam_sm_setcred"])

# ---- the profile ----
shutil.copy(os.path.join(PACKAGING, "pam-configs-argon2fast"), "/run/profile")
for path in ("/usr/share/pam-configs", "/var/lib/pam"):
    world.copy(path)
shutil.copy("/run/profile", "/usr/share/pam-configs/argon2fast")
# The judge of passwords has a test of its own, and wants a dictionary.
sh("pam-auth-update", "--disable", "pwquality", env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
before = read("/etc/pam.d/common-auth")
sh("pam-auth-update", "--package", env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
tap.same("pam-auth-update: not enabled by being there", read("/etc/pam.d/common-auth"), before)
sh("pam-auth-update", "--enable", "argon2fast", env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
auth = [line.split() for line in read("/etc/pam.d/common-auth").splitlines() if line.startswith("auth")]
tap.ok("pam-auth-update: enabled by one command, before pam_unix", "pam_argon2fast.so" in auth[0] and "pam_unix.so" in auth[1], auth)
for name, password, wanted in (("ann", "password", 0), ("cat", "brand-new", 0), ("cat", "wrong", 1), ("ann", "wrong", 1)):
    code, said = run_as(20003, "su", name, "-c", "true", typed=password + "\n")
    tap.same(f"the profile's stack: {name}, {password}", min(code, 1), wanted)
code, said = run_as(0, "passwd", "ann", typed="by-profile\nby-profile\n")
tap.ok("passwd by root", code == 0 and shadow("ann")[0].startswith("$argon2id$"), said)
uid = int(subprocess.run(["id", "-u", "ann"], text=True, capture_output=True).stdout)
code, said = run_as(uid, "passwd", typed="by-profile\nby-profile2\nby-profile2\n")
tap.ok("passwd by the user", code == 0 and verifies(shadow("ann")[0], "by-profile2"), said)
with open("/etc/pam.d/common-password") as file:
    text = file.read()
with open("/etc/pam.d/common-password", "w") as file:
    file.write(text.replace("pam_argon2fast.so", "pam_argon2fast.so remember=5"))
code, said = run_as(uid, "passwd", typed="by-profile2\nby-profile3\nby-profile3\n")
tap.ok("passwd with remember", code == 0 and verifies(shadow("ann")[0], "by-profile3"), said)
before = shadow("ann")
code, said = run_as(uid, "passwd", typed="by-profile3\n" + "by-profile2\n" * 6)
tap.ok("a remembered password is refused, and pam_unix does not write it instead",
       code != 0 and shadow("ann") == before and "used before" in said, said)
sh("pam-auth-update", "--disable", "argon2fast", env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
tap.ok("pam-auth-update: and disabled", "argon2fast" not in read("/etc/pam.d/common-auth"))

# ---- other programs ----
world.stack("sshd", "auth required pam_argon2fast.so nodelay")
world.log.take()
talk("sshd", "cat", ["rhost=192.0.2.9", "tty=ssh", "ruser=", "authenticate"], ["wrong"])
lines = ["Nov 30 12:00:00 host " + line.replace("talk:", "sshd[99]:") for line in world.log.take()]
with open("/run/auth.log", "w") as file:
    file.writelines(line + "\n" for line in lines)


def matches(name):
    done = subprocess.run(["fail2ban-regex", "--usedns=no", "/run/auth.log", f"/etc/fail2ban/filter.d/{name}.conf"], text=True,
                          capture_output=True)
    # The filter for sshd takes the address from the line, and counts sshd's own.
    return "1 matched" in done.stdout or "1 ignored" in done.stdout, done.stdout[-600:]


tap.ok("fail2ban does not know the module", not matches("pam-generic")[0] and not matches("sshd")[0])
for name in ("pam-generic", "sshd"):
    shutil.copy(os.path.join(PACKAGING, "fail2ban-argon2fast.conf"), f"/etc/fail2ban/filter.d/{name}.local")
    good, said = matches(name)
    tap.ok(f"fail2ban: {name} with the snippet", good, *lines, said)
for page in ("pam_argon2fast.8", "argon2fast_chkpwd.8", "argon2fast.conf.5"):
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", os.path.join(ROOT, "modules/pam_argon2fast", page)],
                          text=True, capture_output=True)
    tap.ok(f"{page} is a proper page", done.returncode == 0 and not done.stdout, done.stdout)
manual = read(os.path.join(ROOT, "modules/pam_argon2fast/pam_argon2fast.8"))
options = [line.split('"')[1] for line in read(os.path.join(ROOT, "modules/pam_argon2fast/options.c")).splitlines()
           if line.startswith('    {"')]
tap.same("every option is in the manual", [o for o in options if o.rstrip("=") not in manual], [])
manual = read(os.path.join(ROOT, "modules/pam_argon2fast/argon2fast.conf.5"))
keys = [line.split('"')[1] for line in read(os.path.join(ROOT, "modules/pam_argon2fast/conf.c")).splitlines()
        if line.startswith('    {"')]
tap.same("and every key", [key for key in keys if key not in manual], [])
tap.end()
