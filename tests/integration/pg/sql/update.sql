/* SPDX-License-Identifier: MIT */
-- From 0.1 on, version by version, with data that depends on it; and the same
-- in the end as what is made at once.
CREATE TEMP VIEW owned AS
SELECT p.proname, pg_get_function_identity_arguments(p.oid) AS arguments, p.provolatile, p.proparallel,
    p.procost, p.proacl::text, p.prosrc
FROM pg_depend AS d JOIN pg_proc AS p ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
    JOIN pg_extension AS e ON d.refobjid = e.oid
WHERE e.extname = 'pg_argon2';
CREATE TEMP TABLE fresh AS SELECT * FROM owned;

DROP EXTENSION pg_argon2;
CREATE EXTENSION pg_argon2 VERSION '0.1';
CREATE TABLE users(name text, hash text CHECK (argon2_is_valid(hash)));
CREATE INDEX ON users(argon2_params(hash));
INSERT INTO users VALUES ('alice', argon2_hash('secret', 'm=64,t=1,p=1'));
SELECT count(*) FROM owned;
\set VERBOSITY sqlstate
SELECT argon2_hash(ARRAY['x']);
SELECT * FROM argon2_admission;
\set VERBOSITY default
SELECT source, target, path FROM pg_extension_update_paths('pg_argon2') WHERE path IS NOT NULL ORDER BY source, target;

ALTER EXTENSION pg_argon2 UPDATE TO '0.2';
SELECT argon2_verify(ARRAY['secret'], array_agg(hash)) FROM users;
SELECT count(*) FROM owned;
\set VERBOSITY sqlstate
SELECT argon2_is_common('x');
\set VERBOSITY default
-- which is no longer immutable afterwards; what stands on it stays
CREATE INDEX ON users(argon2_needs_rehash(hash, 'owasp'));

ALTER EXTENSION pg_argon2 UPDATE;
SELECT extversion FROM pg_extension WHERE extname = 'pg_argon2';
SELECT name, argon2_verify('secret', hash) FROM users;
SELECT argon2_upgrade('secret', hash, 'm=64,t=1,p=1') = hash AS same FROM users;
SELECT name FROM users WHERE argon2_needs_rehash(hash, 'owasp');
TABLE fresh EXCEPT TABLE owned;
TABLE owned EXCEPT TABLE fresh;
SELECT count(*) FROM owned;
DROP TABLE users;

-- from one to the last at once
DROP EXTENSION pg_argon2;
CREATE EXTENSION pg_argon2 VERSION '0.1';
ALTER EXTENSION pg_argon2 UPDATE;
TABLE fresh EXCEPT TABLE owned;
TABLE owned EXCEPT TABLE fresh;
