/* SPDX-License-Identifier: MIT */
/*
 * argon2fast: Argon2 password hashing, RFC 9106. The only public header.
 *
 * Sizes are bytes unless a name says kib. No function writes to its inputs or
 * keeps a pointer to them (an engine's kernel name, a string, excepted). When
 * a function does not return A2F_OK its outputs are zeroed, and the memory it
 * worked in is wiped.
 */
#ifndef ARGON2FAST_H
#define ARGON2FAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define A2F_VERSION "0.9.0"

/* Enough for every PHC text within the default limits, and its NUL. */
#define A2F_TEXT_MAX 4096

#if defined(__GNUC__)
#define A2F_CHECKED __attribute__((warn_unused_result))
#else
#define A2F_CHECKED
#endif

/* The number RFC 9106 section 3.2 calls y. */
enum a2f_type { A2F_D = 0, A2F_I = 1, A2F_ID = 2 };

/* Each is a thing a host must treat differently. */
enum a2f_status {
    A2F_OK,
    A2F_MISMATCH,   /* the password is not the one that was hashed */
    A2F_BAD_HASH,   /* malformed PHC text */
    A2F_BAD_PARAM,  /* an argument outside what RFC 9106 allows */
    A2F_OVER_LIMIT, /* valid, but above a ceiling of this engine */
    A2F_NO_KEY,     /* the text names a key or data that is not here */
    A2F_NO_MEMORY,  /* refused by the system or by in_flight_kib */
    A2F_CANCELLED,  /* poll asked to stop */
    A2F_SYSTEM      /* no randomness to be had */
};

/* Bytes that belong to the caller; data may be NULL when len is 0. */
struct a2f_span {
    const void *data;
    size_t len;
};

/* The cost, RFC 9106 section 3.1; a2f_params_read fills it from a string. */
struct a2f_params {
    enum a2f_type type;
    uint32_t version;    /* 0x10 or 0x13 */
    uint32_t memory_kib; /* m, KiB: at least 8 * lanes */
    uint32_t passes;     /* t: at least 1 */
    uint32_t lanes;      /* p: 1 to 2^24-1 */
    uint32_t tag_len;    /* T: at least 4 */
    uint32_t salt_len;   /* of a fresh salt: at least 8 */
};

/* Each span holds at most 2^32-1 bytes. */
struct a2f_input {
    struct a2f_span password; /* P; may be empty */
    struct a2f_span salt;     /* S; empty in a2f_hash: a fresh random one */
    struct a2f_span secret;   /* K, the pepper */
    struct a2f_span ad;       /* X, associated data */
};

/* Ceilings, checked before anything is decoded or allocated. 0 takes the
 * default in brackets; UINT32_MAX (UINT64_MAX) leaves RFC 9106's own. */
struct a2f_limits {
    uint32_t memory_kib; /* [262144] */
    uint32_t passes;     /* [64] */
    uint32_t lanes;      /* [16] */
    uint64_t work;       /* memory_kib * passes [4194304] */
    uint32_t password;   /* bytes [65536] */
    uint32_t salt;       /* bytes [1024] */
    uint32_t secret;     /* bytes [1024] */
    uint32_t ad;         /* bytes [65536] */
    uint32_t tag;        /* bytes [1024] */
    uint32_t text;       /* bytes of PHC text [A2F_TEXT_MAX - 1] */
};

/* Pepper keys out of a file; any number of threads and engines may share it. */
struct a2f_keys;

/* What an engine is, for ever. All zero is a good guest's configuration. */
struct a2f_config {
    struct a2f_limits limits;
    uint64_t keep_kib;      /* block memory kept between calls; 0: none */
    uint64_t in_flight_kib; /* block memory of all calls; 0: no ceiling */
    unsigned threads;       /* most threads a call uses, the caller's one
                               included, and one more than all the workers
                               alive at once; 0: 1 */
    bool keep_threads;      /* park workers between calls */
    const char *kernel;     /* a name of a2f_kernel_name; NULL: fastest */
    /* Not copied: they must outlive the engine. NULL: none. */
    const struct a2f_keys *keys;
};

/* Which parameter was refused, and the range it may have, or (max 0, value not
 * 0) the line of a file. Never a secret. */
struct a2f_why {
    const char *what; /* "memory_kib", "salt", ..; NULL: nothing to add */
    uint64_t value, min, max;
};

/* How one call runs; it never changes a result. NULL: all zero. */
struct a2f_run {
    unsigned threads;       /* 0: what the engine allows; else at most that */
    int (*poll)(void *ctx); /* called on the calling thread every few ms of
                               work; non-zero: stop, A2F_CANCELLED. It must
                               return (no longjmp) and not call fork. */
    void *poll_ctx;
    struct a2f_why *why; /* filled when a parameter is refused */
};

/* One of a batch. */
struct a2f_job {
    const struct a2f_params *params; /* hash under these; NULL: verify */
    struct a2f_input input;
    struct a2f_span hash; /* verify: the PHC text */
    char *text;           /* hash: where the PHC text goes .. */
    size_t size;          /* .. and the room there */
    enum a2f_status status;
    struct a2f_why why;
};

struct a2f_engine;

/* Makes an engine; NULL is the all-zero configuration. Safe to share between
 * threads and across fork. A2F_BAD_PARAM: no such kernel on this CPU;
 * A2F_NO_MEMORY. *engine is NULL then. */
A2F_CHECKED enum a2f_status a2f_new(const struct a2f_config *config,
                                    struct a2f_engine **engine);

/* Ends it, its kept memory and parked threads; no call may be running. */
void a2f_free(struct a2f_engine *engine);

/* The raw tag of RFC 9106 section 3.2: params->tag_len bytes to tag. Ignores
 * salt_len. A2F_BAD_PARAM, A2F_OVER_LIMIT, A2F_NO_MEMORY, A2F_CANCELLED. */
A2F_CHECKED enum a2f_status a2f_derive(struct a2f_engine *engine,
                                       const struct a2f_params *params,
                                       const struct a2f_input *input,
                                       uint8_t *tag, const struct a2f_run *run);

/* Hashes into a NUL-terminated PHC string in text[size]. Where input has
 * neither secret nor salt, the engine's current key is the secret, and the
 * text names it. A2F_BAD_PARAM (why "size": too little room), A2F_OVER_LIMIT,
 * A2F_NO_MEMORY, A2F_CANCELLED, A2F_SYSTEM. */
A2F_CHECKED enum a2f_status a2f_hash(struct a2f_engine *engine,
                                     const struct a2f_params *params,
                                     const struct a2f_input *input, char *text,
                                     size_t size, const struct a2f_run *run);

/* A2F_OK when input's password (with its secret and ad) is the one in the PHC
 * text, A2F_MISMATCH when not; input->salt is ignored. Where the text names a
 * key, that key of the engine's is the secret, not input's. A2F_BAD_HASH,
 * A2F_OVER_LIMIT, A2F_NO_KEY, A2F_BAD_PARAM, A2F_NO_MEMORY, A2F_CANCELLED. */
A2F_CHECKED enum a2f_status a2f_verify(struct a2f_engine *engine,
                                       struct a2f_span hash,
                                       const struct a2f_input *input,
                                       const struct a2f_run *run);

/* a2f_verify, and with A2F_OK what to store from now on in text[size], apart
 * from hash: the same text, or a freshly salted one when params ask for more of
 * anything or the engine's current key is another. Nothing ever gets less: each
 * member is the larger of both (A2F_ID over A2F_I over A2F_D), a pepper is not
 * taken away, and where both together are above a ceiling the cost stays.
 * Errors as a2f_hash, and then as a2f_verify. */
A2F_CHECKED enum a2f_status a2f_verify_upgrade(struct a2f_engine *engine,
                                               struct a2f_span hash,
                                               const struct a2f_input *input,
                                               const struct a2f_params *params,
                                               char *text, size_t size,
                                               const struct a2f_run *run);

/* Runs n independent jobs, those of equal cost side by side; every job gets
 * its status and why as if alone (run->why is not used). A2F_OK however the
 * jobs fared; A2F_CANCELLED: jobs not finished have that status. */
A2F_CHECKED enum a2f_status a2f_batch(struct a2f_engine *engine,
                                      struct a2f_job *jobs, size_t n,
                                      const struct a2f_run *run);

/* The most block memory, KiB, that a2f_batch uses at a time for n jobs of this
 * cost; of jobs that differ, for those that need the most. */
uint64_t a2f_batch_kib(const struct a2f_engine *engine,
                       const struct a2f_params *params, size_t n,
                       const struct a2f_run *run);

/* What a PHC text says, without its salt and tag, held to RFC 9106's ranges
 * and no ceilings but the text's length. *canonical: just as a2f_hash would
 * write it. why and canonical may be NULL. A2F_BAD_HASH; A2F_NO_KEY (data=,
 * but not keyid=); A2F_OVER_LIMIT (longer than A2F_TEXT_MAX - 1). */
A2F_CHECKED enum a2f_status a2f_parse(struct a2f_span text,
                                      struct a2f_params *params,
                                      bool *canonical, struct a2f_why *why);

/* The PHC text of a salt and a raw tag that were stored apart; their lengths
 * are the spans', not the params'. A2F_BAD_PARAM (why "size": too little
 * room). */
A2F_CHECKED enum a2f_status a2f_encode(const struct a2f_params *params,
                                       struct a2f_span salt,
                                       struct a2f_span tag, char *text,
                                       size_t size, struct a2f_why *why);

/* *needs: whether a hash made under params differs in type, version, cost, or
 * lengths from the PHC text, or by the current one of keys (which may be NULL).
 * Errors as a2f_parse and, for params, A2F_BAD_PARAM. */
A2F_CHECKED enum a2f_status a2f_needs_rehash(struct a2f_span text,
                                             const struct a2f_params *params,
                                             const struct a2f_keys *keys,
                                             bool *needs, struct a2f_why *why);

/* Reads a key file of at most 64 KiB: "<id> <base64>" a line, the secret 16 to
 * 1024 bytes, the id 1 to 8 of A-Z a-z 0-9 . _ -; at most one line "current
 * <id>" (none: these keys only verify); # comments. It must belong to the
 * effective user with mode 0600 or stricter, or to root with at most 0640.
 * A2F_BAD_PARAM: why says what is wrong, and in which line; A2F_NO_MEMORY.
 * *keys is NULL then. */
A2F_CHECKED enum a2f_status
a2f_keys_read(const char *path, struct a2f_keys **keys, struct a2f_why *why);

/* Wipes them; no engine may use them any more. */
void a2f_keys_free(struct a2f_keys *keys);

/* Whether the password, ASCII letters in either case, is one of the 10,000
 * most common. False is exact; true is wrong for about one other password in
 * 8,192. Allocates nothing. */
bool a2f_is_common(struct a2f_span password);

/* Reads "default", "rfc9106", "rfc9106-high", "owasp" or
 * "m=..,t=..,p=..[,type=..,v=..,saltlen=..,len=..]". NULL data: "default".
 * A2F_BAD_PARAM; why names the key. */
A2F_CHECKED enum a2f_status a2f_params_read(struct a2f_span text,
                                            struct a2f_params *params,
                                            struct a2f_why *why);

/* Writes what a2f_params_read reads, leaving out keys at their default;
 * 128 bytes are always enough. A2F_BAD_PARAM: too little room. */
A2F_CHECKED enum a2f_status a2f_params_write(const struct a2f_params *params,
                                             char *text, size_t size);

/* Suggests params that take about time_ms, RFC 9106 section 4: keeps type,
 * version, lanes and lengths of *params, and sets the most memory (at most
 * memory_kib; 0: the engine's ceiling), then the most passes, that fit;
 * measured by hashing for some ten times as long. A2F_BAD_PARAM (why "time_ms":
 * at least 1; "memory_kib": at least 8 * lanes; or a params member),
 * A2F_OVER_LIMIT, A2F_NO_MEMORY, A2F_CANCELLED. */
A2F_CHECKED enum a2f_status a2f_calibrate(struct a2f_engine *engine,
                                          uint32_t time_ms, uint32_t memory_kib,
                                          struct a2f_params *params,
                                          const struct a2f_run *run);

/* A PHC text of this cost with a random salt and tag of at most 1024 bytes
 * each: it costs what a real one costs and matches nothing. Errors as
 * a2f_encode, and A2F_SYSTEM. */
A2F_CHECKED enum a2f_status a2f_dummy(const struct a2f_params *params,
                                      char *text, size_t size,
                                      struct a2f_why *why);

/* One line: version, kernel in use, threads. Returns its length; at most
 * size - 1 bytes of it are written, and a NUL. */
size_t a2f_describe(const struct a2f_engine *engine, char *text, size_t size);

/* The name of the engine's kernel; with a NULL engine the index-th kernel of
 * this build that works on this CPU, fastest first; NULL past the last. */
const char *a2f_kernel_name(const struct a2f_engine *engine, size_t index);

/* A short English phrase for a status; never NULL. */
const char *a2f_status_text(enum a2f_status status);

/* A phrase from a status and its why ("above a configured limit: memory_kib is
 * 9, at most 8 is allowed"), returned as a2f_describe does. why may be NULL. */
size_t a2f_explain(enum a2f_status status, const struct a2f_why *why,
                   char *text, size_t size);

/* Zeroes memory; no compiler removes it. Hosts must wipe their copies too. */
void a2f_wipe(void *data, size_t len);

/* Compares without revealing where the first difference is. */
A2F_CHECKED bool a2f_equal(const void *a, const void *b, size_t len);

/* Random bytes from the operating system. A2F_SYSTEM. */
A2F_CHECKED enum a2f_status a2f_random(void *data, size_t len);

#ifdef __cplusplus
}
#endif
#endif
