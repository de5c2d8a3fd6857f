#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""hash --batch in a container: as much memory as its cgroup leaves it."""

import subprocess

from support import COMMAND, done, ok

# A cgroup of a gigabyte, of which $1 bytes are used, $2 by cached files.
CONTAINER = """
mount -t tmpfs none /sys/fs/cgroup && cd /sys/fs/cgroup || exit 77
echo 1000000000 > memory.max
echo "$1" > memory.current
printf 'anon 1\\nfile %s\\ninactive_file %s\\nactive_file 0\\n' \
    "$2" "$2" > memory.stat
cd / && exec "$0" hash --batch --params m=65536,t=1,p=1
"""


def batch(used, cached):
    return subprocess.run(
        ["unshare", "-rm", "sh", "-c", CONTAINER, COMMAND, str(used),
         str(cached)], input=b"a\nb\n", stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, check=False, timeout=300)


result = batch(0, 0)
if result.returncode not in (0, 2):
    print("ok 1 - # SKIP no mount namespaces here\n1..1")
    raise SystemExit(0)
ok(result.stdout.count(b"$argon2id$") == 2, "an empty cgroup has room", result)
result = batch(990000000, 900000000)
ok(result.stdout.count(b"$argon2id$") == 2,
   "cached files make room for passwords", result)
for used in (990000000, 1000000000, 1000100000):
    result = batch(used, 0)
    ok(result.stdout.count(b"not enough memory") == 2,
       f"{used} of 1000000000 bytes in use are refused", result)
done()
