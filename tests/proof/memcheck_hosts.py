#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""valgrind's memcheck over the SQLite extension in the sqlite3 shell, the
provider in the openssl command, and the argon2fast command."""

import os

from grind import BUILD, CHEAP, LONG, check, grind, tap, work

MORE = 20 if LONG else 1

# ---- the control ----
sqlite = ["sqlite3", "-batch", "-init", "/dev/null"]
faulty = os.path.join(BUILD, "tests/proof/argon2_faulty")
_, reports = grind("faulty", [*sqlite, "-cmd", f".load {faulty} sqlite3_extension_init", ":memory:", "SELECT faulty()"])
for kind in ("UninitCondition", "InvalidRead", "Leak_DefinitelyLost"):
    tap.ok(f"control: {kind} is reported", any(report.startswith(kind) for report in reports.ours), *reports.ours)

# ---- SQLite ----
HASH = "(SELECT hash FROM users LIMIT 1)"
SQL = f"""
SELECT argon2_version();
CREATE TABLE users(name TEXT, hash TEXT);
INSERT INTO users SELECT value, argon2_hash(value || 'password', '{CHEAP}') FROM json_each('["a","b","c"]');
SELECT 'right', sum(argon2_verify(name || 'password', hash)) FROM users;
SELECT 'wrong', sum(argon2_verify('no', hash)) FROM users;
SELECT argon2_verify(x'00ff', argon2_hash(x'00ff', '{CHEAP}')), argon2_verify('', argon2_hash('', '{CHEAP}'));
SELECT hex(argon2_raw('password', 'saltsalt', '{CHEAP},len=100,type=i')), argon2_raw('p', 'saltsalt', '{CHEAP},len=5000');
SELECT argon2_hash_with_salt('password', 'saltsalt', '{CHEAP},type=d');
SELECT argon2_info({HASH}), argon2_params({HASH}), argon2_is_valid({HASH}), argon2_is_valid('no');
SELECT argon2_needs_rehash({HASH}), argon2_needs_rehash({HASH}, '{CHEAP}'), argon2_dummy_hash();
SELECT argon2_calibrate(1);
SELECT argon2_config('max_memory', 4096);
SELECT 'above', argon2_hash('p', 'm=8192,t=1,p=1');
SELECT 'bad', argon2_verify('p', 'argon2');
SELECT 'swapped', argon2_verify({HASH}, 'p');
SELECT argon2_hash('p', 'm=1'), argon2_hash(1), argon2_hash(NULL);
SELECT argon2_verify('p', NULL), argon2_hash('p', '{CHEAP},len=3'), argon2_hash_with_salt('p', '', '{CHEAP}');
SELECT argon2_config('nothing', 1);
SELECT argon2_config('max_memory');
"""
check("sqlite", [*sqlite, "-cmd", f".load {BUILD}/sqlite_argon2", ":memory:"], SQL * MORE,
      wants=("kernel (?!avx512)", r"right\|3", r"wrong\|0", "above a configured limit", "arguments are swapped"))

# ---- OpenSSL ----
provider = ["-provider", "argon2fast", "-provider", "default"]
modules = {"OPENSSL_MODULES": f"{BUILD}/ossl-modules", "OPENSSL_CONF": "/dev/null"}
check("openssl list", ["openssl", "list", "-providers", "-verbose", *provider], env=modules, wants=("kernel (?!avx512)",))


def kdf(name, wants, *options):
    command = ["openssl", "kdf", *provider, "-keylen", "32"]
    for option in options:
        command += ["-kdfopt", option]
    check(f"openssl kdf {name}: {' '.join(options[2:])}", [*command, name], env=modules, wants=(wants,))


DIGITS = "([0-9A-F]{2}:){31}"
ALL = ("pass:password", "salt:somesalt", "secret:pepper", "hexad:0102", "iter:2", "lanes:4", "threads:2", "memcost:64")
kdf("ARGON2ID", DIGITS, *ALL)
kdf("ARGON2ID", "invalid iteration count", "pass:password", "salt:somesalt", "iter:0")
kdf("ARGON2D", "more threads", "pass:password", "salt:somesalt", "threads:2")
if LONG:
    kdf("ARGON2I", DIGITS, *ALL, "early_clean:1", "version:16")
    kdf("ARGON2D", DIGITS, *ALL)
    kdf("ARGON2ID", "invalid salt length", "pass:password", "salt:salt")
    kdf("ARGON2ID", "cannot have 4294967295 KiB", "pass:password", "salt:somesalt", "memcost:4294967295")

# ---- the command ----
command = f"{BUILD}/argon2fast"
text = check("argon2fast hash", [command, "hash", "--params", CHEAP], "password\n", wants=(r"\$argon2id",)).strip()
check("argon2fast verify, right", [command, "verify", text], "password\n", wants=("^ok",))
check("argon2fast verify, wrong", [command, "verify", text], "no\n", wants=("mismatch|wrong|no",))
check("argon2fast verify, malformed", [command, "verify", text + "$"], "password\n", wants=("malformed",))
# Its children look at libraries and end, and leave their memory to the system.
check("argon2fast doctor", [command, "doctor"], wants=("avx2|ssse3|sse2|scalar",), leaks=False)
if LONG:
    check("argon2fast info", [command, "info", text], wants=("memory",))
    check("argon2fast calibrate", [command, "calibrate", "--time", "5"], wants=("m=",))
    check("argon2fast bench", [command, "bench", "--params", CHEAP])

work.cleanup()
tap.end()
