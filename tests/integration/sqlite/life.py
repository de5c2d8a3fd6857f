# SPDX-License-Identifier: MIT
"""The life of a stored hash: common passwords refused, hashes upgraded in the
call that verifies, peppers that rotate as docs/peppers.md walks through it.
life.sh says how it is run."""

import os
import sqlite3
import tempfile

from host import connect, finish, is_

ERROR, TOOBIG = "SQLITE_ERROR", "SQLITE_TOOBIG"
CHEAP, DEARER = "m=64,t=1,p=1", "m=64,t=2,p=1"
KEY_1 = "1 b25lIG9uZSBvbmUgb25lIG9uZQ=="
KEY_2 = "2 dHdvIHR3byB0d28gdHdvIHR3bw"
# As in docs/sqlite.md: hashes once, and never stores NULL.
SAFE_UPDATE = """
    WITH checked AS MATERIALIZED (
      SELECT name, argon2_upgrade(?, hash) AS hash FROM users WHERE name = ?
    )
    UPDATE users SET hash = checked.hash FROM checked
    WHERE users.name = checked.name AND checked.hash IS NOT NULL
    RETURNING users.name"""


def attempt(db, statement, *args):
    """The first value of the first row (None: no row); or an error's name and
    message."""
    try:
        row = db.execute(statement, args).fetchone()
    except (sqlite3.Error, sqlite3.Warning) as error:
        return error.sqlite_errorname, str(error)
    return row and row[0]


def value(db, call, *args):
    return attempt(db, "SELECT " + call, *args)


def users(params):
    """A connection with alice, whose password is "right"."""
    db = connect()
    value(db, "argon2_config('default_params', ?)", params)
    db.execute("CREATE TABLE users(name TEXT PRIMARY KEY, hash TEXT NOT NULL)")
    db.execute("INSERT INTO users VALUES ('alice', argon2_hash('right'))")
    db.execute("INSERT INTO users VALUES ('bob', argon2_hash('other'))")
    return db


def stored(db):
    return value(db, "hash FROM users WHERE name = 'alice'")


def verified(db, password="right"):
    return value(db, "argon2_verify(?, hash) FROM users WHERE name = 'alice'",
                 password)


def upgraded(db, password="right"):
    return value(db, "argon2_upgrade(?, hash) FROM users WHERE name = 'alice'",
                 password)


def log_in(db, password="right", name="alice"):
    return attempt(db, SAFE_UPDATE, password, name)


def test_common():
    db = connect()
    for password in ("123456", "LetMeIn", b"PASSWORD"):
        is_(f"{password} is common", value(db, "argon2_is_common(?)", password),
            1)
    for password in ("correct horse battery", "", b"123456\0", "pässword"):
        is_(f"{password} is not", value(db, "argon2_is_common(?)", password), 0)
    is_("nor is NULL anything", value(db, "argon2_is_common(NULL)"), None)
    is_("a number is an error", value(db, "argon2_is_common(123456)")[0],
        ERROR)
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("CREATE TABLE t(word TEXT CHECK (NOT argon2_is_common(word)))")
    db.execute("INSERT INTO t VALUES ('rather my own')")
    is_("a constraint may call it",
        attempt(db, "INSERT INTO t VALUES ('Dragon')")[0],
        "SQLITE_CONSTRAINT_CHECK")


def test_upgrade():
    db = users(CHEAP)
    first = stored(db)
    is_("a current hash stays", upgraded(db), first)
    is_("a wrong password gives NULL", upgraded(db, "wrong"), None)
    is_("lower params change nothing",
        value(db, "argon2_upgrade('right', ?, 'm=32,t=1,p=1')", first), first)
    better = value(db, "argon2_upgrade('right', ?, ?)", first, DEARER)
    is_("higher ones make a hash of that cost",
        value(db, "argon2_params(?)", better), DEARER)
    is_("  for the same password", value(
        db, "argon2_verify('right', ?)", better), 1)
    value(db, "argon2_config('default_params', ?)", DEARER)
    is_("without params the default counts",
        value(db, "argon2_params(?)", upgraded(db)), DEARER)
    for call in ("argon2_upgrade(NULL, 'x')", "argon2_upgrade('x', NULL)",
                 "argon2_upgrade('x', 'y', NULL)"):
        is_(f"{call} is NULL", value(db, call), None)
    is_("swapped", "argon2_upgrade(password, hash)" in
        value(db, "argon2_upgrade(?, 'right')", first)[1], True)
    is_("malformed", value(db, "argon2_upgrade('right', 'x')")[0], ERROR)
    is_("above a ceiling", value(
        db, "argon2_upgrade('x', ?, 'm=262145,t=1,p=1')", first)[0], TOOBIG)
    db.execute("CREATE VIEW v AS SELECT argon2_upgrade('x', hash) FROM users")
    is_("not from a view", value(db, "* FROM v")[0], ERROR)


def test_update():
    """The statement that docs/sqlite.md gives, and the one it warns of."""
    db = users(CHEAP)
    first = stored(db)
    is_("NOT NULL: a wrong password cannot erase a hash",
        attempt(db, "UPDATE users SET hash = argon2_upgrade('wrong', hash)")[0],
        "SQLITE_CONSTRAINT_NOTNULL")
    is_("  which is still there", stored(db), first)
    db.execute("CREATE TABLE loose AS SELECT * FROM users")
    db.execute("UPDATE loose SET hash = argon2_upgrade('wrong', hash)")
    is_("where NULL is allowed, it does (so: not like this)",
        value(db, "count(hash) FROM loose"), 0)
    is_("a wrong password: no row", log_in(db, "wrong"), None)
    is_("nobody: no row", log_in(db, "right", "nobody"), None)
    is_("  and nothing changed", stored(db), first)
    is_("the right one: a row", log_in(db), "alice")
    is_("  and a current hash stays", stored(db), first)
    value(db, "argon2_config('default_params', ?)", DEARER)
    is_("after the params rose, a wrong password: no row",
        log_in(db, "wrong"), None)
    is_("  and the old hash", stored(db), first)
    is_("the right one: a row", log_in(db), "alice")
    is_("  and a better hash",
        value(db, "argon2_params(?)", stored(db)), DEARER)
    is_("  that verifies", verified(db), 1)
    is_("bob's is untouched", value(
        db, "argon2_params(hash) FROM users WHERE name = 'bob'"), CHEAP)
    calls = [row for row in db.execute("EXPLAIN" + SAFE_UPDATE, ("p", "n"))
             if "argon2_upgrade" in str(row[5])]
    is_("the statement hashes in one place", len(calls), 1)


def test_rotation():
    """docs/peppers.md, step by step."""
    db = users(CHEAP)
    bare = stored(db)
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "keys")

        def keys(*lines):
            with open(path, "w", encoding="ascii") as file:
                os.chmod(path, 0o600)
                file.write("\n".join(lines) + "\n")
            return value(db, "argon2_config('secret_file', ?)", path)

        is_("at first there is no file", value(
            db, "argon2_config('secret_file')"), None)
        is_("a first key", keys("current 1", KEY_1), path)
        is_("  the setting says so", value(
            db, "argon2_config('secret_file')"), path)
        is_("hashes without one still verify", verified(db), 1)
        is_("  and are due for one", value(
            db, "count(*) FROM users WHERE argon2_needs_rehash(hash)"), 2)
        is_("which a log-in brings", log_in(db), "alice")
        first = stored(db)
        is_("  by its id", ",keyid=MQ$" in first, True)
        is_("new hashes have it too",
            ",keyid=MQ$" in value(db, "argon2_hash('x')"), True)
        is_("but not those whose salt is given", value(
            db, "argon2_hash_with_salt('x', 'somesalt', ?)", CHEAP),
            value(connect(), "argon2_hash_with_salt('x', 'somesalt', ?)",
                  CHEAP))
        is_("a string with a key is valid, and its params are told", value(
            db, "argon2_is_valid(?1) || argon2_params(?1)", first), "1" + CHEAP)
        is_("with params, keys do not count", value(
            db, "argon2_needs_rehash(?, ?)", bare, CHEAP), 0)

        is_("a second key", keys("current 2", KEY_1, KEY_2), path)
        is_("hashes of the first still verify", verified(db), 1)
        is_("  and are old now", value(db, "argon2_needs_rehash(?)", first), 1)
        is_("  a wrong password does not change them", (
            log_in(db, "wrong"), stored(db)), (None, first))
        is_("a log-in changes the key", log_in(db), "alice")
        is_("  to the second", ",keyid=Mg$" in stored(db), True)
        is_("  no longer old", value(
            db, "argon2_needs_rehash(?)", stored(db)), 0)

        is_("the first key is retired", keys("current 2", KEY_2), path)
        is_("who has the second may log in", log_in(db), "alice")
        for call in ("argon2_verify", "argon2_upgrade"):
            got = value(db, call + "('right', ?)", first)
            is_(f"{call} of a hash of the first: an error", got[0], ERROR)
            is_("  that says why", got[1].split(": ", 1)[1],
                "the hash needs a key that is not available: keyid")

        is_("a broken file is refused", keys("current 3", KEY_1)[0], ERROR)
        is_("  by its line", "in line 1" in value(
            db, "argon2_config('secret_file', ?)", path)[1], True)
        is_("  and the keys before it stay", log_in(db), "alice")
        keys("current 2", KEY_2)
        os.chmod(path, 0o644)
        got = value(db, "argon2_config('secret_file', ?)", path)
        is_("one that others may read is, too", (got[0], "owner or mode" in
                                                 got[1]), (ERROR, True))
        is_("  no message has a secret", "dHdv" in got[1], False)
        is_("no file", value(db, "argon2_config('secret_file', ?)",
                             path + "x")[0], ERROR)
        is_("no text", value(db, "argon2_config('secret_file', 5)")[0], ERROR)
        is_("the empty path is no keys", value(
            db, "argon2_config('secret_file', '')"), None)
        is_("  so that the key is missing", verified(db)[0], ERROR)
        is_("  which is told from a wrong password",
            verified(db, "wrong")[0], ERROR)
        db.close()


for name, test in list(globals().items()):
    if name.startswith("test_"):
        print("#", name)
        test()
finish()
