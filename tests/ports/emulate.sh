#!/bin/sh
# SPDX-License-Identifier: MIT
# emulate.sh PROGRAM..: runs what build/ports/PORT has for another machine.
case $1 in
*.sh) exec "$@" ;;
*/ports/aarch64/*)
    A2F_REQUIRE=neon,neon_sha3,neon_sve2 exec qemu-aarch64 -cpu max "$@"
    ;;
*/ports/s390x/*) exec qemu-s390x "$@" ;;
*/ports/i686/*) exec qemu-i386 -cpu max "$@" ;;
*) exec "$@" ;;
esac
