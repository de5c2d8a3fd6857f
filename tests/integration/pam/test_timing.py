#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""Whether a user is there, locked or without a password does not show in the
time that a wrong password takes."""

import statistics
import subprocess
import time

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
    began = time.perf_counter()
    done = subprocess.run([TALK, "/etc/pam.d", service, user, "authenticate"], input="wrong\n", text=True,
                          stdout=subprocess.PIPE)
    assert "SUCCESS" not in done.stdout
    return (time.perf_counter() - began) * 1000


for service in ("alone", "never"):
    # The machine may be busy: a difference must be there every time.
    for attempt in range(3):
        times = {user: [] for user in USERS}
        for n in range(15):
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
