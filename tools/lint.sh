#!/bin/sh
# What a compiler does not see: the direction of the layers, who may include which library, headers that stand alone,
# sizes, formatting, and machine paths. lint.sh [FOLDER]: checks that tree (the repository by default).
set -eu
cd "${1:-.}"
fail=0

complain() {
    echo "lint: $1"
    fail=1
}

# forbid LAYER PATTERN: no source of LAYER includes what matches.
forbid() {
    found=$(grep -nE "^#include [\"<]($2)" -r "$1" --include='*.c' --include='*.h' || true)
    [ -z "$found" ] || complain "$1/ must not include:
$found"
}

forbid rules 'storage/|games/|api/|service/|errno\.h|pthread\.h|time\.h|stdlib\.h|unistd\.h'
forbid storage 'rules/|games/|api/|service/|cJSON|cjson|microhttpd'
forbid games 'api/|service/|cJSON|cjson|microhttpd|sqlite3'
forbid api 'service/|storage/|microhttpd|sqlite3|sys/socket|netinet'
forbid service 'sqlite3|cJSON|cjson'

# Chess and JSON are for commands/; which characters no text may hold, rules/ says for all.
found=$(grep -nE '^#include "(rules/|api/json)' service/*.[ch] | grep -v '^service/options_check\.c:[0-9]*:#include "rules/pgn_text\.h"' || true)
[ -z "$found" ] || complain "service/ must not include, but in commands/:
$found"

# One layer a library.
only() {
    found=$(grep -lE "^#include [\"<]($1)" -r rules storage games api service --include='*.c' --include='*.h' |
        grep -v "^$2" || true)
    [ -z "$found" ] || complain "only $2 may include $1:
$found"
}
only 'sqlite3\.h' storage/
only 'microhttpd\.h' service/
only '(cjson/)?cJSON\.h' api/
only 'zlib\.h' api/
only 'sodium(\.h|/)' games/secret.c

# One place of the api sees games, and hides private ones.
seen=$(grep -ln 'games_view(' api/*.c | grep -v '^api/act\.c$' || true)
[ -z "$seen" ] || complain "game_view of api/act.h is the way to a game, not games_view:
$seen"

# The rest takes longer.
[ $fail -eq 0 ] || exit $fail

for header in $(git ls-files '*.h' | grep -v '_body\.h$'); do
    grep -q '^#pragma once' "$header" || complain "$header: no #pragma once"
done

for source in $(git ls-files '*.c' '*.h' '*.js' '*.mjs' '*.mts' '*.py' '*.sh'); do
    lines=$(wc -l <"$source")
    case $source in rules/polyglot_constants.c) ;; *) [ "$lines" -le 500 ] || complain "$source: $lines lines, at most 500" ;; esac
done

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

for source in $(git ls-files 'rules/*.[ch]' 'storage/*.[ch]' 'games/*.[ch]' 'api/*.[ch]' 'service/*.[ch]' 'tools/*'); do
    name=$(basename "$source")
    grep -q "\`\(commands/\)\?$name\`" ARCHITECTURE.md ||
        grep -qE "\`(commands/)?${name%.c}\.h\` \`\.c\`" ARCHITECTURE.md || complain "$source is not in ARCHITECTURE.md"
done

if command -v clang-format >/dev/null 2>&1; then
    unformatted=$(git ls-files '*.c' '*.h' | xargs clang-format --dry-run 2>&1 | grep -oE '^[A-Za-z0-9_/.-]+\.[ch]:[0-9]' | cut -d: -f1 | sort -u || true)
    [ -z "$unformatted" ] || complain "not formatted (make format):
$unformatted"
fi
exit $fail
