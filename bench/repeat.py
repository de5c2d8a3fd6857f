#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""repeat.py BENCH OUT.json [OPTION]..: runs several copies of the benchmark one
after another and puts their rounds together. Where the pages of a program lie
in memory moves its speed; a copy has other pages. COPIES says how many."""

import json
import os
import shutil
import subprocess
import sys
import tempfile


def run_copy(bench, options, place):
    copy, out = os.path.join(place, "bench"), os.path.join(place, "out.json")
    shutil.copy(bench, copy)
    subprocess.run([copy, "--json", out, *options], check=True)
    with open(out, encoding="utf-8") as file:
        return json.load(file)


def key(race):
    return race["section"], race["row"], race["mode"]


def add(total, part):
    """Appends the rounds of part's races to those of total. What took part in
    one of them only is dropped: ratios are taken round by round."""
    races = {key(race): race for race in part["races"]}
    total["races"] = [r for r in total["races"] if key(r) in races]
    for race in total["races"]:
        others = {c["name"]: c for c in races[key(race)]["contenders"]}
        race["contenders"] = [c for c in race["contenders"]
                              if c["name"] in others]
        for contender in race["contenders"]:
            contender["ns"] += others[contender["name"]]["ns"]


def main(bench, out, options):
    copies = int(os.environ.get("COPIES", "3"))
    total = None
    for number in range(1, copies + 1):
        print(f"== copy {number} of {copies}", flush=True)
        with tempfile.TemporaryDirectory(prefix="argon2fast-bench-") as place:
            part = run_copy(bench, options, place)
        if total is None:
            total = part
        else:
            add(total, part)
    total["machine"]["copies"] = copies
    with open("/proc/loadavg", encoding="ascii") as file:
        total["machine"]["load_after"] = file.read().strip()
    with open(out, "w", encoding="utf-8") as file:
        # A line a contender: a new run is a readable difference.
        text = json.dumps(total, indent=1)
        file.write(join_numbers(text) + "\n")


def join_numbers(text):
    """Lists of numbers on one line."""
    out, inside = [], False
    for line in text.split("\n"):
        if inside:
            out[-1] += line.strip()
        else:
            out.append(line)
        if line.endswith('"ns": ['):
            inside = True
        elif line.strip().startswith("]"):
            inside = False
    return "\n".join(out)


if len(sys.argv) < 3:
    sys.exit(__doc__)
main(sys.argv[1], sys.argv[2], sys.argv[3:])
