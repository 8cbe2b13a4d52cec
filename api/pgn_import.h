/* pgn_import: what is known of importPgn beside its handler.
 *
 * Layer: api. */
#pragma once

/* How long an import rests in all because its client does not read. */
enum { PGN_IMPORT_PATIENCE_MS = 60000 };
