#!/bin/sh
# The direction of the layers, and who may include which library. lint_layers.sh [FOLDER]: of that tree (the repository by
# default).
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
exit $fail
