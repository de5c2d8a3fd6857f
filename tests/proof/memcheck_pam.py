#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""valgrind's memcheck over the PAM module and its helpers: a login, a change
of password and refusals, by pamtester, in a machine of the test's own."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../integration/pam"))
from world import CHKPWD, UPDATE, World, argon2id, foreign, shadow, verifies  # noqa: E402
from wire import CHANGE, LOOKUP, RENEW, VERIFY, request  # noqa: E402

from grind import BUILD, LONG, check, tap, work  # noqa: E402

world = World()
# valgrind runs no set-gid program; root needs none.
os.chmod(CHKPWD, 0o755)
world.conf("params = m=64,t=1,p=2\nthreads = 2\n")
world.user("eve", argon2id("right"))
world.user("old", foreign("right"))
world.user("bad", argon2id("right") + "$")
world.user("big", argon2id("right", m=1 << 14).replace("m=16384", "m=4194304"))
world.stack("proof", "auth required pam_argon2fast.so nodelay migrate upgrade\naccount required pam_permit.so\n"
            "password required pam_argon2fast.so remember=3\n")
open("/home/file", "w").write(f"eve:{argon2id('right')}\n")
world.stack("inside", "auth required pam_argon2fast.so nodelay pwdfile=/home/file helper=never\n")


def pam(name, service, user, operation, typed, wants, programs=()):
    check(f"{service}: {name}", ["pamtester", service, user, operation], typed, wants=(wants,),
          programs=("pamtester", *programs))


GOOD, HELPER = "successfully authenticated", ("argon2fast_chkpwd",)
pam("right", "proof", "eve", "authenticate", "right\n", GOOD, HELPER)
pam("wrong", "proof", "eve", "authenticate", "wrong\n", "Authentication failure", HELPER)
pam("migrated", "proof", "old", "authenticate", "right\n", GOOD, (*HELPER, "argon2fast_update"))
tap.ok("a migrated hash verifies", shadow("old")[0].startswith("$argon2id$") and verifies(shadow("old")[0], "right"))
pam("right", "inside", "eve", "authenticate", "right\n", GOOD)
pam("wrong", "inside", "eve", "authenticate", "wrong\n", "Authentication failure")
pam("changed", "proof", "eve", "chauthtok", "new password\nnew password\n", "successfully", ("argon2fast_update",))
tap.ok("a changed password verifies", verifies(shadow("eve")[0], "new password"))
if LONG:
    pam("nobody", "proof", "nobody-here", "authenticate", "right\n", "not known")
    pam("nobody", "inside", "nobody-here", "authenticate", "right\n", "not known")
    pam("malformed", "proof", "bad", "authenticate", "right\n", "failure|unavailable|retrieve")
    pam("over a ceiling", "proof", "big", "authenticate", "right\n", "failure|unavailable|retrieve")
    pam("again", "proof", "eve", "chauthtok", "new password\nnew password\n", ".")
    world.conf("params = nothing\n")
    pam("malformed configuration", "proof", "eve", "authenticate", "right\n", "failure|unavailable|retrieve")

work.cleanup()
tap.end()
