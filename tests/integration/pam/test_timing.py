#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""Whether a user is there, locked or without a password does not show in the
time that a wrong password takes."""

import os
import statistics
import subprocess

from world import TALK, World, argon2id, tap

world = World()
world.conf("params = m=32768,t=3,p=1\n")
right = argon2id("right", m=32768, t=3, p=1)
for name, field in (("ann", right), ("locked", "!" + right), ("star", "*"), ("empty", ""), ("junk", "$argon2id$")):
    world.user(name, field)
world.stack("alone", "auth sufficient pam_argon2fast.so nodelay\nauth required pam_deny.so")
world.stack("never", "auth sufficient pam_argon2fast.so nodelay helper=never\nauth required pam_deny.so")
USERS = ["ann", "locked", "star", "empty", "junk", "nobody-here"]


def login(service, user):
    """Milliseconds of processor time, the helper's included: unlike the time
    on the wall it does not count what else the machine does."""
    process = subprocess.Popen([TALK, "/etc/pam.d", service, user, "authenticate"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)
    process.stdin.write(b"wrong\n")
    process.stdin.close()
    assert b"SUCCESS" not in process.stdout.read()
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return (used.ru_utime + used.ru_stime) * 1000


for service in ("alone", "never"):
    # Caches are shared with whoever else is there: what is said must be so
    # every time.
    for attempt in range(4):
        times = {user: [] for user in USERS}
        for n in range(13):
            for user in USERS[n % len(USERS):] + USERS[:n % len(USERS)]:
                times[user].append(login(service, user))
        medians = {user: round(statistics.median(values), 1) for user, values in times.items()}
        spread = max(medians.values()) / min(medians.values())
        if spread < 1.25:
            break
    print("#", service, medians)
    tap.ok(f"{service}: alike for every kind of user", spread < 1.25, medians)
    tap.ok(f"{service}: and the hash is most of it", min(medians.values()) > 15, medians)
tap.end()
