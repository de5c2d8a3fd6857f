#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The figures that pages take from docs/bench/latest.json are the ones in it:
the tables of performance.md, and what other pages say in sentences. And links
lead somewhere, headings included."""

import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench"))
sys.dont_write_bytecode = True

from results import Results  # noqa: E402

os.chdir(ROOT)
DATA = "docs/bench/latest.json"
PAGES = sorted(glob.glob("*.md") + glob.glob("docs/*.md") + glob.glob("modules/*/README.md"))
count = failed = 0


def ok(name, wrong):
    global count, failed
    count += 1
    failed += bool(wrong)
    print(f"{'not ok' if wrong else 'ok'} {count} - {name}")
    for line in wrong:
        print("#", line)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


# ---- tables ----

def tables(page):
    """Writes the tables once more; which lines are then different."""
    with tempfile.NamedTemporaryFile("w+", suffix=".md", encoding="utf-8") as copy:
        copy.write(read(page))
        copy.flush()
        subprocess.run([sys.executable, "bench/tables.py", DATA, copy.name], check=True)
        new = read(copy.name).splitlines()
    old = read(page).splitlines()
    return [f"{a}  should be  {b}" for a, b in zip(old, new) if a != b] + ["length"] * (len(old) != len(new))


# ---- sentences ----

def alone(race, *libraries):
    """How many times as long these take on one thread as ours."""
    return [c.slower_than(race.ours) for c in race.contenders
            if c.maker in libraries and c.threads == 1]


def sentences(results):
    cold = [ratio for race in results.section("grid", "cold") if race.row.startswith("m=65536,")
            for ratio in alone(race, "libargon2", "OpenSSL")]
    warm = alone(results.race("grid", "m=19456,t=2,p=1", "warm"), "native libargon2")[0]
    yield "README.md", (
        f"a cold hash at 64 MiB is {min(cold):.0f} to {max(cold):.0f} times as fast as with the "
        "distribution's libargon2 and OpenSSL's built-in; warm, 19 MiB, "
        f"{warm:.1f} times as fast as libargon2 built for that CPU")
    lanes = results.race("lockstep", "m=65536,t=3,p=4")
    one = lanes.find("one lane").slower_than(lanes.ours)
    yield "docs/choosing-parameters.md", (
        f"at 64 MiB and three passes, p=1 takes {one:.2f} times as long as p=4")
    ms = next(c.ms for race in results.section("context") for c in race.contenders
              if c.name == "argon2fast, preset default")
    yield "docs/sizing.md", (
        f"`default`, {ms:.0f} ms: 20 x {ms / 1000:.3f} = {ms / 50:.1f} hashes at a time, "
        f"{ms / 50 * 64:.0f} MiB; at most {8000 / ms:.0f} log-ins a second")


# ---- links ----

def anchors(page):
    heads = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", read(page), flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w -]", "", head.lower()).strip().replace(" ", "-") for head in heads}


def dead_links(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", read(page)):
        if target.startswith(("http:", "https:")):
            continue
        path, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not os.path.exists(path) or anchor and anchor not in anchors(path):
            yield target


ok("docs/performance.md has the tables of " + DATA, tables("docs/performance.md"))
for page, sentence in sentences(Results(DATA)):
    found = sentence in " ".join(read(page).split())
    ok(f"{page} has the figures of {DATA}", [] if found else ["wanted: " + sentence])
for page in PAGES:
    ok(f"links of {page}", list(dead_links(page)))
index = read("docs/README.md")
ok("docs/README.md lists all pages", [page for page in glob.glob("docs/*.md")
                                      if page != "docs/README.md" and f"]({os.path.basename(page)})" not in index])
print(f"1..{count}")
sys.exit(1 if failed else 0)
