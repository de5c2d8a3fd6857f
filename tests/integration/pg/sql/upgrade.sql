/* SPDX-License-Identifier: MIT */
-- Verify and upgrade in one call: NULL, the same hash, or a new one.
SET pg_argon2.default_params = 'm=64,t=2,p=1';
CREATE FUNCTION told(old text, new text) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT CASE WHEN new IS NULL THEN 'wrong' WHEN new = old THEN 'same' ELSE argon2_params(new) END $$;
SELECT argon2_hash('secret') AS hash, argon2_hash('secret', 'm=64,t=1,p=1,type=i,v=16,saltlen=8') AS old \gset

SELECT told(:'hash', argon2_upgrade('wrong', :'hash')), told(:'hash', argon2_upgrade('secret', :'hash')),
    told(:'old', argon2_upgrade('wrong', :'old')), told(:'old', argon2_upgrade('secret', :'old'));
SELECT told(:'hash', argon2_upgrade('secret', :'hash', 'm=128,t=1,p=1')) AS memory,
    told(:'hash', argon2_upgrade('secret', :'hash', 'm=64,t=3,p=1')) AS passes,
    told(:'hash', argon2_upgrade('secret', :'hash', 'm=64,t=1,p=2')) AS lanes,
    told(:'hash', argon2_upgrade('secret', :'hash', 'm=64,t=2,p=1,saltlen=24,len=64')) AS lengths;
-- never less of anything
SELECT told(:'hash', argon2_upgrade('secret', :'hash', 'm=8,t=1,p=1')) AS lower,
    told(:'hash', argon2_upgrade('secret', :'hash', 'm=64,t=2,p=1,type=d,v=16,len=16,saltlen=8')) AS weaker;
-- the new one is of the same password, and salted anew
SELECT argon2_verify('secret', n), argon2_verify('wrong', n), n <> argon2_upgrade('secret', :'old') AS fresh, told(n, argon2_upgrade('secret', n))
FROM argon2_upgrade('secret', :'old') AS n;
SELECT told(:'hash', argon2_upgrade('secret'::bytea, :'hash')), told(:'hash', argon2_upgrade('Secret'::bytea, :'hash')),
    told(:'hash', argon2_upgrade('secret'::bytea, :'hash', 'm=72,t=1,p=1')),
    told(:'hash', argon2_upgrade(params => 'm=80,t=1,p=1', hash => :'hash', password => 'secret'));
SELECT argon2_upgrade(NULL::text, :'hash') IS NULL, argon2_upgrade('secret', NULL) IS NULL, argon2_upgrade('secret', :'hash', NULL) IS NULL;
SELECT argon2_upgrade('', argon2_dummy_hash()) IS NULL AS dummy;

-- errors are errors, and none of them is NULL
\set VERBOSITY sqlstate
SELECT argon2_upgrade('secret', 'malformed');
SELECT argon2_upgrade(:'hash', 'secret');
SELECT argon2_upgrade('secret', :'hash', 'nonsense');
SELECT argon2_upgrade('secret', :'hash', 'm=262152,t=1,p=1');
SELECT argon2_upgrade('secret', '$argon2id$v=19$m=4294967295,t=1,p=1$c29tZXNhbHQ$FqGkmHNGCd0BRW2kBt6fPZ2pPmyGwwChL8FGUhTOSSI');
SELECT argon2_upgrade('secret', '$argon2id$v=19$m=64,t=2,p=1,keyid=YWJjZA$c29tZXNhbHQ$FqGkmHNGCd0BRW2kBt6fPZ2pPmyGwwChL8FGUhTOSSI');
SELECT argon2_upgrade(repeat('x', 65537), :'hash');
SET pg_argon2.min_memory = '128kB';
SELECT argon2_upgrade('secret', :'hash');
SELECT told(:'hash', argon2_upgrade('secret', :'hash', 'm=128,t=2,p=1'));
RESET pg_argon2.min_memory;
-- a ceiling that both together would exceed: the cost stays
SET pg_argon2.max_work = '300kB';
SELECT told(:'hash', argon2_upgrade('secret', :'hash', 'm=256,t=1,p=1'));
RESET pg_argon2.max_work;
\set VERBOSITY default

-- log-in as the README has it
CREATE TABLE users(name text PRIMARY KEY, hash text NOT NULL);
INSERT INTO users VALUES ('alice', argon2_hash('secret')), ('bob', :'old');
CREATE TEMP TABLE before AS SELECT * FROM users;
PREPARE login(text, text) AS
WITH who AS MATERIALIZED (
    SELECT coalesce((SELECT hash FROM users WHERE name = $1), argon2_dummy_hash()) AS old_hash),
checked AS MATERIALIZED (
    SELECT old_hash, argon2_upgrade($2, old_hash) AS new_hash FROM who),
stored AS (
    UPDATE users SET hash = new_hash FROM checked
    WHERE name = $1 AND hash = old_hash AND new_hash <> old_hash)
SELECT new_hash IS NOT NULL AS ok FROM checked;
EXECUTE login('alice', 'secret');
EXECUTE login('alice', 'wrong');
EXECUTE login('bob', 'wrong');
EXECUTE login('nobody', 'secret');
SELECT count(*) AS unchanged FROM users NATURAL JOIN before;
EXECUTE login('bob', 'secret');
SELECT u.name, told(b.hash, u.hash), argon2_verify('secret', u.hash) FROM users AS u JOIN before AS b USING (name) ORDER BY name;

-- one call of argon2_upgrade in its plan, however it is planned, and in its run
CREATE FUNCTION calls_in_plan(statement text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    line text;
    n bigint := 0;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) ' || statement LOOP
        n := n + (length(line) - length(replace(line, 'argon2_upgrade(', ''))) / length('argon2_upgrade(');
    END LOOP;
    RETURN n;
END $$;
SET plan_cache_mode = force_generic_plan;
SELECT calls_in_plan($$EXECUTE login('alice', 'secret')$$) AS generic;
SET plan_cache_mode = force_custom_plan;
SELECT calls_in_plan($$EXECUTE login('alice', 'secret')$$) AS custom;
RESET plan_cache_mode;
SET track_functions = 'all';
BEGIN;
EXECUTE login('bob', 'secret');
SELECT funcname, calls FROM pg_stat_xact_user_functions WHERE funcname IN ('argon2_upgrade', 'argon2_verify', 'argon2_hash');
COMMIT;
RESET track_functions;
DROP FUNCTION calls_in_plan(text);

-- not guarded, a wrong password would erase the hash: NOT NULL makes it an error
\set VERBOSITY sqlstate
UPDATE users SET hash = argon2_upgrade('wrong', hash) WHERE name = 'alice';
\set VERBOSITY default
EXECUTE login('alice', 'secret');
ALTER TABLE users ALTER hash DROP NOT NULL;
BEGIN;
UPDATE users SET hash = argon2_upgrade('wrong', hash) WHERE name = 'alice';
SELECT hash IS NULL AS erased FROM users WHERE name = 'alice';
ROLLBACK;
EXECUTE login('alice', 'secret');
DEALLOCATE login;
DROP TABLE users, before;
DROP FUNCTION told(text, text);
