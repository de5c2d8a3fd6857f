/* SPDX-License-Identifier: MIT */
-- The 10,000 most common passwords, ASCII letters in either case.
SELECT argon2_is_common('password'), argon2_is_common('PassWord'), argon2_is_common('123456'),
    argon2_is_common('password'::bytea), argon2_is_common('\x313233343536'::bytea);
SELECT argon2_is_common('correct horse battery staple'), argon2_is_common(''), argon2_is_common('password '),
    argon2_is_common('\x70617373776f726400'::bytea) AS zero, argon2_is_common(E'p\u00e4ssword') AS umlaut;
SELECT argon2_is_common(NULL::text) IS NULL, argon2_is_common(NULL::bytea) IS NULL, argon2_is_common(password => 'dragon');
-- almost none of others
SELECT count(*) < 20 AS few FROM generate_series(1, 10000) AS n WHERE argon2_is_common(md5(n::text));
-- where a password is chosen
CREATE FUNCTION new_hash(password text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    IF argon2_is_common(password) THEN
        RAISE EXCEPTION 'this password is too common' USING ERRCODE = 'check_violation';
    END IF;
    RETURN argon2_hash(password, 'm=64,t=1,p=1');
END $$;
SELECT argon2_is_valid(new_hash('a rare one'));
\set VERBOSITY sqlstate
SELECT new_hash('Letmein');
SELECT argon2_is_common(repeat('x', 65537));
\set VERBOSITY default
DROP FUNCTION new_hash(text);
-- immutable: with a constant it is done while planning
EXPLAIN (COSTS OFF) SELECT argon2_is_common('dragon');
