/* SPDX-License-Identifier: MIT */
-- 0.3 adds common passwords, verify and upgrade in one call, and keys.
\echo Use "ALTER EXTENSION pg_argon2 UPDATE TO '0.3'" to load this file. \quit

CREATE FUNCTION argon2_is_common(password text) RETURNS boolean
AS 'MODULE_PATHNAME', 'pg_argon2_is_common_text'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION argon2_is_common(password bytea) RETURNS boolean
AS 'MODULE_PATHNAME', 'pg_argon2_is_common_bytea'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION argon2_upgrade(password text, hash text) RETURNS text
AS 'MODULE_PATHNAME', 'pg_argon2_upgrade_text'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE COST 100000;

CREATE FUNCTION argon2_upgrade(password bytea, hash text) RETURNS text
AS 'MODULE_PATHNAME', 'pg_argon2_upgrade_bytea'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE COST 100000;

CREATE FUNCTION argon2_upgrade(password text, hash text, params text)
RETURNS text
AS 'MODULE_PATHNAME', 'pg_argon2_upgrade_text'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE COST 100000;

CREATE FUNCTION argon2_upgrade(password bytea, hash text, params text)
RETURNS text
AS 'MODULE_PATHNAME', 'pg_argon2_upgrade_bytea'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE COST 100000;

-- From now on it depends on which key of pg_argon2.secret_file is the current
-- one. A stored string names its own: argon2_verify stays immutable.
ALTER FUNCTION argon2_needs_rehash(text, text) STABLE;
