/* SPDX-License-Identifier: MIT */
/*
 * A PHC text as we and as libargon2 read it: the same verdict, the same values,
 * but for the differences below, which are intended; see docs/fuzzing.md.
 */
#include "fuzz.h"

#include <argon2.h>
#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "phc.h"

/* libargon2's decoder has no public header; its archive has the function. */
int decode_string(argon2_context *ctx, const char *text, argon2_type type);

struct theirs {
    argon2_context context;
    argon2_type type;
    uint8_t *salt, *tag; /* each as long as the text */
};

/* It must be told the type, and cannot say how much room it needs. */
static bool decode(struct theirs *theirs, const char *text)
{
    size_t size = strlen(text) + 1;

    theirs->salt = malloc(size);
    theirs->tag = malloc(size);
    FUZZ_CHECK(theirs->salt != NULL && theirs->tag != NULL);
    for (int type = Argon2_d; type <= Argon2_id; type++) {
        theirs->type = (argon2_type)type;
        theirs->context = (argon2_context){.out = theirs->tag,
                                           .outlen = (uint32_t)size,
                                           .salt = theirs->salt,
                                           .saltlen = (uint32_t)size,
                                           .flags = ARGON2_DEFAULT_FLAGS};
        if (decode_string(&theirs->context, text, theirs->type) == ARGON2_OK)
            return true;
    }
    return false;
}

/* What they take and we refuse: a version that never was; a text longer than
 * any ceiling; in base64, bytes outside of ASCII, each of which they read as a
 * '/'. */
static bool only_theirs(const struct theirs *theirs, char *text)
{
    uint32_t version = theirs->context.version;
    size_t len = strlen(text), odd = 0;
    struct a2f_params params;

    for (size_t i = 0; i < len; i++)
        if ((unsigned char)text[i] >= 0x80) {
            text[i] = '/';
            odd++;
        }
    return (version != ARGON2_VERSION_10 && version != ARGON2_VERSION_13) ||
           len >= A2F_TEXT_MAX ||
           (odd > 0 && a2f_parse((struct a2f_span){text, len}, &params, NULL,
                                 NULL) == A2F_OK);
}

/* What we take and they refuse: the id of a key; padding; m, t and p in another
 * order. A missing v= they take too. */
static bool only_ours(const char *text)
{
    const char *m = strstr(text, "m="), *t = strstr(text, "t="),
               *p = strstr(text, "p=");

    return strstr(text, "keyid=") != NULL || text[strlen(text) - 1] == '=' ||
           strstr(text, "=$") != NULL || t < m || p < t;
}

static void check_same(const struct theirs *theirs, const struct a2f_phc *ours)
{
    const argon2_context *c = &theirs->context;
    const struct a2f_params *p = &ours->params;
    uint8_t *salt = malloc(p->salt_len), *tag = malloc(p->tag_len);

    FUZZ_CHECK(salt != NULL && tag != NULL);
    FUZZ_CHECK((int)p->type == (int)theirs->type && p->version == c->version);
    FUZZ_CHECK(p->memory_kib == c->m_cost && p->passes == c->t_cost);
    FUZZ_CHECK(p->lanes == c->lanes);
    FUZZ_CHECK(p->salt_len == c->saltlen && p->tag_len == c->outlen);
    a2f_base64_decode(ours->salt, salt);
    a2f_base64_decode(ours->tag, tag);
    FUZZ_CHECK(memcmp(salt, theirs->salt, p->salt_len) == 0);
    FUZZ_CHECK(memcmp(tag, theirs->tag, p->tag_len) == 0);
    free(salt);
    free(tag);
}

/* Theirs ends at a NUL, ours at the length: it is asked for the same text. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    char *text = fuzz_take_string(&in);
    struct a2f_span span = {text, strlen(text)};
    struct theirs theirs;
    struct a2f_phc phc;
    struct a2f_params params;
    bool they = decode(&theirs, text);
    enum a2f_status s = a2f_parse(span, &params, NULL, NULL);

    if (they && s == A2F_OK) {
        FUZZ_CHECK(a2f_phc_parse(span, &a2f_phc_limits, &phc, NULL) == A2F_OK);
        check_same(&theirs, &phc);
    } else if (they) {
        FUZZ_CHECK(only_theirs(&theirs, text));
    } else if (s == A2F_OK) {
        FUZZ_CHECK(only_ours(text));
    }
    free(theirs.salt);
    free(theirs.tag);
    free(text);
    return 0;
}
