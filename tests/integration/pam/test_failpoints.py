#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""Every system call and allocation of module and helpers fails in its turn,
alone and with all after it: never a yes for a wrong password, never a crash,
never a line lost. Usually a part of them, another each time; all of them with
`test_failpoints.py all`, which takes some minutes."""

import os
import random
import sys
import time

from world import BUILD, World, argon2id, foreign, read, sh, shadow, talk, tap, verifies

STRIDE = 1 if sys.argv[1:] == ["all"] else 7
random.seed(seed := time.time_ns())
print("# seed", seed)

world = World()
world.user("ann", argon2id("right"))
world.user("zed", "!")
world.user("mig", "")
world.user("bob", argon2id("password-0"))
others = [line for line in read("/etc/shadow").splitlines() if not line.startswith(("bob:", "mig:"))]
known = {"shadow", "shadow-", "gshadow", "gshadow-", ".pwd.lock"}

FAULTY = os.path.join(BUILD, "pam-faulty")
world.install_helpers(FAULTY)
world.conf("params = m=64,t=1,p=1\nqueue_timeout = 1\n")
for service, options in (("faulty", ""), ("faulty-never", "helper=never")):
    world.stack(service, f"auth required {FAULTY}/pam_argon2fast.so nodelay migrate {options}\n"
                f"password required {FAULTY}/pam_argon2fast.so")
ALLOWED = {"authenticate: " + code for code in ("SUCCESS", "AUTH_ERR", "AUTHINFO_UNAVAIL", "BUF_ERR", "MAXTRIES")}


def campaign(program, run, most=1000):
    """Runs with the n-th call failing, for more and more, until there are not
    that many; returns how many there were."""
    n = 0
    for onward in ("", "+"):
        for n in range(1 + random.randrange(STRIDE), most, STRIDE):
            if os.path.exists("/run/faults.hit"):
                os.unlink("/run/faults.hit")
            with open("/run/faults." + program, "w") as file:
                file.write(f"{n}{onward}")
            run(n)
            if not os.path.exists("/run/faults.hit"):
                break
        os.unlink("/run/faults." + program)
    return n


problems = []


def check_login(service):
    def run(n):
        for password in ("right", "wrong"):
            got = talk(service, "ann", ["authenticate"], [password])
            if got[-1] not in ALLOWED or (password == "wrong" and got[-1] == "authenticate: SUCCESS"):
                problems.append((service, n, password, got))
    return run


world.log.take()
for program, service in (("argon2fast_chkpwd", "faulty"), ("talk", "faulty"), ("talk", "faulty-never")):
    problems.clear()
    n = campaign(program, check_login(service))
    log = [line for line in world.log.take() if "killed by signal" in line]
    tap.ok(f"{service}: {n} calls of {program} failed in turn", not problems and not log and n > 10, problems[:3], log[:3])

for program in ("argon2fast_update", "talk", "argon2fast_chkpwd"):
    problems.clear()

    def check_change(n):
        before = shadow("bob")[0]
        got = talk("faulty", "bob", ["chauthtok"], ["brand-new", "brand-new"])
        after = shadow("bob")[0]
        done = got[-1] == "chauthtok: SUCCESS"
        if after != before and not verifies(after, "brand-new") or done and after == before:
            problems.append(("hash", n, got))
        if [line for line in read("/etc/shadow").splitlines() if not line.startswith(("bob:", "mig:"))] != others:
            problems.append(("lines", n, got))
    n = campaign(program, check_change)
    log = [line for line in world.log.take() if "killed by signal" in line]
    tap.ok(f"a change: {n} calls of {program} failed in turn", not problems and not log and n > 10, problems[:3], log[:3])

problems.clear()


def check_migration(n):
    old = foreign("right", "$5$")
    sh("usermod", "-p", old, "mig")
    for password in ("wrong", "right"):
        got = talk("faulty", "mig", ["authenticate"], [password])
        field = shadow("mig")[0]
        if (got[-1] not in ALLOWED or not verifies(field, "right") or
                (password == "wrong" and (field != old or got[-1] == "authenticate: SUCCESS")) or
                (password == "right" and got[-1] != "authenticate: SUCCESS")):
            problems.append((n, password, got))


n = campaign("argon2fast_update", check_migration)
log = [line for line in world.log.take() if "killed by signal" in line]
tap.ok(f"a migration: {n} calls of argon2fast_update failed in turn", not problems and not log and n > 10, problems[:3], log[:3])
world.install_helpers()
tap.same("a change after all that", talk("login", "bob", ["chauthtok"], ["at-last", "at-last"])[-1], "chauthtok: SUCCESS")
tap.same("leaves nothing behind", [name for name in os.listdir("/etc") if "shadow" in name and name not in known], [])
tap.end()
