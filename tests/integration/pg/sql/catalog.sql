/* SPDX-License-Identifier: MIT */
-- Everything the extension owns, as the catalogs have it.
LOAD 'pg_argon2';
SELECT p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' AS function,
    pg_get_function_result(p.oid) AS result,
    p.provolatile AS v, p.proparallel AS p, p.procost AS cost, p.proisstrict AS strict,
    p.proleakproof AS leakproof, p.prosecdef AS definer, l.lanname AS lang,
    pg_get_userbyid(p.proowner) = current_user AS mine, p.proconfig AS config,
    CASE WHEN p.proacl IS NULL THEN 'public' WHEN has_function_privilege('pg_monitor', p.oid, 'EXECUTE')
        THEN 'granted' ELSE 'owner' END AS may
FROM pg_depend AS d JOIN pg_proc AS p ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
    JOIN pg_extension AS e ON d.refobjid = e.oid JOIN pg_language AS l ON l.oid = p.prolang
WHERE e.extname = 'pg_argon2' AND d.deptype = 'e'
ORDER BY p.proname COLLATE "C", pg_get_function_identity_arguments(p.oid) COLLATE "C";

SELECT c.relname, c.relkind, has_table_privilege('pg_monitor', c.oid, 'SELECT') AS readable
FROM pg_depend AS d JOIN pg_class AS c ON d.classid = 'pg_class'::regclass AND d.objid = c.oid
    JOIN pg_extension AS e ON d.refobjid = e.oid
WHERE e.extname = 'pg_argon2' AND d.deptype = 'e';

SELECT default_version, installed_version FROM pg_available_extensions WHERE name = 'pg_argon2';
SELECT version, superuser, trusted, relocatable FROM pg_available_extension_versions
WHERE name = 'pg_argon2' ORDER BY version;

SELECT name, setting, unit, context, vartype, min_val, max_val FROM pg_settings
WHERE name LIKE 'pg\_argon2.%' ORDER BY name COLLATE "C";
