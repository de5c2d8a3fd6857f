#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""The memory budget: what a flood takes at most, who gets through it, and that
nobody can keep from others what is theirs."""

import fcntl
import os
import shutil
import signal
import stat
import struct
import subprocess
import threading
import time

from cgroups import Cgroup
from wire import VERIFY, request
from world import CHKPWD, TALK, World, argon2id, read, shadow, sh, talk, tap

BUDGET, RESERVE, COST = 256, 66, "m=65536,t=3,p=4"
OK = ["prompt: Password: ", "authenticate: SUCCESS"]
SLOTS = "/run/argon2fast/slots"
F_OFD_SETLK = 37

world = World()
world.stack("login", "auth required pam_argon2fast.so nodelay")
hash_of_root = argon2id("right", m=65536, t=3, p=4)
lines = open("/etc/shadow").read().splitlines(True)
with open("/etc/shadow", "w") as file:
    file.writelines(f"root:{hash_of_root}:19000::::::\n" if line.startswith("root:") else line for line in lines)


def conf(more=""):
    world.conf(f"params = {COST}\nbudget = {BUDGET}\nreserve = {RESERVE}\n{more}")


def start(user, password, *words):
    process = subprocess.Popen([TALK, "/etc/pam.d", "login", user, *words, "authenticate"], text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(password + "\n")
    process.stdin.close()
    return process


def result(process):
    last = process.stdout.read().splitlines()[-1]
    process.wait()
    return last


def helpers():
    """Of every helper: its pid, its parent's, and its share of memory (PSS) in KiB."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if read(f"/proc/{pid}/comm") == "argon2fast_chkp\n":
                parent = int(read(f"/proc/{pid}/stat").rsplit(")", 1)[1].split()[1])
                pss = [line for line in read(f"/proc/{pid}/smaps_rollup").splitlines() if line.startswith("Pss:")]
                found[int(pid)] = parent, int(pss[0].split()[1])
        except (OSError, IndexError):
            pass
    return found


class Watch(threading.Thread):
    """The memory of all helpers together, as often as can be looked. A look
    takes a while, so what counts is what two looks in a row have seen."""

    def __init__(self, besides=lambda: None):
        super().__init__(daemon=True)
        self.besides, self.peak, self.most, self.going = besides, 0, 0, True
        self.start()

    def run(self):
        before = {}
        while self.going:
            now = helpers()
            both = [min(pss, before[pid][1]) for pid, (parent, pss) in now.items()
                    if pid in before and parent != self.besides()]
            self.peak = max(self.peak, sum(both) / 1024)
            self.most = max(self.most, len([pss for pss in both if pss > 8 << 10]))
            before = now
            time.sleep(0.001)

    def stop(self):
        self.going = False
        self.join()


# ---- the file ----
conf()
tap.same("a login", talk("login", "root", ["authenticate"], ["right"]), OK)
directory, slots = os.stat("/run/argon2fast"), os.stat(SLOTS)
group = os.stat(CHKPWD).st_gid
tap.same("has made the directory", (directory.st_uid, directory.st_gid, stat.S_IMODE(directory.st_mode)), (0, group, 0o750))
tap.same("and the file", (slots.st_uid, slots.st_gid, stat.S_IMODE(slots.st_mode)), (0, group, 0o660))
tap.same("which nothing is written to", slots.st_size, 0)
world.log.take()
for what, make in (("a link", lambda: os.symlink("/etc", "/run/argon2fast")),
                   ("a directory of others", lambda: (os.mkdir("/run/argon2fast"), os.chown("/run/argon2fast", 20001, 0))),
                   ("one they can write to", lambda: (os.mkdir("/run/argon2fast"), os.chmod("/run/argon2fast", 0o777)))):
    sh("rm", "-rf", "/run/argon2fast")
    make()
    tap.same(f"{what} in its place: a login", talk("login", "root", ["authenticate"], ["right"]), OK)
    log = world.log.take()
    tap.ok(f"{what}: works without slots and says so",
           len([line for line in log if "no slots in /run/argon2fast" in line]) == 1, *log)
    tap.ok(f"{what}: and makes none there", not os.path.lexists("/run/argon2fast/slots") and not os.path.exists("/etc/slots"))
sh("rm", "-rf", "/run/argon2fast")
conf("slots = no\n")
tap.same("slots = no", talk("login", "root", ["authenticate"], ["right"]), OK)
tap.ok("makes nothing and says nothing", not os.path.exists("/run/argon2fast") and not world.log.take())
conf()

# ---- a flood ----
# Where there are groups, the kernel counts, too: the helpers get into them by
# a script in the place of the helper.
groups = {name: Cgroup("memory") for name in ("flood", "console")}
counted = all(group.path for group in groups.values())
if counted:
    os.mkdir("/run/helper")
    shutil.copy(CHKPWD, "/run/helper/argon2fast_chkpwd")
    with open(CHKPWD, "w") as file:
        file.write(f"#!/bin/sh\ngroup={groups['flood'].procs}\n"
                   f"grep -q tty1 /proc/$PPID/cmdline && group={groups['console'].procs}\n"
                   "echo $$ >$group\nexec /run/helper/argon2fast_chkpwd\n")
else:
    print("# no control group can be made here: memory is counted by looking only")
conf("queue_timeout = 120\n")
# All are to be there at once: until they are, the test holds the whole budget.
talk("login", "root", ["authenticate"], ["right"])
whole = open(SLOTS, "r+")
fcntl.fcntl(whole, F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 1 << 32, 0))
console = None
watch = Watch(lambda: console and console.pid)
flood = [start("root", "wrong", "rhost=192.0.2.1", "tty=ssh") for _ in range(100)]
while len(waiting := helpers()) < 100 or max(pss for _, pss in waiting.values()) < 100:
    time.sleep(0.1)
time.sleep(1)
waiting = max(pss for _, pss in helpers().values())
tap.ok("a helper that waits takes a quarter of a MiB at most", waiting <= 256, f"{waiting} KiB")
at = time.monotonic()
console = start("root", "right", "tty=/dev/tty1")
tap.same("a login at the console gets in during a flood", result(console), "authenticate: SUCCESS")
waited = time.monotonic() - at
began = time.monotonic()
whole.close()
results = [result(process) for process in flood]
watch.stop()
tap.same("100 wrong logins of root at once", results, ["authenticate: AUTH_ERR"] * 100)
print(f"# 100 logins in {time.monotonic() - began:.1f} s: {watch.peak:.0f} MiB at most, {watch.most} hashes at once; "
      f"one that waits has {waiting} KiB; the console waited {waited:.2f} s")
tap.ok("the flood stays within the budget", 64 <= watch.peak <= BUDGET, f"{watch.peak:.0f} MiB")
tap.ok("the console gets in within the queue timeout", waited < 30, waited)
if counted:
    peaks = {name: group.peak_mib() for name, group in groups.items()}
    print("#", ", ".join(f"{name} {peak:.1f} MiB" for name, peak in peaks.items()), "counted by the kernel")
    tap.ok("the kernel counts no more for the flood than the budget", 64 <= peaks["flood"] <= BUDGET, peaks)
    tap.ok("and for the console no more than the reserve", 64 <= peaks["console"] <= RESERVE, peaks)
world.install_helpers()
log = world.log.take()
tap.ok("and nothing in the log but failures", not [line for line in log if "failure" not in line], *[line for line in log if "failure" not in line][:3])

freezer = Cgroup("freezer")


def hold(user, uid, how):
    """A helper that a user starts, and stops while it is at work."""
    helper = subprocess.Popen(["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", CHKPWD],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    helper.stdin.write(request(VERIFY, user=user, password="wrong"))
    helper.stdin.close()
    # At work: it has memory that only a slot gives.
    while int(read(f"/proc/{helper.pid}/statm").split()[1]) < 4096:
        assert helper.poll() is None, helper.stdout.read()
        time.sleep(0.005)
    if how == "frozen":
        freezer.add(helper.pid)
        freezer.freeze()
    else:
        os.kill(helper.pid, signal.SIGSTOP)
    return helper


def release(helper):
    os.kill(helper.pid, signal.SIGKILL)
    if freezer.path:
        freezer.freeze(False)  # of the first version: the frozen do not die
    helper.wait()


# ---- a user who stops or freezes his own helper ----
# Some seconds of work: more than enough to be stopped in.
world.conf(f"params = m=65536,t=1000,p=1\nbudget = {BUDGET}\nreserve = {RESERVE}\nqueue_timeout = 2\nuser_budget = 160\n")
eve = world.user("eve", argon2id("right", m=65536, t=1).replace("t=1", "t=1000"))
joe = world.user("joe", argon2id("right", m=65536, t=1))
sam = world.user("sam", argon2id("right", m=65536, t=1))
ways = ["stopped"]
if freezer.path:
    ways.append("frozen")
else:
    print("# no control group can be made here: what is frozen is only stopped")
for how in ways:
    held = hold("eve", eve, how)
    at = time.monotonic()
    tap.same(f"{how}: root's programs are not delayed", talk("login", "joe", ["authenticate"], ["right"]), OK)
    tap.same(f"{how}: nor another user's su", talk("login", "joe", [f"ruid={sam}", "authenticate"], ["right"]), OK)
    tap.same(f"{how}: nor his own programs", talk("login", "joe", [f"uid={joe}", "authenticate"], ["right"]), OK)
    print(f"# {how}: three logins of others in {time.monotonic() - at:.2f} s")
    for who in (f"ruid={eve}", f"uid={eve}"):
        got = talk("login", "eve", [who, "authenticate"], ["right"])
        tap.same(f"{how}: he himself is, {who}", got[-1], "authenticate: AUTHINFO_UNAVAIL")
    log = world.log.take()
    tap.ok(f"{how}: and the log says so", any("no room in the memory budget within 2 s" in line for line in log), *log)
    release(held)
    tap.same(f"{how}: what a killed helper held is free again",
             talk("login", "joe", [f"ruid={eve}", "authenticate"], ["right"]), OK)

# ---- and one in whose name others are asked for ----
held = hold("eve", eve, "stopped")
flood = [start("root", "wrong", f"ruid={eve}") for _ in range(10)]
tap.same("no flood of his gets to root's slots", talk("login", "root", ["authenticate"], ["right"]), OK)
tap.same("nor to other users'", talk("login", "joe", [f"ruid={sam}", "authenticate"], ["right"]), OK)
tap.same("it waits for its own", {result(process) for process in flood}, {"authenticate: AUTHINFO_UNAVAIL"})
release(held)

# ---- what is larger than the budget ----
world.conf("params = m=65536,t=1,p=1\nbudget = 16\nuser_budget = 16\nreserve = 16\n")
flood = [start("joe", "right") for _ in range(6)]
tap.same("a hash larger than the budget runs alone", [result(process) for process in flood],
         ["authenticate: SUCCESS"] * 6)
tap.ok("passwords are as they were", shadow("root")[0] == hash_of_root)

# ---- a helper whose asker has gone ----
world.conf("params = m=65536,t=1000,p=1\nbudget = 64\nuser_budget = 64\nqueue_timeout = 60\n")
held = hold("eve", eve, "stopped")
waiting = start("eve", "right", f"ruid={eve}")
while len(helpers()) < 2:
    time.sleep(0.05)
waiting.kill()
waiting.wait()
for _ in range(100):
    if len(helpers()) > 1:
        time.sleep(0.1)
tap.same("does not wait on", list(helpers()), [held.pid])
release(held)
tap.end()
