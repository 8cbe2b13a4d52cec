/* fold: a game rebuilt from its log, at once or row by row.
 *
 *     struct fold *fold = fold_begin(id, read_metadata);
 *     struct storage_rows rows = {.context = fold, .game = fold_game, .action = fold_row};
 *     status = fold_end(fold, storage_load(storage, id, &rows), &live);
 *
 * A callback of one's own may hand its rows on and look at the game in between, with fold_settle.
 * Layer: games, private. Threads: one at a time. */
#pragma once

#include "games/live.h"

struct fold;

/* What does not add up. */
enum { FOLD_TEXT_SIZE = 64 };
struct fold_fault {
    uint32_t version;              /* of the row; 0: of that of the game */
    const char *what;              /* a word, mostly that of a column; static */
    char expected[FOLD_TEXT_SIZE]; /* "": that cannot be said; longer ones are cut */
    char found[FOLD_TEXT_SIZE];    /* "": nothing */
};

/* Reads the game `id`. GAMES_OK: *live is a new game, the caller's. GAMES_NOT_FOUND, _UNAVAILABLE, or
 * _DAMAGED where the log does not add up: a move that is not legal, a key that differs, a version that is
 * missing. Blocks. */
enum games_status fold_load(struct storage *storage, const char *id, metadata_reader *read_metadata,
                            struct live **live);

/* NULL when memory is out. `read_metadata` NULL: any text will do. */
struct fold *fold_begin(const char *id, metadata_reader *read_metadata);
/* The row of the game, and one row of its log after the other; `context` is the fold. False: it does not add up, or
 * memory is out; fold_end tells. */
bool fold_game(void *context, const struct storage_game *row);
bool fold_row(void *context, const struct storage_action *row);
/* The game after the rows so far, valid until the next row: only what was not played yet is played. Names and metadata
 * are those of the row of the game. NULL as above. */
const struct game *fold_settle(struct fold *fold);
/* The first thing that does not add up; NULL: nothing so far. */
const struct fold_fault *fold_fault(const struct fold *fold);
/* So many plies fold_settle plays again, or has, because moves were taken back that it had played. */
size_t fold_replayed(const struct fold *fold);
/* Frees the fold. `stored`: how the rows came to their end; anything but STORAGE_OK is no game. `live` may be NULL. */
enum games_status fold_end(struct fold *fold, enum storage_status stored, struct live **live);
