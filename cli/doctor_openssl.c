/* SPDX-License-Identifier: MIT */
/*
 * Asks libcrypto which provider serves ARGON2ID, and finds out from the
 * configuration file why it is not ours: OpenSSL itself is silent about a
 * provider that a file names and that does not load. The command does not link
 * libcrypto, it opens what there is; in a child, for that may do anything.
 */
#include "doctor.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- libcrypto ---- */

/* CONF_VALUE, a line of a configuration file. */
struct conf_line {
    char *section, *name, *value;
};

#define INFO_MODULES_DIR 1003 /* OPENSSL_INFO_MODULES_DIR */
#define VERSION_STRING   6    /* OPENSSL_VERSION_STRING */

/* OpenSSL's functions by their names, types as far as they are needed. */
static struct crypto {
    const char *(*OpenSSL_version)(int);
    const char *(*OPENSSL_info)(int);
    char *(*CONF_get1_default_config_file)(void);
    void *(*NCONF_new)(void *);
    int (*NCONF_load)(void *, const char *, long *);
    char *(*NCONF_get_string)(const void *, const char *, const char *);
    void *(*NCONF_get_section)(const void *, const char *);
    int (*OPENSSL_sk_num)(const void *);
    void *(*OPENSSL_sk_value)(const void *, int);
    void *(*OSSL_LIB_CTX_new)(void);
    int (*OSSL_LIB_CTX_load_config)(void *, const char *);
    void *(*OSSL_PROVIDER_load)(void *, const char *);
    const char *(*OSSL_PROVIDER_get0_name)(const void *);
    void *(*EVP_KDF_fetch)(void *, const char *, const char *);
    void *(*EVP_KDF_get0_provider)(const void *);
    void *(*EVP_MD_fetch)(void *, const char *, const char *);
    unsigned long (*ERR_get_error_all)(const char **, int *, const char **,
                                       const char **, int *);
} crypto;

static const struct {
    const char *name;
    void *where;
} symbols[] = {
#define SYMBOL(name)                                                           \
    {                                                                          \
#name, &crypto.name                                                    \
    }
    SYMBOL(OpenSSL_version),
    SYMBOL(OPENSSL_info),
    SYMBOL(CONF_get1_default_config_file),
    SYMBOL(NCONF_new),
    SYMBOL(NCONF_load),
    SYMBOL(NCONF_get_string),
    SYMBOL(NCONF_get_section),
    SYMBOL(OPENSSL_sk_num),
    SYMBOL(OPENSSL_sk_value),
    SYMBOL(OSSL_LIB_CTX_new),
    SYMBOL(OSSL_LIB_CTX_load_config),
    SYMBOL(OSSL_PROVIDER_load),
    SYMBOL(OSSL_PROVIDER_get0_name),
    SYMBOL(EVP_KDF_fetch),
    SYMBOL(EVP_KDF_get0_provider),
    SYMBOL(EVP_MD_fetch),
    SYMBOL(ERR_get_error_all),
};

static bool open_crypto(const char *name)
{
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return false;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *symbol = dlsym(library, symbols[i].name);
        if (symbol == NULL)
            return false;
        memcpy(symbols[i].where, &symbol, sizeof symbol);
    }
    return true;
}

/* ---- the child ---- */

/* A finding for the parent: one line, its kind as a digit first. */
__attribute__((format(printf, 2, 3))) static void tell(enum cli_finding finding,
                                                       const char *format, ...)
{
    va_list list;
    va_start(list, format);
    putchar('0' + (int)finding);
    vprintf(format, list);
    putchar('\n');
    va_end(list);
}

/* The first error with something to say, and no more errors. */
static void take_error(char *text, size_t size)
{
    const char *data;
    int flags;
    snprintf(text, size, "OpenSSL does not say why");
    for (bool found = false;
         crypto.ERR_get_error_all(NULL, NULL, NULL, &data, &flags) != 0;)
        if (!found && data != NULL && *data != '\0') {
            snprintf(text, size, "%s", data);
            found = true;
        }
}

/* Loads the provider from its section as the file would, but so that it is
 * loaded by name: then a failure is an error. False: text says why. */
static bool try_load(const void *lines, char *text, size_t size)
{
    char path[] = "/tmp/argon2fast-XXXXXX";
    int fd = mkstemp(path);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file == NULL) {
        snprintf(text, size, "no file can be made in /tmp");
        return false;
    }
    fputs("openssl_conf = init\n[init]\nproviders = all\n[all]\n"
          "argon2fast = ours\n[ours]\n",
          file);
    for (int i = 0; i < crypto.OPENSSL_sk_num(lines); i++) {
        const struct conf_line *line = crypto.OPENSSL_sk_value(lines, i);
        if (strcmp(line->name, "activate") != 0)
            fprintf(file, "%s = \"%s\"\n", line->name, line->value);
    }
    fclose(file);
    take_error(text, size); /* what came before is not meant */
    void *libctx = crypto.OSSL_LIB_CTX_new();
    bool loaded = crypto.OSSL_LIB_CTX_load_config(libctx, path) &&
                  crypto.OSSL_PROVIDER_load(libctx, "argon2fast") != NULL;
    unlink(path);
    take_error(text, size);
    return loaded;
}

/* Keys nobody reads are most often misspelt ones. */
static void check_keys(const void *lines, const char *section)
{
    static const char *const known[] = {
        "identity",  "module",       "activate",
        "soft_load", "max_threads",  "max_memcost_kib",
        "max_iter",  "max_lanes",    "max_concurrent_kib",
        "keep_kib",  "keep_threads", "strict_threads",
    };
    for (int i = 0; i < crypto.OPENSSL_sk_num(lines); i++) {
        const struct conf_line *line = crypto.OPENSSL_sk_value(lines, i);
        size_t k = 0;
        while (k < sizeof known / sizeof *known &&
               strcmp(line->name, known[k]) != 0)
            k++;
        if (k == sizeof known / sizeof *known)
            tell(CLI_PROBLEM, "[%s] has the unknown key %s, which does nothing",
                 section, line->name);
    }
}

static bool is_off(const char *activate)
{
    return strcasecmp(activate, "0") == 0 || strcasecmp(activate, "no") == 0 ||
           strcasecmp(activate, "off") == 0 ||
           strcasecmp(activate, "false") == 0;
}

/* The provider's section, and what is wrong with it. served: ours is in use. */
static void check_section(const void *conf, const char *section, bool served)
{
    const void *lines = crypto.NCONF_get_section(conf, section);
    const char *activate = crypto.NCONF_get_string(conf, section, "activate");
    char why[512];

    if (lines == NULL) {
        tell(CLI_PROBLEM, "argon2fast = %s, but there is no [%s]", section,
             section);
        return;
    }
    check_keys(lines, section);
    if (served)
        return;
    if (activate == NULL || is_off(activate))
        tell(CLI_PROBLEM, "[%s] has no activate = 1", section);
    else if (!try_load(lines, why, sizeof why))
        tell(CLI_PROBLEM, "[%s] does not load: %s", section, why);
    else
        tell(CLI_PROBLEM,
             "[%s] loads, but another provider of ARGON2ID comes first: name "
             "argon2fast before it, or set default_properties = "
             "?provider=argon2fast",
             section);
}

/* Where OpenSSL looks for a module that is not named with its path. */
static void check_module(void)
{
    const char *directory = getenv("OPENSSL_MODULES");
    char module[4096];
    if (directory == NULL)
        directory = crypto.OPENSSL_info(INFO_MODULES_DIR);
    snprintf(module, sizeof module, "%s/argon2fast.so", directory);
    tell(CLI_NOTE, "there is %s%s", access(module, R_OK) == 0 ? "" : "no ",
         module);
}

/* Follows the file from its beginning to the provider's section. */
static void check_file(const char *path, bool served)
{
    void *conf = crypto.NCONF_new(NULL);
    long bad_line = 0;
    if (crypto.NCONF_load(conf, path, &bad_line) != 1) {
        if (bad_line > 0)
            tell(CLI_PROBLEM, "%s is malformed in line %ld", path, bad_line);
        else
            tell(CLI_NOTE, "%s cannot be read", path);
        return;
    }
    /* Each time: the value, or what is missing. */
    const char *init = crypto.NCONF_get_string(conf, NULL, "openssl_conf");
    const char *providers =
        init ? crypto.NCONF_get_string(conf, init, "providers") : NULL;
    const char *section =
        providers ? crypto.NCONF_get_string(conf, providers, "argon2fast")
                  : NULL;
    if (section != NULL) {
        check_section(conf, section, served);
        return;
    }
    check_module();
    if (served)
        tell(CLI_NOTE, "%s does not name argon2fast", path);
    else if (init == NULL)
        tell(CLI_NOTE, "%s has no line openssl_conf = .. at its top", path);
    else if (providers == NULL)
        tell(CLI_NOTE, "%s has no line providers = .. in [%s]", path, init);
    else
        tell(CLI_NOTE, "%s does not name argon2fast in [%s]", path, providers);
}

static void examine(const char *library)
{
    const char *server = NULL;
    char *path = crypto.CONF_get1_default_config_file();
    void *kdf = crypto.EVP_KDF_fetch(NULL, "ARGON2ID", NULL);

    if (kdf != NULL)
        server =
            crypto.OSSL_PROVIDER_get0_name(crypto.EVP_KDF_get0_provider(kdf));
    bool served = server != NULL && strcmp(server, "argon2fast") == 0;
    tell(CLI_NOTE, "OpenSSL %s (%s) with %s",
         crypto.OpenSSL_version(VERSION_STRING), library, path);
    if (served)
        tell(CLI_FINE, "ARGON2ID is served by argon2fast");
    else
        tell(CLI_NOTE, "ARGON2ID is served by %s",
             server != NULL ? server : "no provider");
    if (crypto.EVP_MD_fetch(NULL, "SHA256", NULL) == NULL)
        tell(CLI_PROBLEM, "SHA256 is served by no provider: a file that "
                          "activates any provider must activate default, too");
    check_file(path, served);
}

/* Whether there is such a library; it is examined in a child of its own. */
static bool examine_library(const char *library,
                            void (*say)(void *, enum cli_finding, const char *),
                            void *ctx)
{
    char line[4096];
    int ends[2], status = 0;
    bool there = false;

    if (pipe(ends) != 0)
        return false;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        if (dup2(ends[1], STDOUT_FILENO) < 0 || !open_crypto(library))
            _exit(0);
        close(ends[0]);
        close(ends[1]);
        examine(library);
        fflush(stdout);
        _exit(0);
    }
    close(ends[1]);
    FILE *findings = fdopen(ends[0], "r");
    while (findings != NULL && fgets(line, sizeof line, findings) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        there = true;
        if (line[0] >= '0' + CLI_FINE && line[0] <= '0' + CLI_PROBLEM)
            say(ctx, (enum cli_finding)(line[0] - '0'), line + 1);
    }
    if (findings != NULL)
        fclose(findings);
    if (pid > 0 && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status)) {
        snprintf(line, sizeof line,
                 "%s dies by signal %d under this "
                 "configuration",
                 library, WTERMSIG(status));
        say(ctx, CLI_PROBLEM, line);
        there = true;
    }
    return there;
}

void cli_doctor_openssl(void (*say)(void *, enum cli_finding, const char *),
                        void *ctx)
{
    static const char *const libraries[] = {"libcrypto.so.3", "libcrypto.so.4"};
    bool any = false;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        any = examine_library(libraries[i], say, ctx) || any;
    if (!any)
        say(ctx, CLI_NOTE, "there is no libcrypto of OpenSSL 3.0 or later");
}
