# SPDX-License-Identifier: MIT
"""What the tests in Python's sqlite3 share: results in TAP, and a connection
with the extension, whose path is the program's argument."""

import sqlite3
import sys

EXTENSION = sys.argv[1]

count = failed = 0


def is_(name, got, wanted):
    global count, failed
    count += 1
    good = got == wanted and type(got) is type(wanted)
    failed += not good
    print("ok" if good else "not ok", count, "-", name)
    if not good:
        print("# got:   ", repr(got), "\n# wanted:", repr(wanted))


def finish():
    print(f"1..{count}")
    sys.exit(failed > 0)


def connect(path=":memory:"):
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    db.enable_load_extension(True)
    db.load_extension(EXTENSION)
    db.enable_load_extension(False)
    return db
