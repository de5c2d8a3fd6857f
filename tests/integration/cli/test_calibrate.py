#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""argon2fast calibrate: what it suggests can be used and keeps its bounds."""

import json
import re
import signal
import subprocess
import time

from support import COMMAND, Terminal, check, done, ok, run

PARAMS = rb"m=\d+,t=\d+,p=\d+\n"


def suggestion(*options):
    result = run("calibrate", "--json", *options)
    check(f"calibrate --json {' '.join(options)}", result, 0, rb"[^\n]*\n")
    return json.loads(result.stdout)


result = run("calibrate", "--time", "20", "--memory", "16384", "--lanes", "1")
check("calibrate prints params, and nothing else off a terminal", result, 0,
      PARAMS)
check("which hash takes",
      run("hash", "--params", result.stdout.decode().strip(), stdin=b"x"), 0,
      rb"\$argon2id\$.*")

found = suggestion("--time", "20", "--memory", "16384", "--lanes", "2",
                   "--type", "i")
ok(found["type"] == "argon2i" and found["lanes"] == 2,
   "type and lanes are kept", found)
ok(16 <= found["memory_kib"] <= 16384, "memory keeps within bounds", found)
ok([c["name"] for c in found["candidates"]] == ["suggested"] and
   found["candidates"][0]["params"] == found["params"] and
   found["candidates"][0]["time_us"] > 0,
   "only presets that fit into it are compared", found)

found = suggestion("--time", "200", "--memory", "131072", "--concurrent", "4")
ok(found["memory_kib"] <= 131072 // 4, "hashes at a time share the memory",
   found)
ok([c["name"] for c in found["candidates"]] == ["suggested", "owasp"],
   "a share that a preset fits into", found)
few = suggestion("--time", "40", "--memory", "8192", "-p", "1")
many = suggestion("--time", "40", "--memory", "262144", "-p", "1",
                  "--concurrent", "32")
ok(many["memory_kib"] * many["passes"] < few["memory_kib"] * few["passes"],
   "hashes past one a processor share the time", few, many)
ok(many["threads"] == 1, "and have a thread each", many)

for options, message in [
        (["--time", "0"], rb"--time"), (["--concurrent", "0"], rb"--conc"),
        (["--memory", "0"], rb"--memory"), (["--memory", "7"], rb"memory"),
        (["--memory", "100", "--concurrent", "50"], rb"memory"),
        (["--type", "x"], rb"--type"), (["-p", "0"], rb"lanes"),
        (["x"], rb"operand"), (["-t", "1"], rb"-t is not known")]:
    check(f"calibrate {' '.join(options)} is refused",
          run("calibrate", *options), 2, b"", message)

terminal = Terminal("calibrate", "--time", "100", "--memory", "32768", "-p1")
status, shown = terminal.finish()
ok(status == 0 and b"measuring, " in shown, "progress on a terminal", shown)
ok(re.search(rb"  suggested +m=\S+ +[0-9.]+ ms\r\n"
             rb"(\r\x1b\[K|\rmeasuring[^\r]*)*  owasp +m=19456,t=2,p=1 +"
             rb"[0-9.]+ ms\r\n", shown) is not None,
   "and the candidates", shown)
ok(re.search(PARAMS.replace(rb"\n", rb"\r\n") + rb"$", shown) is not None,
   "before the suggestion", shown)

process = subprocess.Popen([COMMAND, "calibrate", "--time", "10000"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
time.sleep(1)
process.send_signal(signal.SIGINT)
began = time.monotonic()
out, err = process.communicate(timeout=60)
ok(process.returncode == 130 and out == b"" and err == b"" and
   time.monotonic() - began < 5, "SIGINT ends it in order and soon",
   process.returncode, out, err)
done()
