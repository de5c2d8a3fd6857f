/* SPDX-License-Identifier: MIT */
-- Every error by its SQLSTATE; some with their messages.
\set VERBOSITY sqlstate
\set salt64 '$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHQ$'
\set id '$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHQ$FqGkmHNGCd0BRW2kBt6fPZ2pPmyGwwChL8FGUhTOSSI'

-- 22023: params
SELECT argon2_hash('x', '');
SELECT argon2_hash('x', 'm=64');
SELECT argon2_hash('x', 'm=64,t=1,p=1,q=1');
SELECT argon2_hash('x', 'm=64,t=1,p=1,t=1');
SELECT argon2_hash('x', 'm=7,t=1,p=1');
SELECT argon2_hash('x', 'm=64,t=0,p=1');
SELECT argon2_hash('x', 'm=64,t=1,p=1,saltlen=7');
SELECT argon2_hash_with_salt('x', '', 'm=64,t=1,p=1');
SELECT argon2_hash_with_salt('x', 'short', 'm=64,t=1,p=1');
SELECT argon2_raw('x', '', 'm=64,t=1,p=1');
SELECT argon2_raw('x', 'somesalt', 'm=64,t=1,p=1,len=3');
SELECT argon2_needs_rehash(:'id', 'nonsense');
SELECT argon2_calibrate(0);

-- 22023: malformed, swapped
SELECT argon2_verify('x', '');
SELECT argon2_verify('x', 'x');
SELECT argon2_verify('x', :'salt64');
SELECT argon2_verify('x', :'salt64' || '!!!!!!!!!!!!!!!!');
SELECT argon2_verify('x', :'id' || E'\n');
SELECT argon2_verify(:'id', 'x');
SELECT argon2_verify(:'id'::bytea, 'x');
SELECT argon2_verify(:'id', repeat('x', 70000));
SELECT argon2_params('x');
SELECT * FROM argon2_info('x');
SELECT argon2_needs_rehash('x');

-- 53400: ceilings
SELECT argon2_hash('x', 'm=262152,t=1,p=1');
SELECT argon2_hash('x', 'm=64,t=65,p=1');
SELECT argon2_hash('x', 'm=136,t=1,p=17');
SELECT argon2_hash('x', 'm=262144,t=17,p=1');
SELECT argon2_hash('x', 'rfc9106-high');
SELECT argon2_hash(repeat('x', 65537), 'm=64,t=1,p=1');
SELECT argon2_hash(repeat('x', 65537)::bytea, 'm=64,t=1,p=1');
SELECT argon2_verify(repeat('x', 65537), :'id');
SELECT argon2_raw('x', 'somesalt', 'm=64,t=1,p=1,len=1025');
SELECT argon2_verify('x', '$argon2id$v=19$m=4294967295,t=1,p=1$c29tZXNhbHQ$FqGkmHNGCd0BRW2kBt6fPZ2pPmyGwwChL8FGUhTOSSI');
SELECT argon2_params(repeat('x', 5000));

-- 55000: made with a key
SELECT argon2_verify('x', '$argon2id$v=19$m=64,t=2,p=1,keyid=YWJjZA$c29tZXNhbHQ$FqGkmHNGCd0BRW2kBt6fPZ2pPmyGwwChL8FGUhTOSSI');

-- just allowed
SELECT argon2_is_valid(argon2_hash(repeat('x', 65536), 'm=64,t=64,p=8'));
SELECT length(argon2_raw('x', 'somesalt', 'm=64,t=1,p=1,len=1024'));

-- messages: names and numbers
\set VERBOSITY default
SELECT argon2_hash('x', 'm=64,t=65,p=1');
SELECT argon2_verify('x', '$argon2id$v=19$m=4294967295,t=1,p=1$c29tZXNhbHQ$FqGkmHNGCd0BRW2kBt6fPZ2pPmyGwwChL8FGUhTOSSI');
SELECT argon2_verify(repeat('x', 65537), :'id');
SELECT argon2_verify(:'id', 'x');
SELECT argon2_hash('x', 'm=64,t=1');

-- an error leaves nothing behind that the next call trips over
SELECT argon2_verify('password', :'id');
