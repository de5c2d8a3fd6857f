/* SPDX-License-Identifier: MIT */
/*
 * A PAM application for tests: talk CONFDIR SERVICE USER WORD..., where a word
 * is a way to be (`ruid=1000`, `sigchld=ignore`), an item (`rhost=..`), or an
 * operation (`authenticate`); in the order given. Answers to prompts are lines
 * of standard input. Prints every message and every result.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <security/pam_appl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const names[] = {
    [PAM_SUCCESS] = "SUCCESS",
    [PAM_SERVICE_ERR] = "SERVICE_ERR",
    [PAM_SYSTEM_ERR] = "SYSTEM_ERR",
    [PAM_BUF_ERR] = "BUF_ERR",
    [PAM_PERM_DENIED] = "PERM_DENIED",
    [PAM_AUTH_ERR] = "AUTH_ERR",
    [PAM_AUTHINFO_UNAVAIL] = "AUTHINFO_UNAVAIL",
    [PAM_USER_UNKNOWN] = "USER_UNKNOWN",
    [PAM_MAXTRIES] = "MAXTRIES",
    [PAM_NEW_AUTHTOK_REQD] = "NEW_AUTHTOK_REQD",
    [PAM_ACCT_EXPIRED] = "ACCT_EXPIRED",
    [PAM_CONV_ERR] = "CONV_ERR",
    [PAM_AUTHTOK_ERR] = "AUTHTOK_ERR",
    [PAM_AUTHTOK_RECOVERY_ERR] = "AUTHTOK_RECOVERY_ERR",
    [PAM_AUTHTOK_LOCK_BUSY] = "AUTHTOK_LOCK_BUSY",
    [PAM_TRY_AGAIN] = "TRY_AGAIN",
    [PAM_ABORT] = "ABORT",
    [PAM_CONV_AGAIN] = "CONV_AGAIN",
    [PAM_INCOMPLETE] = "INCOMPLETE",
};

static const char *name_of(int code)
{
    size_t n = sizeof names / sizeof *names;
    const char *name = code >= 0 && (size_t)code < n ? names[code] : NULL;
    return name ? name : "?";
}

/* ---- the conversation ---- */

static int answer(const char *prompt, struct pam_response *response)
{
    char line[4096];
    if (!fgets(line, sizeof line, stdin)) {
        printf("prompt without an answer: %s\n", prompt);
        return PAM_CONV_ERR;
    }
    line[strcspn(line, "\n")] = '\0';
    if (strcmp(line, "<again>") == 0)
        return PAM_CONV_AGAIN;
    response->resp = strdup(line);
    explicit_bzero(line, sizeof line);
    return response->resp ? PAM_SUCCESS : PAM_BUF_ERR;
}

static int converse(int n, const struct pam_message **messages,
                    struct pam_response **responses, void *ctx)
{
    (void)ctx;
    struct pam_response *all = calloc((size_t)n, sizeof *all);
    int code = all ? PAM_SUCCESS : PAM_BUF_ERR;
    for (int i = 0; i < n && code == PAM_SUCCESS; i++) {
        const char *text = messages[i]->msg;
        switch (messages[i]->msg_style) {
        case PAM_TEXT_INFO:
            printf("info: %s\n", text);
            break;
        case PAM_ERROR_MSG:
            printf("error: %s\n", text);
            break;
        default:
            printf("prompt: %s\n", text);
            code = answer(text, &all[i]);
        }
    }
    if (code != PAM_SUCCESS) {
        for (int i = 0; all && i < n; i++)
            free(all[i].resp);
        free(all);
        return code;
    }
    *responses = all;
    return PAM_SUCCESS;
}

static const struct pam_conv conversation = {converse, NULL};

/* ---- ways to be ---- */

static int stolen;

static void steal(int signal)
{
    (void)signal;
    int error = errno;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        stolen++;
    errno = error;
}

static volatile sig_atomic_t seen;

static void see(int signal)
{
    (void)signal;
    seen++;
}

static void *idle(void *ctx)
{
    while (pause() != 0)
        ;
    return ctx;
}

static void set_sigchld(const char *how)
{
    struct sigaction action = {.sa_handler = SIG_IGN};
    if (strcmp(how, "steal") == 0)
        action.sa_handler = steal;
    if (strcmp(how, "see") == 0)
        action.sa_handler = see;
    sigaction(SIGCHLD, &action, NULL);
    if (strcmp(how, "blocked") == 0) {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGCHLD);
        sigprocmask(SIG_BLOCK, &set, NULL);
    }
}

static void set_limit(const char *text)
{
    static const struct {
        const char *name;
        int resource;
    } limits[] = {
        {"as=", RLIMIT_AS},          {"data=", RLIMIT_DATA},
        {"nproc=", RLIMIT_NPROC},    {"memlock=", RLIMIT_MEMLOCK},
        {"fsize=", RLIMIT_FSIZE},    {"nofile=", RLIMIT_NOFILE},
        {"softas=", -RLIMIT_AS - 1},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        size_t len = strlen(limits[i].name);
        if (strncmp(text, limits[i].name, len) != 0)
            continue;
        rlim_t value = strtoull(text + len, NULL, 10);
        struct rlimit limit = {value, value};
        int resource = limits[i].resource;
        if (resource < 0) {
            resource = -resource - 1;
            limit.rlim_max = RLIM_INFINITY;
        }
        if (setrlimit((unsigned)resource, &limit) != 0)
            perror("setrlimit");
        return;
    }
    printf("no such limit\n");
}

/* What follows happens in a child, with whatever the process has become. */
static int go_on_in_child(void)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0)
        return 1;
    if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        _exit(2);
    _exit(WEXITSTATUS(status));
}

static size_t stack_size; /* of a thread for each operation; 0: none */

/* False: not a way to be. */
static int be(const char *word)
{
    unsigned long n;
    char *value = strchr(word, '=');
    value = value ? value + 1 : (char *)"";
    n = strtoul(value, NULL, 10);
    if (strncmp(word, "ruid=", 5) == 0)
        return setresuid((uid_t)n, 0, 0) == 0;
    if (strncmp(word, "uid=", 4) == 0)
        return setresgid((gid_t)n, (gid_t)n, (gid_t)n) == 0 &&
               setresuid((uid_t)n, (uid_t)n, (uid_t)n) == 0;
    if (strncmp(word, "sigchld=", 8) == 0)
        return set_sigchld(value), 1;
    if (strncmp(word, "limit:", 6) == 0)
        return set_limit(word + 6), 1;
    if (strcmp(word, "thread") == 0) {
        pthread_t thread;
        return pthread_create(&thread, NULL, idle, NULL) == 0;
    }
    if (strcmp(word, "child") == 0) { /* one of the host's own */
        if (fork() == 0) {
            usleep(10000);
            _exit(7);
        }
        return 1;
    }
    if (strcmp(word, "fork") == 0)
        return go_on_in_child();
    if (strncmp(word, "stack=", 6) == 0)
        return stack_size = n, 1;
    if (strcmp(word, "nnp") == 0)
        return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    if (strcmp(word, "mlock") == 0)
        return mlockall(MCL_FUTURE) == 0;
    if (strcmp(word, "closed") == 0)
        return close(2) == 0;
    if (strncmp(word, "sleep=", 6) == 0)
        return usleep((useconds_t)n * 1000), 1;
    return 0;
}

/* ---- items and operations ---- */

static void show(pam_handle_t *pamh, const char *what, int item)
{
    const void *value = NULL;
    int code = pam_get_item(pamh, item, &value);
    /* Applications may not see a password; modules may. */
    printf("%s: %s\n", what,
           code == PAM_BAD_ITEM ? "hidden" : (value ? "set" : "none"));
}

static int set_item(pam_handle_t *pamh, const char *word)
{
    static const struct {
        const char *name;
        int item;
    } items[] = {
        {"rhost=", PAM_RHOST}, {"tty=", PAM_TTY}, {"ruser=", PAM_RUSER}};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        size_t len = strlen(items[i].name);
        if (strncmp(word, items[i].name, len) == 0)
            return pam_set_item(pamh, items[i].item, word + len) == PAM_SUCCESS;
    }
    return 0;
}

static int count_tasks(void)
{
    char line[256];
    int n = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        (void)sscanf(line, "Threads: %d", &n);
    if (status)
        fclose(status);
    return n;
}

/* Mappings that only a hash can have needed. */
static int count_large(void)
{
    char line[512];
    int n = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        n += sscanf(line, "%lx-%lx rw", &from, &to) == 2 &&
             to - from >= 32UL << 20;
    }
    if (maps)
        fclose(maps);
    return n;
}

struct operation {
    const char *name;
    int (*run)(pam_handle_t *pamh, int flags);
    unsigned flags;
};

struct call {
    pam_handle_t *pamh;
    const struct operation *operation;
    int code;
};

static void *run_call(void *ctx)
{
    struct call *call = ctx;
    call->code = call->operation->run(call->pamh, (int)call->operation->flags);
    return NULL;
}

static int run_operation(pam_handle_t *pamh, const struct operation *operation)
{
    struct call call = {pamh, operation, PAM_SYSTEM_ERR};
    pthread_attr_t attr;
    pthread_t thread;
    if (stack_size == 0) {
        run_call(&call);
        return call.code;
    }
    if (pthread_attr_init(&attr) == 0 &&
        pthread_attr_setstacksize(&attr, stack_size) == 0 &&
        pthread_create(&thread, &attr, run_call, &call) == 0)
        pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
    return call.code;
}

static int operate(pam_handle_t *pamh, const char *word)
{
    static const struct operation operations[] = {
        {"authenticate", pam_authenticate, 0},
        {"authenticate-nonull", pam_authenticate, PAM_DISALLOW_NULL_AUTHTOK},
        {"setcred", pam_setcred, PAM_ESTABLISH_CRED},
        {"acct", pam_acct_mgmt, 0},
        {"chauthtok", pam_chauthtok, 0},
        {"chauthtok-expired", pam_chauthtok, PAM_CHANGE_EXPIRED_AUTHTOK},
    };
    if (strcmp(word, "tasks") == 0)
        return printf("tasks: %d\n", count_tasks());
    if (strcmp(word, "large") == 0)
        return printf("large mappings: %d\n", count_large());
    if (strcmp(word, "seen") == 0)
        return printf("seen: %d, stolen: %d\n", (int)seen, stolen);
    if (strcmp(word, "authtok") == 0)
        return show(pamh, "authtok", PAM_AUTHTOK), 1;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(word, operations[i].name) == 0) {
            int code = run_operation(pamh, &operations[i]);
            printf("%s: %s\n", word, name_of(code));
            return 1;
        }
    return 0;
}

int main(int argc, char **argv)
{
    pam_handle_t *pamh = NULL;
    if (argc < 4)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    setvbuf(stdin, NULL, _IONBF, 0); /* no copy of an answer stays there */
    const char *user = *argv[3] ? argv[3] : NULL;
    int code = pam_start_confdir(argv[2], user, &conversation, argv[1], &pamh);
    if (code != PAM_SUCCESS) {
        printf("start: %s\n", name_of(code));
        return 2;
    }
    for (int i = 4; i < argc; i++)
        if (!set_item(pamh, argv[i]) && !operate(pamh, argv[i]) && !be(argv[i]))
            printf("cannot: %s\n", argv[i]);
    pam_end(pamh, code);
    return 0;
}
