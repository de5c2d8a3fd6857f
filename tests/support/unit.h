/* SPDX-License-Identifier: MIT */
/* What cmocka wants included, in its order, for every unit test. */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define RUN(tests) cmocka_run_group_tests(tests, NULL, NULL)

/* A struct a2f_span of a string literal, zero bytes inside it included. */
#define SPAN(literal) ((struct a2f_span){literal, sizeof(literal) - 1})

#endif
