/* SPDX-License-Identifier: MIT */
-- Nothing but C functions: no body that a search_path could lead astray, and
-- no CREATE OR REPLACE that could adopt a function that was there before.
\echo Use "CREATE EXTENSION pg_argon2" to load this file. \quit

-- What hashes costs 100000: the planner then runs cheaper filters first.

CREATE FUNCTION argon2_hash(password text) RETURNS text
AS 'MODULE_PATHNAME', 'pg_argon2_hash_text'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE COST 100000;

CREATE FUNCTION argon2_hash(password bytea) RETURNS text
AS 'MODULE_PATHNAME', 'pg_argon2_hash_bytea'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE COST 100000;

CREATE FUNCTION argon2_hash(password text, params text) RETURNS text
AS 'MODULE_PATHNAME', 'pg_argon2_hash_text'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE COST 100000;

CREATE FUNCTION argon2_hash(password bytea, params text) RETURNS text
AS 'MODULE_PATHNAME', 'pg_argon2_hash_bytea'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE COST 100000;

CREATE FUNCTION argon2_verify(password text, hash text) RETURNS boolean
AS 'MODULE_PATHNAME', 'pg_argon2_verify_text'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100000;

CREATE FUNCTION argon2_verify(password bytea, hash text) RETURNS boolean
AS 'MODULE_PATHNAME', 'pg_argon2_verify_bytea'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100000;

CREATE FUNCTION argon2_hash_with_salt(password text, salt bytea, params text)
RETURNS text
AS 'MODULE_PATHNAME', 'pg_argon2_hash_with_salt_text'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100000;

CREATE FUNCTION argon2_hash_with_salt(password bytea, salt bytea, params text)
RETURNS text
AS 'MODULE_PATHNAME', 'pg_argon2_hash_with_salt_bytea'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100000;

CREATE FUNCTION argon2_raw(password text, salt bytea, params text)
RETURNS bytea
AS 'MODULE_PATHNAME', 'pg_argon2_raw_text'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100000;

CREATE FUNCTION argon2_raw(password bytea, salt bytea, params text)
RETURNS bytea
AS 'MODULE_PATHNAME', 'pg_argon2_raw_bytea'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100000;

-- Stable, as it reads pg_argon2.default_params; the next one does not.
CREATE FUNCTION argon2_needs_rehash(hash text) RETURNS boolean
AS 'MODULE_PATHNAME', 'pg_argon2_needs_rehash'
LANGUAGE C STABLE STRICT PARALLEL SAFE;

CREATE FUNCTION argon2_needs_rehash(hash text, params text) RETURNS boolean
AS 'MODULE_PATHNAME', 'pg_argon2_needs_rehash'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION argon2_is_valid(hash text) RETURNS boolean
AS 'MODULE_PATHNAME', 'pg_argon2_is_valid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION argon2_params(hash text) RETURNS text
AS 'MODULE_PATHNAME', 'pg_argon2_params'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION argon2_info(hash text,
    OUT type text, OUT version integer, OUT memory_kib bigint,
    OUT passes bigint, OUT lanes integer, OUT salt_len bigint,
    OUT tag_len bigint, OUT canonical boolean, OUT params text)
AS 'MODULE_PATHNAME', 'pg_argon2_info'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION argon2_dummy_hash() RETURNS text
AS 'MODULE_PATHNAME', 'pg_argon2_dummy_hash'
LANGUAGE C STABLE STRICT PARALLEL SAFE;

CREATE FUNCTION argon2_calibrate(target_ms integer) RETURNS text
AS 'MODULE_PATHNAME', 'pg_argon2_calibrate'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 100000;
REVOKE ALL ON FUNCTION argon2_calibrate(integer) FROM PUBLIC;

CREATE FUNCTION argon2_version() RETURNS text
AS 'MODULE_PATHNAME', 'pg_argon2_version'
LANGUAGE C STABLE STRICT PARALLEL SAFE;
