/* SPDX-License-Identifier: MIT */
/* One client for all tests of a program, and what they do again and again. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "unit.h"

#include "client.h"

#define COUNT(array) (sizeof array / sizeof *array)

extern struct client client;
int open_client(void **state);
int close_client(void **state);

/* A fresh ARGON2ID context with args_standard. */
EVP_KDF_CTX *standard_kdf(void);
/* A context derives the tag of args_standard. */
void assert_standard(EVP_KDF_CTX *ctx);
/* With these parameters on top of args_standard none derives. */
void assert_refused(struct args *args, int reason);

#endif
