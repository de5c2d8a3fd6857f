#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""The programs that people log in with: su, sudo, sshd, passwd, chpasswd."""

import os
import pty
import select
import subprocess
import time

from world import Sshd, World, append, argon2id, foreign, read, run_as, shadow, shipped, tap, verifies

world = World()
world.conf()
shipped(world, auth="migrate rehash")
ann = world.user("ann", argon2id("ann-password"))
bob = world.user("bob", foreign("bob-password", "$y$"))
cat = world.user("cat", argon2id("cat-password"))
low = world.user("low", argon2id("low-password", m=8))
new = world.user("new", "!")
append("/etc/sudoers", "ann ALL=(ALL) ALL\n")

# ---- su, started by a user: its real uid is not 0 ----
tap.same("su to another user", run_as(cat, "su", "ann", "-c", "id -un", typed="ann-password\n"),
         (0, "Password: ann\n"))
code, _ = run_as(cat, "su", "ann", "-c", "id -un", typed="wrong\n")
tap.ok("su with a wrong password", code != 0)
code, _ = run_as(cat, "su", "ann", "-c", "id -un", typed="cat-password\n")
tap.ok("su with one's own password", code != 0)
log = world.log.take()
tap.ok("the log says who it was", any(f"uid={cat} euid=0" in line and "user=ann" in line for line in log), *log)

tap.same("su to a yescrypt user", run_as(cat, "su", "bob", "-c", "id -un", typed="bob-password\n"),
         (0, "Password: bob\n"))
tap.ok("whose entry is Argon2id then", shadow("bob")[0].startswith("$argon2id$") and
       verifies(shadow("bob")[0], "bob-password"))
tap.same("su again", run_as(cat, "su", "bob", "-c", "id -un", typed="bob-password\n")[0], 0)
tap.same("su to a user with a cheap hash",
         run_as(cat, "su", "low", "-c", "id -un", typed="low-password\n")[0], 0)
tap.ok("whose hash costs more then", "$m=64," in shadow("low")[0] and
       verifies(shadow("low")[0], "low-password"), shadow("low")[0])

# ---- su, suspended by its user at the terminal while a helper works for it ----
world.user("slow", argon2id("slow-password", m=65536, t=60))
terminal = {"pid": 0, "said": ""}


def processes(name):
    """Pid, state and resident pages of those that are called so."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if read(f"/proc/{pid}/comm").strip() == name:
                found[int(pid)] = (read(f"/proc/{pid}/stat").rsplit(")", 1)[1].split()[0],
                                   int(read(f"/proc/{pid}/statm").split()[1]))
        except OSError:
            pass
    return found


def until(true, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    return True


def heard(text):
    if select.select([terminal["fd"]], [], [], 0)[0]:
        terminal["said"] += os.read(terminal["fd"], 4096).decode(errors="replace")
    return text in terminal["said"]


def stopped(name):
    return any(state == "T" for state, _ in processes(name).values())


pid, terminal["fd"] = pty.fork()
if pid == 0:
    os.environ["PS1"] = "shell> "
    os.execvp("setpriv", ["setpriv", f"--reuid={cat}", f"--regid={cat}", "--clear-groups", "bash", "--norc", "--noprofile", "-i"])
tap.ok("a shell with jobs", until(lambda: heard("shell> ")), terminal)
os.write(terminal["fd"], b"su slow -c 'echo I am $(id -un)'\n")
tap.ok("su asks", until(lambda: heard("Password: ")), terminal)
os.write(terminal["fd"], b"slow-password\n")
working = until(lambda: any(pages > 4096 for _, pages in processes("argon2fast_chkp").values()))
os.write(terminal["fd"], b"\x1a")
suspended = until(lambda: stopped("su"))
tap.ok("su is suspended by its terminal", working and suspended, terminal)
tap.ok("but no helper is", not stopped("argon2fast_chkp"), processes("argon2fast_chkp"))
tap.ok("which ends, and gives back what it held", until(lambda: not [1 for state, _ in processes("argon2fast_chkp").values()
                                                                    if state != "Z"]), processes("argon2fast_chkp"))
tap.same("so that another su of his own is not held up", run_as(cat, "su", "ann", "-c", "id -un", typed="ann-password\n")[0], 0)
tap.ok("while the first is still suspended", stopped("su"))
os.write(terminal["fd"], b"fg\n")
tap.ok("and then goes on", until(lambda: heard("I am slow")), terminal)
os.close(terminal["fd"])

# ---- sudo ----
tap.same("sudo", run_as(ann, "sudo", "-S", "-p", "?", "id", "-un", typed="ann-password\n"), (0, "?root\n"))
code, _ = run_as(ann, "sudo", "-k", "-S", "-p", "?", "id", "-un", typed="no\nno\nno\n")
tap.ok("sudo with wrong passwords", code != 0)

# ---- passwd and chpasswd ----
before = shadow("ann")
code, said = run_as(ann, "passwd", typed="ann-password\nnew-password-1\nnew-password-1\n")
after = shadow("ann")
tap.ok("passwd by the user", code == 0 and verifies(after[0], "new-password-1"), said)
tap.ok("only the hash and the day have changed",
       after[2:] == before[2:] and int(after[1]) > int(before[1]), before, after)
code, said = run_as(ann, "passwd", typed="wrong\n")
tap.ok("passwd with a wrong old password", code != 0 and shadow("ann") == after, said)
code, said = run_as(ann, "passwd", typed="new-password-1\nabc\nabc\nnew-password-1\nnew-password-1\nx\ny\n")
tap.ok("passwd with no acceptable new one", code != 0 and shadow("ann") == after and
       "too short" in said and "has not been changed" in said, said)
code, said = run_as(0, "passwd", "new", typed="first-password\nfirst-password\n")
tap.ok("passwd by root for a user without password", code == 0 and
       shadow("new")[0].startswith("$argon2id$") and verifies(shadow("new")[0], "first-password"), said)
done = subprocess.run(["chpasswd"], input="cat:third-password\nbob:fourth-password\n", text=True,
                      capture_output=True)
tap.ok("chpasswd for two users in one process", done.returncode == 0 and
       verifies(shadow("cat")[0], "third-password") and verifies(shadow("bob")[0], "fourth-password"),
       done.stdout, done.stderr)
tap.ok("in Argon2id", all(shadow(name)[0].startswith("$argon2id$v=19$m=64,") for name in ("cat", "bob")))

# ---- sshd ----
sshd = Sshd()
for method in ("password", "keyboard-interactive"):
    tap.same(f"sshd, {method}", sshd.login("new", "first-password", method), "new")
    tap.same(f"sshd, {method}, wrong", sshd.login("new", "wrong", method), "refused")
    tap.same(f"sshd, {method}, unknown user", sshd.login("nobody-here", "wrong", method), "refused")
world.user("yes", foreign("yes-password", "$y$"))
tap.same("sshd, a yescrypt user", sshd.login("yes", "yes-password"), "yes")
tap.ok("whose entry is Argon2id then", shadow("yes")[0].startswith("$argon2id$"))
tap.same("sshd, the next login", sshd.login("yes", "yes-password"), "yes")
world.user("must", argon2id("must-password"), ageing="0:0:99999:7:::")
tap.same("sshd, a password that must be changed", sshd.login("must", "must-password"), "refused")

# ---- the tools that write entries as they are ----
subprocess.run(["chpasswd", "-e"], input=f"cat:{argon2id('fifth')}\n", text=True, check=True)
tap.same("chpasswd -e", run_as(ann, "su", "cat", "-c", "id -un", typed="fifth\n")[0], 0)
subprocess.run(["passwd", "-q", "-l", "cat"], check=True)
tap.ok("passwd -l locks", run_as(ann, "su", "cat", "-c", "true", typed="fifth\n")[0] != 0)
subprocess.run(["passwd", "-q", "-u", "cat"], check=True)
tap.same("passwd -u unlocks", run_as(ann, "su", "cat", "-c", "true", typed="fifth\n")[0], 0)
tap.same("pwck finds nothing wrong",
         subprocess.run(["pwck", "-r", "-q"], capture_output=True).stdout.count(b"argon2"), 0)
sshd.stop()
tap.end()
