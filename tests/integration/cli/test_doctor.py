#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""argon2fast doctor: what it finds here, and under limits that do not fit."""

import json
import os
import subprocess

from support import COMMAND, done, ok, run

result = run("doctor")
lines = result.stdout.decode().splitlines()
ok(result.returncode in (0, 1), "doctor ends", result.returncode)
ok(any("scalar works here" in line for line in lines), "it tries kernels",
   lines)
ok(any("kernel " in line and "threads" in line for line in lines),
   "and names the one in use", lines)
ok(result.returncode == any(" problem " in line for line in lines),
   "its exit status says whether there is a problem", lines)

found = json.loads(run("doctor", "--json").stdout)
ok([f["text"] for f in found if f["chapter"] == "kernels"] ==
   [line.split(maxsplit=2)[2] for line in lines if line.startswith("kernels")],
   "--json finds the same", found)
ok({f["finding"] for f in found} <= {"ok", "note", "problem"},
   "in three words", found)

if os.environ.get("SAN", "") not in ("", "undefined"):
    done()  # their runtimes cannot start within a limit of memory
limited = subprocess.run(
    ["sh", "-c", "ulimit -d 40000; exec \"$0\" doctor --json", COMMAND],
    stdout=subprocess.PIPE, check=False)
found = json.loads(limited.stdout)
ok(limited.returncode == 1, "a limit that does not fit is a problem", found)
ok(any(f["finding"] == "problem" and "data (ulimit -d)" in f["text"]
       for f in found), "and is named", found)
ok(any(f["finding"] == "problem" and "not enough memory" in f["text"]
       for f in found), "and so is what comes of it", found)
done()
