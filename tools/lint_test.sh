#!/bin/sh
# tools/lint_layers.sh must fail when a layer is broken: each line below breaks a copy of the tree in one way.
set -eu
cd "$(dirname "$0")/.."
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z | xargs -0 cp --parents -t "$copy"

"$copy/tools/lint_layers.sh" "$copy" || { echo "lint_test: the copy itself does not pass"; exit 1; }

breaks() {
    file=$1
    line=$2
    cp "$copy/$file" "$copy/kept"
    printf '%s\n' "$line" | cat - "$copy/kept" >"$copy/$file"
    if "$copy/tools/lint_layers.sh" "$copy" >/dev/null 2>&1; then
        echo "lint_test: not noticed: $line in $file"
        exit 1
    fi
    mv "$copy/kept" "$copy/$file"
}

breaks rules/position.c '#include "storage/storage.h"'
breaks rules/position.c '#include "games/game.h"'
breaks rules/position.c '#include <stdlib.h>'
breaks storage/storage.c '#include "rules/position.h"'
breaks storage/storage.c '#include <cjson/cJSON.h>'
breaks games/game.c '#include "api/api.h"'
breaks games/game.c '#include <sqlite3.h>'
breaks games/game.c '#include <sodium.h>'
breaks games/game.c '#include <zlib.h>'
breaks api/act.c '#include "service/log.h"'
breaks api/act.c '#include <microhttpd.h>'
breaks api/act.c '#include "storage/storage.h"'
breaks api/clocks.c '/* games_view(games, id, true, show, exchange) */'
breaks service/log.c '#include <cjson/cJSON.h>'
breaks service/log.c '#include <sqlite3.h>'
breaks service/log.c '#include "rules/fen.h"'
breaks service/options_check.c '#include "rules/fen.h"'
breaks service/log.c '#include "api/json.h"'
echo "lint notices each of eighteen broken layers"
