#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""Hosts that are odd and helpers that die: never a yes for a wrong password,
never an end of the host, never a line lost."""

import os
import pty
import random
import signal
import subprocess
import sys
import time

from wire import CHANGE, LOOKUP, ask, message, request
from world import BUILD, CHKPWD, UPDATE, World, argon2id, read, shadow, talk, tap, verifies

# How often: `test_faults.py MORE` is for long campaigns.
MORE = int(sys.argv[1]) if len(sys.argv) > 1 else 1
PROMPT = "prompt: Password: "
YES, NO = [PROMPT, "authenticate: SUCCESS"], [PROMPT, "authenticate: AUTH_ERR"]
GONE, SHORT = [PROMPT, "authenticate: AUTHINFO_UNAVAIL"], [PROMPT, "authenticate: BUF_ERR"]

world = World()
world.conf()
world.stack("login", "auth required pam_argon2fast.so nodelay\npassword required pam_argon2fast.so")
world.stack("never", "auth required pam_argon2fast.so nodelay helper=never")
ann = world.user("ann", argon2id("right"))
world.user("big", argon2id("right", m=65536, t=1))


def login(password="right", *words, user="ann", service="login"):
    return talk(service, user, [*words, "authenticate"], [password])


def last(*args, **more):
    return login(*args, **more)[-1]


# ---- hosts ----
for words in (["sigchld=ignore"], ["sigchld=steal"], ["sigchld=see"], ["sigchld=blocked"], ["thread"],
              ["thread", "sigchld=steal"], ["mlock"], ["closed"], ["limit:memlock=0"], ["limit:fsize=0"],
              ["nnp"], [f"uid={ann}"], [f"ruid={ann}"], [f"uid={ann}", "limit:nproc=200"]):
    name = " ".join(words)
    tap.same(f"a host with {name}", login("right", *words), YES)
    tap.same(f"a host with {name}, wrong", login("wrong", *words), NO)
for words in (["stack=65536"], ["thread", "stack=65536"], ["fork"], ["thread", "fork"], ["thread", "fork", "stack=65536", "thread"]):
    for service in ("login", "never"):
        name = f"{service}: a host with {' '.join(words)}"
        tap.same(name, login("right", *words, service=service), YES)
        tap.same(f"{name}, 64 MiB", login("right", *words, user="big", service=service), YES)
        tap.same(f"{name}, wrong", login("wrong", *words, service=service), NO)
tap.same("a fork between two calls", talk("login", "ann", ["authenticate", "thread", "fork", "authenticate"], ["wrong", "right"]),
         [*NO, *YES])
CAPABLE = ["setpriv", f"--reuid={ann}", f"--regid={ann}", "--clear-groups", "--inh-caps=+dac_read_search,+setuid,+kill",
           "--ambient-caps=+dac_read_search,+setuid,+kill"]
tap.same("a user's host with capabilities", talk("login", "ann", ["authenticate"], ["right"], by=CAPABLE), YES)
tap.same("checks nobody's password but his all the same", talk("login", "big", ["authenticate"], ["right"], by=CAPABLE), GONE)
world.stack("noreap", "auth required pam_argon2fast.so nodelay noreap")
for service, words, wanted in (("login", [], 0), ("noreap", [], 1), ("login", ["thread"], 1)):
    tap.same(f"{service} {words}: a handler for SIGCHLD is called {wanted} times",
             talk(service, "big", ["sigchld=see", *words, "authenticate", "seen"], ["right"])[-1], f"seen: {wanted}, stolen: 0")
got = talk("login", "big", ["sigchld=see", "child", "authenticate", "sleep=60", "seen"], ["right"])[-1]
# Two, when the child had ended before the helper was started and is still there.
tap.ok("the signal of the host's own child is not lost", got in ("seen: 1, stolen: 0", "seen: 2, stolen: 0"), got)
tap.same("a handler gets the host's own child", talk("login", "big", ["sigchld=steal", "child", "authenticate", "sleep=60", "seen"], ["right"])[-1],
         "seen: 0, stolen: 1")
tap.same("no thread is left", talk("login", "big", ["authenticate", "tasks"], ["right"])[-1], "tasks: 1")
tap.same("nor in a host without helper", talk("never", "big", ["authenticate", "tasks"], ["right"])[-1], "tasks: 1")
tap.same("nor any of its memory", talk("never", "big", ["large", "authenticate", "large"], ["right"])[::3], ["large mappings: 0"] * 2)
world.log.take()
tap.same("no_new_privs keeps a user from the shadow file", login("right", f"uid={ann}", "nnp"), GONE)
log = world.log.take()
tap.ok("and the log says so", any("the host runs with no_new_privs" in line for line in log), *log)
for limit in ("data=33554432", "as=60000000"):
    tap.same(f"64 MiB under a hard limit {limit}", login("right", "limit:" + limit, user="big"), SHORT)
    log = world.log.take()
    tap.ok("and the log says so", any("user [big]: " in line for line in log), *log)
tap.same("a soft limit is raised", login("right", "limit:softas=100000000", user="big"), YES)
tap.same("64 MiB in a host without helper that has less", login("right", "limit:data=33554432", user="big", service="never"), SHORT)
tap.same("and with mlockall", login("right", "limit:memlock=33554432", f"uid={ann}", "mlock", user="ann")[-1], YES[-1])
got = {login("right", f"limit:nofile={n}")[-1] for n in range(4, 12)}
tap.ok("few descriptors", got <= {"authenticate: SUCCESS", "authenticate: AUTHINFO_UNAVAIL", "authenticate: SYSTEM_ERR",
                                  "authenticate: ABORT", "authenticate: AUTH_ERR"} and
       not {last("wrong", f"limit:nofile={n}") for n in range(4, 12)} & {"authenticate: SUCCESS"}, got)


# ---- helpers that are not there, or not what they should be ----
def replace(helper, script):
    with open(helper, "w") as file:
        file.write("#!/bin/sh\n" + script + "\n")
    os.chmod(helper, 0o755)


whole = message(ord("P"), b"", b"R")
with open("/run/whole", "wb") as file:
    file.write(whole)
with open("/run/long", "wb") as file:
    file.write(whole + b"x")
with open("/run/request", "wb") as file:
    file.write(request(ord("P")))
with open("/run/version", "wb") as file:
    file.write(message(ord("P"), b"", b"R", version=2))
with open("/run/field", "wb") as file:
    file.write(message(ord("P"), b"\x07\x00\x00", b"R"))
with open("/run/field2", "wb") as file:
    file.write(message(ord("P"), b"\x05\xff\xff", b"R"))
world.log.take()
for what, script, wanted in (
        ("that says nothing", "exit 0", "gave no answer, exit status 0"),
        ("that fails", "exit 3", "gave no answer, exit status 3"),
        ("that exits as pam_unix's would", "cat >/dev/null; exit 0", "gave no answer, exit status 0"),
        ("that is cut short", "head -c 7 /run/whole", "gave no answer, exit status 0"),
        ("that says too much", "cat /run/long", "gave no proper answer"),
        ("that repeats the request", "cat", "gave no proper answer"),
        ("that sends a request", "cat /run/request", "gave no proper answer"),
        ("of another version", "cat /run/version", "gave no proper answer"),
        ("with a field nobody knows", "cat /run/field", "gave no proper answer"),
        ("with a field that has no end", "cat /run/field2", "gave no proper answer"),
        ("that talks and talks", "yes A2FR", "gave no proper answer"),
        ("that only closes its output", "exec >&-; sleep 300", "gave no answer")):
    replace(CHKPWD, script)
    tap.same(f"a helper {what}", login(), GONE)
    log = world.log.take()
    tap.ok(f"a helper {what}: the log", any(wanted in line for line in log), *log)
for number in sorted(signal.valid_signals() - {signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU,
                                               signal.SIGCHLD, signal.SIGCONT, signal.SIGURG, signal.SIGWINCH}):
    # A helper starts with all signals blocked, and unblocks them.
    with open(CHKPWD, "w") as file:
        file.write("#!/usr/bin/python3 -IS\nimport os, signal\n"
                   f"n = {int(number)}\nif n not in (9, 19): signal.signal(n, signal.SIG_DFL)\n"
                   "signal.pthread_sigmask(signal.SIG_SETMASK, [])\nos.kill(os.getpid(), n)\n")
    if login() != GONE:
        tap.ok(f"a helper killed by {number}", False)
tap.ok("a helper killed by any signal", True)
log = world.log.take()
tap.ok("the log names the signals", all(any(f"killed by signal {n}" in line for line in log) for n in (1, 6, 9, 11, 15)))
os.chmod(CHKPWD, 0o644)
tap.same("a helper without its mode", login(), GONE)
log = world.log.take()
tap.ok("the log has it", any("(mode 0644): Permission denied" in line for line in log), *log)
os.unlink(CHKPWD)
tap.same("no helper", login(), GONE)
tap.same("no helper for a change", talk("login", "ann", ["chauthtok"]), ["chauthtok: TRY_AGAIN"])
world.install_helpers()
os.chmod(CHKPWD, 0o755)
tap.same("a helper without set-gid, for a user", login("right", f"uid={ann}"), GONE)
tap.ok("the log has it", any("has lost its mode 2755" in line for line in world.log.take()))
tap.same("for root", login(), YES)
world.install_helpers()
os.unlink(UPDATE)
tap.same("no updating helper, found before a password is asked for", talk("login", "ann", ["chauthtok"]), ["chauthtok: TRY_AGAIN"])
world.install_helpers()

# ---- helpers started by hand ----
for what, command, more in (("with arguments", [CHKPWD, "ann", "nullok"], {"stdin": subprocess.DEVNULL}),
                            ("with no request", [CHKPWD], {"stdin": subprocess.DEVNULL}),
                            ("with nonsense", [CHKPWD], {"input": b"x" * 100})):
    at = time.monotonic()
    done = subprocess.run(["setpriv", f"--reuid={ann}", f"--regid={ann}", "--clear-groups", *command],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    tap.ok(f"a helper started {what} says nothing, and late",
           done.returncode == 1 and not done.stdout and not done.stderr and time.monotonic() - at > 2)
    tap.ok("but in the log", any(f"started by uid {ann}" in line for line in world.log.take()))
ours, theirs = pty.openpty()
done = subprocess.run([CHKPWD], stdin=theirs, stdout=subprocess.PIPE)
tap.ok("nor on a terminal", done.returncode == 1 and not done.stdout and
       any("on a terminal" in line for line in world.log.take()))
tap.ok("a user learns nothing of others", login("right", f"uid={ann}", user="big") == GONE and
       login("wrong", f"uid={ann}", user="big") == GONE)

# ---- a helper killed in the middle, any time ----
random.seed(seed := time.time_ns())
print("# seed", seed)


def kill_soon(pid_of, most):
    time.sleep(random.random() * most)
    try:
        os.kill(pid_of(), signal.SIGKILL)
        return True
    except (OSError, TypeError):
        return False


def helper_pid():
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if open(f"/proc/{pid}/comm").read() == "argon2fast_chkp\n":
                return int(pid)
        except OSError:
            pass
    return None


got = {"right": set(), "wrong": set()}
for i in range(40 * MORE):
    password = ("right", "wrong")[i % 2]
    process = subprocess.Popen([os.path.join(BUILD, "tests/integration/pam/talk"), "/etc/pam.d", "login", "big", "authenticate"],
                               text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(password + "\n")
    process.stdin.close()
    kill_soon(helper_pid, 0.06)
    got[password].add(process.stdout.read().splitlines()[-1])
    if process.wait() != 0:
        tap.ok("the host lives", False)
tap.ok("a helper killed at any time", "authenticate: SUCCESS" not in got["wrong"] and
       got["right"] <= {"authenticate: SUCCESS", "authenticate: AUTHINFO_UNAVAIL"}, got)

# ---- kill -9 in the middle of a write ----
world.user("bob", argon2id("password-0"))
world.user("zed", "!")
lines = read("/etc/shadow").count("\n")
others = [line for line in read("/etc/shadow").splitlines() if not line.startswith("bob:")]
states = {"old": 0, "new": 0}
bad = 0


def start_change(password):
    hash = argon2id(password, m=8)
    stamp = ask(CHKPWD, LOOKUP, user="bob")["stamp"]
    process = subprocess.Popen([UPDATE], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    process.stdin.write(request(CHANGE, user="bob", hash=hash, stamp=stamp, remember=3))
    process.stdin.close()
    return process, hash


# Some die before the new file has its name and some after, however busy the
# machine is: the time to live follows what the last ones came to.
life = 0.004
for i in range(500 * MORE):
    before = shadow("bob")[0]
    process, new = start_change(f"password-{i}")
    kill_soon(lambda: process.pid, life)
    process.wait()
    after = shadow("bob")[0]
    bad += after not in (before, new)
    bad += [line for line in read("/etc/shadow").splitlines() if not line.startswith("bob:")] != others
    states["new" if after == new else "old"] += 1
    life = min(max(life * (0.97 if after == new else 1.03), 0.001), 1)
print("#", states)
tap.ok(f"killed {500 * MORE} times: old or new, and no other line touched", bad == 0 and
       states["old"] > 20 and states["new"] > 20, bad, states)
tap.same("a change after that", talk("login", "bob", ["chauthtok"], ["at-last", "at-last"])[-1], "chauthtok: SUCCESS")
tap.ok("works", verifies(shadow("bob")[0], "at-last") and read("/etc/shadow").count("\n") == lines)
known = {"shadow", "shadow-", "gshadow", "gshadow-", ".pwd.lock"}
tap.same("and leaves nothing behind", [name for name in os.listdir("/etc") if "shadow" in name and name not in known] +
         [name for name in os.listdir("/etc/security") if "argon2fast" in name and
          name not in ("argon2fast.conf", "argon2fast.history")], [])

tap.end()
