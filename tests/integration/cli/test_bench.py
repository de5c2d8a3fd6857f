#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""argon2fast bench: its table, its JSON, the kernels it measures."""

import json
import re
import signal
import subprocess
import time

from support import CHEAP, COMMAND, Terminal, check, done, ok, run

ROW = rb"\w+ +\d+\.\d\d +\d+\.\d\d +\d+\.\d +\d+\.\d\n"


def measured(*options):
    result = run("bench", "--json", *options)
    check(f"bench --json {' '.join(options)}", result, 0, rb"[^\n]*\n")
    return json.loads(result.stdout)


check("a table of one row",
      run("bench", "--params", CHEAP, "--threads", "1"), 0,
      rb"m=64,t=1,p=1, 1 thread\n[^\n]*\n[^\n]*\n" + ROW)

doctor = json.loads(run("doctor", "--json").stdout)
usable = [re.match(r"(\w+) works here", line["text"]).group(1)
          for line in doctor if line["text"].endswith(" works here")]
found = measured("--params", CHEAP, "--all", "--threads", "2")
ok([k["kernel"] for k in found["kernels"]] == usable and "scalar" in usable,
   "--all measures every kernel that works here, fastest first", found, usable)
ok(found["threads"] == 2 and found["params"] == CHEAP and
   found["memory_kib"] == 64, "says what was measured", found)

found = measured("--kernel", "scalar", "-m", "8192", "-t", "2", "-p", "1",
                 "--threads", "1")
ok([k["kernel"] for k in found["kernels"]] == ["scalar"],
   "--kernel measures that one", found)
times = found["kernels"][0]
# 16384 blocks: no machine makes one in 10 ns, none takes a millisecond.
ok(all(160 < times[key] < 16384000
       for key in ("cold_us", "warm_us", "batch_us")),
   "times are microseconds a hash", found)

for options, message in [
        (["--kernel", "x"], rb"no such kernel"),
        (["--kernel", "scalar", "--all"], rb"exclude each other"),
        (["-m", "1"], rb"memory"), (["--threads", "0"], rb"--threads"),
        (["--batch"], rb"--batch is not known"), (["x"], rb"operand")]:
    check(f"bench {' '.join(options)} is refused", run("bench", *options), 2,
          b"", message)

terminal = Terminal("bench", "--params", CHEAP)
status, shown = terminal.finish()
ok(status == 0 and b"measuring " in shown and
   re.search(ROW.replace(rb"\n", rb"\r\n") + rb"$", shown) is not None,
   "progress on a terminal gives way to the row", shown)

process = subprocess.Popen([COMMAND, "bench", "-m", "65536", "-t", "1000"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
time.sleep(1)
process.send_signal(signal.SIGINT)
began = time.monotonic()
out, err = process.communicate(timeout=60)
ok(process.returncode == 130 and err == b"" and b"ms a hash" in out and
   time.monotonic() - began < 5, "SIGINT ends it in order and soon",
   process.returncode, out, err)
done()
