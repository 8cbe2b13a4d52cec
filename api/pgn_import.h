/* pgn_import: what is known of importPgn beside its handler.
 *
 * Layer: api. */
#pragma once

enum {
    PGN_IMPORT_PATIENCE_MS = 60000 /* how long an import rests in all because its client does not read */
};
