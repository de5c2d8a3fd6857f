#!/bin/sh
# SPDX-License-Identifier: MIT
# Demo and tests empty /root and /home for themselves, which are where a clone
# of this repository is likely to be.
# shellcheck source=tests/tap/host.sh
. "$(dirname "$0")/../../tap/host.sh"
top=$(cd "$here/../../.." && pwd)

# in_clone DIRECTORY COMMAND..: there, seen under that directory.
in_clone() {
    directory=$1
    shift
    # shellcheck disable=SC2016 # for the shell inside
    unshare --mount --propagation private sh -c '
        mount -t tmpfs tmpfs "$1" && mkdir "$1/clone" "$1/built" &&
        mount --bind "$2" "$1/clone" && mount --bind "$BUILD" "$1/built" &&
        cd "$1/clone" && export BUILD="$1/built" && shift 2 && "$@"' \
        sh "$directory" "$top" "$@" 2>&1
}

cat >"$work/world.py" <<'PY'
import os
import sys

sys.path.insert(0, os.getcwd() + "/tests/integration/pam")
import world

world.World()
print("repository", os.path.exists(world.TOP + "/README.md"), "build", os.path.exists(world.BUILD))
PY
like 'the demo, from a clone in /root' \
    "$(in_clone /root demo/pam.sh && echo finished)" '*finished'
is 'the world of the tests, from a clone in /home' \
    "$(in_clone /home /usr/bin/python3 -W ignore "$work/world.py")" \
    'repository True build True'
finish
