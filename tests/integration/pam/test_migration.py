#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""Foreign hashes and cheap ones, rewritten after a login: for whom, when not,
and what never changes with it."""

import os
import subprocess

from world import (BUILD, CHEAP, CHKPWD, TALK, UPDATE, World, append, argon2id, foreign, read, sh, shadow, talk, tap,
                   verifies)

AGEING = "19000:3:99999:7:::"
OK = ["prompt: Password: ", "authenticate: SUCCESS"]
BACKUP = "/etc/security/argon2fast.backup"

world = World()
world.conf()
world.stack("plain", "auth required pam_argon2fast.so nodelay")
world.stack("migrate", "auth required pam_argon2fast.so nodelay migrate debug")
world.stack("rehash", "auth required pam_argon2fast.so nodelay rehash debug")
world.stack("both", "auth required pam_argon2fast.so nodelay migrate rehash\n"
            "password required pam_argon2fast.so")


def login(service, user, password="password", *words):
    return talk(service, user, [*words, "authenticate"], [password])


def is_argon2(name):
    return shadow(name)[0].startswith("$argon2id$")


def is_ours(name, password="password"):
    return is_argon2(name) and verifies(shadow(name)[0], password)


# ---- every scheme that crypt(3) knows ----
for number, prefix in enumerate(("$y$", "$6$", "$5$", "$2b$", "$1$")):
    name = f"scheme{number}"
    world.user(name, foreign("password", prefix), ageing=AGEING)
    tap.same(f"{prefix} wrong", login("migrate", name, "passw0rd")[-1], "authenticate: AUTH_ERR")
    tap.ok(f"{prefix} wrong changes nothing", not is_argon2(name))
    tap.same(f"{prefix} right", login("migrate", name), OK)
    tap.ok(f"{prefix} is rewritten", is_ours(name), shadow(name)[0][:12])
    tap.same(f"{prefix} ageing is not", shadow(name)[1:], AGEING.split(":"))
log = world.log.take()
tap.same("one line for each", len([line for line in log if "rewrote" in line]), 5)
for word in ("yescrypt", "sha512crypt", "sha256crypt", "bcrypt", "md5crypt"):
    tap.ok(f"that says {word}", any(line.endswith("was " + word) for line in log))
world.user("odd", "$9$unknown$hash", ageing=AGEING)
tap.same("a scheme nobody knows", login("migrate", "odd")[-1], "authenticate: AUTH_ERR")
world.user("locked", "!" + foreign("password"), ageing=AGEING)
tap.same("a locked one", login("migrate", "locked")[-1], "authenticate: AUTH_ERR")
world.user("forced", foreign("password"), ageing="0:0:99999:7:::")
login("migrate", "forced")
tap.ok("a forced change stays one", is_ours("forced") and shadow("forced")[1] == "0")

# ---- for whom ----
lines = read("/etc/shadow").splitlines(True)
with open("/etc/shadow", "w") as file:
    file.writelines(f"root:{foreign('password')}:{AGEING}\n" if line.startswith("root:") else line for line in lines)
tap.same("root may log in", login("migrate", "root"), OK)
tap.ok("but keeps a hash that sulogin knows", not is_argon2("root"))
uid = world.user("toor", foreign("password"), uid=0, ageing=AGEING)
login("migrate", "toor")
tap.ok("as does every other name of uid 0", not is_argon2("toor"))
world.conf(f"params = {CHEAP}\nmigrate_root = yes\n")
login("migrate", "root")
tap.ok("unless the configuration says so", is_ours("root"))
append("/etc/group", "early:x:30001:in1,both1\nnever:x:30002:out1,both1\nearlybird:x:30003:bird1\n")
for name in ("in1", "out1", "both1", "none1", "bird1"):
    world.user(name, foreign("password"), ageing=AGEING)
world.conf(f"params = {CHEAP}\nmigrate_include = early, none1\nmigrate_exclude = never\n")
for name, wanted in (("in1", True), ("out1", False), ("both1", False), ("none1", True), ("bird1", False)):
    tap.same(f"groups: {name} may log in", login("migrate", name), OK)
    tap.same(f"groups: {name} {'is' if wanted else 'is not'} rewritten", is_argon2(name), wanted)
world.user("dry", foreign("password"), ageing=AGEING)
world.conf(f"params = {CHEAP}\nmigrate_dry_run = yes\n")
world.log.take()
before = read("/etc/shadow")
tap.same("a dry run", login("migrate", "dry"), OK)
log = world.log.take()
tap.ok("writes a line in the log", any("would rewrite the password hash of dry, now sha512crypt" in line for line in log), *log)
tap.ok("and no other", read("/etc/shadow") == before)
world.conf()

# ---- who asks ----
uid = world.user("own", foreign("password"), ageing=AGEING)
before = read("/etc/shadow")
tap.same("a program of the user's own", login("migrate", "own", "password", f"uid={uid}"), OK)
tap.ok("rewrites nothing", read("/etc/shadow") == before)
tap.same("wrong there", login("migrate", "own", "passw0rd", f"uid={uid}")[-1], "authenticate: AUTH_ERR")
world.stack("never", "auth required pam_argon2fast.so nodelay migrate helper=never")
tap.same("helper=never", talk("never", "own", ["authenticate", "tasks"], ["password"]), OK + ["tasks: 1"])
tap.ok("rewrites nothing either", read("/etc/shadow") == before)

# ---- what stands in the way never changes the verdict ----
sh("mount", "-o", "remount,bind,ro", "/etc")
tap.same("a read-only /etc", login("migrate", "own"), OK)
sh("mount", "-o", "remount,bind,rw", "/etc")
os.rename("/etc/security", "/etc/security.away")
os.mkdir("/etc/security")
os.mkdir(BACKUP)
tap.same("no backup to be had", login("migrate", "own"), OK)
tap.ok("no rewrite then", read("/etc/shadow") == before)
os.rmdir(BACKUP)
os.rmdir("/etc/security")
os.rename("/etc/security.away", "/etc/security")
os.rename(UPDATE, UPDATE + ".away")
tap.same("no updating helper", login("migrate", "own"), OK)
os.rename(UPDATE + ".away", UPDATE)
tap.ok("no rewrite then either", read("/etc/shadow") == before)
tap.same("nothing in the way", login("migrate", "own"), OK)
tap.ok("a rewrite at last", is_ours("own"))

# ---- a change meanwhile wins ----
for i in range(8):
    world.user(f"race{i}", foreign("password"), ageing=AGEING)
running = []
for i in range(8):
    for service, words, typed in (("migrate", "authenticate", "password\n"), ("both", "chauthtok", "brand-new\nbrand-new\n")):
        process = subprocess.Popen([TALK, "/etc/pam.d", service, f"race{i}", words], text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process.stdin.write(typed)
        process.stdin.close()
        running.append((i, words, process))
for i, words, process in running:
    last = process.stdout.read().splitlines()[-1]
    process.wait()
    now = shadow(f"race{i}")[0]
    if words == "chauthtok":
        tap.ok(f"race {i}: a password is set, or its user knows that it is not",
               (last == "chauthtok: SUCCESS" and verifies(now, "brand-new")) or
               (last == "chauthtok: AUTHTOK_ERR" and verifies(now, "password")), last)

# ---- rehash ----
for name, wanted, made in (
        ("less-m", True, argon2id("password", m=32)), ("less-t", True, argon2id("password", m=1024, t=1)),
        ("same", False, argon2id("password", m=1024, t=2)), ("more-m", False, argon2id("password", m=2048, t=2)),
        ("more-t", False, argon2id("password", m=1024, t=3)), ("m-for-t", True, argon2id("password", m=512, t=5)),
        ("lanes", False, argon2id("password", m=1024, t=2, p=4)),
        ("old-version", True, argon2id("password", m=1024, t=2, version=16))):
    world.user(name, made, ageing=AGEING)
    world.conf("params = m=1024,t=2,p=1\n")
    before = shadow(name)[0]
    tap.same(f"rehash: {name}: without the option", (login("plain", name), shadow(name)[0]), (OK, before))
    tap.same(f"rehash: {name}: wrong", login("rehash", name, "passw0rd")[-1], "authenticate: AUTH_ERR")
    tap.same(f"rehash: {name}: right", login("rehash", name), OK)
    tap.same(f"rehash: {name}: {'rewritten' if wanted else 'left'}", shadow(name)[0] != before, wanted)
    tap.ok(f"rehash: {name}: still the password", verifies(shadow(name)[0], "password"))

# ---- what is kept for going back ----
world.conf()
old = foreign("password")
world.user("back", old, ageing=AGEING)
tap.same("a migration", login("both", "back"), OK)
tap.same("keeps the old hash and the new one", shadow("back", BACKUP), [old, *shadow("back")[0].split(":")])
tap.same("for root's eyes", os.stat(BACKUP).st_mode & 0o777, 0o600)
world.conf("params = m=128,t=1,p=1\n")
login("both", "back")
tap.same("a rehash after it keeps the first", shadow("back", BACKUP), [old, shadow("back")[0]])
tap.same("a new password", talk("both", "back", ["chauthtok"], ["brand-new", "brand-new"])[-1], "chauthtok: SUCCESS")
tap.same("keeps nothing", shadow("back", BACKUP), None)

# ---- a password file ----
os.makedirs("/etc/virtual")
pwdfile = "/etc/virtual/users"
append(pwdfile, f"# virtual users\nviv:{foreign('password')}:more:fields\nval:{argon2id('password')}\n"
       f"vim:{argon2id('password')}:x\n")
os.chmod(pwdfile, 0o644)
old_line = read(pwdfile).splitlines()[1]
world.stack("virtual", f"auth required pam_argon2fast.so nodelay migrate rehash pwdfile={pwdfile}\n"
            f"password required pam_argon2fast.so pwdfile={pwdfile}")
world.stack("virtual-plain", f"auth required pam_argon2fast.so nodelay pwdfile={pwdfile}")
tap.same("pwdfile: right", login("virtual", "val"), OK)
tap.same("pwdfile: wrong", login("virtual", "val", "x")[-1], "authenticate: AUTH_ERR")
tap.same("pwdfile: unknown", login("virtual", "ann", "x")[-1], "authenticate: USER_UNKNOWN")
tap.same("pwdfile: foreign", login("virtual-plain", "viv")[-1], "authenticate: USER_UNKNOWN")
tap.same("pwdfile: in the process of a user", login("virtual-plain", "vim", "password", "uid=20001"), OK)
tap.same("pwdfile: foreign there", login("virtual", "viv", "password", "uid=20001"), OK)
world.stack("virtual-always", f"auth required pam_argon2fast.so nodelay helper=always pwdfile={pwdfile}")
tap.same("pwdfile: the helper for a user, always",
         talk("virtual-always", "vim", ["uid=20001", "authenticate"], ["password"]), OK)
os.chmod(pwdfile, 0o640)
sh("chgrp", "shadow", pwdfile)
tap.same("pwdfile: which then has no more rights than he",
         talk("virtual-always", "vim", ["uid=20001", "authenticate"], ["password"])[-1], "authenticate: AUTHINFO_UNAVAIL")
sh("chown", "root:root", CHKPWD)
os.chmod(CHKPWD, 0o4755)
tap.same("pwdfile: nor when it is set-uid",
         talk("virtual-always", "vim", ["uid=20001", "authenticate"], ["password"])[-1], "authenticate: AUTHINFO_UNAVAIL")
owner = world.user("setuid", argon2id("password"))
os.chmod("/etc/shadow", 0)
tap.same("a set-uid helper reads a shadow file without a group", login("plain", "setuid", "password", f"uid={owner}"), OK)
tap.same("but for its own user", login("plain", "own", "password", f"uid={owner}")[-1], "authenticate: AUTHINFO_UNAVAIL")
os.chmod("/etc/shadow", 0o640)
world.install_helpers()
tap.same("pwdfile: migrated by root", login("virtual", "viv"), OK)
lines = read(pwdfile).splitlines()
tap.ok("pwdfile: the other fields are kept", lines[1].startswith("viv:$argon2id$") and lines[1].endswith(":more:fields") and
       lines[0] == "# virtual users", lines[1][-20:])
tap.same("pwdfile: changed by root", talk("virtual", "vim", ["chauthtok"], ["brand-new", "brand-new"])[-1], "chauthtok: SUCCESS")
lines = read(pwdfile).splitlines()
tap.ok("pwdfile: and nothing else", lines[3].endswith(":x") and verifies(lines[3].split(":")[1], "brand-new") and len(lines) == 4)
tap.same("pwdfile: nothing else is left beside it", sorted(os.listdir("/etc/virtual")),
         [".users.lock", "users", "users.argon2fast.backup"])
tap.same("pwdfile: the backup is for root's eyes", os.stat(pwdfile + ".argon2fast.backup").st_mode & 0o777, 0o600)
tool = [os.path.join(BUILD, "argon2fast"), "shadow"]
done = subprocess.run([*tool, "audit", pwdfile], text=True, capture_output=True)
tap.ok("pwdfile: audit", done.returncode == 1 and "3 with Argon2" in done.stdout, done.stdout, done.stderr)
done = subprocess.run([*tool, "revert", pwdfile], text=True, capture_output=True)
tap.same("pwdfile: revert", (done.returncode, done.stdout), (0, "viv: restored\n"))
tap.same("pwdfile: has the old line", read(pwdfile).splitlines()[1], old_line)
done = subprocess.run([*tool, "revert", pwdfile, "vim"], text=True, capture_output=True)
tap.same("pwdfile: revert without a backup", done.returncode, 1)
tap.same("pwdfile: who was restored logs in", login("virtual", "viv"), OK)
tap.same("pwdfile: a change by root", talk("virtual", "viv", ["chauthtok"], ["brand-new", "brand-new"])[-1], "chauthtok: SUCCESS")
tap.same("pwdfile: leaves nothing to go back to", shadow("viv", pwdfile + ".argon2fast.backup"), None)
tap.end()
