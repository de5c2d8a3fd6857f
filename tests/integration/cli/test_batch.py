#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""hash --batch and verify --batch: a result for every line, in order."""

import json
import os
import re
import signal
import subprocess
import time

from support import (CHEAP, COMMAND, HOSTILE, Terminal, check, done, make_hash,
                     ok, run)

BATCH_HASH = ("hash", "--batch", "--params", CHEAP)
LONG = b"x" * (1 << 20)


def start(*args):
    return subprocess.Popen([COMMAND, *args], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def in_order():
    passwords = [b"password %d" % i for i in range(3000)]
    passwords[7] = b""
    passwords[8] = b"tab\tand\0NUL \xff"
    result = run(*BATCH_HASH, stdin=b"\n".join(passwords))
    hashes = result.stdout.split(b"\n")
    check("3000 passwords, the last without a newline", result, 0)
    ok(len(hashes) == 3001 and hashes.pop() == b"" and
       len(set(hashes)) == 3000, "  give 3000 hashes", len(hashes))
    pairs = [h + b"\t" + p for h, p in zip(hashes, passwords)]
    result = run("verify", "--batch", stdin=b"\n".join(pairs) + b"\n")
    check("  that verify in the same order", result, 0, rb"(ok\n){3000}")
    pairs[1000] += b"!"
    pairs[2999] = pairs[2999].replace(b"password", b"passwort")
    result = run("verify", "--batch", stdin=b"\r\n".join(pairs))
    lines = result.stdout.split(b"\n")
    ok(result.returncode == 1 and
       [i for i, line in enumerate(lines) if line == b"mismatch"]
       == [1000, 2999], "mismatches are told in place", result.returncode)
    for i in (0, 7, 8, 2999):
        ok(run("verify", hashes[i].decode(), stdin=passwords[i]).returncode
           == 0, f"hash {i} is a hash of password {i}")
    check("nothing in, nothing out", run(*BATCH_HASH), 0, b"")
    check("verify: nothing in, nothing out", run("verify", "--batch"), 0, b"")
    check("an empty line is the empty password",
          run(*BATCH_HASH, stdin=b"\n"), 0, rb"\$argon2id\$[^\n]*\n")


def mixed_costs():
    costs = ["m=64,t=1,p=1", "m=128,t=2,p=2,type=i", "m=64,t=1,p=3,v=16"]
    hashes = [make_hash(b"pw", "--params", cost) for cost in costs]
    lines = [hashes[i % 3].encode() + b"\t" + (b"pw" if i % 5 else b"no")
             for i in range(300)]
    result = run("verify", "--batch", stdin=b"\n".join(lines))
    ok(result.stdout == b"".join(b"ok\n" if i % 5 else b"mismatch\n"
                                 for i in range(300)),
       "hashes of several costs stay in order", result)


def errors():
    good = make_hash(b"pw").encode()
    lines = [good + b"\tpw", b"", b"no tab", b"malformed\tpw",
             HOSTILE.encode() + b"\tpw", good + b"\tno", b"\tpw",
             good + b"\t" + LONG * 3, good + b"\t" + LONG + b"x",
             good + b"\t" + LONG, good.replace(b"p=1$", b"p=1,keyid=YQ$") +
             b"\tpw", good + b"\0\tpw", good + b"\tpw"]
    expected = (rb"ok\nerror: [^\n]*tab[^\n]*\nerror: [^\n]*tab[^\n]*\n"
                rb"error: [^\n]*malformed[^\n]*\n"
                rb"error: [^\n]*(limit|may be)[^\n]*\nmismatch\n"
                rb"error: [^\n]*malformed[^\n]*\n"
                rb"error: [^\n]*too long[^\n]*\nerror: [^\n]*password[^\n]*\n"
                rb"mismatch\nerror: [^\n]*key[^\n]*\n"
                rb"error: [^\n]*malformed[^\n]*\nok\n")
    result = run("verify", "--batch", stdin=b"\n".join(lines))
    check("each line has its own error", result, 2, expected)
    ok(good not in result.stdout and b"$argon2" not in result.stdout,
       "which shows no hash")
    result = run("verify", "--batch", "--json", stdin=b"\n".join(lines))
    objects = [json.loads(line) for line in result.stdout.splitlines()]
    ok([next(iter(o.items())) if "match" in o else ("error", bool(o["error"]))
        for o in objects] ==
       [("match", True)] + 4 * [("error", True)] + [("match", False)]
       + 3 * [("error", True)] + [("match", False)] + 2 * [("error", True)]
       + [("match", True)], "as JSON, an object a line", objects)

    result = run(*BATCH_HASH, stdin=b"\n".join(
        [b"a", LONG * 2, LONG + b"y", LONG, LONG * 5 + b"z", b"b"]))
    check("hash: lines that are too long keep their place", result, 2,
          rb"\$[^\n]*\nerror: [^\n]*too long\nerror: [^\n]*password[^\n]*\n"
          rb"\$[^\n]*\nerror: [^\n]*too long\n\$[^\n]*\n")
    lines = result.stdout.split(b"\n")
    for at, password in ((0, b"a"), (3, LONG), (5, b"b")):
        ok(run("verify", lines[at].decode(), stdin=password).returncode == 0,
           f"  line {at} is right")
    check("a line that is too long and is the last",
          run(*BATCH_HASH, stdin=b"a\n" + LONG * 2 + b"\n"), 2,
          rb"\$[^\n]*\nerror: [^\n]*too long\n")
    result = run(*BATCH_HASH, "--json", stdin=b"a\nb")
    objects = [json.loads(line) for line in result.stdout.splitlines()]
    ok(len(objects) == 2 and all(run(
        "verify", o["hash"], stdin=p).returncode == 0
        for o, p in zip(objects, (b"a", b"b"))), "hash --json", result)
    check("params are refused before a line is read",
          run("hash", "--batch", "-m", "7", stdin=b"a\nb"), 2, b"", rb"memory")
    check("--batch takes no hash",
          run("verify", "--batch", good.decode()), 2, b"", rb"--batch")
    with open("/dev/full", "wb") as full:
        result = run(*BATCH_HASH, stdin=b"a\n" * 100, stdout=full)
    ok(result.returncode == 2 and
       result.stderr.count(b"standard output: No space") >= 1,
       "results that are lost are an error", result)


def timely():
    """Somebody who waits for an answer to each line is answered."""
    process = start(*BATCH_HASH)
    good = True
    for i in range(20):
        process.stdin.write(b"password %d\n" % i)
        process.stdin.flush()
        good = good and process.stdout.readline().startswith(b"$argon2id$")
    process.stdin.write(b"half a line")
    process.stdin.flush()
    time.sleep(0.2)
    process.stdin.write(b", and the rest\n")
    process.stdin.flush()
    text = process.stdout.readline().strip().decode()
    process.stdin.close()
    ok(good, "an answer to each line as it comes")
    ok(run("verify", text, stdin=b"half a line, and the rest").returncode == 0,
       "a line that comes in parts is one line", text)
    ok(process.wait(60) == 0, "  and an orderly end")


def interrupted():
    slow = ("hash", "--batch", "--params", "m=65536,t=20,p=1")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP,
                   signal.SIGQUIT):
        process = start(*slow)
        process.stdin.write(b"password\n" * 100)
        process.stdin.flush()
        time.sleep(0.5)
        process.send_signal(number)
        began = time.monotonic()
        out, err = process.communicate()
        took = time.monotonic() - began
        ok(process.returncode == 128 + number and err == b"" and
           re.fullmatch(rb"(\$argon2id\$[^\n]*\n)*", out) is not None,
           f"{number.name} ends the work in order",
           process.returncode, out, err)
        ok(took < 5, "  and soon", took)
    process = start(*slow)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    ok(process.wait(60) == 130, "SIGINT while it waits for a line")
    process = start("hash")
    time.sleep(0.3)
    with open(f"/proc/{process.pid}/limits", encoding="ascii") as limits:
        ok(re.search(r"Max core file size +0 +0", limits.read()) is not None,
           "no core dumps")
    process.send_signal(signal.SIGTERM)
    ok(process.wait(60) == 143, "SIGTERM while it waits for a password")
    ignored = subprocess.Popen(
        [COMMAND, *BATCH_HASH], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    time.sleep(0.3)
    ignored.send_signal(signal.SIGHUP)
    out, _ = ignored.communicate(b"password\n")
    ok(ignored.returncode == 0 and out.startswith(b"$argon2id$"),
       "a signal that nohup ignores stays ignored", ignored.returncode, out)


def on_a_terminal():
    terminal = Terminal("hash", "--batch")
    status, shown = terminal.finish()
    ok(status == 2 and b"terminal" in shown,
       "passwords are not typed where they show", status, shown)

    def child():
        reader, writer = os.pipe()
        os.write(writer, b"a\nb\nc\n")
        os.close(writer)
        os.dup2(reader, 0)
        os.execv(COMMAND, [COMMAND, *BATCH_HASH])
    terminal = Terminal(function=child, pipe=True)
    status, shown = terminal.finish()
    ok(status == 0 and re.search(rb"\r3 done, [0-9.]+/s\x1b\[K", shown)
       and shown.endswith(b"\r\x1b[K"),
       "progress on a terminal, wiped at the end", status, shown)
    ok(len(terminal.output.read().splitlines()) == 3, "  and none of it in "
       "the output")


in_order()
mixed_costs()
errors()
timely()
interrupted()
on_a_terminal()
done()
