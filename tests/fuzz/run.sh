#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh TARGET..: runs fuzz targets of BUILD, one on each core, FUZZ_SECONDS
# long each. What they learn stays in $BUILD/corpus/TARGET, what they find in
# $BUILD/findings. Ends in their figures and "N passed, N failed".
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
seconds=${FUZZ_SECONDS:-10}
findings=$BUILD/findings
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1:detect_stack_use_after_return=1}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1}"

run() { # TARGET
    local learnt=$BUILD/corpus/$1 log=$findings/$1.log

    mkdir -p "$learnt"
    "$BUILD/tests/fuzz/$1" -max_total_time="$seconds" -timeout=60 \
        -rss_limit_mb=2048 -max_len=8192 -print_final_stats=1 \
        -dict="$here/words.dict" -artifact_prefix="$findings/$1-" \
        "$learnt" "$here/corpus/$1" >"$log" 2>&1
}

# The last number that a target's log has behind a word.
figure() { # TARGET WORD
    sed -n "s/.*$2:* *\([0-9][0-9]*\).*/\1/p" "$findings/$1.log" | tail -n 1
}

mkdir -p "$findings"
jobs=${FUZZ_JOBS:-$(getconf _NPROCESSORS_ONLN)}
failed=()
running=0
declare -A target_of

reap() {
    local pid code=0
    wait -n -p pid || code=$?
    running=$((running - 1))
    [ "$code" -eq 0 ] || failed+=("${target_of[$pid]}")
}

for target; do
    [ "$running" -lt "$jobs" ] || reap
    run "$target" &
    target_of[$!]=$target
    running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
    reap
done

total=0
printf '%-12s %12s %8s %9s\n' target executions seconds coverage
for target; do
    runs=$(figure "$target" stat::number_of_executed_units)
    printf '%-12s %12s %8s %9s\n' "$target" "${runs:-0}" "$seconds" \
        "$(figure "$target" cov)"
    total=$((total + ${runs:-0}))
done
printf '%-12s %12s\n' all "$total"
for target in "${failed[@]}"; do
    echo "== $target, from $findings/$target.log"
    tail -n 40 "$findings/$target.log"
done
echo "$(($# - ${#failed[@]})) passed, ${#failed[@]} failed"
[ ${#failed[@]} -eq 0 ] && [ $# -gt 0 ]
