# SPDX-License-Identifier: MIT
"""What the tests of the command share: TAP, running it, and a terminal."""

import atexit
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import termios
import time

BUILD = os.environ["BUILD"]
ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../../.."))
COMMAND = os.path.join(BUILD, "argon2fast")
CHEAP = "m=64,t=1,p=1"
# Malformed in no way, and far above every ceiling.
HOSTILE = ("$argon2id$v=19$m=4294967295,t=4294967295,p=16777215"
           "$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA")

# A sanitizer's exit status must not look like one of ours.
for tool in ("ASAN", "UBSAN", "TSAN", "LSAN"):
    name = tool + "_OPTIONS"
    os.environ[name] = os.environ.get(name, "") + ":exitcode=99"

TEMP = tempfile.mkdtemp(prefix="argon2fast-cli-")
atexit.register(shutil.rmtree, TEMP, ignore_errors=True)

count = 0
failures = 0


def ok(good, what, *details):
    """One test; details are shown when it fails."""
    global count, failures
    count += 1
    if not good:
        failures += 1
    print(f"{'ok' if good else 'not ok'} {count} - {what}", flush=True)
    if not good:
        for detail in details:
            print(f"# {detail!r:.2000}", flush=True)
    return good


def done():
    print(f"1..{count}", flush=True)
    sys.exit(1 if failures else 0)


def run(*args, stdin=b"", **more):
    """Runs the command; the result has returncode, stdout, stderr (bytes)."""
    options = {"input": stdin} if "stdin_file" not in more else {
        "stdin": more.pop("stdin_file")}
    options.update(stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    options.update(more)
    result = subprocess.run([COMMAND, *args], **options)
    if result.returncode == 99:
        sys.stderr.buffer.write(result.stderr)
    return result


def check(what, result, status, stdout=None, stderr=b""):
    """Exit status, and patterns for all of stdout and some of stderr (b"":
    it must be empty; None: anything)."""
    good = result.returncode == status
    if stdout is not None:
        good = good and re.fullmatch(stdout, result.stdout, re.S) is not None
    if stderr == b"":
        good = good and result.stderr == b""
    elif stderr is not None:
        good = good and re.search(stderr, result.stderr) is not None
    return ok(good, what, result.returncode, result.stdout, result.stderr)


def make_hash(password, *options):
    """A PHC string, as text."""
    if not options:
        options = ("--params", CHEAP)
    result = run("hash", *options, stdin=password)
    assert result.returncode == 0, result
    return result.stdout.decode().rstrip("\n")


def temp_file(name, data):
    path = os.path.join(TEMP, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


class Terminal:
    """The command, or a function, in a session on a terminal of its own.
    Standard output goes to a pipe when asked, the rest to the terminal."""

    def __init__(self, *args, function=None, pipe=False):
        self.seen = b""
        ends = os.pipe() if pipe else None
        self.pid, self.fd = os.forkpty()
        if self.pid == 0:
            if pipe:
                os.dup2(ends[1], 1)
            if function:
                os._exit(function())
            os.execv(COMMAND, [COMMAND, *args])
        if pipe:
            os.close(ends[1])
            self.output = os.fdopen(ends[0], "rb")

    def wait_for(self, text, seconds=60):
        """Reads until text appears; what has been read is forgotten up to
        there. Returns it, or None."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.fd], [], [], left)[0]:
                return None
            try:
                got = os.read(self.fd, 4096)
            except OSError:
                got = b""
            if not got:
                return None
            self.seen += got
        before, text, self.seen = self.seen.partition(text)
        return before + text

    def type(self, data):
        os.write(self.fd, data)

    def echo(self):
        return bool(termios.tcgetattr(self.fd)[3] & termios.ECHO)

    def finish(self):
        """Exit status and what else was shown."""
        while True:
            try:
                got = os.read(self.fd, 4096)
            except OSError:
                break
            if not got:
                break
            self.seen += got
        status = os.waitpid(self.pid, 0)[1]
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status), self.seen
