# SPDX-License-Identifier: MIT
"""The extension in Python's sqlite3: values, result codes, ceilings, hostile
strings, python3-argon2 and interruption. python.sh says how it is run."""

import json
import os
import resource
import sqlite3
import threading
import time

import argon2

from host import connect, finish, is_

CHEAP = "m=64,t=1,p=1"
ERROR, INTERRUPT, TOOBIG = "SQLITE_ERROR", "SQLITE_INTERRUPT", "SQLITE_TOOBIG"


def value(db, call, *args):
    """What a function gives; or its error, as (name, message)."""
    try:
        return db.execute("SELECT " + call, args).fetchone()[0]
    except (sqlite3.Error, sqlite3.Warning) as error:
        return error.sqlite_errorname, str(error)


def code(db, call, *args):
    """The name of an error's code; a value as it is."""
    got = value(db, call, *args)
    return got[0] if isinstance(got, tuple) else got


db = connect()
HASH = value(db, "argon2_hash(?, ?)", "password", CHEAP)


def test_passwords():
    for name, password in {
        "ascii": "password",
        "empty": "",
        "an empty blob": b"",
        "UTF-8": "pässwörd \U0001f511",
        "a zero byte inside": "pass\0word",
        "zero bytes only": "\0\0",
        "a blob": bytes(range(256)),
        "64 KiB": "x" * 65536,
    }.items():
        made = value(db, "argon2_hash(?, ?)", password, CHEAP)
        is_(f"{name} matches", value(db, "argon2_verify(?, ?)", password, made), 1)
        longer = password + (b"\0" if isinstance(password, bytes) else "\0")
        if len(longer) <= 65536:
            is_(f"{name} and a zero byte does not",
                value(db, "argon2_verify(?, ?)", longer, made), 0)
        is_(f"{name} is so to python3-argon2",
            argon2.PasswordHasher().verify(made, password), True)
    text = value(db, "argon2_hash(?, ?)", "pässwörd", CHEAP)
    is_("text is its UTF-8",
        value(db, "argon2_verify(?, ?)", "pässwörd".encode(), text), 1)
    is_("a hash may be a blob",
        value(db, "argon2_verify(?, ?)", "pässwörd", text.encode()), 1)
    is_("a blob is known to be valid",
        value(db, "argon2_is_valid(?)", text.encode()), 1)
    wide = connect()
    wide.execute("PRAGMA encoding = 'UTF-16'")
    wide.execute("CREATE TABLE t(password, hash)")
    wide.execute("INSERT INTO t VALUES (?, ?)", ("pässwörd\0x", None))
    wide.execute("UPDATE t SET hash = argon2_hash(password, ?)", (CHEAP,))
    is_("text of a UTF-16 database too", argon2.PasswordHasher().verify(
        value(wide, "hash FROM t"), "pässwörd\0x"), True)
    is_("and back", value(wide, "argon2_verify(password, hash) FROM t"), 1)


def test_arguments():
    salt = b"saltsalt"
    calls = {
        "argon2_hash(?)": ["p"],
        "argon2_hash(?, ?)": ["p", CHEAP],
        "argon2_verify(?, ?)": ["p", HASH],
        "argon2_hash_with_salt(?, ?, ?)": ["p", salt, CHEAP],
        "argon2_raw(?, ?, ?)": ["p", salt, CHEAP],
        "argon2_needs_rehash(?)": [HASH],
        "argon2_needs_rehash(?, ?)": [HASH, CHEAP],
        "argon2_is_valid(?)": [HASH],
        "argon2_params(?)": [HASH],
        "argon2_info(?)": [HASH],
        "argon2_calibrate(?)": [1],
        "argon2_config(?)": ["max_memory"],
        "argon2_config(?, ?)": ["max_lanes", 16],
    }
    for call, args in calls.items():
        is_(f"{call} works", isinstance(value(db, call, *args), tuple), False)
        for i, arg in enumerate(args):
            others = args[:i], args[i + 1:]
            is_(f"{call} of NULL {i + 1}",
                value(db, call, *others[0], None, *others[1]), None)
            if "valid" not in call and "cal" not in call and "conf" not in call:
                for number in 12345678, 1.5:
                    is_(f"{call} of {number} {i + 1}",
                        code(db, call, *others[0], number, *others[1]), ERROR)
    is_("a number is NULL's equal only to NULL",
        value(db, "argon2_hash(?, ?)", 5, None), None)
    is_("a number is no valid hash", value(db, "argon2_is_valid(5)"), 0)
    is_("params must not be a blob",
        code(db, "argon2_hash('p', ?)", CHEAP.encode()), ERROR)
    for ms in 0, -1, 1.5, "1", 2**32:
        is_(f"no calibration to {ms!r}",
            code(db, "argon2_calibrate(?)", ms), ERROR)
    for short in b"", b"1234567", "":
        is_(f"salt of {len(short)} bytes", code(
            db, "argon2_hash_with_salt('p', ?, ?)", short, CHEAP), ERROR)
        is_(f"raw with a salt of {len(short)} bytes",
            code(db, "argon2_raw('p', ?, ?)", short, CHEAP), ERROR)
    for params in ("", "m=64", "m=64,t=1,p=1,x=1", "m=64,t=1,t=1,p=1",
                   "m=7,t=1,p=1", "m=64,t=0,p=1", "cheap", "m=64,t=1,p=1\0"):
        is_(f"params {params!r}", code(db, "argon2_hash('p', ?)", params), ERROR)


def test_swapped():
    got = value(db, "argon2_verify(?, ?)", HASH, "password")
    is_("swapped: an error", got[0], ERROR)
    is_("swapped: names the order",
        "argon2_verify(password, hash)" in got[1], True)
    got = value(db, "argon2_verify(?, ?)", HASH, "x" * 5000)
    is_("swapped, with a long password",
        (got[0], "argon2_verify(password, hash)" in got[1]), (ERROR, True))
    got = value(db, "argon2_verify(?, ?)", "password", "password")
    is_("two passwords are not called swapped",
        (got[0], "swapped" in got[1]), (ERROR, False))
    is_("a hash for a password is one",
        value(db, "argon2_verify(?, ?)", HASH, HASH), 0)
    made = value(db, "argon2_hash(?, ?)", HASH, CHEAP)
    is_("and matches", value(db, "argon2_verify(?, ?)", HASH, made), 1)


def test_with_salt():
    made = value(db, "argon2_hash_with_salt('p', 'saltsalt', ?)", CHEAP)
    is_("a salt of text is its bytes", value(
        db, "argon2_hash_with_salt('p', x'73616c7473616c74', ?)", CHEAP), made)
    is_("the same each time",
        value(db, "argon2_hash_with_salt('p', 'saltsalt', ?)", CHEAP), made)
    is_("a salt may hold zero bytes", value(
        db, "argon2_verify('p', argon2_hash_with_salt('p', zeroblob(16), ?))",
        CHEAP), 1)
    raw = argon2.low_level.hash_secret_raw
    for length in 4, 32, 33, 1024:
        is_(f"raw tag of {length} bytes",
            value(db, "argon2_raw('p', 'saltsalt', ?)", f"{CHEAP},len={length}"),
            raw(b"p", b"saltsalt", 1, 64, 1, length, argon2.low_level.Type.ID))
    for length, wanted in {3: ERROR, 1025: TOOBIG, 4294967295: TOOBIG}.items():
        is_(f"raw tag of {length} bytes is refused", code(
            db, "argon2_raw('p', 'saltsalt', ?)", f"{CHEAP},len={length}"), wanted)


def test_theirs():
    for kind in argon2.Type:
        for m, t, p in (8, 1, 1), (1024, 2, 3), (4096, 3, 4):
            hasher = argon2.PasswordHasher(t, m, p, type=kind)
            made = hasher.hash("päss\0word")
            is_(f"python3-argon2's {kind.name} m={m} t={t} p={p}",
                value(db, "argon2_verify(?, ?)", "päss\0word", made), 1)
            is_(".. not another password",
                value(db, "argon2_verify(?, ?)", "päss", made), 0)
            params = value(db, "argon2_params(?)", made)
            made = value(db, "argon2_hash(?, ?)", "päss\0word", params)
            is_(".. and ours of the same params to it",
                hasher.verify(made, "päss\0word"), True)
            is_(".. which needs no rehash", hasher.check_needs_rehash(made), False)


def test_readers():
    info = json.loads(value(db, "argon2_info(?)", HASH))
    is_("info", info, {
        "type": "argon2id", "version": 19, "memory_kib": 64, "passes": 1,
        "lanes": 1, "salt_len": 16, "tag_len": 32, "canonical": True,
        "params": CHEAP})
    is_("info is JSON to SQLite", json.loads(value(
        db, "json_array(argon2_info(?))", HASH)), [info])
    old = "$argon2i$m=64,t=1,p=1$c29tZXNhbHQ$" + HASH.rsplit("$", 1)[1]
    info = json.loads(value(db, "argon2_info(?)", old))
    is_("info of an old string",
        (info["type"], info["version"], info["salt_len"], info["canonical"]),
        ("argon2i", 16, 8, False))
    is_("which is not as we write it", value(db, "argon2_is_valid(?)", old), 0)
    is_("but can be verified", value(db, "argon2_verify('p', ?)", old), 0)
    is_("params of it give its like",
        value(db, "argon2_needs_rehash(?, argon2_params(?))", old, old), 0)
    for params, needs in {CHEAP: 0, "m=65,t=1,p=1": 1, "m=64,t=2,p=1": 1,
                          "m=64,t=1,p=1,type=i": 1, "owasp": 1,
                          "m=64,t=1,p=1,len=16": 1}.items():
        is_(f"needs_rehash for {params}",
            value(db, "argon2_needs_rehash(?, ?)", HASH, params), needs)
    for text in "", "x", HASH + "==", HASH + "\0", HASH[:-2], " " + HASH:
        is_(f"not valid, {len(text)} bytes",
            value(db, "argon2_is_valid(?)", text), 0)
        for call in "params", "info", "needs_rehash":
            is_(f".. and an error to {call}",
                code(db, f"argon2_{call}(?)", text), ERROR)
    padded = HASH + "="
    is_("a padded string is not as we write it",
        value(db, "argon2_is_valid(?)", padded), 0)
    is_("but can be verified",
        value(db, "argon2_verify('password', ?)", padded), 1)
    dummy = value(db, "argon2_dummy_hash()")
    is_("dummy is valid", value(db, "argon2_is_valid(?)", dummy), 1)
    is_("dummy has the default cost",
        value(db, "argon2_needs_rehash(?)", dummy), 0)
    is_("dummy is new each time", value(db, "argon2_dummy_hash()") == dummy, False)
    is_("dummy matches nothing", value(db, "argon2_verify('', ?)", dummy), 0)
    text = value(db, "argon2_calibrate(2)")
    made = value(db, "argon2_hash('p', ?)", text)
    is_("calibrated params can be hashed under",
        value(db, "argon2_params(?)", made), text)


def test_ceilings():
    for text in (
        "m=4294967295,t=4294967295,p=16777215", "m=262145,t=1,p=1",
        "m=64,t=65,p=1", "m=256,t=1,p=17", "m=262144,t=17,p=1",
    ):
        hostile = f"$argon2id$v=19${text}$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA"
        start = time.perf_counter()
        got = code(db, "argon2_verify('p', ?)", hostile)
        # one millisecond is meant; a busy machine gets more
        is_(f"{text} is refused at once",
            (got, time.perf_counter() - start < 0.1), (TOOBIG, True))
        is_(".. to hash as well", code(db, "argon2_hash('p', ?)", text), TOOBIG)
        is_(".. but can be read", value(db, "argon2_params(?)", hostile),
            text + ",saltlen=8,len=16")
    is_("a password of 64 KiB and a byte",
        code(db, "argon2_hash(?, ?)", "x" * 65537, CHEAP), TOOBIG)
    is_("a text of 5000 bytes",
        code(db, "argon2_verify('p', ?)", "$" + "x" * 5000), TOOBIG)
    is_("the message names the ceiling",
        "memory" in value(db, "argon2_hash('p', 'm=262145,t=1,p=1')")[1], True)


def test_config():
    mine, other = connect(), connect()
    defaults = {"max_memory": 262144, "max_passes": 64, "max_lanes": 16,
                "max_work": 4194304, "max_password": 65536}
    under = {"max_memory": 1024, "max_passes": 3, "max_lanes": 2,
             "max_work": 2048, "max_password": 5}
    value(mine, "argon2_version()")  # an engine is there before the change
    for key, preset in defaults.items():
        is_(f"{key}", value(mine, "argon2_config(?)", key), preset)
        for bad in preset + 1, 0, -1, "8", 8.0:
            is_(f"{key} cannot be {bad!r}",
                code(mine, "argon2_config(?, ?)", key, bad), ERROR)
        is_(f"{key} lowered", value(mine, "argon2_config(?, ?)", key, under[key]),
            under[key])
        is_(f"{key} stays so", value(mine, "argon2_config(?)", key), under[key])
        is_(f"{key} cannot go back",
            code(mine, "argon2_config(?, ?)", key, preset), ERROR)
        is_(f"{key} of another connection",
            value(other, "argon2_config(?)", key), preset)
    for params, wanted in {
        "m=1024,t=2,p=2": 1, "m=1032,t=1,p=1": TOOBIG, "m=64,t=4,p=1": TOOBIG,
        "m=64,t=1,p=3": TOOBIG, "m=1024,t=3,p=1": TOOBIG,
    }.items():
        made = code(mine, "argon2_hash('12345', ?)", params)
        if wanted == 1:
            made = value(mine, "argon2_verify('12345', ?)", made)
        is_(f"{params} within these", made, wanted)
        theirs = value(other, "argon2_hash('12345', ?)", params)
        is_(".. and of another connection",
            value(other, "argon2_verify('12345', ?)", theirs), 1)
        is_(".. whose string is held to them",
            code(mine, "argon2_verify('12345', ?)", theirs), wanted)
    is_("a password of 6 bytes",
        code(mine, "argon2_hash('123456', ?)", CHEAP), TOOBIG)
    is_("the default is above them now", code(mine, "argon2_hash('1')"), TOOBIG)
    is_("another default", value(
        mine, "argon2_config('default_params', ?)", CHEAP), CHEAP)
    is_("is the default", value(mine, "argon2_params(argon2_hash('1'))"), CHEAP)
    is_("and of needs_rehash", value(mine, "argon2_needs_rehash(?)", HASH), 0)
    is_("and of dummies",
        value(mine, "argon2_params(argon2_dummy_hash())"), CHEAP)
    for bad in "m=1", "", 5, b"owasp":
        is_(f"default_params cannot be {bad!r}",
            code(mine, "argon2_config('default_params', ?)", bad), ERROR)
    is_("and stays", value(mine, "argon2_config('default_params')"), CHEAP)
    is_("unknown key", code(mine, "argon2_config('max_foo')"), ERROR)


def test_no_memory():
    """A hash without memory fails alone, not with its transaction."""
    mine = connect()
    mine.execute("CREATE TABLE t(a)")
    value(mine, "argon2_hash('p', ?)", CHEAP)
    mine.execute("BEGIN")
    mine.execute("INSERT INTO t VALUES (1)")
    with open("/proc/self/statm") as statm:
        used = int(statm.read().split()[0]) * resource.getpagesize()
    old = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20), old[1]))
    got = code(mine, "argon2_hash('p', 'm=262144,t=1,p=1')")
    resource.setrlimit(resource.RLIMIT_AS, old)
    is_("no memory is an error", got, ERROR)
    is_("in the same transaction", mine.in_transaction, True)
    is_("with what was written", value(mine, "count(*) FROM t"), 1)
    mine.execute("COMMIT")
    is_("memory again", value(mine, "argon2_verify('p', ?)", HASH), 0)


def interrupted(mine, after, call, *args):
    """(code, whether it came back soon) of a call, interrupted after seconds."""
    timer = threading.Timer(after, mine.interrupt)
    start = time.perf_counter()
    timer.start()
    got = code(mine, call, *args)
    took = time.perf_counter() - start
    timer.join()
    return got, took < after + 2


def test_interrupt():
    mine = connect()
    slow = "m=65536,t=64,p=1"  # seconds
    is_("interrupted hash",
        interrupted(mine, 0.1, "argon2_hash('p', ?)", slow), (INTERRUPT, True))
    dear = f"$argon2id$v=19${slow}$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA"
    is_("interrupted verify",
        interrupted(mine, 0.1, "argon2_verify('p', ?)", dear), (INTERRUPT, True))
    is_("interrupted calibration",
        interrupted(mine, 0.1, "argon2_calibrate(5000)"), (INTERRUPT, True))
    is_("the next one works", value(
        mine, "argon2_verify('password', ?)", HASH), 1)
    deadline = time.perf_counter() + 0.1
    mine.set_progress_handler(lambda: time.perf_counter() > deadline, 1000)
    start = time.perf_counter()
    got = code(mine, "argon2_hash('p', ?)", slow)
    is_("a progress handler ends it",
        (got, time.perf_counter() - start < 2.1), (INTERRUPT, True))
    mine.set_progress_handler(None, 0)
    mine.execute("CREATE TABLE t(a)")
    mine.execute("BEGIN")
    mine.execute("INSERT INTO t VALUES (1)")
    is_("interrupted while reading",
        interrupted(mine, 0.1, "argon2_hash('p', ?)", slow), (INTERRUPT, True))
    is_("leaves the transaction", mine.in_transaction, True)


def test_threads():
    """Connections of several threads at once; calls release the GIL."""
    wrong = []

    def work(n):
        mine = connect()
        for i in range(20):
            made = value(mine, "argon2_hash(?, ?)", f"{n}.{i}", "m=256,t=2,p=2")
            if (value(mine, "argon2_verify(?, ?)", f"{n}.{i}", made) != 1
                    or value(db, "argon2_verify(?, ?)", f"{n}", made) != 0):
                wrong.append((n, i))
        mine.close()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    is_("four threads, each a connection and one in common", wrong, [])


def test_fork():
    pid = os.fork()
    if pid == 0:
        mine = connect()
        good = (value(mine, "argon2_verify('password', ?)", HASH) == 1
                and value(db, "argon2_verify('password', ?)", HASH) == 1)
        os._exit(0 if good else 1)
    is_("a forked child", os.waitpid(pid, 0)[1], 0)


for name, test in list(globals().items()):
    if name.startswith("test_"):
        print("#", name)
        test()
finish()
