/* SPDX-License-Identifier: MIT */
-- Who may set what, and what it does.
\set VERBOSITY sqlstate
CREATE ROLE argon2_user;
SET ROLE argon2_user;
-- before the library is there anything can be set, but it does not last
SET pg_argon2.max_memory = '1GB';
SELECT argon2_is_valid('x');
SHOW pg_argon2.max_memory;
SET pg_argon2.default_params = 'm=64,t=1,p=1';
SHOW pg_argon2.default_params;
SET pg_argon2.queue_timeout = '1s';
SET pg_argon2.max_memory = '1GB';
SET pg_argon2.max_passes = 1000;
SET pg_argon2.max_lanes = 1000;
SET pg_argon2.max_work = 1000;
SET pg_argon2.max_password_length = 1;
SET pg_argon2.max_threads = 2;
SET pg_argon2.keep_arena = '1GB';
SET pg_argon2.min_memory = 0;
SET pg_argon2.min_passes = 0;
SET pg_argon2.total_memory = 0;
SET pg_argon2.secret_file = '';
SHOW pg_argon2.secret_file;
RESET ROLE;
SET pg_argon2.total_memory = 0;
SET pg_argon2.secret_file = '';
RESET pg_argon2.default_params;
RESET pg_argon2.queue_timeout;

-- values that make no sense
SET pg_argon2.default_params = '';
SET pg_argon2.default_params = 'm=1,t=1,p=1';
SET pg_argon2.max_memory = 0;
SET pg_argon2.max_threads = 0;
SET pg_argon2.nonsense = 1;

-- a ceiling takes effect at once, down and up
\set id '$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHQ$FqGkmHNGCd0BRW2kBt6fPZ2pPmyGwwChL8FGUhTOSSI'
SELECT argon2_verify('password', :'id');
SET pg_argon2.max_memory = 63;
SELECT argon2_verify('password', :'id');
RESET pg_argon2.max_memory;
SET pg_argon2.max_passes = 1;
SELECT argon2_verify('password', :'id');
RESET pg_argon2.max_passes;
SET pg_argon2.max_work = 127;
SELECT argon2_verify('password', :'id');
RESET pg_argon2.max_work;
SET pg_argon2.max_password_length = 7;
SELECT argon2_verify('password', :'id');
RESET pg_argon2.max_password_length;
SET pg_argon2.max_lanes = 1;
SELECT argon2_hash('x', 'm=64,t=1,p=2');
RESET pg_argon2.max_lanes;
SELECT argon2_verify('password', :'id');

-- the floor: for making, not for verifying
SET pg_argon2.min_memory = '128kB';
SELECT argon2_hash('x', 'm=64,t=2,p=1');
SELECT argon2_hash_with_salt('x', 'somesalt', 'm=64,t=2,p=1');
SELECT argon2_hash(ARRAY['x'], 'm=64,t=2,p=1');
SELECT argon2_verify('password', :'id');
SELECT length(argon2_raw('x', 'somesalt', 'm=64,t=2,p=1'));
SELECT argon2_is_valid(argon2_hash('x', 'm=128,t=1,p=1'));
SET pg_argon2.min_passes = 2;
SELECT argon2_hash('x', 'm=128,t=1,p=1');
SELECT argon2_is_valid(argon2_hash('x', 'm=128,t=2,p=1'));
\set VERBOSITY default
SELECT argon2_hash('x', 'm=128,t=1,p=1');
RESET pg_argon2.min_memory;
RESET pg_argon2.min_passes;

-- settings of a function, a database, a role
CREATE FUNCTION cheap(text) RETURNS text LANGUAGE sql SET pg_argon2.default_params = 'm=80,t=1,p=1'
    AS 'SELECT argon2_hash($1)';
SELECT argon2_params(cheap('x'));
DROP FUNCTION cheap(text);
ALTER ROLE argon2_user SET pg_argon2.default_params = 'owasp';
DROP ROLE argon2_user;
