#!/bin/bash
# Runs test programs, three at a time, since many wait: run_tests.sh PROGRAM... Shows what a failing one printed, and at
# the end how many test functions passed and failed, and of each failing program once more why: the end of a log tells.
set -u

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export dir

# The failed functions with their assertions, and what a sanitizer found; without either, how the output ends.
reasons() {
    local lines
    lines=$(grep -aE '^ERROR: |^\[  (FAILED  \] [^ ]+$|ERROR )|^\[   LINE |(ERROR|WARNING|SUMMARY): [A-Za-z]+Sanitizer: |: runtime error: ' "$1" |
        awk '!seen[$0]++')
    echo "${lines:-$(tail -n 5 "$1")}"
}

run_one() {
    local name=${1//\//_} started=${EPOCHREALTIME//[.,]/} status took
    "$1" >"$dir/$name.out" 2>&1
    status=$?
    took=$(((${EPOCHREALTIME//[.,]/} - started) / 1000))
    if [ $status -eq 0 ]; then
        printf 'ok    %6d ms  %s\n' $took "$1"
    else
        printf 'FAIL  %6d ms  %s (exit %d)\n' $took "$1" $status
        tail -n 120 "$dir/$name.out"
        { echo "FAIL  $1 (exit $status)" && reasons "$dir/$name.out"; } >"$dir/$name.failed"
    fi
}
export -f run_one reasons

printf '%s\n' "$@" | xargs -P "${TEST_JOBS:-3}" -I{} bash -c 'run_one {}'

passed=$(cat "$dir"/*.out | grep -ac '^\[       OK \]')
failed=$(cat "$dir"/*.out | grep -ac '^\[  FAILED  \] .*[^:)]$')
broken=$(find "$dir" -name '*.failed' | wc -l)
[ "$broken" -gt 0 ] && [ "$failed" -eq 0 ] && failed=$broken
echo "$passed passed, $failed failed"
[ "$broken" -eq 0 ] || cat "$dir"/*.failed
[ "$broken" -eq 0 ] && [ "$passed" -gt 0 ]
