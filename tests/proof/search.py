# SPDX-License-Identifier: MIT
"""Looks for the secrets of one hash in other processes, by tests/proof/scan."""

import os
import re
import secrets
import subprocess

BUILD = os.environ["BUILD"]
SCAN = os.path.join(BUILD, "tests/proof/scan")
LINE = re.compile(r"^scan: (.*): (\d+) KiB: (.*)$")


def fresh():
    """A password that is nowhere yet."""
    return secrets.token_hex(12)


class Hash:
    """What is looked for: that of these params, salt and password."""

    def __init__(self, params, salt, password, pepper=""):
        self.words = [params, salt, pepper, password]

    def scan(self, how, *what, **more):
        """Its exit status, other output, and by process what was found."""
        done = subprocess.run([SCAN, *self.words, how, *map(str, what)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, errors="replace", text=True, timeout=300, **more)
        found, said = [], []
        for line in done.stdout.splitlines():
            match = LINE.match(line)
            if not match:
                said.append(line)
                continue
            name, kib, text = match.groups()
            counts = {secret: int(count) for secret, count in
                      re.findall(r"(password|pepper|H0|first block|last block|tag) (\d+)", text)}
            found.append((name, int(kib), counts, text))
        return done.returncode, said, found
