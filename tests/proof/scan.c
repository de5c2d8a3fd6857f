/* SPDX-License-Identifier: MIT */
/*
 * Looks for the secrets of one hash in other processes:
 *   scan PARAMS SALT PEPPER PASSWORD pid PID..      at rest, or stopped
 *   scan PARAMS SALT PEPPER PASSWORD start PID..    only what a hash begins
 * with scan PARAMS SALT PEPPER PASSWORD file FILE..    such as a core dump scan
 * PARAMS SALT PEPPER PASSWORD run COMMAND..  it, and all it starts, as each of
 * them exits Prints a line for each: name, bytes looked at, what was found.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory.h"

static struct needles needles;

static void print(const char *name, const struct findings *found)
{
    char text[512];

    findings_print(found, text, sizeof text);
    (void)dprintf(STDERR_FILENO, "scan: %s: %zu KiB: %s\n", name,
                  found->bytes / 1024, text);
}

static void print_process(pid_t pid)
{
    struct findings found = memory_search(pid, &needles);
    char path[64], name[64] = "?";
    FILE *comm;

    (void)snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
    comm = fopen(path, "re");
    if (comm != NULL) {
        if (fgets(name, sizeof name, comm) != NULL)
            name[strcspn(name, "\n")] = '\0';
        (void)fclose(comm);
    }
    print(name, &found);
}

/* ---- processes from their beginning to their end ---- */

#define FOLLOWED                                                               \
    (PTRACE_O_TRACEEXIT | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |           \
     PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL)

/* A process, or a thread of one. */
struct task {
    pid_t pid;
    bool begun;    /* its first SIGSTOP, which is not its own, has been seen */
    bool has_exec; /* so its memory is its own, and not its parent's */
};

static struct task *task_of(pid_t pid)
{
    static struct task tasks[4096];
    size_t i = 0;

    while (tasks[i].pid != pid && tasks[i].pid != 0)
        if (++i == sizeof tasks / sizeof *tasks)
            abort();
    tasks[i].pid = pid;
    return &tasks[i];
}

/* The signal that it gets when it goes on. Of a thread that ends nothing is
 * said: others may be at work. */
static int handle_stop(struct task *task, int status)
{
    int event = status >> 16;

    if (event == PTRACE_EVENT_EXEC)
        task->has_exec = true;
    else if (event == PTRACE_EVENT_EXIT && task->has_exec)
        print_process(task->pid);
    if (event != 0)
        return 0;
    if (WSTOPSIG(status) == SIGSTOP && !task->begun) {
        task->begun = true;
        return 0;
    }
    return WSTOPSIG(status);
}

static int run(char **command)
{
    pid_t first = fork(), pid;
    int status, result = 1;

    if (first == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0 || raise(SIGSTOP) != 0)
            _exit(126);
        execvp(command[0], command);
        _exit(127);
    }
    if (first < 0 || waitpid(first, &status, 0) != first ||
        ptrace(PTRACE_SETOPTIONS, first, NULL, FOLLOWED) != 0)
        return 1;
    for (pid = first; pid > 0 || errno == EINTR;
         pid = waitpid(-1, &status, __WALL)) {
        if (pid == first && WIFEXITED(status))
            result = WEXITSTATUS(status);
        if (pid > 0 && WIFSTOPPED(status))
            (void)ptrace(PTRACE_CONT, pid, NULL,
                         (long)handle_stop(task_of(pid), status));
    }
    return result;
}

/* ---- ---- */

static struct a2f_span span(const char *text)
{
    return (struct a2f_span){text, strlen(text)};
}

int main(int argc, char **argv)
{
    struct a2f_params params;
    bool start;

    if (argc < 7 || a2f_params_read(span(argv[1]), &params, NULL) != A2F_OK) {
        (void)fputs("scan PARAMS SALT PEPPER PASSWORD pid|start|file|run ..\n",
                    stderr);
        return 2;
    }
    start = strcmp(argv[5], "start") == 0;
    needles_make(&needles, &params,
                 &(struct a2f_input){.password = span(argv[4]),
                                     .salt = span(argv[2]),
                                     .secret = span(argv[3])},
                 !start);
    if (strcmp(argv[5], "run") == 0)
        return run(argv + 6);
    for (int i = 6; i < argc; i++) {
        struct findings found;

        if (strcmp(argv[5], "file") == 0) {
            found = file_search(argv[i], &needles);
            print("file", &found);
        } else {
            print_process((pid_t)strtol(argv[i], NULL, 10));
        }
    }
    return 0;
}
