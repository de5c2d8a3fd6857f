#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""The runner with libpam, in a world of its own: the module that hashes in the
host's process, and the one that asks its helper. With A2F_GUEST=soak: load."""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../integration/pam"))
from world import BUILD, World, tap  # noqa: E402

world = World()
# A helper takes some milliseconds to start: fewer of them.
for helper, share in (("never", 1), ("always", 10)):
    percent = int(os.environ.get("GUEST_PERCENT", 100)) / share
    process = subprocess.Popen([os.path.join(BUILD, "tests/guest/host_pam")],
                               env={**os.environ, "HELPER": helper, "GUEST_PERCENT": str(max(1, int(percent)))},
                               stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        test = re.match(r"(not )?ok \d+ - (.*)", line)
        if test:
            tap.ok(f"helper={helper}: {test[2]}", not test[1])
        elif line.startswith("#"):
            print(line, end="")
    tap.ok(f"helper={helper}: the host came to its end", process.wait() == 0)
    world.log.take()
tap.end()
