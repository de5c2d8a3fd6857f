#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh PROGRAM..: runs TAP test programs and ends in "N passed, N failed".
# BUILD is the build directory; TEST_TIMEOUT the seconds each program has;
# TEST_JOBS how many run at a time; EMULATOR what runs them, if not this CPU.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
BUILD=$(realpath "${BUILD:-$here/../build}")
CMOCKA_MESSAGE_OUTPUT=TAP
export BUILD CMOCKA_MESSAGE_OUTPUT
# A leak or a report of a sanitizer must not pass for a tidy exit.
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1:detect_stack_use_after_return=1}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1}"
export TSAN_OPTIONS="${TSAN_OPTIONS:-halt_on_error=1:die_after_fork=0}"
unset PERL5LIB PERL5OPT

if [ $# -eq 0 ]; then
    echo "no tests"
    echo "0 passed, 1 failed"
    exit 1
fi
runner="timeout -k 10 ${TEST_TIMEOUT:-600} ${EMULATOR:-}"
# Older ThreadSanitizers do not know where newer kernels put a program.
case ,${SAN:-}, in *,thread,*) runner="setarch -R $runner" ;; esac

exec perl -I "$here/tap" -S prove --timer --formatter Count \
    -j "${TEST_JOBS:-$(getconf _NPROCESSORS_ONLN)}" --exec "$runner" "$@"
