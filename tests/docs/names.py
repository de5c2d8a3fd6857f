#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What pages name in running text, `so`, is there: targets of make, commands
and options of argon2fast, functions of the header and of SQL, settings, and
files of this repository."""

import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(ROOT)
BUILD = os.environ["BUILD"]
PAGES = sorted(glob.glob("*.md") + glob.glob("docs/*.md") + glob.glob("modules/*/README.md"))


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def sources(*patterns):
    text = ""
    for pattern in patterns:
        for path in glob.glob(pattern):
            with open(path, encoding="utf-8") as file:
                text += file.read()
    return text


HEADER = sources("libcore/argon2fast.h")
MAKE = set(re.findall(r"^([\w-]+):", output("make", "-pq", ":"), re.M))
# Neither in the header nor in SQL: the core's inside, which pages for
# developers name.
ALSO = set(re.findall(r"\b(?:a2f|A2F)_\w+", sources("libcore/*.[ch]", "libcore/simd/*.[ch]", "tests/*.sh",
                                                    "tests/*.mk", "tests/support/*.c", "tests/kernels.c")))
SQL = set(re.findall(r"\bargon2_\w+", sources("modules/pg_argon2/*.sql", "modules/sqlite_argon2/*.c")))
SETTINGS = set(re.findall(r'"(pg_argon2\.\w+)"', sources("modules/pg_argon2/*.c")))
PLACES = ("bench", "cli", "demo", "docs", "libcore", "modules", "packaging", "tests", "build")
HELP = {}


def help_of(command):
    if command not in HELP:
        HELP[command] = output(BUILD + "/argon2fast", *command.split(), "--help")
    return HELP[command]


def is_there(path):
    path = re.sub(r"<\w+>", "*", path)
    if path.startswith("build/"):
        if path.split("/")[1] in ("fuzz", "tests"):
            return True  # made when wanted
        path = BUILD + path[5:]
    return any(glob.glob(p) for p in (path, path.rstrip("/")))


def unknown(span):
    """What in this span is not there."""
    words = span.split()
    if words[0] == "make":
        for word in words[1:]:
            if re.fullmatch(r"[a-z][a-z-]*", word) and word not in MAKE:
                yield "target " + word
    if words[0] == "argon2fast" and len(words) > 1 and re.fullmatch(r"[a-z-]+", words[1]):
        if words[1].startswith("-"):
            return
        text = help_of(words[1])
        if "Usage: argon2fast " + words[1] not in text:
            yield "command " + words[1]
        for option in re.findall(r"(?<=\s)--[a-z-]+", span):
            if option not in text:
                yield f"{option} of {words[1]}"
    for name in re.findall(r"\b(?:a2f|A2F)_\w+", span):
        if name not in HEADER and name not in ALSO:
            yield name
    for name in re.findall(r"(?<![\w.])argon2_\w+", span):
        if name not in SQL and name not in ALSO:
            yield name
    for name in re.findall(r"\bpg_argon2\.[a-z]\w+", span):
        if name not in SETTINGS and not name.endswith((".so", ".control")):
            yield name
    if words[0].split("/")[0] in PLACES and re.fullmatch(r"[\w./<>+-]+/[\w./<>+-]+", words[0]):
        if not is_there(words[0]):
            yield words[0]


count = failed = 0
for page in PAGES:
    with open(page, encoding="utf-8") as file:
        text = re.sub(r"^```.*?^```", "", file.read(), flags=re.M | re.S)
    spans = [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", text)]
    wrong = sorted({w for span in spans for w in unknown(span)})
    count += 1
    failed += bool(wrong)
    print(f"{'not ok' if wrong else 'ok'} {count} - {page}: {len(spans)} names")
    for w in wrong:
        print("# there is no", w)
print(f"1..{count}")
sys.exit(1 if failed or not MAKE or not SQL or not SETTINGS else 0)
