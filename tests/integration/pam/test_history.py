#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""remember=: old passwords are not taken again."""

import os
import time

from wire import CHANGE, LOOKUP, RENEW, ask
from world import CHKPWD, UPDATE, World, append, argon2id, foreign, read, shadow, talk, tap, verifies

HISTORY = "/etc/security/argon2fast.history"
OPASSWD = "/etc/security/opasswd"
USED = "error: The password has been used before."

world = World()
world.conf()
world.stack("three", "password required pam_argon2fast.so remember=3")
world.stack("one", "password required pam_argon2fast.so remember=3 use_authtok")
world.stack("none", "password required pam_argon2fast.so")
world.stack("many", "password required pam_argon2fast.so remember=1000")
append(OPASSWD, "ann:20001:2:$1$a,$1$b\n")
opasswd = read(OPASSWD)
uid = world.user("ann", foreign("password-0", "$6$"))
world.user("bob", argon2id("password-0"))


def change(old, *new, user="ann", service="three"):
    answers = [old] + [word for password in new for word in (password, password)]
    return talk(service, user, [f"ruid={uid}", "chauthtok"], answers)


def remembered(user="ann"):
    return shadow(user, HISTORY) or []


tap.same("the first change", change("password-0", "password-1")[-1], "chauthtok: SUCCESS")
tap.ok("remembers the old hash, whatever its kind", len(remembered()) == 1 and verifies(remembered()[0], "password-0"))
tap.same("in a file for root alone", (os.stat(HISTORY).st_mode & 0o777, os.stat(HISTORY).st_uid), (0o600, 0))
got = change("password-1", "password-0", "password-1", "password-2")
tap.ok("not the one before, nor the one there is", USED in got and "error: The password has not been changed." in got and
       got[-1] == "chauthtok: SUCCESS", got)
for n in range(3, 6):
    tap.same(f"password {n}", change(f"password-{n - 1}", f"password-{n}")[-1], "chauthtok: SUCCESS")
tap.same("three are kept", len(remembered()), 3)
tap.ok("the newest first", [verifies(entry, f"password-{n}") for entry, n in zip(remembered(), (4, 3, 2))] == [True] * 3)
before, was = read("/etc/shadow"), read(HISTORY)
got = change("password-5", "password-2", "password-3", "password-4")
tap.same("none of them is taken again", (got.count(USED), got[-1]), (3, "chauthtok: AUTHTOK_ERR"))
tap.ok("and nothing is written", read("/etc/shadow") == before and read(HISTORY) == was)
tap.same("one that has been forgotten is", change("password-5", "password-1")[-1], "chauthtok: SUCCESS")
tap.same("use_authtok gives one try, and there is no password to use",
         talk("one", "ann", [f"ruid={uid}", "chauthtok"], ["password-1"])[-1], "chauthtok: AUTHTOK_ERR")
tap.same("root may set any", talk("three", "ann", ["chauthtok"], ["password-5", "password-5"])[-1], "chauthtok: SUCCESS")
tap.ok("and that is remembered too", verifies(remembered()[0], "password-1"))
tap.same("another user's line", change("password-0", "password-1", user="bob")[-1], "chauthtok: SUCCESS")
tap.ok("is another", len(remembered("bob")) == 1 and len(remembered()) == 3 and read(HISTORY).count("\n") == 2)
tap.same("the list of pam_unix and pam_pwhistory is theirs", read(OPASSWD), opasswd)
was = read(HISTORY)
tap.same("without the option", change("password-5", "password-6", service="none")[-1], "chauthtok: SUCCESS")
tap.ok("nothing is remembered", read(HISTORY) == was)
world.log.take()
tap.same("a number beyond all measure", change("password-6", "password-7", service="many")[-1], "chauthtok: SUCCESS")
tap.ok("is cut down, and the log says so", any("remember= at most 24" in line for line in world.log.take()))
tap.same("a migration is no change", len(remembered()), 4)

# ---- odd files ----
with open(HISTORY, "w") as file:
    file.write("# comment\nann\n" + "x" * 5000 + "\nann::not-a-hash::" + argon2id("password-9") + "\nbob:" + "y" * 5000 + "\n")
before = read("/etc/shadow")
got = change("password-7", "password-9", "password-8")
tap.ok("an odd line still counts", USED in got and got[-1] == "chauthtok: SUCCESS", got)
tap.ok("and other odd lines stay", read(HISTORY).startswith("# comment\nann\n" + "x" * 5000 + "\nann:"))
got = change("password-1", "password-2", user="bob")
tap.ok("what cannot be read is not taken for an empty list", got[-1] == "chauthtok: AUTHTOK_ERR", got)
os.unlink(HISTORY)
os.mkdir(HISTORY)
before = read("/etc/shadow")
tap.same("no history to be had, no change", change("password-8", "password-1")[-1], "chauthtok: AUTHTOK_ERR")
tap.ok("none at all", read("/etc/shadow") == before)
os.rmdir(HISTORY)

# ---- a change broken off between the two files ----
world.user("cut", argon2id("password-0"))
append(HISTORY, f"cut:{shadow('cut')[0]}:{argon2id('password-x')}\n")
tap.same("made again", talk("three", "cut", ["chauthtok"], ["password-1", "password-1"])[-1], "chauthtok: SUCCESS")
tap.same("does not remember the same twice", len(remembered("cut")), 2)

# ---- what it costs ----
world.user("slow", argon2id("password-0"))
with open(HISTORY, "a") as file:
    file.write("slow:" + ":".join([argon2id("x", m=65536, t=60)] * 24) + "\n")
world.conf("params = m=64,t=1,p=1\nmax_passes = 1000\n")
stamp = ask(CHKPWD, LOOKUP, user="slow")["stamp"]
at = time.monotonic()
reply = ask(CHKPWD, RENEW, user="slow", password="new-password", remember=24)
tap.ok("one deadline for all of them", time.monotonic() - at < 40, time.monotonic() - at)
tap.ok("and what was not compared is not taken", reply["verdict"] in "RP" and (reply["verdict"] == "P" or "could not compare" in reply["note"]), reply)
tap.same("the helper that writes keeps as many as it is told",
         ask(UPDATE, CHANGE, user="slow", hash=argon2id("x"), stamp=stamp, remember=2)["verdict"], "P")
tap.same("no more", len(remembered("slow")), 2)
tap.end()
