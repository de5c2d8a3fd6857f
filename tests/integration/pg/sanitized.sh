#!/bin/sh
# SPDX-License-Identifier: MIT
# sanitized.sh BIN: what pg_ctl in BIN starts has the sanitizers of SAN, with
# which the extension was built. (The server itself must keep its name: a
# restart goes by what it was started as.)
set -eu
bin=$1
# shellcheck source=tests/tap/sanitizer.sh
. "$(dirname "$0")/../../tap/sanitizer.sh"

# What the server does in its signal handlers is not ours to judge, and neither
# are its leaks.
${CC:-cc} -shared -fPIC -Wl,-z,initfirst -o "$bin/early.so" \
    "$(dirname "$0")/early.c"
mv "$bin/pg_ctl" "$bin/pg_ctl.plain"
cat >"$bin/pg_ctl" <<END
#!/bin/sh
LD_PRELOAD='$preload $bin/early.so'
ASAN_OPTIONS=detect_leaks=0
TSAN_OPTIONS=\$TSAN_OPTIONS:report_signal_unsafe=0
export LD_PRELOAD ASAN_OPTIONS TSAN_OPTIONS
exec '$bin/pg_ctl.plain' "\$@"
END
chmod 755 "$bin/pg_ctl" "$bin/early.so"
