#!/bin/sh
# SPDX-License-Identifier: MIT
# The life of a stored hash in SQLite: life.py, whose output this is.
# shellcheck source=tests/integration/sqlite/host.sh
. "$(dirname "$0")/host.sh"

host /usr/bin/python3 "$here/life.py" "$extension"
