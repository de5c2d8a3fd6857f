/* SPDX-License-Identifier: MIT */
/* See support.h. */
#include "support.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

static unsigned tests_run, tests_failed;

bool tap_ok(bool ok, const char *format, ...)
{
    va_list args;

    tests_run++;
    tests_failed += !ok;
    printf("%sok %u - ", ok ? "" : "not ", tests_run);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
    return ok;
}

void tap_note(const char *format, ...)
{
    va_list args;

    fputs("# ", stdout);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
}

int tap_done(void)
{
    printf("1..%u\n", tests_run);
    fflush(stdout);
    return tests_run == 0 || tests_failed > 0;
}

/* splitmix64: any seed will do. */
static uint64_t random_state;

void random_start(void)
{
    const char *text = getenv("A2F_SEED");

    if (text != NULL)
        random_state = strtoull(text, NULL, 0);
    else if (getrandom(&random_state, sizeof random_state, 0) < 0)
        random_state = (uint64_t)time(NULL);
    tap_note("A2F_SEED=%#llx", (unsigned long long)random_state);
}

uint64_t random_u64(void)
{
    uint64_t x = random_state += 0x9e3779b97f4a7c15;

    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

uint32_t random_range(uint32_t low, uint32_t high)
{
    return low + (uint32_t)(random_u64() % ((uint64_t)high - low + 1));
}

void random_bytes(void *out, size_t len)
{
    unsigned char *bytes = out;

    for (size_t i = 0; i < len; i++)
        bytes[i] = (unsigned char)random_u64();
}

FILE *known_open(const char *name)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof path, "tests/known/%s", name);
    file = fopen(path, "re");
    if (file == NULL) {
        printf("Bail out! %s: %s\n", path, strerror(errno));
        exit(1);
    }
    return file;
}

char *known_line(FILE *file, char *line, size_t size)
{
    while (fgets(line, (int)size, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '\0' && line[0] != '#')
            return line;
    }
    return NULL;
}

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef", *at;

    at = c == '\0' ? NULL : strchr(digits, c);
    return at == NULL ? -1 : (int)(at - digits);
}

size_t hex_read(const char *hex, uint8_t *out, size_t size)
{
    size_t len = strlen(hex) / 2;

    if (strcmp(hex, "-") == 0)
        return 0;
    if (strlen(hex) % 2 != 0 || len > size)
        return SIZE_MAX;
    for (size_t i = 0; i < len; i++) {
        int high = hex_digit(hex[2 * i]), low = hex_digit(hex[2 * i + 1]);

        if (high < 0 || low < 0)
            return SIZE_MAX;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return len;
}

double cpu_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}
