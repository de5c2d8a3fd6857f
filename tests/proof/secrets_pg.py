#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What the PostgreSQL extension leaves in a backend. The server itself keeps
copies of what it is sent, in its receive buffer and in memory that it has freed;
so each statement runs twice, in two fresh backends: once with a function of the
server's own in place of ours. Ours may leave no more copies of the password
than that, and nothing else at all."""

import re

import pghost
from grind import LONG, tap
from pgclient import Client
from search import Hash, fresh

SALT, PARAMS = "some salt of ours", "m=1024,t=2,p=4"
first = pghost.start()
# The server's own code under other names, marked as ours are.
first.run("CREATE FUNCTION usual(text, text) RETURNS boolean LANGUAGE internal STRICT AS 'text_starts_with'")
first.run("CREATE FUNCTION usual(text[]) RETURNS integer LANGUAGE internal STRICT AS 'array_ndims'")


def after(sql, password, values, setup=()):
    """A fresh backend in which that ran: what it said, and what is left."""
    client = Client(pghost.data)
    for statement, *more in setup:
        client.run(statement, *more)
    rows, error = client.run(sql, *values)
    _, _, found = Hash(PARAMS, SALT, password).scan("pid", client.pid)
    client.close()
    return rows, error, found[0]


usual = {}


def copies_without_us(sql, make, prepare):
    """The most of them in three runs."""
    if sql not in usual:
        usual[sql] = 0
        for password in (fresh(), fresh(), fresh()):
            *_, (_, _, counts, _) = after(sql, password, make(password), prepare(password))
            usual[sql] = max(usual[sql], counts.get("password", 0) // 17)
    return usual[sql]


def check(name, ours, servers, make, wanted, prepare=lambda password: ()):
    """ours and servers: the two statements; make: their values, from a password;
    prepare: the statements before."""
    allowed = copies_without_us(servers, make, prepare)
    password = fresh()
    rows, error, (_, kib, counts, text) = after(ours, password, make(password), prepare(password))
    tap.ok(f"{name}: {wanted}", re.fullmatch(wanted, error or str(rows and rows[0])), rows, error)
    copies = counts.pop("password", 0) // 17
    tap.ok(f"{name}: {copies} copies of the password, {allowed} without us", copies <= allowed, text)
    tap.ok(f"{name}: nothing else in {kib} KiB", kib > 1000 and not counts, text)


def settings(*names):
    return lambda password: [("SET " + name,) for name in names]


def table(password):
    """A row that the server compresses."""
    return [("CREATE TEMP TABLE t(v text)",), ("INSERT INTO t SELECT $1 || repeat('x', 5000)", password)]


def hash_of(password, params=PARAMS):
    return first.run("SELECT argon2_hash_with_salt($1, $2::bytea, $3)", password, SALT, params)[0][0]


VERIFY = ("SELECT argon2_verify($1, $2)", "SELECT starts_with($1, $2)")
HASH = ("SELECT argon2_hash($1, $2)", "SELECT usual($1, $2)")

# Its result is the server's; so is what it leaves of it.
password = fresh()
*_, found = after("SELECT argon2_raw($1, $2::bytea, $3)", password, (password, SALT, PARAMS))
tap.ok("control: a tag that the server has is found", found[2].get("tag"), found)
tap.ok("argon2_raw: and it is all that is", set(found[2]) <= {"tag", "password"}, found)

check("right", *VERIFY, lambda p: (p, hash_of(p)), "t")
check("wrong", *VERIFY, lambda p: (p, hash_of("no")), "f")
check("malformed", *VERIFY, lambda p: (p, hash_of(p) + "$"), "22023")
check("over a ceiling", *VERIFY, lambda p: (p, hash_of(p)), "53400", settings("pg_argon2.max_passes = 1"))
check("a timeout", *HASH, lambda p: (p, "m=65536,t=60,p=4"), "57014", settings("statement_timeout = '100ms'"))
check("a compressed password", "SELECT argon2_hash(v, 'm=64,t=1,p=1') FROM t", "SELECT usual(v, 'x') FROM t",
      lambda p: (), r"\$argon2id.*", table)
if LONG:
    check("right, all kept", *VERIFY, lambda p: (p, hash_of(p)), "t", settings("pg_argon2.keep_arena = '64MB'"))
    check("a hash", *HASH, lambda p: (p, PARAMS), r"\$argon2id.*")
    check("swapped", *VERIFY, lambda p: (hash_of(p), p), "22023")
    check("bad params", *HASH, lambda p: (p, "m=1"), "22023")
    check("a password for params", *HASH, lambda p: ("", p), "22023")
    check("more than the budget", *HASH, lambda p: (p, "m=1048576,t=1,p=1"), "53400", settings("pg_argon2.max_memory = '2GB'"))
    check("an array", "SELECT argon2_hash(ARRAY[$1, $2], 'm=64,t=1,p=1')", "SELECT usual(ARRAY[$1, $2])",
          lambda p: ("", p), r".*\$argon2id.*\$argon2id.*")
first.close()
tap.end()
