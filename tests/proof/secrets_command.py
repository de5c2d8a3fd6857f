#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What the commands leave in themselves, as they exit: argon2fast, and the
sqlite3 shell and the openssl command with our modules, which keep what they
were typed, so of those everything but the password counts."""

import base64
import os

from grind import tap
from search import BUILD, Hash, fresh

PARAMS, SALT, PASSWORD = "m=1024,t=2,p=4", "some salt of ours", fresh()
looked_for = Hash(PARAMS, SALT, PASSWORD)
COMMAND = BUILD + "/argon2fast"


def unpadded(data):
    return base64.b64encode(data).rstrip(b"=").decode()


def text(params=PARAMS, tag=bytes(32)):
    return f"$argon2id$v=19${params}${unpadded(SALT.encode())}${unpadded(tag)}"


def check(name, command, typed, status, keeps=(), **more):
    code, said, found = looked_for.scan("run", *command, input=typed, **more)
    tap.ok(f"{name}: exit status {status}", code == status, code, *said)
    for process, kib, counts, words in found:
        ours = {secret: n for secret, n in counts.items() if secret not in keeps}
        tap.ok(f"{name}: {process} leaves nothing of ours in {kib} KiB", kib > 100 and not ours, words)
    tap.ok(f"{name}: was looked at", len(found) == 1, found)
    return said


sqlite = ["sqlite3", "-batch", "-init", "/dev/null", "-cmd", f".load {BUILD}/sqlite_argon2", ":memory:"]
said = check("sqlite3, argon2_hash_with_salt", sqlite,
             f"SELECT argon2_hash_with_salt('{PASSWORD}', '{SALT}', '{PARAMS}');\n", 0, keeps=("password",))
right = said[-1]
for name, given, password, status in (("right", right, PASSWORD, 0), ("wrong", text(), PASSWORD, 1),
                                      ("malformed", right + "$", PASSWORD, 2),
                                      ("above a ceiling", text("m=4294967295,t=1,p=1"), PASSWORD, 2)):
    check(f"argon2fast verify, {name}", [COMMAND, "verify", given], password + "\n", status)
check("argon2fast hash", [COMMAND, "hash", "--params", PARAMS], PASSWORD + "\n", 0)
check("argon2fast hash, bad params", [COMMAND, "hash", "--params", "m=1"], PASSWORD + "\n", 2)

openssl = ["openssl", "kdf", "-provider", "argon2fast", "-provider", "default", "-keylen", "32", "-kdfopt", "pass:" + PASSWORD,
           "-kdfopt", "salt:" + SALT]
env = {**os.environ, "OPENSSL_MODULES": BUILD + "/ossl-modules", "OPENSSL_CONF": "/dev/null"}
check("openssl kdf", [*openssl, "-kdfopt", "lanes:4", "-kdfopt", "iter:2", "-kdfopt", "memcost:1024", "-out", "/dev/null",
                      "ARGON2ID"], "", 0, keeps=("password", "tag"), env=env)
check("openssl kdf, bad passes", [*openssl, "-kdfopt", "iter:0", "ARGON2ID"], "", 1, keeps=("password",), env=env)
tap.end()
