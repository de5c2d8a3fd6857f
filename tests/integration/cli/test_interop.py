#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Strings go both ways between the command and libargon2, through its own
command and through python3-argon2."""

import subprocess

import argon2
from argon2 import low_level

from support import done, make_hash, ok, run

COSTS = [(8, 1, 1), (64, 2, 1), (100, 1, 3), (1024, 3, 4), (4096, 1, 2)]
TYPES = {"d": low_level.Type.D, "i": low_level.Type.I, "id": low_level.Type.ID}


def reference(kind, version, memory, passes, lanes):
    """A hash from the argon2 command."""
    return subprocess.run(
        ["argon2", "some salt", *(["-" + kind] if kind != "i" else []),
         "-v", str(version), "-k", str(memory), "-t", str(passes),
         "-p", str(lanes), "-l", "24", "-e"], input=b"password",
        stdout=subprocess.PIPE, check=True).stdout.decode().strip()


def accepts(text, password, kind):
    try:
        return low_level.verify_secret(text.encode(), password, TYPES[kind])
    except argon2.exceptions.VerifyMismatchError:
        return False


for kind in TYPES:
    for cost in COSTS:
        name = f"argon2{kind}, m=%d,t=%d,p=%d" % cost
        for version, written in ((19, 13), (16, 10)):
            text = reference(kind, written, *cost)
            ok(run("verify", text, stdin=b"password").returncode == 0,
               f"{name}, version {version}: the argon2 command's verifies",
               text)
            ok(run("verify", text, stdin=b"passwords").returncode == 1,
               "  with its password only", text)
            ours = make_hash(b"p\xc3\xa4ss", "--params",
                             "m=%d,t=%d,p=%d" % cost
                             + f",type={kind},v={version}")
            ok(accepts(ours, b"p\xc3\xa4ss", kind),
               "  and libargon2 accepts ours", ours)
            ok(not accepts(ours, b"pass", kind), "  with its password only")
        memory, passes, lanes = cost
        text = argon2.PasswordHasher(
            time_cost=passes, memory_cost=memory, parallelism=lanes,
            hash_len=40, salt_len=11, type=TYPES[kind]).hash("p\u00e4ss")
        ok(run("verify", text, stdin="p\u00e4ss".encode()).returncode == 0,
           f"{name}: python3-argon2's verifies", text)

text = make_hash(b"password", "--params", "owasp")
ok(accepts(text, b"password", "id"), "libargon2 accepts the owasp preset")
check = argon2.extract_parameters(text)
ok((check.memory_cost, check.time_cost, check.parallelism) == (19456, 2, 1),
   "and reads its cost")
done()
