/* SPDX-License-Identifier: MIT */
-- In a schema of its own, without superuser, under an empty search_path.
DROP EXTENSION pg_argon2;
CREATE ROLE argon2_owner;
CREATE ROLE argon2_login;
GRANT CREATE ON DATABASE postgres TO argon2_owner;
SET ROLE argon2_owner;
CREATE SCHEMA extensions;
CREATE EXTENSION pg_argon2 SCHEMA extensions;
SELECT extensions.argon2_is_valid(extensions.argon2_hash('x', 'm=64,t=1,p=1'));
-- trusted: its functions belong to the superuser all the same
SELECT DISTINCT pg_get_userbyid(proowner) = 'argon2_owner' AS mine FROM pg_proc WHERE proname LIKE 'argon2%';

CREATE SCHEMA app;
CREATE TABLE app.users(name text PRIMARY KEY,
    hash text NOT NULL CHECK (extensions.argon2_is_valid(hash)));
CREATE FUNCTION app.login(name text, password text) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    SELECT extensions.argon2_verify($2, coalesce((SELECT u.hash FROM app.users AS u WHERE u.name = $1),
        extensions.argon2_dummy_hash())) $$;
SET pg_argon2.default_params = 'm=64,t=1,p=1';
INSERT INTO app.users VALUES ('alice', extensions.argon2_hash('secret'));
\set VERBOSITY sqlstate
INSERT INTO app.users VALUES ('bob', 'secret');
\set VERBOSITY default
GRANT USAGE ON SCHEMA app TO argon2_login;
RESET ROLE;
SET ROLE argon2_login;
SELECT app.login('alice', 'secret'), app.login('alice', 'Secret'), app.login('nobody', 'secret');
-- calibrate is not for everybody
RESET ROLE;
GRANT USAGE ON SCHEMA extensions TO argon2_login;
SET ROLE argon2_login;
\set VERBOSITY sqlstate
SELECT extensions.argon2_calibrate(1);
\set VERBOSITY default
SELECT extensions.argon2_admission() IS NULL AS off, count(*) FROM extensions.argon2_admission;
RESET ROLE;

-- relocatable
CREATE SCHEMA elsewhere;
ALTER EXTENSION pg_argon2 SET SCHEMA elsewhere;
SELECT elsewhere.argon2_verify('secret', hash) FROM app.users;
SELECT count(*) FROM elsewhere.argon2_admission;

-- functions that were there before are not adopted
CREATE SCHEMA trap;
CREATE FUNCTION trap.argon2_version() RETURNS text LANGUAGE sql AS $$ SELECT 'mine' $$;
SET client_min_messages = warning;
DROP SCHEMA app CASCADE;
RESET client_min_messages;
DROP EXTENSION pg_argon2;
\set VERBOSITY sqlstate
CREATE EXTENSION pg_argon2 SCHEMA trap;
\set VERBOSITY default
SELECT trap.argon2_version();
SET client_min_messages = warning;
DROP SCHEMA trap CASCADE;
DROP SCHEMA extensions, elsewhere;
REVOKE CREATE ON DATABASE postgres FROM argon2_owner;
DROP ROLE argon2_owner, argon2_login;
CREATE EXTENSION pg_argon2;
