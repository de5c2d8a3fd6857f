#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""Changing the shadow file: what stays, what a failure leaves, who waits."""

import fcntl
import os
import stat
import subprocess
import time

from wire import CHANGE, LOOKUP, ask
from world import (CHKPWD, TALK, UPDATE, World, append, argon2id, read, run_as, sh, shadow, talk, tap,
                   verifies)

STACK = "password required pam_argon2fast.so {}\n"
NEW = ["prompt: New password: ", "prompt: Retype new password: "]

world = World()
world.conf()
world.stack("change", STACK.format(""))
world.stack("declined", "password optional pam_argon2fast.so\npassword required pam_permit.so\n")
world.user("ann", argon2id("old-password"))
append("/etc/shadow", "# a comment, and an empty line\n\nno colons here\nfew:!\n:nobody:\nnul:\0:\n" +
       "wide:" + "x" * 10000 + ":19000:0:99999:7:::\n")
world.user("min", argon2id("old-password"), ageing="19000:0:99999:7:::")
world.user("end", argon2id("old-password"))
with open("/etc/shadow", "rb+") as file:
    file.seek(-1, os.SEEK_END)
    file.truncate()


def others(name):
    with open("/etc/shadow", "rb") as file:
        return [line for line in file.read().split(b"\n") if not line.startswith(name.encode() + b":")]


def leftovers():
    known = {"shadow", "shadow-", "gshadow", "gshadow-", ".pwd.lock"}
    return [name for name in os.listdir("/etc") if "shadow" in name and name not in known]


def change(user, password="new-password", service="change", *words):
    return talk(service, user, [*words, "chauthtok"], [password, password])


# ---- what stays ----
os.chmod("/etc/shadow", 0o640)
os.setxattr("/etc/shadow", "trusted.mark", b"kept")
sh("setfacl", "-m", "u:20001:r", "/etc/shadow")
acl = subprocess.run(["getfacl", "-c", "/etc/shadow"], capture_output=True).stdout
for name in ("ann", "end"):
    before = others(name)
    tap.same(f"a change for {name}", change(name), NEW + ["chauthtok: SUCCESS"])
    tap.ok("the hash is of the new password", verifies(shadow(name)[0], "new-password"))
    tap.same("every other line is as it was, to the byte", others(name), before)
status = os.stat("/etc/shadow")
tap.same("owner and mode", (status.st_uid, stat.S_IMODE(status.st_mode)), (0, 0o640))
tap.same("the group", status.st_gid, os.stat(CHKPWD).st_gid)
tap.same("extended attributes", os.getxattr("/etc/shadow", "trusted.mark"), b"kept")
tap.same("the ACL", subprocess.run(["getfacl", "-c", "/etc/shadow"], capture_output=True).stdout, acl)
tap.same("nothing is left beside it", leftovers(), [])
sh("setfacl", "-b", "/etc/shadow")
append("/etc/shadow", "\n")

# ---- ageing ----
today = int(time.time() / 86400)
tap.same("the day of the change", shadow("ann")[1], str(today))
world.user("soon", argon2id("old-password"), ageing=f"{today}:7:99999:7:::")
world.user("gone", argon2id("old-password"), ageing="19000:0:99999:7::19000:")
for name, text in (("soon", "error: You must wait longer to change your password."),
                   ("gone", "error: Your account has expired.")):
    tap.same(f"{name}: not by the user", talk("change", name, ["ruid=20001", "chauthtok"], ["old-password"]),
             [f"info: Changing password for {name}.", "prompt: Current password: ", text, "chauthtok: AUTHTOK_ERR"])
    tap.same(f"{name}: by root", change(name), NEW + ["chauthtok: SUCCESS"])
world.user("must", argon2id("old-password"), ageing="0:7:99999:7:::")
tap.same("a forced change does not wait, and root's own asks for the old password",
         talk("change", "must", ["chauthtok-expired"], ["old-password", "new-password", "new-password"]),
         ["info: Changing password for must.", "prompt: Current password: ", *NEW, "chauthtok-expired: SUCCESS"])
tap.same("and is done", shadow("must")[1], str(today))
few = [line for line in read("/etc/shadow").split("\n") if line.startswith("few:")]
tap.same("a line with two fields", (few, change("few")), (["few:!"], NEW + ["chauthtok: SUCCESS"]))
tap.ok("keeps them", [line.count(":") for line in read("/etc/shadow").split("\n") if line.startswith("few:")] == [1])
before = read("/etc/shadow")
tap.same("a line with a NUL is not touched", change("nul"),
         NEW + ["error: The password could not be changed.", "chauthtok: AUTHTOK_ERR"])
tap.same("nor one of 10000 bytes", change("wide")[-1], "chauthtok: AUTHTOK_ERR")
tap.ok("and nothing else is", read("/etc/shadow") == before)

# ---- two passes ----
tap.same("a user of another database declines", change("nobody-here"), ["chauthtok: USER_UNKNOWN"])
tap.same("and the next module finds a new password", change("nobody-here", "x", "declined"),
         NEW + ["chauthtok: SUCCESS"])
tap.ok("while nothing is written", read("/etc/shadow") == before)


def during(user, act, prompt="New password", answers="other-password\nother-password\n"):
    """Does something between the two calls, while the user is being asked."""
    process = subprocess.Popen([TALK, "/etc/pam.d", "change", user, "chauthtok"], text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    said = ""
    while prompt not in said:
        said += process.stdout.readline()
    act()
    rest, _ = process.communicate(answers, timeout=60)
    return (said + rest).splitlines()


other = argon2id("somebody-elses")


def usermod():
    sh("usermod", "-p", other, "ann")


tap.same("an entry that somebody has changed meanwhile is not overwritten", during("ann", usermod)[-1],
         "chauthtok: AUTHTOK_ERR")
tap.same("and is as he wanted it", shadow("ann")[0], other)
tap.same("the same for the day of expiry",
         during("ann", lambda: sh("usermod", "-e", "2031-01-01", "ann"))[-1], "chauthtok: AUTHTOK_ERR")
tap.same("and for a user removed", during("few", lambda: sh("sed", "-i", "/^few:/d", "/etc/shadow"))[-1],
         "chauthtok: USER_UNKNOWN")
tap.same("another user's change does not matter",
         during("min", lambda: sh("usermod", "-p", other, "end"))[-1], "chauthtok: SUCCESS")

# ---- locks ----
lock = open("/etc/.pwd.lock", "r+")
fcntl.lockf(lock, fcntl.LOCK_EX)
process = subprocess.Popen([TALK, "/etc/pam.d", "change", "ann", "chauthtok"], text=True,
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE)
process.stdin.write("new-password\nnew-password\n")
process.stdin.close()
time.sleep(0.5)
tap.ok("waits while lckpwdf() is held", process.poll() is None)
fcntl.lockf(lock, fcntl.LOCK_UN)
lock.close()
tap.same("and goes on after", process.stdout.read().splitlines()[-1], "chauthtok: SUCCESS")
process.wait()
with open("/etc/shadow.lock", "w") as file:
    file.write("999999\0")
tap.same("the lock of a process that has died is taken over", change("ann")[-1], "chauthtok: SUCCESS")
tap.same("and gone", leftovers(), [])
with open("/etc/shadow.lock", "w") as file:
    file.write(f"{os.getpid()}\0")
before = read("/etc/shadow")
tap.same("that of a living one is not, for 15 seconds", change("ann"),
         NEW + ["error: Another program is changing passwords.", "chauthtok: AUTHTOK_LOCK_BUSY"])
tap.ok("and the file is as it was", read("/etc/shadow") == before)
os.unlink("/etc/shadow.lock")
world.log.take()

# ---- where nothing can be written ----
REFUSED = ["error: Passwords cannot be changed at present.", "chauthtok: AUTHTOK_ERR"]
sh("mount", "-o", "remount,bind,ro", "/etc")
tap.same("a read-only /etc is found before a password is asked for", talk("change", "ann", ["chauthtok"]), REFUSED)
log = world.log.take()
tap.ok("and the log says why", any("cannot write /etc/shadow: Read-only file system" in line for line in log), *log)
sh("mount", "-o", "remount,bind,rw", "/etc")
sh("cp", "-a", "/etc/shadow", "/run/shadow")
sh("mount", "--bind", "/run/shadow", "/etc/shadow")
tap.same("so is a shadow file mounted by itself", talk("change", "ann", ["chauthtok"]), REFUSED)
sh("umount", "/etc/shadow")
tap.same("RLIMIT_FSIZE=0 changes nothing", change("ann", "new-password", "change", "limit:fsize=0")[-1],
         "chauthtok: AUTHTOK_ERR")
tap.ok("not a byte", read("/etc/shadow") == before and not leftovers())

sh("mount", "-t", "tmpfs", "-o", "size=8m,mode=0755", "tmpfs", "/mnt")
sh("cp", "-a", "/etc/.", "/mnt/")
sh("mount", "--bind", "/mnt", "/etc")
with open("/etc/filler", "wb", buffering=0) as file:
    try:
        while True:
            file.write(b"x" * 4096)
    except OSError:
        pass
tap.same("a full disk", change("ann")[-1], "chauthtok: AUTHTOK_ERR")
tap.ok("loses nothing", read("/etc/shadow") == before and not leftovers(), leftovers())
log = world.log.take()
tap.ok("and is in the log", any("No space left" in line for line in log), *log)
os.unlink("/etc/filler")
tap.same("room again", change("ann")[-1], "chauthtok: SUCCESS")

# ---- a shadow file elsewhere ----
os.makedirs("/etc/real")
os.rename("/etc/shadow", "/etc/real/shadow")
os.symlink("real/shadow", "/etc/shadow")
tap.same("through a symbolic link", change("ann", "linked-password")[-1], "chauthtok: SUCCESS")
tap.ok("which stays one", os.path.islink("/etc/shadow") and verifies(shadow("ann")[0], "linked-password"))
os.unlink("/etc/shadow")
os.rename("/etc/real/shadow", "/etc/shadow")

# ---- the helper itself ----
stamp = ask(CHKPWD, LOOKUP, user="ann")["stamp"]
before = read("/etc/shadow")
for what, hash in (("no hash", "x"), ("a foreign one", "$6$aaaaaaaa$bbbbbbbb"), ("an empty field", ""),
                   ("two lines", argon2id("x") + "\nroot::")):
    tap.ok(f"does not write {what}", ask(UPDATE, CHANGE, user="ann", hash=hash, stamp=stamp)["verdict"] == "X" and
           read("/etc/shadow") == before)
tap.same("nor for a stamp of another line",
         ask(UPDATE, CHANGE, user="end", hash=argon2id("x"), stamp=stamp)["verdict"], "C")
tap.same("nor without one", ask(UPDATE, CHANGE, user="end", hash=argon2id("x"))["verdict"], "C")
os.chmod(UPDATE, 0o755)
tap.same("and not for users", run_as(20001, UPDATE), (1, ""))
tap.ok("read-only, still", read("/etc/shadow") == before)
os.chmod(UPDATE, 0o700)

# ---- 50 at once ----
for i in range(50):
    world.user(f"user{i}", argon2id("old-password"))
count = read("/etc/shadow").count("\n")
running = []
for i in range(50):
    process = subprocess.Popen([TALK, "/etc/pam.d", "change", f"user{i}", "chauthtok"], text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(f"password-{i}\npassword-{i}\n")
    process.stdin.close()
    running.append(process)
results = [process.stdout.read().splitlines()[-1] for process in running]
for process in running:
    process.wait()
tap.same("50 changes at once", results, ["chauthtok: SUCCESS"] * 50)
tap.ok("none is lost", all(verifies(shadow(f"user{i}")[0], f"password-{i}") for i in range(50)))
tap.same("nor any line", read("/etc/shadow").count("\n"), count)
tap.same("and nothing is left over", leftovers(), [])
tap.end()
