/* SPDX-License-Identifier: MIT */
-- The array forms: as their elements one by one.
SELECT cardinality(h), h[1] <> h[2] AS salted, argon2_verify(ARRAY['a', 'a', 'b', 'x'], h)
FROM argon2_hash(ARRAY['a', 'a', 'b', 'd'], 'm=64,t=1,p=1') AS h;

-- NULL stays NULL, and shapes stay
SELECT argon2_verify(ARRAY['a', NULL, 'c'], argon2_hash(ARRAY['a', 'b', NULL], 'm=64,t=1,p=1'));
SELECT argon2_verify(ARRAY[['a', 'b'], ['c', 'd']], argon2_hash(ARRAY[['a', 'b'], ['c', 'x']], 'm=64,t=1,p=1'));
SELECT array_dims(argon2_hash('[5:6]={a,b}'::text[], 'm=64,t=1,p=1'));
SELECT argon2_hash('{}'::text[]), argon2_verify('{}'::text[], '{}'::text[]), argon2_hash(NULL::text[]) IS NULL;
SELECT argon2_hash('{NULL}'::text[]), argon2_verify('{NULL}'::text[], '{NULL}'::text[]);
SELECT DISTINCT argon2_params(h) FROM unnest(argon2_hash(ARRAY['a', 'b'])) AS h;

-- more than one batch, and costs that differ
SELECT count(*), bool_and(argon2_verify(n::text, h[n]))
FROM generate_series(1, 50) AS n,
    (SELECT argon2_hash(array_agg(n::text ORDER BY n), 'm=64,t=1,p=2') AS h FROM generate_series(1, 50) AS n) AS made;
WITH made AS MATERIALIZED (
    SELECT n, argon2_hash(n::text, format('m=%s,t=%s,p=1', 8 * n, 1 + n % 3)) AS h FROM generate_series(1, 40) AS n)
SELECT argon2_verify(array_agg(n::text ORDER BY n), array_agg(h ORDER BY n))
    = array_agg(true) AS all_match,
    argon2_verify(array_agg((n + n % 2)::text ORDER BY n), array_agg(h ORDER BY n))
    = array_agg(n % 2 = 0 ORDER BY n) AS half_match
FROM made;

-- together no more memory than one may have
SET pg_argon2.max_memory = '128kB';
SELECT cardinality(argon2_hash(array_agg(n::text), 'm=128,t=1,p=1')) FROM generate_series(1, 5) AS n;
SELECT cardinality(argon2_hash(array_agg(n::text), 'm=48,t=1,p=1')) FROM generate_series(1, 9) AS n;
\set VERBOSITY sqlstate
SELECT argon2_hash(ARRAY['a'], 'm=136,t=1,p=1');
RESET pg_argon2.max_memory;

-- errors: one bad element fails the call
SELECT argon2_verify(ARRAY['a', 'b'], ARRAY['x']);
SELECT argon2_verify(ARRAY['a', 'b'], ARRAY[['x', 'y']]);
SELECT argon2_verify(ARRAY['a', 'b'], argon2_hash(ARRAY['a'], 'm=64,t=1,p=1') || 'malformed'::text);
SELECT argon2_verify(ARRAY['a'], ARRAY['$argon2id$v=19$m=4294967295,t=1,p=1$c29tZXNhbHQ$FqGkmHNGCd0BRW2kBt6fPZ2pPmyGwwChL8FGUhTOSSI']);
SELECT argon2_hash(ARRAY['a', repeat('x', 65537)], 'm=64,t=1,p=1');
SELECT argon2_verify(argon2_hash(ARRAY['a'], 'm=64,t=1,p=1'), ARRAY['a']);
-- and says which
\set VERBOSITY default
SELECT argon2_verify(ARRAY['a', 'b'], argon2_hash(ARRAY['a'], 'm=64,t=1,p=1') || 'malformed'::text);
