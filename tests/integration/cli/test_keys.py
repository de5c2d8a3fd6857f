#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""--secret-file: keys for hash, verify and needs-rehash, alone and in batches,
and what is said of a key that is missing or a file that is no good."""

import os
import re

from support import CHEAP, check, done, make_hash, ok, run, temp_file

ONE = b"b25lIG9uZSBvbmUgb25lIG9uZQ"
TWO = b"dHdvIHR3byB0d28gdHdvIHR3bw=="


def key_file(name, data, mode=0o600):
    path = temp_file(name, data)
    os.chmod(path, mode)
    return path


FIRST = key_file("first", b"# the first\ncurrent 1\n1 " + ONE + b"\n")
BOTH = key_file("both", b"current 2\n1 " + ONE + b"\n2 " + TWO + b"\n")
SECOND = key_file("second", b"2 " + TWO)
HASH = make_hash(b"password", "--params", CHEAP, "--secret-file", FIRST)
BARE = make_hash(b"password")


def verify(text, keys, password=b"password"):
    more = ("--secret-file", keys) if keys else ()
    return run("verify", text, *more, stdin=password)


def one():
    ok(HASH.startswith(f"$argon2id$v=19${CHEAP},keyid=MQ$"),
       "hash says which key", HASH)
    check("verify finds it", verify(HASH, FIRST), 0, b"ok\n")
    check("  where it is not the current one", verify(HASH, BOTH), 0, b"ok\n")
    check("  and sees a wrong password", verify(HASH, BOTH, b"no"), 1,
          b"mismatch\n")
    for keys in (None, SECOND):
        result = verify(HASH, keys)
        check("a missing key is an error", result, 2, b"", rb"key.*available")
    check("a hash without one", verify(BARE, BOTH), 0, b"ok\n")
    ok("keyid" not in make_hash(b"x", "--params", CHEAP, "--secret-file",
                                SECOND), "no current key, no key")


def needs_rehash():
    for text, keys, needs in ((HASH, None, False), (HASH, FIRST, False),
                              (HASH, BOTH, True), (HASH, SECOND, False),
                              (BARE, BOTH, True), (BARE, SECOND, False)):
        more = ("--secret-file", keys) if keys else ()
        check(f"needs-rehash {text == BARE} {keys and keys[-6:]}",
              run("needs-rehash", "--params", CHEAP, *more, text),
              0 if needs else 1, b"yes\n" if needs else b"no\n")


def batch():
    result = run("hash", "--batch", "--params", CHEAP, "--secret-file", BOTH,
                 stdin=b"a\nb\n")
    lines = result.stdout.split()
    ok(result.returncode == 0 and len(lines) == 2 and
       all(b",keyid=Mg$" in line for line in lines), "hash --batch", result)
    texts = b"\n".join([lines[0] + b"\ta", HASH.encode() + b"\tpassword",
                        BARE.encode() + b"\tpassword", lines[1] + b"\ta"])
    check("verify --batch, keys of several ids",
          run("verify", "--batch", "--secret-file", BOTH, stdin=texts), 1,
          b"ok\nok\nok\nmismatch\n")
    check("  one of which is missing",
          run("verify", "--batch", "--secret-file", SECOND, stdin=texts), 2,
          rb"ok\nerror: [^\n]*key[^\n]*\nok\nmismatch\n")


def refusals():
    bad = {
        "not there": (FIRST + "x", rb"cannot be opened"),
        "open to others": (key_file("open", b"1 " + ONE, 0o644),
                           rb"owner or mode"),
        "a directory": (os.path.dirname(FIRST), rb"no regular file"),
        "empty": (key_file("empty", b""), rb"no key"),
        "bad base64": (key_file("bad", b"\n1 " + ONE + b"!\n"),
                       rb"base64 .* line 2"),
        "short": (key_file("short", b"1 AAAA\n"), rb"length .* line 1"),
        "no such current": (key_file("none", b"1 " + ONE + b"\ncurrent 2\n"),
                            rb"unknown id .* line 2"),
    }
    for name, (path, message) in bad.items():
        for args in (("hash",), ("hash", "--batch"), ("verify", BARE),
                     ("verify", "--batch"), ("needs-rehash", BARE)):
            result = run(*args, "--secret-file", path, stdin=b"password")
            check(f"{' '.join(args)[:16]}: key file {name}", result, 2, b"",
                  message)
            ok(not re.search(ONE + rb"|AAAA|password\b", result.stderr),
               "  and no secret in the message", result.stderr)


one()
needs_rehash()
batch()
refusals()
done()
