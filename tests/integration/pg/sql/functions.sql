/* SPDX-License-Identifier: MIT */
-- What the functions give. The strings were made by libargon2.
SELECT argon2_hash_with_salt('password', 'somesalt', 'm=64,t=2,p=1');
SELECT argon2_hash_with_salt('password', 'somesalt', 'm=64,t=2,p=1,type=i');
SELECT argon2_hash_with_salt('password', 'somesalt', 'm=64,t=2,p=1,type=d');
SELECT argon2_hash_with_salt('', 'somesalt', 'm=256,t=1,p=4') =
    '$argon2id$v=19$m=256,t=1,p=4$c29tZXNhbHQ$u60vqUm98tI3xIaViwXmHDfg1APIplrmQQGpdd+wSvM';
SELECT argon2_hash_with_salt('a\000b'::bytea, 'somesalt', 'm=64,t=1,p=1') =
    '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$YH5LH3SREWBZAsD4qNs6v2A/bHNkccBelye31D3kZ3c';
SELECT argon2_hash_with_salt(E'gr\u00fcn\u20ac', 'somesalt', 'm=64,t=1,p=1') =
    '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$DM9o4c3/F0oGQPJl0Vk0u5QTtZxRGOTgykDQy3hpzzE';
SELECT argon2_raw('password', 'somesalt', 'm=64,t=2,p=1,len=24');
SELECT argon2_raw('password'::bytea, 'somesalt', 'm=64,t=2,p=1,len=24');

-- a backslash in text is a backslash
SELECT argon2_hash_with_salt('a\000b', 'somesalt', 'm=64,t=1,p=1') =
    argon2_hash_with_salt('a\\000b'::bytea, 'somesalt', 'm=64,t=1,p=1');

-- verify
\set id '$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHQ$FqGkmHNGCd0BRW2kBt6fPZ2pPmyGwwChL8FGUhTOSSI'
\set i10 '$argon2i$v=16$m=64,t=2,p=1$c29tZXNhbHQ$Bh21/eJH8YBDyij2rzNMFBJxlNjZOXgA8TmVH6qMZno'
\set i10_old '$argon2i$m=64,t=2,p=1$c29tZXNhbHQ$Bh21/eJH8YBDyij2rzNMFBJxlNjZOXgA8TmVH6qMZno'
SELECT argon2_verify('password', :'id'), argon2_verify('Password', :'id'),
    argon2_verify('', :'id'), argon2_verify('password'::bytea, :'id');
SELECT argon2_verify('password', :'i10'), argon2_verify('password', :'i10_old'),
    argon2_verify('passworD', :'i10_old');
SELECT argon2_verify('x', argon2_hash('x', 'm=64,t=1,p=1')) AS same,
    argon2_verify('y', argon2_hash('x', 'm=64,t=1,p=1')) AS other;
SELECT argon2_verify('x'::varchar(3), argon2_hash('x'::bytea, 'm=64,t=1,p=1'));

-- hash: a fresh salt of 16 bytes, the default's cost
SELECT argon2_hash('x', 'm=64,t=1,p=1') <> argon2_hash('x', 'm=64,t=1,p=1') AS fresh;
SELECT argon2_params(argon2_hash('x')), argon2_params(argon2_hash('x'::bytea));
SELECT (argon2_info(argon2_hash('x', 'm=64,t=1,p=1,saltlen=24,len=20,type=d,v=16'))).*;
SET pg_argon2.default_params = 'm=72,t=1,p=1';
SELECT argon2_params(argon2_hash('x'));

-- what a string says
SELECT * FROM argon2_info(:'id');
SELECT * FROM argon2_info(:'i10_old');
SELECT argon2_params(:'id'), argon2_params(:'i10');
SELECT argon2_is_valid(:'id'), argon2_is_valid(:'i10'), argon2_is_valid(:'i10_old') AS dialect,
    argon2_is_valid(''), argon2_is_valid('$argon2id$'), argon2_is_valid(repeat('x', 100000)),
    argon2_is_valid(:'id' || '=') AS padded;
SELECT argon2_is_valid('$argon2id$v=19$m=4294967295,t=1,p=1$c29tZXNhbHQ$FqGkmHNGCd0BRW2kBt6fPZ2pPmyGwwChL8FGUhTOSSI') AS costly;
SELECT argon2_needs_rehash(:'id'), argon2_needs_rehash(:'id', 'm=64,t=2,p=1') AS saltlen,
    argon2_needs_rehash(:'id', 'm=64,t=2,p=1,saltlen=8') AS same,
    argon2_needs_rehash(argon2_hash('x')) AS own;
SET pg_argon2.default_params = 'm=64,t=2,p=1,saltlen=8';
SELECT argon2_needs_rehash(:'id') AS same;
SELECT argon2_is_valid(argon2_dummy_hash()), argon2_params(argon2_dummy_hash()),
    argon2_verify('', argon2_dummy_hash()), argon2_dummy_hash() = argon2_dummy_hash() AS same;
RESET pg_argon2.default_params;

-- about the machine
SELECT argon2_is_valid(argon2_hash('x', argon2_calibrate(2)));
SELECT argon2_version() ~ '^argon2fast \d+\.\d+\.\d+, kernel \w+, threads 1, admission: off$';

-- NULL in, NULL out
SELECT argon2_hash(NULL::text) IS NULL, argon2_hash('x', NULL) IS NULL, argon2_verify('x', NULL) IS NULL,
    argon2_verify(NULL::bytea, :'id') IS NULL, argon2_raw('x', NULL, 'default') IS NULL,
    argon2_is_valid(NULL) IS NULL, argon2_info(NULL) IS NULL, argon2_needs_rehash(:'id', NULL) IS NULL;

-- parameter names are part of the interface
SELECT argon2_verify(hash => :'id', password => 'password'),
    argon2_is_valid(argon2_hash(params => 'm=64,t=1,p=1', password => 'x')),
    argon2_hash_with_salt(params => 'm=64,t=2,p=1', salt => 'somesalt', password => 'password') = :'id',
    argon2_needs_rehash(params => 'owasp', hash => :'id');

-- prepared, with parameters whose types the server finds
PREPARE check_it AS SELECT argon2_verify($1, $2);
EXECUTE check_it('password', :'id');
DEALLOCATE check_it;

-- threads change nothing
SET pg_argon2.max_threads = 2;
SELECT argon2_hash_with_salt('', 'somesalt', 'm=256,t=1,p=4') =
    '$argon2id$v=19$m=256,t=1,p=4$c29tZXNhbHQ$u60vqUm98tI3xIaViwXmHDfg1APIplrmQQGpdd+wSvM';
SELECT argon2_version() ~ 'threads 2';
RESET pg_argon2.max_threads;
-- nor does kept memory
SET pg_argon2.keep_arena = '1MB';
SELECT argon2_verify('password', :'id'), argon2_verify('password', :'id'), argon2_verify('x', :'id');
RESET pg_argon2.keep_arena;
