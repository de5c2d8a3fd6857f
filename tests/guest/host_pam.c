/* SPDX-License-Identifier: MIT */
/*
 * libpam with the module, for a file of its own with one user for each cost;
 * each session a transaction, which loads and unloads the module. HELPER says
 * which kind: never (the module hashes in this process) or always.
 */
#include <errno.h>
#include <security/pam_appl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest.h"

static char directory[] = "/tmp/argon2fast-XXXXXX";
static bool helper;

struct session {
    pam_handle_t *pamh;
    struct pam_conv conversation;
    const char *password;
};

static int converse(int n, const struct pam_message **messages,
                    struct pam_response **responses, void *arg)
{
    const struct session *s = arg;
    struct pam_response *all = calloc((size_t)n, sizeof *all);

    if (all == NULL)
        return PAM_BUF_ERR;
    for (int i = 0; i < n; i++)
        if (messages[i]->msg_style == PAM_PROMPT_ECHO_OFF)
            all[i].resp = strdup(s->password);
    *responses = all;
    return PAM_SUCCESS;
}

static enum guest_answer answer_of(int code)
{
    switch (code) {
    case PAM_SUCCESS:
        return GUEST_YES;
    case PAM_AUTH_ERR:
    case PAM_MAXTRIES:
        return GUEST_NO;
    case PAM_BUF_ERR:
        return GUEST_NO_MEMORY;
    case PAM_AUTHINFO_UNAVAIL:
        return GUEST_REFUSED;
    default:
        return GUEST_ODD;
    }
}

static enum guest_answer ask(void *arg, const struct guest_case *c,
                             const char *password)
{
    struct session *s = arg;
    char user[16];

    snprintf(user, sizeof user, "user%d", (int)(c - guest_cases));
    s->password = password;
    if (pam_set_item(s->pamh, PAM_USER, user) != PAM_SUCCESS)
        return GUEST_NO_MEMORY;
    return answer_of(pam_authenticate(s->pamh, 0));
}

/* ---- the files ---- */

static FILE *create(const char *name)
{
    char path[128];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", directory, name);
    file = fopen(path, "we");
    if (file == NULL || chmod(path, 0644) != 0)
        abort();
    return file;
}

static void write_users(void)
{
    FILE *file = create("users");

    for (int i = 0; i < GUEST_CASES; i++)
        fprintf(file, "user%d:%s\n", i, guest_cases[i].phc);
    fclose(file);
}

static void write_service(void)
{
    FILE *file = create("guest");

    fprintf(file,
            "auth required %s/pam_argon2fast.so nodelay helper=%s "
            "pwdfile=%s/users conf=%s/conf\n",
            getenv("BUILD"), helper ? "always" : "never", directory, directory);
    fclose(file);
    file = create("conf");
    fputs("slots = no\nparams = m=64,t=1,p=1\n", file);
    fclose(file);
}

static void remove_files(void)
{
    static const char *const names[] = {"users", "guest", "conf"};
    char path[128];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        unlink(path);
    }
    rmdir(directory);
}

/* ---- transactions ---- */

static void close_session(void *arg)
{
    struct session *s = arg;

    pam_end(s->pamh, PAM_SUCCESS);
    free(s);
}

static void *open_session(void)
{
    static bool written;
    struct session *s = calloc(1, sizeof *s);

    if (s == NULL)
        return NULL;
    if (!written)
        write_users();
    written = true;
    s->conversation = (struct pam_conv){converse, s};
    if (pam_start_confdir("guest", "nobody", &s->conversation, directory,
                          &s->pamh) == PAM_SUCCESS)
        return s;
    free(s);
    return NULL;
}

int main(void)
{
    const char *kind = getenv("HELPER");
    int code;

    helper = kind != NULL && strcmp(kind, "always") == 0;
    if (mkdtemp(directory) == NULL || chmod(directory, 0755) != 0)
        return 2;
    write_service();
    const struct guest_host host = {
        .name = helper ? "PAM with helper" : "PAM",
        .module = "/pam_argon2fast.so",
        .helper = helper,
        .open = open_session,
        .close = close_session,
        .ask = ask,
    };
    code = guest_main(&host, getenv("A2F_GUEST"));
    remove_files();
    return code;
}
