/* SPDX-License-Identifier: MIT */
-- 0.2 adds the array forms, and a view of what is being hashed.
\echo Use "ALTER EXTENSION pg_argon2 UPDATE TO '0.2'" to load this file. \quit

CREATE FUNCTION argon2_hash(password text[]) RETURNS text[]
AS 'MODULE_PATHNAME', 'pg_argon2_hash_array'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE COST 100000;

CREATE FUNCTION argon2_hash(password text[], params text) RETURNS text[]
AS 'MODULE_PATHNAME', 'pg_argon2_hash_array'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE COST 100000;

CREATE FUNCTION argon2_verify(password text[], hash text[]) RETURNS boolean[]
AS 'MODULE_PATHNAME', 'pg_argon2_verify_array'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100000;

CREATE FUNCTION argon2_admission(
    OUT total_kib bigint, OUT in_use_kib bigint, OUT running integer,
    OUT waiting integer, OUT rejected bigint)
AS 'MODULE_PATHNAME', 'pg_argon2_admission'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;

-- A view is bound to the function here and now, in the extension's schema,
-- which is the first one while this script runs.
CREATE VIEW argon2_admission AS SELECT * FROM argon2_admission();
GRANT SELECT ON argon2_admission TO PUBLIC;
