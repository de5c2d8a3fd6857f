#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""What the PAM module leaves in its host, and the helpers in themselves, as each
of them exits. The host is talk, which keeps no answer; libpam overwrites its
own copies when it is ended. So whatever is found is ours."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../integration/pam"))
from world import CHKPWD, TALK, World, foreign, shadow, tap, verifies  # noqa: E402
import argon2.low_level  # noqa: E402

from search import Hash, fresh  # noqa: E402

SALT, PARAMS = "some salt of ours", "m=1024,t=2,p=4"
world = World()
world.conf(f"params = {PARAMS}\nthreads = 2\n")
PASSWORD = fresh()
ours = argon2.low_level.hash_secret(PASSWORD.encode(), SALT.encode(), 2, 1024, 4, 32, argon2.low_level.Type.ID).decode()
looked_for = Hash(PARAMS, SALT, PASSWORD)
for name, field in (("eve", ours), ("malformed", ours + "$"), ("above", ours.replace("t=2", "t=2000")), ("locked", "!" + ours),
                    ("old", foreign(PASSWORD)), ("yes", foreign(PASSWORD, "$y$"))):
    world.user(name, field)
    open("/home/file", "a").write(f"{name}:{field}\n")
os.chmod("/home/file", 0o600)
world.stack("proof", "auth required pam_argon2fast.so nodelay migrate\npassword required pam_argon2fast.so remember=2\n")
world.stack("inside", "auth required pam_argon2fast.so nodelay pwdfile=/home/file helper=never\n")


def check(name, service, user, wanted, operation="authenticate", answers=(PASSWORD,), programs=("argon2fast_chkp",)):
    """A conversation by talk, all processes of which leave nothing."""
    _, said, found = looked_for.scan("run", TALK, "/etc/pam.d", service, user, operation,
                                     input="".join(answer + "\n" for answer in answers))
    name = f"{service}, {name}"
    tap.ok(f"{name}: {wanted}", f"{operation}: {wanted}" in said, *said)
    tap.same(f"{name}: by these processes", {process for process, *_ in found}, {"talk", *programs})
    for process, kib, counts, text in found:
        tap.ok(f"{name}: {process} leaves nothing in {kib} KiB", kib > 0 and not counts, text)


_, said, found = looked_for.scan("run", "sh", "-c", f"x={PASSWORD}; :")
tap.ok("control: a program that has the password is found", any(counts.get("password") for *_, counts, _ in found), *found)

UPDATE = ("argon2fast_chkp", "argon2fast_upda")
check("right", "proof", "eve", "SUCCESS")
check("wrong", "proof", "eve", "AUTH_ERR", answers=(fresh(),))
check("nobody", "proof", "nobody-here", "USER_UNKNOWN")
check("malformed", "proof", "malformed", "AUTH_ERR")
check("above a ceiling", "proof", "above", "AUTHINFO_UNAVAIL")
check("locked", "proof", "locked", "AUTH_ERR")
check("migrated", "proof", "old", "SUCCESS", programs=UPDATE)
tap.ok("and it was", verifies(shadow("old")[0], PASSWORD) and shadow("old")[0].startswith("$argon2id$"))
check("yescrypt, wrong", "proof", "yes", "AUTH_ERR", answers=(fresh(),))
check("changed", "proof", "eve", "SUCCESS", "chauthtok", (PASSWORD, PASSWORD), UPDATE)
for user, wanted in (("eve", "SUCCESS"), ("malformed", "AUTH_ERR"), ("above", "AUTHINFO_UNAVAIL"), ("locked", "AUTH_ERR"),
                     ("nobody-here", "USER_UNKNOWN")):
    check(user, "inside", user, wanted, programs=())
check("wrong", "inside", "eve", "AUTH_ERR", answers=(fresh(),), programs=())
world.conf("params = nothing\n")
check("malformed configuration", "proof", "eve", "AUTHINFO_UNAVAIL")
check("malformed configuration", "inside", "eve", "AUTHINFO_UNAVAIL", programs=())
os.chmod(CHKPWD, 0)
check("no helper", "proof", "eve", "AUTHINFO_UNAVAIL", programs=())
tap.end()
