#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""argon2fast common: yes or no for one password, and for many."""

import os
import subprocess

from support import COMMAND, ROOT, Terminal, check, done, ok, run

LIST = os.path.join(ROOT, "libcore/common/passwords.txt")


def one():
    for password in (b"123456", b"LetMeIn", b"PASSWORD\n", b"dragon\r\n"):
        check(f"{password}", run("common", stdin=password), 0, b"yes\n")
    for password in (b"", b"123456 ", b"dragon\0", b"correct horse battery",
                     b"x" * 3000000):
        check(f"not {password[:20]}", run("common", stdin=password), 1,
              b"no\n")
    check("--json", run("common", "--json", stdin=b"qwerty"), 0,
          b'{"common":true}\n')
    check("--json, no", run("common", "--json", stdin=b"qwertz-uiop-ue"), 1,
          b'{"common":false}\n')
    check("two lines", run("common", stdin=b"qwerty\nqwerty"), 2, b"",
          rb"--batch")
    result = run("common", "qwerty", stdin=b"")
    check("never from the command line", result, 2, b"", rb"no operand")
    ok(b"qwerty" not in result.stderr, "  nor shown", result.stderr)


def batch():
    with open(LIST, "rb") as file:
        listed = file.read()
    check("the whole list", run("common", "--batch", stdin=listed.upper()), 0,
          rb"(yes\n){10000}")
    check("answers in order", run("common", "--batch", stdin=b"a horse, a\n"
                                  b"qwerty\r\n\n" + b"x" * (3 << 20) +
                                  b"\nShadow"), 0,
          b"no\nyes\nno\nno\nyes\n")
    check("none is", run("common", "--batch", stdin=b"a horse, a\n\n"), 1,
          b"no\nno\n")
    check("nothing in, nothing out", run("common", "--batch"), 1, b"")
    check("--json", run("common", "--batch", "--json", stdin=b"qwerty\n!a!\n"),
          0, b'{"common":true}\n{"common":false}\n')
    with open("/dev/full", "wb") as full:
        check("answers that are lost are an error",
              run("common", "--batch", stdin=b"a\n", stdout=full), 2, None,
              rb"standard output: No space")


def timely():
    """Somebody who waits for an answer to each line is answered."""
    with subprocess.Popen([COMMAND, "common", "--batch"],
                          stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        for word, answer in ((b"qwerty", b"yes\n"), (b"qwertz!", b"no\n")):
            process.stdin.write(word + b"\n")
            process.stdin.flush()
            ok(process.stdout.readline() == answer, f"{word} at once")


def terminal():
    t = Terminal("common")
    ok(t.wait_for(b"Password: ") is not None and not t.echo(),
       "asks on the terminal, without echo")
    t.type(b"letmein\n")
    status, seen = t.finish()
    ok(status == 0 and b"yes" in seen and b"letmein" not in seen and
       b"again" not in seen, "once", status, seen)


one()
batch()
timely()
terminal()
done()
