#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""The memory budget: what a flood takes at most, who gets through it, and that
nobody can keep from others what is theirs."""

import os
import signal
import stat
import subprocess
import threading
import time

from wire import VERIFY, request
from world import CHKPWD, TALK, World, argon2id, shadow, sh, talk, tap

BUDGET, RESERVE, COST = 256, 64, "m=65536,t=3,p=4"
OK = ["prompt: Password: ", "authenticate: SUCCESS"]
SLOTS = "/run/argon2fast/slots"

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
    """Pid and resident bytes of all helpers that are at work."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if open(f"/proc/{pid}/comm").read() == "argon2fast_chkp\n":
                found[pid] = int(open(f"/proc/{pid}/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, IndexError):
            pass
    return found


class Watch(threading.Thread):
    """The memory of all helpers together, as often as can be looked. A look
    takes a while, so what counts is what two looks in a row have seen."""

    def __init__(self):
        super().__init__(daemon=True)
        self.peak, self.most, self.going = 0, 0, True
        self.start()

    def run(self):
        before = {}
        while self.going:
            now = helpers()
            # What is below is the program and its libraries, shared by all.
            working = [min(rss, before[pid]) - (4 << 20) for pid, rss in now.items()
                       if min(rss, before.get(pid, 0)) > 8 << 20]
            self.peak, self.most = max(self.peak, sum(working)), max(self.most, len(working))
            before = now
            time.sleep(0.001)

    def stop(self):
        self.going = False
        self.join()
        return self.peak / (1 << 20)


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
watch = Watch()
began = time.monotonic()
flood = [start("root", "wrong", "rhost=192.0.2.1", "tty=ssh") for _ in range(100)]
time.sleep(0.3)
at = time.monotonic()
console = start("root", "right", "tty=/dev/tty1")
tap.same("a login at the console gets in during a flood", result(console), "authenticate: SUCCESS")
waited = time.monotonic() - at
results = [result(process) for process in flood]
peak = watch.stop()
tap.same("100 wrong logins of root at once", results, ["authenticate: AUTH_ERR"] * 100)
print(f"# 100 logins in {time.monotonic() - began:.1f} s, peak {peak:.0f} MiB in {watch.most} helpers; "
      f"the console waited {waited:.2f} s")
tap.ok("stay within the budget", 64 <= peak <= BUDGET + RESERVE, f"{peak:.0f} MiB")
tap.ok("and the console within the queue timeout", waited < 30, waited)
world.log.take()


def hold(user, uid, seconds="t=2000"):
    """A helper that a user starts, and stops while it is at work."""
    helper = subprocess.Popen(["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", CHKPWD],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    helper.stdin.write(request(VERIFY, user=user, password="wrong"))
    helper.stdin.close()
    # At work: it has memory that only a slot gives.
    while int(open(f"/proc/{helper.pid}/statm").read().split()[1]) < 4096:
        time.sleep(0.005)
    os.kill(helper.pid, signal.SIGSTOP)
    return helper


# ---- a user who stops his own helper ----
conf("queue_timeout = 2\nmax_passes = 100000\nuser_budget = 128\n")
eve = world.user("eve", argon2id("right", m=65536, t=1).replace("t=1", "t=60"))
joe = world.user("joe", argon2id("right", m=65536, t=1))
sam = world.user("sam", argon2id("right", m=65536, t=1))
held = hold("eve", eve)
at = time.monotonic()
tap.same("root's programs are not delayed", talk("login", "joe", ["authenticate"], ["right"]), OK)
tap.same("nor another user's su", talk("login", "joe", [f"ruid={sam}", "authenticate"], ["right"]), OK)
tap.same("nor his own programs", talk("login", "joe", [f"uid={joe}", "authenticate"], ["right"]), OK)
tap.ok("not by a moment", time.monotonic() - at < 2, time.monotonic() - at)
for how in (f"ruid={eve}", f"uid={eve}"):
    got = talk("login", "eve", [how, "authenticate"], ["right"])
    tap.same(f"he himself is, {how}", got[-1], "authenticate: AUTHINFO_UNAVAIL")
log = world.log.take()
tap.ok("and the log says so", any("no room in the memory budget within 2 s" in line for line in log), *log)
os.kill(held.pid, signal.SIGKILL)
held.wait()
tap.same("what a killed helper held is free again",
         talk("login", "joe", [f"ruid={eve}", "authenticate"], ["right"]), OK)

# ---- and one in whose name others are asked for ----
held = hold("eve", eve)
flood = [start("root", "wrong", f"ruid={eve}") for _ in range(10)]
tap.same("no flood of his gets to root's slots", talk("login", "root", ["authenticate"], ["right"]), OK)
tap.same("nor to other users'", talk("login", "joe", [f"ruid={sam}", "authenticate"], ["right"]), OK)
tap.same("it waits for its own", {result(process) for process in flood}, {"authenticate: AUTHINFO_UNAVAIL"})
os.kill(held.pid, signal.SIGKILL)
held.wait()

# ---- what is larger than the budget ----
world.conf("params = m=65536,t=1,p=1\nbudget = 16\nuser_budget = 16\nreserve = 16\n")
flood = [start("joe", "right") for _ in range(6)]
tap.same("a hash larger than the budget runs alone", [result(process) for process in flood],
         ["authenticate: SUCCESS"] * 6)
tap.ok("passwords are as they were", shadow("root")[0] == hash_of_root)

# ---- a helper whose asker has gone ----
world.conf("params = m=65536,t=1,p=1\nbudget = 64\nuser_budget = 64\nqueue_timeout = 60\n")
held = hold("eve", eve)
waiting = start("eve", "right", f"ruid={eve}")
time.sleep(0.3)
waiting.kill()
waiting.wait()
time.sleep(0.3)
tap.same("does not wait on", [pid for pid, rss in helpers().items() if rss], [str(held.pid)])
os.kill(held.pid, signal.SIGKILL)
held.wait()
tap.end()
