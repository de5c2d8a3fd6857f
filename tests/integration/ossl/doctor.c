/* SPDX-License-Identifier: MIT */
/* Prints what cli_doctor_openssl finds, a line each: FINE, NOTE or PROBLEM. */
#include <stdio.h>

#include "doctor.h"

static void say(void *ctx, enum cli_finding finding, const char *text)
{
    static const char *const words[] = {"FINE", "NOTE", "PROBLEM"};

    (void)ctx;
    printf("%s %s\n", words[finding], text);
}

int main(void)
{
    cli_doctor_openssl(say, NULL);
    return 0;
}
