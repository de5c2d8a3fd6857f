/* SPDX-License-Identifier: MIT */
-- The recipes of the module's README, as they stand there.
CREATE EXTENSION pgcrypto;
SET pg_argon2.default_params = 'm=64,t=1,p=1';
CREATE TABLE users(name text PRIMARY KEY, hash text NOT NULL);
INSERT INTO users VALUES ('alice', crypt('secret', gen_salt('bf', 4))), ('bob', crypt('hunter2', gen_salt('md5'))),
    ('carol', argon2_hash('swordfish'));

-- at log-in: check the old, store the new, in one statement
PREPARE login(text, text) AS
WITH who AS MATERIALIZED (
    SELECT name, hash, CASE WHEN argon2_is_valid(hash) THEN argon2_verify($2, hash)
        ELSE hash = crypt($2, hash) END AS ok
    FROM users WHERE name = $1),
renewed AS (
    UPDATE users SET hash = argon2_hash($2) FROM who
    WHERE users.name = who.name AND users.hash = who.hash AND who.ok
        AND (NOT argon2_is_valid(who.hash) OR argon2_needs_rehash(who.hash))
    RETURNING users.name)
SELECT ok, EXISTS (SELECT FROM renewed) AS renewed FROM who;
EXECUTE login('alice', 'wrong');
EXECUTE login('alice', 'secret');
EXECUTE login('alice', 'secret');
EXECUTE login('bob', 'secret');
EXECUTE login('carol', 'swordfish');
SELECT name, argon2_is_valid(hash) FROM users ORDER BY name;
SELECT name, argon2_verify('secret', hash) FROM users WHERE argon2_is_valid(hash) ORDER BY name;

-- the default rises
SET pg_argon2.default_params = 'm=128,t=2,p=1';
EXECUTE login('carol', 'wrong');
EXECUTE login('carol', 'swordfish');
SELECT name, argon2_params(hash), argon2_verify('swordfish', hash) FROM users WHERE name = 'carol';

-- at once, without passwords: Argon2 around the old hash
ALTER TABLE users ADD inner_salt text;
UPDATE users SET inner_salt = left(hash, 12), hash = argon2_hash(hash) WHERE name = 'bob';
SELECT name, argon2_verify(crypt('hunter2', inner_salt), hash) AS match,
    argon2_verify(crypt('hunter3', inner_salt), hash) AS other FROM users WHERE name = 'bob';

-- from an application that stored salt and tag apart
SELECT argon2_hash_with_salt('password', '\x736f6d6573616c74', 'm=64,t=2,p=1') =
    '$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHQ$'
    || rtrim(encode('\x16a1a498734609dd01456da406de9f3d9da93e6c86c300a12fc1465214ce4922', 'base64'), '=') AS composed;

DROP TABLE users;
DROP EXTENSION pgcrypto;
