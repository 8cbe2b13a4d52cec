#!/bin/bash
# Runs test programs, three at a time, since many wait: run_tests.sh PROGRAM... Shows what a failing one printed, and at
# the end how many test functions passed and failed.
set -u

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export dir

run_one() {
    local name started status took
    name=$(echo "$1" | tr / _)
    started=$(date +%s%N)
    "$1" >"$dir/$name.out" 2>&1
    status=$?
    took=$((($(date +%s%N) - started) / 1000000))
    echo $status >"$dir/$name.status"
    if [ $status -eq 0 ]; then
        printf 'ok    %6d ms  %s\n' $took "$1"
    else
        printf 'FAIL  %6d ms  %s (exit %d)\n' $took "$1" $status
        tail -n 120 "$dir/$name.out"
    fi
}
export -f run_one

printf '%s\n' "$@" | xargs -P "${TEST_JOBS:-3}" -I{} bash -c 'run_one {}'

passed=$(cat "$dir"/*.out | grep -ac '^\[       OK \]')
failed=$(cat "$dir"/*.out | grep -ac '^\[  FAILED  \] .*[^:)]$')
broken=$(grep -Lx 0 "$dir"/*.status | wc -l)
[ "$broken" -gt 0 ] && [ "$failed" -eq 0 ] && failed=$broken
echo "$passed passed, $failed failed"
[ "$broken" -eq 0 ] && [ "$passed" -gt 0 ]
