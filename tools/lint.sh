#!/bin/sh
# What a compiler does not see: the direction of the layers, headers that stand alone, sizes, formatting, and machine paths.
set -eu
tools/lint_layers.sh
fail=0

complain() {
    echo "lint: $1"
    fail=1
}

bare=$(git ls-files '*.h' | grep -v '_body\.h$' | xargs grep -L '^#pragma once' || true)
[ -z "$bare" ] || complain "no #pragma once:
$bare"

large=$(git ls-files '*.c' '*.h' '*.js' '*.mjs' '*.mts' '*.py' '*.sh' | grep -vx rules/polyglot_constants.c | xargs wc -l |
    awk '$1 > 500 && $2 != "total"')
[ -z "$large" ] || complain "over 500 lines:
$large"

long=$(awk '
    FNR == 1 { start = 0 }
    /^[A-Za-z_].*\)$/ || /^[A-Za-z_ ].*,$/ || /^ +[^;]*\)$/ { signature = FNR }
    /^\{$/ { start = FNR }
    /^\}$/ && start { if (FNR - start > 61) print FILENAME ":" start ": " FNR - start - 1 " lines"; start = 0 }
' $(git ls-files '*.c'))
[ -z "$long" ] || complain "functions over 60 lines:
$long"

paths=$(git grep -nIE '(^|[^a-zA-Z.])/(home|root|work|Users)/' -- . ':!tools/lint.sh' || true)
[ -z "$paths" ] || complain "paths of one machine:
$paths"

# `foo.c`, `foo.h` `.c`, or either behind commands/.
untold=$(git ls-files 'rules/*.[ch]' 'storage/*.[ch]' 'games/*.[ch]' 'api/*.[ch]' 'service/*.[ch]' 'tools/*' | awk '
    NR == FNR {
        while (match($0, /`(commands\/)?[a-z0-9_]+\.[a-z]+`( `\.c`)?/)) {
            name = substr($0, RSTART, RLENGTH)
            $0 = substr($0, RSTART + RLENGTH)
            pair = sub(/ `\.c`$/, "", name)
            gsub(/`|commands\//, "", name)
            told[name] = 1
            if (pair && sub(/\.h$/, ".c", name)) told[name] = 1
        }
        next
    }
    { name = $0; sub(/.*\//, "", name); if (!(name in told)) print }
' ARCHITECTURE.md -)
[ -z "$untold" ] || complain "not in ARCHITECTURE.md:
$untold"

if command -v clang-format >/dev/null 2>&1; then
    unformatted=$(git ls-files '*.c' '*.h' | xargs clang-format --dry-run 2>&1 | grep -oE '^[A-Za-z0-9_/.-]+\.[ch]:[0-9]' | cut -d: -f1 | sort -u || true)
    [ -z "$unformatted" ] || complain "not formatted (make format):
$unformatted"
fi
exit $fail
