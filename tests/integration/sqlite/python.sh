#!/bin/sh
# SPDX-License-Identifier: MIT
# The extension in Python's sqlite3: python.py, whose output this is. Other
# builds of Python than the distribution's cannot load extensions.
# shellcheck source=tests/integration/sqlite/host.sh
. "$(dirname "$0")/host.sh"

host /usr/bin/python3 "$here/python.py" "$extension"
