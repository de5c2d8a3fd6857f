/* SPDX-License-Identifier: MIT */
-- Verify is what costs, and the planner knows.
CREATE TABLE users(name text, email text, hash text);
EXPLAIN (COSTS OFF) SELECT * FROM users WHERE argon2_verify('x', hash) AND lower(email) = 'a@b.c' AND name LIKE 'a%';
EXPLAIN (COSTS OFF) SELECT * FROM users WHERE argon2_needs_rehash(hash) AND name = 'alice';
-- with constants it is done while planning
EXPLAIN (COSTS OFF) SELECT argon2_verify('password', '$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHQ$FqGkmHNGCd0BRW2kBt6fPZ2pPmyGwwChL8FGUhTOSSI');
-- usable in an index, a constraint, a generated column
CREATE TABLE strict_users(name text, hash text CHECK (argon2_is_valid(hash)),
    cost text GENERATED ALWAYS AS (argon2_params(hash)) STORED);
CREATE INDEX ON strict_users(argon2_params(hash));
INSERT INTO strict_users VALUES ('alice', argon2_hash('x', 'm=64,t=1,p=1'));
SELECT name, cost FROM strict_users WHERE argon2_params(hash) = 'm=64,t=1,p=1';
\set VERBOSITY sqlstate
CREATE INDEX ON strict_users(argon2_needs_rehash(hash));
CREATE INDEX ON strict_users(argon2_needs_rehash(hash, 'owasp'));
CREATE INDEX ON strict_users(argon2_hash(name));
DROP TABLE users, strict_users;
