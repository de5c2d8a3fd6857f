/* SPDX-License-Identifier: MIT */
/*
 * What the module asks and what it is told. The same two structs serve the
 * helpers (as messages on pipes, wire.h) and a host that does the work itself.
 */
#ifndef A2F_PAM_REQUEST_H
#define A2F_PAM_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a password, of a name, of a path, of a field with a hash; all
 * without their NUL. A request with each of them at its longest still fits
 * one atomic write to a pipe. */
#define A2F_PASSWORD_MAX 512
#define A2F_USER_MAX     255
#define A2F_PATH_MAX     511
#define A2F_HASH_MAX     1023

/* Old passwords that remember= may keep a user from reusing. */
#define A2F_REMEMBER_MAX 24

/* What one request asks; the numbers are on the wire, never reuse one. */
enum a2f_kind {
    A2F_ASK_VERIFY = 1, /* is this the user's password? */
    A2F_ASK_LOOKUP = 2, /* what kind of entry is there? */
    A2F_ASK_RENEW = 3,  /* may this be the next password? Its PHC text, then */
    A2F_ASK_PROBE = 4,  /* could the database be written? */
    A2F_ASK_CHANGE = 5, /* write a new password's hash */
    A2F_ASK_REHASH = 6, /* write a new hash of the same password */
    A2F_ASK_REVERT = 7, /* write what a first rehash replaced */
};

enum a2f_flag {
    A2F_FLAG_NULLOK = 1,  /* an empty field admits an empty password */
    A2F_FLAG_FOREIGN = 2, /* let crypt(3) check what is not Argon2 */
    A2F_FLAG_MIGRATE = 4, /* a foreign hash that matched: make an Argon2 one */
    A2F_FLAG_UPGRADE = 8, /* the same for an Argon2 hash of lower cost */
    A2F_FLAG_CONSOLE = 16 /* a login at the machine itself */
};

/* Distinct bytes, none of them 0: what is not written never says "pass". */
enum a2f_verdict {
    A2F_SAYS_PASS = 'P',
    A2F_SAYS_WRONG = 'W',   /* also: locked, empty, malformed */
    A2F_SAYS_UNKNOWN = 'U', /* no such user in the database */
    A2F_SAYS_FOREIGN = 'F', /* not Argon2, and not to be checked here */
    A2F_SAYS_REUSED = 'R',  /* one of the remembered passwords */
    A2F_SAYS_CHANGED = 'C', /* the entry is not what it was any more */
    A2F_SAYS_BUSY = 'B',    /* a lock is held by somebody else */
    A2F_SAYS_NO_KEY = 'K',  /* the hash names a key that is not here */
    A2F_SAYS_NO_MEMORY = 'M',
    A2F_SAYS_UNAVAILABLE = 'X', /* anything else that went wrong */
};

/* What the password field holds. */
enum a2f_scheme {
    A2F_SCHEME_NONE, /* no entry */
    A2F_SCHEME_EMPTY,
    A2F_SCHEME_LOCKED, /* begins with ! or * */
    A2F_SCHEME_ARGON2,
    A2F_SCHEME_FOREIGN,
};

/* Why the ageing fields stand against a change by the user. */
enum a2f_ageing { A2F_AGE_FREE, A2F_AGE_TOO_SOON, A2F_AGE_EXPIRED };

/* A line of the database at one moment, as a salted digest: it tells whether
 * the line has changed without carrying the hash into the host's memory. */
#define A2F_STAMP_SALT 16
#define A2F_STAMP_LEN  48
struct a2f_stamp {
    uint8_t bytes[A2F_STAMP_LEN];
};

/* Strings are the asker's; "" or NULL where there is nothing to say. */
struct a2f_request {
    uint32_t kind;
    uint32_t flags;
    uint32_t origin;   /* the host's real uid, before anything changed it */
    uint32_t remember; /* how many old passwords to compare, or to keep */
    const char *user;
    const char *password;
    const char *database; /* a pwdfile; empty: the shadow file */
    const char *params;   /* empty: what the configuration says */
    const char *conf;     /* empty: the usual file */
    const char *hash;     /* what to write */
    struct a2f_stamp stamp;
};

struct a2f_reply {
    uint32_t verdict;
    uint32_t scheme;
    uint32_t ageing;
    uint32_t dry_run;            /* hash would have been written, but .. */
    char note[256];              /* for the log: never a secret */
    char hash[A2F_HASH_MAX + 1]; /* the new PHC text, where there is one */
    struct a2f_stamp stamp;
};

/* Sets the verdict and, in printf's way, the note. Returns verdict. */
__attribute__((format(printf, 3, 4))) enum a2f_verdict
a2f_reply_says(struct a2f_reply *reply, enum a2f_verdict verdict,
               const char *note, ...);

#endif
