/* SPDX-License-Identifier: MIT */
/*
 * A PHC text from anywhere: parsed, written again, compared with params, and,
 * where it is cheap enough, verified and upgraded. All functions agree about
 * it.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "keys.h"

/* What texts with keyid=b2xk and keyid=bmV3 are hashed with. */
static const char key_file[] = "current new\nold MDEyMzQ1Njc4OWFiY2RlZg\n"
                               "new ZmVkY2JhOTg3NjU0MzIxMA==\n";

static struct a2f_config config = {
    .limits = {
        .memory_kib = 64, .passes = 3, .lanes = 4, .salt = 64, .tag = 64}};
static const struct a2f_input input = {.password = {"password", 8}};

static struct a2f_engine *engine;

static bool same_params(const struct a2f_params *a, const struct a2f_params *b)
{
    return a->type == b->type && a->version == b->version &&
           a->memory_kib == b->memory_kib && a->passes == b->passes &&
           a->lanes == b->lanes && a->tag_len == b->tag_len &&
           a->salt_len == b->salt_len;
}

static bool within_limits(const struct a2f_params *p)
{
    const struct a2f_limits *l = &config.limits;

    return p->memory_kib <= l->memory_kib && p->passes <= l->passes &&
           p->lanes <= l->lanes && p->salt_len <= l->salt &&
           p->tag_len <= l->tag;
}

/* A text and what is in it. */
struct parsed {
    struct a2f_span text;
    struct a2f_params params;
    bool canonical;
    struct a2f_span keyid, salt, tag; /* decoded */
    struct a2f_span secret;           /* of the key; data NULL: no such key */
};

static void check_encode(const struct parsed *p)
{
    char again[A2F_TEXT_MAX], *exact;
    struct a2f_params params;
    struct a2f_why why;
    bool canonical;
    size_t len;

    FUZZ_CHECK(a2f_phc_write(&p->params, p->keyid, p->salt, p->tag, again,
                             sizeof again, NULL) == A2F_OK);
    len = strlen(again);
    FUZZ_CHECK(a2f_parse((struct a2f_span){again, len}, &params, &canonical,
                         NULL) == A2F_OK);
    FUZZ_CHECK(canonical && same_params(&params, &p->params));
    FUZZ_CHECK(p->canonical ==
               (len == p->text.len && memcmp(again, p->text.data, len) == 0));

    exact = malloc(len + 1);
    FUZZ_CHECK(exact != NULL);
    FUZZ_CHECK(a2f_phc_write(&p->params, p->keyid, p->salt, p->tag, exact,
                             len + 1, &why) == A2F_OK);
    FUZZ_CHECK(a2f_phc_write(&p->params, p->keyid, p->salt, p->tag, exact, len,
                             &why) == A2F_BAD_PARAM &&
               strcmp(why.what, "size") == 0 && exact[0] == '\0');
    free(exact);
}

static void check_rehash(const struct parsed *p)
{
    struct a2f_params other = p->params;
    bool needs = true;

    FUZZ_CHECK(a2f_needs_rehash(p->text, &other, NULL, &needs, NULL) ==
                   A2F_OK &&
               !needs);
    FUZZ_CHECK(a2f_needs_rehash(p->text, &other, config.keys, &needs, NULL) ==
                   A2F_OK &&
               needs == (p->secret.data == NULL ||
                         p->secret.data !=
                             a2f_keys_current(config.keys)->secret.data));
    other.passes = other.passes == 1 ? 2 : other.passes - 1;
    FUZZ_CHECK(a2f_needs_rehash(p->text, &other, NULL, &needs, NULL) ==
                   A2F_OK &&
               needs);
}

/* What replaces the text of a password that is right verifies too, costs no
 * less, and has the current key. */
static void check_upgrade(struct a2f_span text, const struct a2f_params *old)
{
    static const struct a2f_params wanted = {.type = A2F_I,
                                             .version = 0x13,
                                             .memory_kib = 16,
                                             .passes = 1,
                                             .lanes = 1,
                                             .tag_len = 16,
                                             .salt_len = 8};
    char next[A2F_TEXT_MAX];
    struct a2f_params now;
    bool needs = true;

    FUZZ_CHECK(a2f_verify_upgrade(engine, text, &input, &wanted, next,
                                  sizeof next, NULL) == A2F_OK);
    struct a2f_span after = {next, strlen(next)};
    FUZZ_CHECK(a2f_verify(engine, after, &input, NULL) == A2F_OK);
    FUZZ_CHECK(a2f_parse(after, &now, NULL, NULL) == A2F_OK);
    FUZZ_CHECK(now.memory_kib >= old->memory_kib && now.passes >= old->passes &&
               now.tag_len >= old->tag_len);
    FUZZ_CHECK(a2f_needs_rehash(after, &now, config.keys, &needs, NULL) ==
                   A2F_OK &&
               !needs);
}

static void check_verify(const struct parsed *p)
{
    const struct a2f_input salted = {
        .password = input.password, .salt = p->salt, .secret = p->secret};
    uint8_t tag[64];
    char right[A2F_TEXT_MAX];
    struct a2f_why why;
    const struct a2f_run run = {.why = &why};
    enum a2f_status s = a2f_verify(engine, p->text, &input, &run);

    if (!within_limits(&p->params)) {
        FUZZ_CHECK(s == A2F_OVER_LIMIT && why.value > why.max);
        return;
    }
    if (p->keyid.len > 0 && p->secret.data == NULL) {
        FUZZ_CHECK(s == A2F_NO_KEY && strcmp(why.what, "keyid") == 0);
        return;
    }
    FUZZ_CHECK(a2f_derive(engine, &p->params, &salted, tag, NULL) == A2F_OK);
    FUZZ_CHECK(s == (memcmp(tag, p->tag.data, p->tag.len) == 0 ? A2F_OK
                                                               : A2F_MISMATCH));
    FUZZ_CHECK(a2f_phc_write(&p->params, p->keyid, p->salt,
                             (struct a2f_span){tag, p->tag.len}, right,
                             sizeof right, NULL) == A2F_OK);
    struct a2f_span text = {right, strlen(right)};
    FUZZ_CHECK(a2f_verify(engine, text, &input, NULL) == A2F_OK);
    check_upgrade(text, &p->params);
}

static struct a2f_span decode(struct a2f_span base64)
{
    struct a2f_span bytes = {NULL, (size_t)a2f_base64_bytes(base64.len)};
    uint8_t *room = malloc(bytes.len > 0 ? bytes.len : 1);

    FUZZ_CHECK(room != NULL);
    a2f_base64_decode(base64, room);
    bytes.data = room;
    return bytes;
}

static void check_good(struct parsed *p)
{
    const struct a2f_key *key;
    struct a2f_phc phc;

    FUZZ_CHECK(a2f_phc_parse(p->text, &a2f_phc_limits, &phc, NULL) == A2F_OK);
    FUZZ_CHECK(same_params(&phc.params, &p->params));
    key = a2f_keys_find(config.keys, phc.keyid);
    if (key != NULL)
        p->secret = key->secret;
    p->keyid = decode(phc.keyid);
    p->salt = decode(phc.salt);
    p->tag = decode(phc.tag);
    check_encode(p);
    check_rehash(p);
    check_verify(p);
    free((void *)(uintptr_t)p->keyid.data);
    free((void *)(uintptr_t)p->salt.data);
    free((void *)(uintptr_t)p->tag.data);
}

/* A refusal is the same everywhere, and leaves nothing behind. */
static void check_bad(const struct parsed *p, enum a2f_status status)
{
    static const struct a2f_params zero;
    struct a2f_params params;
    bool needs = true;

    FUZZ_CHECK(status == A2F_BAD_HASH || status == A2F_NO_KEY ||
               (status == A2F_OVER_LIMIT && p->text.len >= A2F_TEXT_MAX));
    FUZZ_CHECK(same_params(&p->params, &zero) && !p->canonical);
    FUZZ_CHECK(a2f_verify(engine, p->text, &input, NULL) == status);
    FUZZ_CHECK(a2f_params_read((struct a2f_span){NULL, 0}, &params, NULL) ==
               A2F_OK);
    FUZZ_CHECK(a2f_needs_rehash(p->text, &params, config.keys, &needs, NULL) ==
                   status &&
               !needs);
}

static void start(void)
{
    struct a2f_keys *keys;
    const char *path =
        fuzz_file(0, (struct a2f_span){key_file, sizeof key_file - 1});

    FUZZ_CHECK(a2f_keys_read(path, &keys, NULL) == A2F_OK);
    config.keys = keys;
    FUZZ_CHECK(a2f_new(&config, &engine) == A2F_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct parsed p = {.text = {data, size}};
    struct a2f_why why;
    enum a2f_status s = a2f_parse(p.text, &p.params, &p.canonical, &why);

    if (engine == NULL)
        start();
    if (s == A2F_OK) {
        FUZZ_CHECK(why.what == NULL);
        check_good(&p);
    } else {
        FUZZ_CHECK(why.what != NULL);
        fuzz_check_why(s, &why);
        check_bad(&p, s);
    }
    return 0;
}
