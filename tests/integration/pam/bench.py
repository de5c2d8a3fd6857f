#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""How long a login takes: whole runs of pamtester, started anew each time, the
competitors in turn. The tables of docs/pam.md are what this prints.
bench.py [ROUNDS]"""

import crypt
import os
import statistics
import subprocess
import sys
import time

from world import World, argon2id, shipped

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 41
world = World()
world.conf("")  # the defaults: m=65536,t=3,p=4
default = argon2id("right", m=65536, t=3, p=4)
world.user("ann", default)
world.user("yes", crypt.crypt("right", "$y$j9T$abcdefghijklmnopqrstu."))
world.user("six", crypt.crypt("right", "$6$abcdefgh"))
world.user("low", argon2id("right", m=19456, t=2, p=1))
world.user("locked", "!" + default)
world.user("empty", "")
world.stack("argon2fast", "auth required pam_argon2fast.so nodelay")
world.stack("never", "auth required pam_argon2fast.so nodelay helper=never")
world.stack("unix", "auth required pam_unix.so nodelay")
world.stack("alone", "auth sufficient pam_argon2fast.so nodelay\nauth required pam_deny.so")
shipped(world)
world.stack("shipped", "@include common-auth")
DEVNULL = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def login(service, user, password):
    began = time.perf_counter()
    subprocess.run(["pamtester", service, user, "authenticate"], input=password + "\n", text=True, **DEVNULL)
    return (time.perf_counter() - began) * 1000


def table(title, cases):
    times = {name: [] for name, *_ in cases}
    for n in range(ROUNDS):
        for name, *how in cases[n % len(cases):] + cases[:n % len(cases)]:
            times[name].append(login(*how))
    print(f"\n| {title} | median ms | quartiles |\n| --- | --- | --- |")
    for name, *_ in cases:
        low, middle, high = statistics.quantiles(times[name], n=4)
        print(f"| {name} | {middle:.1f} | {low:.1f} - {high:.1f} |")


print(f"{ROUNDS} rounds, {os.cpu_count()} processors")
table("a right password", [
    ("pam_argon2fast, m=65536,t=3,p=4, helper", "argon2fast", "ann", "right"),
    ("the same without helper (one thread)", "never", "ann", "right"),
    ("pam_unix, yescrypt at the usual cost", "unix", "yes", "right"),
    ("pam_unix, sha512crypt at the usual cost", "unix", "six", "right"),
    ("nothing to hash: pam_argon2fast and a foreign hash", "argon2fast", "yes", "right")])
table("a wrong password, pam_argon2fast and pam_deny alone", [
    ("Argon2 at the configured cost", "alone", "ann", "wrong"),
    ("a locked entry", "alone", "locked", "wrong"),
    ("an empty entry", "alone", "empty", "wrong"),
    ("an unknown user", "alone", "nobody-here", "wrong"),
    ("Argon2 at another cost (owasp)", "alone", "low", "wrong"),
    ("yescrypt, not migrated", "alone", "yes", "wrong")])
table("a wrong password, the shipped stack (pam_unix behind)", [
    ("Argon2 at the configured cost", "shipped", "ann", "wrong"),
    ("a locked entry", "shipped", "locked", "wrong"),
    ("an empty entry", "shipped", "empty", "wrong"),
    ("an unknown user", "shipped", "nobody-here", "wrong"),
    ("yescrypt, not migrated", "shipped", "yes", "wrong"),
    ("sha512crypt, not migrated", "shipped", "six", "wrong")])
