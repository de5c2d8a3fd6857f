# SPDX-License-Identifier: MIT
"""Control groups of a test's own, of either version: to freeze processes, and
to have the kernel count their memory. They end with the test."""

import atexit
import os
import subprocess
import tempfile
import time

from world import read


class Cgroup:
    """The group, or None in `path` where this kernel or container has none."""

    # version: what is mounted, a file that tells whether it is of use
    WAYS = {"freezer": (("cgroup2", None, "cgroup.freeze"), ("cgroup", "freezer", "freezer.state")),
            "memory": (("cgroup2", None, "memory.peak"), ("cgroup", "memory", "memory.max_usage_in_bytes"))}

    def __init__(self, controller):
        self.path = self.file = None
        for kind, option, file in self.WAYS[controller]:
            mount = tempfile.mkdtemp(prefix="cgroup-", dir="/run")
            command = ["mount", "-t", kind, *(["-o", option] if option else []), "none", mount]
            if subprocess.run(command, capture_output=True).returncode != 0:
                continue
            try:
                path = tempfile.mkdtemp(prefix="a2f-test-", dir=mount)
            except OSError:
                continue
            if os.path.exists(os.path.join(path, file)):
                self.path, self.file = path, os.path.join(path, file)
                atexit.register(self.remove)
                return
            os.rmdir(path)

    @property
    def procs(self):
        return os.path.join(self.path, "cgroup.procs")

    def add(self, pid):
        with open(self.procs, "w") as file:
            file.write(str(pid))

    def freeze(self, on=True):
        states = ("THAWED", "FROZEN") if self.file.endswith("freezer.state") else ("0", "1")
        with open(self.file, "w") as file:
            file.write(states[on])

    def peak_mib(self):
        """The most that its processes have used, and the kernel for them."""
        return int(read(self.file)) / (1 << 20)

    def remove(self):
        for _ in range(100):
            try:
                os.rmdir(self.path)
                return
            except OSError:  # what was in it is still on its way out
                time.sleep(0.02)
