/* SPDX-License-Identifier: MIT */
-- Values as the server keeps them: short, compressed, out of line.
CREATE TABLE kept(kind text, password text, hash text, bytes bytea);
ALTER TABLE kept ALTER password SET STORAGE EXTENDED, ALTER bytes SET STORAGE EXTERNAL;
INSERT INTO kept(kind, password) VALUES
    ('empty', ''), ('short', 'x'), ('127', repeat('x', 127)),
    ('compressed', repeat('x', 20000)),
    ('external', (SELECT string_agg(md5(n::text), '') FROM generate_series(1, 2000) AS n));
UPDATE kept SET bytes = convert_to(password, 'UTF8'), hash = argon2_hash(password, 'm=64,t=1,p=1');
SELECT kind, length(password), pg_column_size(password) < length(password) AS compressed,
    argon2_verify(password, hash) AS text, argon2_verify(bytes, hash) AS bytea,
    argon2_verify(password || 'x', hash) AS longer
FROM kept ORDER BY length(password);
-- arguments are not written to
SELECT kind FROM kept WHERE bytes <> convert_to(password, 'UTF8') OR NOT argon2_is_valid(hash);
-- hashes that are compressed or out of line, or say that they are long
ALTER TABLE kept ALTER hash SET STORAGE EXTERNAL;
UPDATE kept SET hash = argon2_hash(password, 'm=64,t=1,p=1,saltlen=1024,len=1024');
SELECT kind, length(hash), argon2_verify(password, hash), argon2_is_valid(hash), argon2_params(hash) FROM kept ORDER BY length(password);
SELECT argon2_verify(array_agg(password ORDER BY length(password)), array_agg(hash ORDER BY length(password))) FROM kept;
-- as plpgsql keeps arrays: expanded
DO $$
DECLARE
    a text[] := ARRAY['a', 'b'];
    h text[];
BEGIN
    a[3] := repeat('c', 5000);
    h := argon2_hash(a, 'm=64,t=1,p=1');
    RAISE NOTICE '%', argon2_verify(a, h);
END $$;
DROP TABLE kept;

-- one malformed row fails a scan unless it is asked about first
CREATE TABLE mixed(hash text);
INSERT INTO mixed VALUES ('broken'), (argon2_hash('x', 'm=64,t=1,p=1'));
\set VERBOSITY sqlstate
SELECT argon2_verify('x', hash) FROM mixed;
SELECT CASE WHEN argon2_is_valid(hash) THEN argon2_verify('x', hash) END FROM mixed;
DROP TABLE mixed;
