/* The log of one game, read along its chain: `heads` names its last row, and each row the one before it.
 *
 * Layer: storage, private. Rows are found from the last to the first and given from the first to the last, by
 * stretches of SQLITE_STRIDE rows at most, which the `marks` of the game end; so a read keeps no more rows than
 * these in memory, and a page of a long log costs what it gives and a stretch besides. Each step must lead to a
 * row of the same game with the version below: any other is STORAGE_DAMAGED, and no walk is without end.
 * Memory: a copy of each row of a stretch, freed before the call returns. Threads: that of the connection, which
 * must be in a transaction, so that all is of one moment. */
#pragma once

#include "storage/backend.h"
#include "storage/sqlite_db.h"

/* Versions from mark to mark. Written into the schema: see sqlite_schema.c. */
enum { SQLITE_STRIDE = 64 };

/* The rows of `game` with a version greater than span->from, at most span->limit (0: all).
 * STORAGE_OK, _NOT_FOUND where the game has no log, _STOPPED, _DAMAGED, or a fault. */
enum storage_status sqlite_chain_actions(struct sqlite_db *db, int64_t game, const struct storage_span *span,
                                         const struct storage_rows *rows);

/* The same for the moves of the span, by ply. Those of an older version are found from its own row, to which the walk
 * begins at a mark; of a version before many moves were taken back more than a stretch of them may be in memory, as the
 * marks tell only of those that stayed. STORAGE_DAMAGED, too, where there is no such version. */
enum storage_status sqlite_chain_moves(struct sqlite_db *db, int64_t game, const struct storage_span *span,
                                       const struct storage_rows *rows);
