/* SPDX-License-Identifier: MIT */
/*
 * The driver of a fuzz target without libFuzzer, for every compiler: runs the
 * target over the files of its corpus, or over those named.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "support.h"

static bool run_file(const char *path)
{
    static uint8_t room[1 << 20];
    FILE *file = fopen(path, "rb");
    size_t len;
    void *copy;
    bool whole;

    if (file == NULL)
        return false;
    len = fread(room, 1, sizeof room, file);
    whole = feof(file) && !ferror(file);
    fclose(file);
    /* the last one named before a crash is the one */
    tap_note("%s", path);
    fflush(stdout);
    copy = fuzz_copy((struct a2f_span){room, len});
    LLVMFuzzerTestOneInput(copy, len);
    free(copy);
    return whole;
}

static int is_input(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* The corpus of the program's own name. */
static unsigned run_corpus(const char *program)
{
    const char *slash = strrchr(program, '/');
    struct dirent **entries;
    char path[4096];
    unsigned done = 0;
    int len = snprintf(path, sizeof path, "tests/fuzz/corpus/%s",
                       slash != NULL ? slash + 1 : program);
    int n = scandir(path, &entries, is_input, alphasort);

    if (n < 0)
        return 0;
    for (int i = 0; i < n; i++) {
        snprintf(path + len, sizeof path - (size_t)len, "/%s",
                 entries[i]->d_name);
        done += run_file(path);
        free(entries[i]);
    }
    free(entries);
    return done == (unsigned)n ? done : 0;
}

int main(int argc, char **argv)
{
    enum { LEAST = 5 }; /* a corpus that is gone must not pass */
    unsigned done = 0;

    for (int i = 1; i < argc; i++)
        tap_ok(run_file(argv[i]), "%s", argv[i]);
    if (argc == 1) {
        done = run_corpus(argv[0]);
        tap_ok(done >= LEAST, "%u inputs", done);
    }
    return tap_done();
}
