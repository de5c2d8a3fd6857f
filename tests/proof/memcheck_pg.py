#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""valgrind's memcheck over the PostgreSQL extension, in a backend that serves
standard input (postgres --single). The server keeps its memory in contexts of
its own, so what is lost in those valgrind cannot see."""

import pghost
from grind import CHEAP, LONG, check, tap, work

programs = pghost.install("shared_preload_libraries = 'pg_argon2'\npg_argon2.total_memory = '64MB'\n")
SQL = f"""CREATE TABLE users(name text, hash text)
INSERT INTO users SELECT name, argon2_hash(name || 'password', '{CHEAP}') FROM unnest('{{a,b,c}}'::text[]) AS name
SELECT 'right ' || count(*) FROM users WHERE argon2_verify(name || 'password', hash)
SELECT 'wrong ' || count(*) FROM users WHERE argon2_verify('no', hash)
SELECT argon2_hash(ARRAY['one', NULL, 'three'], '{CHEAP}')
SELECT argon2_hash(decode('00ff', 'hex'), '{CHEAP}')
SELECT argon2_raw('password', 'saltsalt', '{CHEAP},len=100,type=i')
SELECT argon2_hash_with_salt('password', 'saltsalt', '{CHEAP},type=d')
SELECT argon2_info(hash), argon2_params(hash), argon2_is_valid(hash), argon2_needs_rehash(hash) FROM users
SELECT argon2_hash(repeat('long ', 10000), '{CHEAP}')
SELECT argon2_hash('p', 'm=4194304,t=1,p=1')
SELECT argon2_verify('p', 'argon2')
SELECT argon2_verify((SELECT hash FROM users LIMIT 1), 'p')
SELECT argon2_hash('p', 'm=1')
SET pg_argon2.total_memory = '1GB'
SELECT argon2_hash('p', 'm=131072,t=1,p=1')
SET statement_timeout = '50ms'
SELECT argon2_hash('p', 'm=65536,t=30,p=1')
SET statement_timeout = 0
SELECT argon2_hash(ARRAY['one', 'two'], 'm=1')
SELECT argon2_version()
DROP TABLE users
"""
single = [programs + "/postgres", "--single", "-D", pghost.data, "postgres"]
check("postgres", single, "CREATE EXTENSION pg_argon2\n" + SQL * (5 if LONG else 1), user=pghost.user(),
      programs=("postgres",),
      wants=("right 3", "wrong 0", "kernel (?!avx512)", "arguments are swapped", "configured limit", "statement timeout"))
work.cleanup()
tap.end()
