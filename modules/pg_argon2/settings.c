/* SPDX-License-Identifier: MIT */
/*
 * The settings and the engine. Who may set what: ceilings and floors belong to
 * a superuser (they protect the server from its users), the budget of the
 * cluster to its configuration file, a user's own defaults to the user.
 */
#include "shim.h"

#include <limits.h>
#include <string.h>

#include <utils/guc.h>
#include <utils/timestamp.h>

#include "admission.h"
#include "settings.h"

struct a2f_settings a2f_settings;

/* ---- options ---- */

static const struct option {
    const char *name, *about;
    int *value;
    int preset, min, max;
    GucContext context;
    int unit;
    const char *ceiling_of; /* an a2f_why's what, or NULL */
} options[] = {
    {"pg_argon2.min_memory", "Least memory of a new hash.",
     &a2f_settings.min_memory, 0, 0, INT_MAX, PGC_SUSET, GUC_UNIT_KB, NULL},
    {"pg_argon2.min_passes", "Fewest passes of a new hash.",
     &a2f_settings.min_passes, 0, 0, INT_MAX, PGC_SUSET, 0, NULL},
    {"pg_argon2.max_memory", "Most memory one hash may use.",
     &a2f_settings.max_memory, 262144, 8, INT_MAX, PGC_SUSET, GUC_UNIT_KB,
     "memory_kib"},
    {"pg_argon2.max_passes", "Most passes one hash may take.",
     &a2f_settings.max_passes, 64, 1, INT_MAX, PGC_SUSET, 0, "passes"},
    {"pg_argon2.max_lanes", "Most lanes one hash may have.",
     &a2f_settings.max_lanes, 16, 1, (1 << 24) - 1, PGC_SUSET, 0, "lanes"},
    {"pg_argon2.max_work", "Most memory times passes of one hash.",
     &a2f_settings.max_work, 4194304, 8, INT_MAX, PGC_SUSET, GUC_UNIT_KB,
     "work"},
    {"pg_argon2.max_password_length", "Longest password.",
     &a2f_settings.max_password_length, 65536, 1, INT_MAX, PGC_SUSET,
     GUC_UNIT_BYTE, "password"},
    {"pg_argon2.max_threads", "Most threads one hash may use.",
     &a2f_settings.max_threads, 1, 1, 256, PGC_SUSET, 0, NULL},
    {"pg_argon2.keep_arena", "Memory a session keeps for its next hash.",
     &a2f_settings.keep_arena, 0, 0, INT_MAX, PGC_SUSET, GUC_UNIT_KB, NULL},
    {"pg_argon2.total_memory",
     "Most memory of all hashes that run at the same time; 0 is no limit.",
     &a2f_settings.total_memory, 0, 0, INT_MAX, PGC_SIGHUP, GUC_UNIT_KB, NULL},
    {"pg_argon2.queue_timeout",
     "How long to wait for a share of total_memory; -1 is for ever.",
     &a2f_settings.queue_timeout, 10000, -1, INT_MAX, PGC_USERSET, GUC_UNIT_MS,
     NULL},
};
#define OPTIONS (sizeof options / sizeof options[0])

/* May run outside of a transaction: it looks at nothing but its argument. */
static bool check_params(char **text, void **extra, GucSource source)
{
    struct a2f_params params;
    struct a2f_why why;
    char what[256];
    enum a2f_status s =
        a2f_params_read((struct a2f_span){*text, strlen(*text)}, &params, &why);

    (void)extra;
    (void)source;
    if (s == A2F_OK)
        return true;
    a2f_explain(s, &why, what, sizeof what);
    GUC_check_errdetail("%s.", what);
    return false;
}

void a2f_settings_init(void)
{
    DefineCustomStringVariable("pg_argon2.default_params",
                               "Cost of a new hash unless the call says.", NULL,
                               &a2f_settings.default_params, "default",
                               PGC_USERSET, 0, check_params, NULL, NULL);
    DefineCustomStringVariable("pg_argon2.secret_file",
                               "File of the keys that new hashes are made with "
                               "and old ones name.",
                               NULL, &a2f_settings.secret_file, "", PGC_SIGHUP,
                               GUC_SUPERUSER_ONLY, NULL, NULL, NULL);
    for (size_t i = 0; i < OPTIONS; i++) {
        const struct option *o = &options[i];

        DefineCustomIntVariable(o->name, o->about, NULL, o->value, o->preset,
                                o->min, o->max, o->context, o->unit, NULL, NULL,
                                NULL);
    }
    MarkGUCPrefixReserved("pg_argon2");
}

const char *a2f_settings_ceiling(const char *what)
{
    for (size_t i = 0; i < OPTIONS; i++)
        if (options[i].ceiling_of != NULL && what != NULL &&
            strcmp(options[i].ceiling_of, what) == 0)
            return options[i].name;
    return NULL;
}

/* ---- the engine and its keys ---- */

/* Of this backend, made by its first call: the postmaster has none, for an
 * engine may have threads and a fork would lose them. */
static struct a2f_engine *current;
static struct a2f_keys *keys; /* outlive the engine */

static void warn(enum a2f_status status, const struct a2f_why *why)
{
    char what[256];

    a2f_explain(status, why, what, sizeof what);
    ereport(
        WARNING,
        (errcode(ERRCODE_CONFIG_FILE_ERROR),
         errmsg("pg_argon2.secret_file could not be read"),
         errdetail_log("%s.", what),
         errhint(keys != NULL ? "The keys that were read before stay in use."
                              : "No hash is made until it can, and the "
                                "configuration is reloaded.")));
}

/* Reads the keys anew if the configuration was loaded since; what changed in
 * it, if it was the path at all, does not matter. */
static void renew_keys(void)
{
    static TimestampTz read_at;
    struct a2f_keys *fresh = NULL;
    struct a2f_why why = {0};
    enum a2f_status s = A2F_OK;

    if (read_at == PgReloadTime)
        return;
    read_at = PgReloadTime;
    if (*a2f_settings.secret_file != '\0')
        s = a2f_keys_read(a2f_settings.secret_file, &fresh, &why);
    if (s != A2F_OK) {
        warn(s, &why);
        return;
    }
    a2f_free(current);
    current = NULL;
    a2f_keys_free(keys);
    keys = fresh;
}

bool a2f_settings_keys(const struct a2f_keys **in_use)
{
    renew_keys();
    *in_use = keys;
    return keys != NULL || *a2f_settings.secret_file == '\0';
}

static struct a2f_config wanted(void)
{
    const struct a2f_settings *s = &a2f_settings;

    return (struct a2f_config){
        .limits = {.memory_kib = (uint32_t)s->max_memory,
                   .passes = (uint32_t)s->max_passes,
                   .lanes = (uint32_t)s->max_lanes,
                   .work = (uint64_t)s->max_work,
                   .password = (uint32_t)s->max_password_length},
        .keep_kib = (uint64_t)s->keep_arena,
        /* Of this backend's calls, which come one at a time: only a batch
         * that would run jobs side by side can meet it, and runs fewer. */
        .in_flight_kib = a2f_admission_budget(),
        .threads = (unsigned)s->max_threads,
        .keys = keys,
    };
}

/* As far as wanted sets them; other keys are noticed when they are read. */
static bool same(const struct a2f_config *a, const struct a2f_config *b)
{
    return a->limits.memory_kib == b->limits.memory_kib &&
           a->limits.passes == b->limits.passes &&
           a->limits.lanes == b->limits.lanes &&
           a->limits.work == b->limits.work &&
           a->limits.password == b->limits.password &&
           a->keep_kib == b->keep_kib && a->in_flight_kib == b->in_flight_kib &&
           a->threads == b->threads;
}

/* An engine never changes, so a changed setting means another one. */
enum a2f_status a2f_settings_engine(struct a2f_engine **engine)
{
    static struct a2f_config made_of;
    struct a2f_config config;
    enum a2f_status s = A2F_OK;

    renew_keys();
    config = wanted();

    if (current != NULL && !same(&config, &made_of)) {
        a2f_free(current);
        current = NULL;
    }
    if (current == NULL)
        s = a2f_new(&config, &current);
    made_of = config;
    *engine = current;
    return s;
}
