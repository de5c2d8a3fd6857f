# SPDX-License-Identifier: MIT
"""Hosts under valgrind's memcheck: what it reports about our objects, and TAP.
A report is ours when one of its stacks, also that of where memory came from,
goes through an object of ours; the hosts' own are counted and left to them."""

import collections
import glob
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

BUILD = os.environ["BUILD"]
LONG = bool(os.environ.get("PROOF_LONG"))
VALGRIND = [os.environ.get("VALGRIND", "valgrind"), "--xml=yes", "--leak-check=full", "--num-callers=50",
            "--show-leak-kinds=definite,indirect,possible", "--trace-children=yes", "--error-limit=no",
            "--child-silent-after-fork=no", "--read-var-info=no"]
OURS = re.compile(r"/[^/]*argon2(fast|_faulty)?[^/]*$")
CHEAP = "m=64,t=1,p=2"

Reports = collections.namedtuple("Reports", "ours theirs programs")
work = tempfile.TemporaryDirectory(prefix="a2f-memcheck-")
os.chmod(work.name, 0o755)


class Tap:
    count = failed = 0

    def ok(self, name, good, *remarks):
        self.count += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}")
        if not good:
            for remark in remarks:
                print(*("# " + line for line in str(remark).splitlines()), sep="\n")
        sys.stdout.flush()
        return good

    def end(self):
        print(f"1..{self.count}")
        sys.exit(1 if self.failed or not self.count else 0)


tap = Tap()


def is_ours(error):
    return any(OURS.search(obj.text or "") and "libargon2.so" not in obj.text
               for obj in error.iterfind(".//obj"))


def words(error):
    """A report in a few lines: what, and the functions from the inside out."""
    what = error.findtext("what") or error.findtext("xwhat/text") or ""
    frames = [f"{f.findtext('fn') or '?'} ({f.findtext('file') or os.path.basename(f.findtext('obj') or '?')}"
              f":{f.findtext('line') or '?'})" for f in error.iterfind(".//frame")]
    return f"{error.findtext('kind')}: {what}\n  " + "\n  ".join(frames[:20])


def grind(name, command, typed="", env=None, user=()):
    """Runs a command, and all that it starts, under valgrind: its output and
    what was reported."""
    directory = tempfile.mkdtemp(dir=work.name)
    os.chmod(directory, 0o777)
    done = subprocess.run([*user, *VALGRIND, f"--xml-file={directory}/%p.xml", *command], input=typed, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=500,
                          env={**os.environ, **(env or {})}, errors="replace")
    ours, theirs, programs = [], 0, []
    for path in glob.glob(directory + "/*.xml"):
        try:
            tree = xml.etree.ElementTree.parse(path).getroot()
        except xml.etree.ElementTree.ParseError as error:
            ours.append(f"{name}: no whole report of a process: {error}")
            continue
        programs.append(os.path.basename(tree.findtext("args/argv/exe") or ""))
        for error in tree.iterfind("error"):
            if is_ours(error):
                ours.append(words(error))
            else:
                theirs += 1
    return done.stdout, Reports(ours, theirs, sorted(programs))


def check(name, command, typed="", wants=(), programs=(), leaks=True, **more):
    """A run that must say certain things, by certain programs, and give no
    report about us."""
    said, reports = grind(name, command, typed, **more)
    ours = [report for report in reports.ours if leaks or not report.startswith("Leak_")]
    for pattern in wants:
        tap.ok(f"{name}: says {pattern}", re.search(pattern, said), said)
    for program in programs:
        tap.ok(f"{name}: {program} ran under valgrind", program in reports.programs, reports.programs)
    tap.ok(f"{name}: no report ({reports.theirs} of the host's own)", not ours, *ours)
    return said
