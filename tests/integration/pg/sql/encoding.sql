/* SPDX-License-Identifier: MIT */
-- The same password gives the same hash whatever the database's encoding is.
SELECT argon2_hash_with_salt(convert_from('\x6772c3bc6ee282ac', 'UTF8'), 'somesalt', 'm=64,t=1,p=1') AS utf8 \gset
CREATE DATABASE argon2_latin9 TEMPLATE template0 ENCODING 'LATIN9' LC_COLLATE 'C' LC_CTYPE 'C';
CREATE DATABASE argon2_ascii TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C';
CREATE DATABASE argon2_win TEMPLATE template0 ENCODING 'WIN1252' LC_COLLATE 'C' LC_CTYPE 'C';

\c argon2_latin9
CREATE EXTENSION pg_argon2;
-- gruen, with u-umlaut, and a euro sign
SELECT argon2_hash_with_salt(convert_from('\x6772fc6ea4', 'LATIN9'), 'somesalt', 'm=64,t=1,p=1') = :'utf8' AS same;
SELECT argon2_verify(convert_from('\x6772fc6ea4', 'LATIN9'), :'utf8'),
    argon2_verify(ARRAY[convert_from('\x6772fc6ea4', 'LATIN9'), 'x'], ARRAY[:'utf8', :'utf8']),
    argon2_verify('\x6772fc6ea4'::bytea, :'utf8') AS bytes, argon2_verify('\x6772c3bc6ee282ac'::bytea, :'utf8') AS utf8_bytes;
SELECT argon2_is_valid(argon2_hash('', 'm=64,t=1,p=1'));

\c argon2_ascii
CREATE EXTENSION pg_argon2;
-- as it is, whatever it is
SELECT argon2_hash_with_salt(convert_from('\x6772fc6ea4', 'SQL_ASCII'), 'somesalt', 'm=64,t=1,p=1')
    = argon2_hash_with_salt('\x6772fc6ea4'::bytea, 'somesalt', 'm=64,t=1,p=1') AS same;

\c argon2_win
CREATE EXTENSION pg_argon2;
-- 0x81 is no character there: an error that does not say so
SELECT argon2_hash(convert_from('\x70817178', 'WIN1252'), 'm=64,t=1,p=1');
\set VERBOSITY sqlstate
SELECT argon2_hash(convert_from('\x70817178', 'WIN1252'), 'm=64,t=1,p=1');

\c postgres
DROP DATABASE argon2_latin9;
DROP DATABASE argon2_ascii;
DROP DATABASE argon2_win;
