/* SPDX-License-Identifier: MIT */
/*
 * argon2fast_update: the program that writes to the database, for root only.
 * It is apart from argon2fast_chkpwd because under SELinux the programs that
 * log people in may not write there, and one that does nothing else may.
 */
#include <stdlib.h>
#include <unistd.h>

#include "argon2fast.h"
#include "change.h"
#include "helper.h"

int main(int argc, char **argv)
{
    struct a2f_message message;
    struct a2f_request request;
    struct a2f_reply reply;
    (void)argv;
    /* Not set-uid, so these differ only when somebody has made it so. */
    if (getuid() != 0 || geteuid() != 0)
        return EXIT_FAILURE;
    a2f_helper_begin(argc, "argon2fast_update", &message, &request);
    a2f_change(&request, &reply);
    return a2f_helper_end(&message, &reply);
}
