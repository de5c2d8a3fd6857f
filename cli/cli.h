/* SPDX-License-Identifier: MIT */
/*
 * What the files of the argon2fast command share. A command is one struct
 * cli_command in a file of its own and one row of the table in main.c; every
 * option there is has one row in options.c.
 */
#ifndef A2F_CLI_H
#define A2F_CLI_H

#include "argon2fast.h"

#include <sys/types.h>

/* Exit statuses. A command ended by a signal exits with 128 + its number. */
enum { CLI_YES = 0, CLI_NO = 1, CLI_ERROR = 2 };

/* The command's own ceilings: high, for whoever runs it owns the machine. */
enum {
    CLI_MEMORY_MAX = 4194304, /* KiB: 4 GiB */
    CLI_PASSES_MAX = 1 << 20,
    CLI_LANES_MAX = 65536,
    CLI_PASSWORD_MAX = 1 << 20, /* bytes */
    CLI_THREADS_MAX = 1024
};

/* ---- options.c ---------------------------------------------------------- */
enum cli_option_id {
    CLI_MEMORY,
    CLI_PASSES,
    CLI_LANES,
    CLI_TYPE,
    CLI_PARAMS,
    CLI_TIME,
    CLI_TOTAL_MEMORY,
    CLI_CONCURRENT,
    CLI_HASH_FILE,
    CLI_SECRET_FILE,
    CLI_THREADS,
    CLI_KERNEL,
    CLI_ALL,
    CLI_BATCH,
    CLI_JSON,
    CLI_HELP,
    CLI_OPTIONS
};

#define CLI_BIT(id) (1U << (id))
/* The options that say what a hash costs, for cli_cost_read. */
#define CLI_COST_OPTIONS                                                       \
    (CLI_BIT(CLI_MEMORY) | CLI_BIT(CLI_PASSES) | CLI_BIT(CLI_LANES) |          \
     CLI_BIT(CLI_TYPE) | CLI_BIT(CLI_PARAMS))

/* A command line, taken apart. */
struct cli_args {
    const char *text[CLI_OPTIONS]; /* as given; NULL: not given */
    uint32_t number[CLI_OPTIONS];  /* of options that take a number; else 0 */
    int operands;
    char **operand;
};

struct cli_command {
    const char *name;
    const char *summary;  /* one line, for the list of commands */
    const char *operands; /* as the usage line shows them */
    const char *about;    /* paragraphs for --help */
    unsigned options;     /* CLI_BIT of each option it takes, but --help */
    int (*run)(const struct cli_args *args); /* returns the exit status */
};

extern const struct cli_command cli_bench, cli_calibrate, cli_common,
    cli_doctor, cli_hash, cli_info, cli_needs_rehash, cli_shadow, cli_verify;

/* argv[0] is the command's name. False: reported. */
bool cli_args_read(const struct cli_command *command, int argc, char **argv,
                   struct cli_args *args);
void cli_options_print(const struct cli_command *command);

/* The params that CLI_COST_OPTIONS ask for, checked. Returns CLI_YES or
 * CLI_ERROR (reported). */
int cli_cost_read(const struct cli_args *args, struct a2f_params *params);

/* Whether a PHC text of this cost can be written: params are refused before,
 * not after, anybody has typed a password. Returns as cli_cost_read. */
int cli_cost_check(const struct a2f_params *params);

/* "d", "i" or "id". */
const char *cli_type_name(enum a2f_type type);

/* ---- report.c ----------------------------------------------------------- */
/* One line on standard error. Returns CLI_ERROR. */
__attribute__((format(printf, 1, 2))) int cli_error(const char *format, ...);

/* Reports what the core refused, by status and why (never NULL), and returns
 * the exit status that goes with it. */
int cli_failed(enum a2f_status status, const struct a2f_why *why);

/* Writes out what standard output still holds. Returns CLI_YES, or CLI_ERROR
 * (reported) when any of it was lost. */
int cli_flush(void);

/* A JSON object on standard output, written member by member. Keys are NULL
 * inside an array; texts are printable ASCII. */
struct cli_json {
    bool more; /* the next member needs a comma */
};
void cli_json_open(struct cli_json *json, const char *key, char bracket);
void cli_json_close(struct cli_json *json, char bracket);
void cli_json_text(struct cli_json *json, const char *key, const char *text);
void cli_json_number(struct cli_json *json, const char *key, uint64_t number);
void cli_json_bool(struct cli_json *json, const char *key, bool value);
void cli_json_params(struct cli_json *json, const struct a2f_params *params);

/* A line on standard error that is written over and over, if that is a
 * terminal. Times are microseconds of the monotonic clock. */
struct cli_progress {
    bool shown;
    uint64_t last;
};
uint64_t cli_clock(void);
__attribute__((format(printf, 2, 3))) void
cli_progress_show(struct cli_progress *progress, const char *format, ...);
void cli_progress_end(struct cli_progress *progress);

/* ---- signals.c ---------------------------------------------------------- */
/* Catches what would end the process, so that it ends by itself: terminal
 * restored, secrets wiped. */
void cli_signals_catch(void);

/* The signal that asked for the end; 0: none did. */
int cli_signal_caught(void);

/* For struct a2f_run: stops the work when a signal asked for the end. */
int cli_poll(void *ctx);

/* read(), except that a caught signal ends it (EINTR) whenever it came. */
ssize_t cli_read(int fd, void *data, size_t size);

/* Around a prompt: SIGTSTP too ends cli_read. cli_suspend_now stops the
 * process if one came, and tells so after it was continued. */
void cli_suspend_catch(void);
bool cli_suspend_now(void);

/* ---- input.c, terminal.c ------------------------------------------------ */
struct cli_secret {
    char *data; /* NULL: none */
    size_t len;
};

/* The password: from the terminal without echo (again: asked for twice) if
 * standard input is one, else the line standard input holds. Returns CLI_YES,
 * or the exit status (reported). cli_secret_free is due in any case. */
int cli_password_read(bool again, struct cli_secret *password);
void cli_secret_free(struct cli_secret *secret);

/* The text of the hash a command works on: its operand, or the --hash-file,
 * read into room. Returns CLI_YES, or CLI_ERROR (reported). */
int cli_hash_text(const struct cli_args *args, char room[A2F_TEXT_MAX],
                  struct a2f_span *text);

/* Asks on the terminal fd. Returns the length of the answer, -1 on an error
 * or a signal (errno). */
ssize_t cli_terminal_ask(int fd, const char *prompt, char *data, size_t size);

/* ---- lines.c ------------------------------------------------------------ */
/* The lines of a stream, in one buffer. A line may hold any byte but '\n'. */
struct cli_lines {
    int fd;
    char *data;
    size_t size, from, to; /* data[from..to) is read, not handed out */
    bool skipping;         /* in a line longer than size */
    bool ended;
};
struct cli_line {
    char *data; /* valid until cli_lines_fill */
    size_t len;
    bool too_long; /* its bytes are gone */
};
enum cli_lines_state { CLI_LINE, CLI_LINES_MORE, CLI_LINES_END };

/* A2F_NO_MEMORY leaves nothing to free. */
enum a2f_status cli_lines_open(struct cli_lines *lines, int fd, size_t size);
/* The next line if it is in the buffer; CLI_LINES_MORE: fill it first. */
enum cli_lines_state cli_lines_next(struct cli_lines *lines,
                                    struct cli_line *line);
/* Reads once. False: errno says why not. */
bool cli_lines_fill(struct cli_lines *lines);
void cli_lines_free(struct cli_lines *lines);

/* ---- memory.c ----------------------------------------------------------- */
/* Memory that the system and its cgroup still have, KiB; UINT64_MAX when
 * neither says. */
uint64_t cli_memory_available(void);

/* ---- engine.c, batch.c -------------------------------------------------- */
/* Processors this process may run on. */
unsigned cli_cores(void);

/* The keys of the --secret-file, for a2f_keys_free; NULL: none was given.
 * Returns CLI_YES or CLI_ERROR (reported). */
int cli_keys_read(const struct cli_args *args, struct a2f_keys **keys);

/* An engine with the command's ceilings, --threads and --kernel. keys may be
 * NULL. kept: it will run many calls. Returns CLI_YES or CLI_ERROR (reported).
 */
int cli_engine_new(const struct cli_args *args, const struct a2f_keys *keys,
                   bool kept, struct a2f_engine **engine);

/* Standard input line by line: hashes passwords under params or, when that is
 * NULL, verifies "hash TAB password". Returns the exit status. */
int cli_batch(const struct cli_args *args, const struct a2f_params *params);

#endif
