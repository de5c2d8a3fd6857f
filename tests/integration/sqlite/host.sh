# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by the tests of SQLite's hosts.

# What is set here is used there.
# shellcheck disable=SC2034

# shellcheck source=tests/tap/host.sh
. "$(dirname "$0")/../../tap/host.sh"
# shellcheck source=tests/tap/sanitizer.sh
. "$(dirname "$0")/../../tap/sanitizer.sh"
extension=$BUILD/sqlite_argon2

# A hash that takes no time.
cheap='m=64,t=1,p=1'

# sql DATABASE STATEMENTS: rows, or the message of the first that failed
sql() {
    sql_with "$extension" "$@"
}

# sql_with EXTENSION[ ENTRY] DATABASE STATEMENTS
sql_with() {
    host sqlite3 -batch -init /dev/null -cmd ".load $1" "$2" "$3" 2>&1
}
