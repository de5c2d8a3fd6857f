#!/bin/sh
# SPDX-License-Identifier: MIT
# OpenSSL through Python's ctypes: ctypes_client.py, whose output this is. The
# distribution's Python, for another one may have an OpenSSL inside.
# shellcheck source=tests/integration/ossl/host.sh
. "$(dirname "$0")/host.sh"

host /usr/bin/python3 "$here/ctypes_client.py" "$BUILD/ossl-modules"
