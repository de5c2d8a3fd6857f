#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""argon2fast verify, info, needs-rehash: answers, refusals, and that a
message never shows a hash or a password."""

import fcntl
import json
import os
import resource
import struct
import subprocess
import termios
import time

from support import (CHEAP, COMMAND, HOSTILE, check, done, make_hash, ok, run,
                     temp_file)

HASH = make_hash(b"password")
SALT, TAG = HASH.split("$")[4:]
MALFORMED = [
    "", "$", "x", "password", "$argon2id", HASH[:-2], HASH + "==", HASH + "\n",
    HASH + " ", " " + HASH, HASH.replace("argon2id", "argon2x"),
    HASH.replace("m=64", "m=064"), HASH.replace("m=64", "m=-64"),
    HASH.replace("m=64", "m=99999999999"), HASH.replace("m=64", "m=7"),
    HASH.replace("v=19", "v=18"), HASH.replace("$", "."), HASH + "$",
]


def no_secret(result, what="  and its message shows no hash"):
    ok(not any(secret in result.stderr for secret in
               (b"$argon2", SALT.encode(), TAG.encode(), b"password")),
       what, result.stderr)


def answers():
    check("match", run("verify", HASH, stdin=b"password"), 0, b"ok\n")
    check("mismatch", run("verify", HASH, stdin=b"Password"), 1,
          b"mismatch\n")
    check("options in any order",
          run("verify", HASH, "--json", "--threads", "1", stdin=b"password"),
          0, b'{"match":true}\n')
    check("--json mismatch", run("verify", "--json", HASH, stdin=b"no"), 1,
          b'{"match":false}\n')
    changed = HASH[:-2] + ("A" if HASH[-2] != "A" else "B") + HASH[-1]
    check("another tag", run("verify", changed, stdin=b"password"), 1,
          b"mismatch\n")
    for kind in ("d", "i", "id"):
        for version in (16, 19):
            text = make_hash(b"password", "--params",
                             f"m=100,t=2,p=3,type={kind},v={version}")
            check(f"argon2{kind}, version {version}",
                  run("verify", text, stdin=b"password"), 0, b"ok\n")
            check("  and not another", run("verify", text, stdin=b"passwort"),
                  1, b"mismatch\n")


def refusals():
    for text in MALFORMED:
        result = run("verify", text, stdin=b"password")
        check(f"malformed: {text[:40]!r}", result, 2, b"", rb"malformed")
        no_secret(result)
    for text in (HOSTILE, HASH.replace("m=64", "m=4194305"),
                 HASH.replace("t=1", "t=1048577"),
                 HASH.replace("m=64", "m=600000").replace("p=1", "p=65537")):
        result = run("verify", text, stdin=b"password")
        check(f"over the limit: {text[:40]!r}", result, 2, b"",
              rb"limit|may be")
        ok(b"malformed" not in result.stderr, "  and called so",
           result.stderr)
        no_secret(result)
    result = run("verify", HASH.replace("p=1$", "p=1,keyid=abcd$"),
                 stdin=b"password")
    check("a key that is not here", result, 2, b"", rb"key")
    result = run("verify", HASH, "--threads", "x", stdin=b"password")
    check("usage", result, 2, b"", rb"--threads")
    check("no hash", run("verify", stdin=b"password"), 2, b"", rb"HASH")
    check("two hashes", run("verify", HASH, HASH, stdin=b"password"), 2, b"",
          rb"HASH")
    result = run("verify", HASH, stdin=b"password\nmore")
    check("two passwords", result, 2, b"", rb"more than one line")
    no_secret(result)
    check("too long a password", run("verify", HASH, stdin=b"x" * (1 << 21)),
          2, b"", rb"password")
    with open("/dev/full", "wb") as full:
        result = run("verify", HASH, stdin=b"password", stdout=full)
    ok(result.returncode == 2, "an answer that is lost is an error", result)


def quick():
    """An honest run of the same program is the yardstick."""
    def best(text):
        times = []
        for _ in range(5):
            start = time.monotonic()
            run("verify", text, stdin=b"password")
            times.append(time.monotonic() - start)
        return min(times)
    ok(best(HOSTILE) < 10 * best(HASH) + 0.1,
       "a hostile hash is refused at once")


def short_of_memory():
    """3 GiB where the address space may grow by 1 GiB. The limit is set while
    the command waits for the rest of the password: a sanitizer has taken its
    terabytes by then."""
    process = subprocess.Popen(
        [COMMAND, "verify", HASH.replace("m=64", "m=3145728")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.write(process.stdin.fileno(), b"pass")
    while struct.unpack("i", fcntl.ioctl(process.stdin, termios.FIONREAD,
                                         b"\0" * 4))[0] > 0:
        time.sleep(0.01)
    with open(f"/proc/{process.pid}/statm", encoding="ascii") as statm:
        pages = int(statm.read().split()[0])
    most = pages * resource.getpagesize() + (1 << 30)
    resource.prlimit(process.pid, resource.RLIMIT_AS, (most, most))
    out, err = process.communicate(b"word", timeout=300)
    result = subprocess.CompletedProcess((), process.returncode, out, err)
    check("short of memory", result, 2, b"", rb"memory")
    ok(b"malformed" not in result.stderr and b"may be" not in result.stderr,
       "  and called so", result.stderr)
    no_secret(result)


def hash_files():
    for name, data, status in [
            ("line", HASH.encode() + b"\n", 0), ("bare", HASH.encode(), 0),
            ("two", HASH.encode() + b"\nmore\n", 2), ("empty", b"", 2),
            ("nul", HASH.encode() + b"\0", 2), ("long", b"$" * 5000, 2)]:
        path = temp_file(name, data)
        result = run("verify", "--hash-file", path, stdin=b"password")
        check(f"--hash-file: {name}", result, status, None,
              b"" if status == 0 else rb"argon2fast: ")
        no_secret(result)
    check("no such file", run("verify", "--hash-file", "/nonexistent/file",
                              stdin=b"password"), 2, b"", rb"hash file: No")
    check("a file and a hash",
          run("verify", "--hash-file", temp_file("f", b"x"), HASH,
              stdin=b"password"), 2, b"", rb"HASH")
    check("info --hash-file",
          run("info", "--hash-file", temp_file("g", HASH.encode())), 0,
          rb"type: argon2id\n.*")


def info():
    text = make_hash(b"x", "--params", "m=100,t=2,p=3,type=i,v=16,saltlen=9")
    check("info", run("info", text), 0,
          rb"type: argon2i\nversion: 16 \(0x10\)\nmemory: 100 KiB\n"
          rb"passes: 2\nlanes: 3\nsalt length: 9 bytes\n"
          rb"tag length: 32 bytes\ncanonical: yes\nparams: \S+\n")
    result = run("info", "--json", text)
    check("info --json is a line", result, 0, rb"[^\n]*\n")
    members = json.loads(result.stdout)
    params = members.pop("params")
    ok(members == {"type": "argon2i", "version": 16, "memory_kib": 100,
                   "passes": 2, "lanes": 3, "salt_len": 9, "tag_len": 32,
                   "canonical": True}, "  and says the same", members)
    check("its params make its like",
          run("needs-rehash", text, "--params", params), 1, b"no\n")
    old = HASH.replace("$v=19", "")
    result = json.loads(run("info", "--json", old).stdout)
    ok((result["version"], result["canonical"]) == (16, False),
       "without v= it is version 16, and not canonical", result)
    result = run("info", HASH, "--json")
    ok(SALT.encode() not in result.stdout and TAG.encode() not in result.stdout,
       "info shows neither salt nor tag")
    for bad in MALFORMED:
        result = run("info", bad)
        check(f"info refuses {bad[:40]!r}", result, 2, b"", rb"malformed")
        no_secret(result)
    check("info judges no cost", run("info", HOSTILE), 0,
          rb".*memory: 4294967295 KiB\n.*")
    check("info of nothing", run("info"), 2, b"", rb"HASH")


def needs_rehash():
    for options, expected in [
            (["--params", CHEAP], "no"), ([], "yes"),
            (["--params", "owasp"], "yes"),
            (["--params", CHEAP, "-m", "65"], "yes"),
            (["--params", CHEAP, "-t", "2"], "yes"),
            (["--params", CHEAP, "-p", "2"], "yes"),
            (["--params", CHEAP, "--type", "i"], "yes"),
            (["--params", CHEAP + ",v=16"], "yes"),
            (["--params", CHEAP + ",len=16"], "yes"),
            (["--params", CHEAP + ",saltlen=8"], "yes"),
            (["-m64", "-t1", "-p1"], "no")]:
        check(f"needs-rehash {' '.join(options)}: {expected}",
              run("needs-rehash", HASH, *options),
              0 if expected == "yes" else 1, expected.encode() + b"\n")
    check("needs-rehash --json", run("needs-rehash", "--json", HASH), 0,
          b'{"needs_rehash":true}\n')
    check("needs-rehash --json, current",
          run("needs-rehash", "--json", "--params", CHEAP, HASH), 1,
          b'{"needs_rehash":false}\n')
    for bad in MALFORMED:
        result = run("needs-rehash", bad)
        check(f"needs-rehash refuses {bad[:40]!r}", result, 2, b"",
              rb"malformed")
        no_secret(result)
    check("needs-rehash refuses params",
          run("needs-rehash", "--params", "x", HASH), 2, b"", rb".")


answers()
refusals()
quick()
short_of_memory()
hash_files()
info()
needs_rehash()
done()
