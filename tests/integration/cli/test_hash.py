#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""argon2fast hash: costs, presets, the password on standard input, output."""

import json
import os
import subprocess

from support import CHEAP, COMMAND, check, done, make_hash, ok, run

PHC = (rb"\$argon2%b\$v=%d\$m=%d,t=%d,p=%d"
       rb"\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}\n")


def costs():
    cases = [
        ([], (b"id", 19, 65536, 3, 4)),
        (["--params", "default"], (b"id", 19, 65536, 3, 4)),
        (["--params", "rfc9106"], (b"id", 19, 65536, 3, 4)),
        (["--params", "owasp"], (b"id", 19, 19456, 2, 1)),
        (["--params", "rfc9106-high"], (b"id", 19, 2097152, 1, 4)),
        (["--params", CHEAP], (b"id", 19, 64, 1, 1)),
        (["--params", CHEAP + ",v=16"], (b"id", 16, 64, 1, 1)),
        (["-m", "64", "-t", "2", "-p", "3"], (b"id", 19, 64, 2, 3)),
        (["--memory=64", "--passes=2", "--lanes=3"], (b"id", 19, 64, 2, 3)),
        (["-m64", "--params", "owasp"], (b"id", 19, 64, 2, 1)),
        (["--params", "owasp", "-m64", "--type", "i"], (b"i", 19, 64, 2, 1)),
        (["--params", CHEAP + ",type=i", "--type", "d"], (b"d", 19, 64, 1, 1)),
        (["-m64", "-t1", "-p1", "--type=id"], (b"id", 19, 64, 1, 1)),
        (["-m64", "-t1", "-p2", "--threads", "2"], (b"id", 19, 64, 1, 2)),
    ]
    for options, expected in cases:
        result = run("hash", *options, stdin=b"password")
        check(f"hash {' '.join(options)}", result, 0, PHC % expected)
        text = result.stdout.decode().strip()
        if "rfc9106-high" not in options:
            check("  and it verifies", run("verify", text, stdin=b"password"),
                  0, b"ok\n")

    text = make_hash(b"x", "--params", CHEAP + ",saltlen=8,len=64")
    ok([len(part) for part in text.split("$")[4:]] == [11, 86],
       "salt and tag lengths from --params", text)
    ok(make_hash(b"x") != make_hash(b"x"), "every hash has a fresh salt")


def refusals():
    for options, message in [
            (["-m", "7"], rb"memory"),
            (["-m", "64", "-p", "9"], rb"memory"),
            (["-t", "0"], rb"passes"),
            (["-p", "0"], rb"lanes"),
            (["-m", "4294967296"], rb"--memory takes a number"),
            (["-m", "-1"], rb"--memory takes a number"),
            (["-m", ""], rb"--memory takes a number"),
            (["-m", "64k"], rb"--memory takes a number"),
            (["-t", "99999999999999999999999"], rb"--passes takes a number"),
            (["--threads", "0"], rb"--threads takes a number"),
            (["--threads", "1025"], rb"--threads takes a number"),
            (["-m", "4194305"], rb"memory"),
            (["-t", "1048577"], rb"passes"),
            (["--type", "x"], rb"--type"),
            (["--params", "nonsense"], rb"."),
            (["--params", "m=64,t=1,p=1,q=2"], rb"."),
            (["--params", "m=64,m=64,t=1,p=1"], rb"."),
            (["--params", ""], rb"."),
            (["--nonsense"], rb"--nonsense is not known here"),
            (["--hash-file", "x"], rb"--hash-file is not known here"),
            (["-x"], rb"-x is not known here"),
            (["--json", "-xm"], rb"-x is not known here"),
            (["--json=x"], rb"--json takes no value"),
            (["--params"], rb"--params needs a value"),
            (["-m"], rb"-m needs a value")]:
        check(f"hash {' '.join(options)} is refused",
              run("hash", *options, stdin=b"password"), 2, b"", message)

    for args in (["hunter2"], ["--", "hunter2"], ["--hunter=hunter2"],
                 ["--type", "hunter2"], ["--params", "hunter2"],
                 ["-m", "hunter2"], ["--threads=hunter2"], ["-zhunter2"]):
        result = run("hash", *args, stdin=b"x")
        check(f"a password in the wrong place is refused: {args[0]}", result,
              2, b"", rb"argon2fast: ")
        ok(b"hunter2" not in result.stderr, "  and not repeated",
           result.stderr)
    check("no such command", run("hunter2"), 2, b"", rb"no such command")
    check("no command", run(), 2, b"", rb"Usage: argon2fast")


def same(stored, given):
    return run("verify", make_hash(stored), stdin=given).returncode == 0


def passwords():
    ok(same(b"pw", b"pw\n"), "a newline ends the password")
    ok(same(b"pw", b"pw\r\n"), "so do carriage return and newline")
    ok(same(b"pw\n", b"pw"), "when hashing as well")
    ok(not same(b"pw\r", b"pw"), "a lone carriage return belongs to it")
    ok(not same(b"pw ", b"pw"), "so does a space")
    ok(same(b"", b"\n"), "an empty line is the empty password")
    ok(not same(b"", b"\0"), "NUL is not the empty password")
    ok(same(b"a\0b\xff", b"a\0b\xff\n"), "any byte may be in a password")
    ok(not same(b"a\0b", b"a"), "a password does not end at NUL")
    ok(not same(b"a\0b", b"a\0c"), "what follows NUL counts")
    for more in (b"pw\nmore", b"pw\n\n", b"\npw", b"pw\n\0", b"pw\r\n\r\n"):
        result = run("hash", "--params", CHEAP, stdin=more)
        check(f"more than a line is an error: {more!r}", result, 2, b"",
              rb"more than one line")
        ok(b"pw" not in result.stderr, "  and not shown", result.stderr)

    big = b"x" * (1 << 20)
    ok(same(big, big + b"\r\n"), "a password of 1 MiB")
    ok(not same(big, big[1:]), "all of it counts")
    for extra in (1, 2, 3, 4, 1 << 21):
        check(f"{extra} bytes more are too many",
              run("hash", "--params", CHEAP, stdin=big + extra * b"x"),
              2, b"", rb"password")
    slow = subprocess.run(
        f"(printf pass; sleep 0.2; printf word) | '{COMMAND}' verify "
        f"'{make_hash(b'password')}'", shell=True, stdout=subprocess.PIPE)
    ok(slow.returncode == 0, "a password that arrives in parts")
    check("standard input that cannot be read",
          run("hash", "--params", CHEAP, stdin_file=os.open("/", os.O_RDONLY)),
          2, b"", rb"standard input: Is a directory")


def output():
    result = run("hash", "--params", CHEAP + ",type=i", "--json", stdin=b"x")
    check("hash --json prints a line", result, 0, rb"[^\n]*\n")
    members = json.loads(result.stdout)
    ok(run("verify", members.pop("hash"), stdin=b"x").returncode == 0,
       "  with a hash that verifies")
    ok(members == {"type": "argon2i", "version": 19, "memory_kib": 64,
                   "passes": 1, "lanes": 1, "salt_len": 16, "tag_len": 32},
       "  and its cost", members)
    with open("/dev/full", "wb") as full:
        result = run("hash", "--params", CHEAP, stdin=b"x", stdout=full)
    ok(result.returncode == 2 and b"standard output: No space" in result.stderr,
       "output that is lost is an error", result)
    reader, writer = os.pipe()
    os.close(reader)
    result = run("hash", "--params", CHEAP, stdin=b"x", stdout=writer)
    os.close(writer)
    ok(result.returncode == 2 and b"standard output: Broken" in result.stderr,
       "a reader that is gone is an error, not a signal", result)


costs()
refusals()
passwords()
output()
done()
