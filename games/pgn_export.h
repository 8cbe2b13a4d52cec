/* pgn_export: one game as PGN in export form.
 *
 *     struct pgn_export export = {.pgn = {write, context}, .tags = true, .comments = true, .clocks = true};
 *     pgn_export_begin(&export, game);
 *     pgn_export_move(&export, move, &record); …            every move in force, in order
 *     pgn_export_end(&export, game);
 *
 * Layer: games. The Seven Tag Roster, then the other tags in ASCII order. Tags that the game came with are kept where
 * they say what the game itself does not. Memory: some, while the tags are written. Threads: the caller's.
 * Source: PGN standard 3.2, 8.1, 9. */
#pragma once

#include "games/games.h"
#include "rules/pgn_write.h"

struct pgn_export {
    struct pgn_writer pgn;
    bool tags, comments, clocks; /* what of them is written */
    struct position position;    /* its own: the next move's */
};

/* Tags, and the comment before the first move. False: memory is out. */
bool pgn_export_begin(struct pgn_export *export, const struct game *game);
/* `record`: NULL for neither comment nor clock. */
void pgn_export_move(struct pgn_export *export, move m, const struct move_record *record);
/* The marker at the end. */
void pgn_export_end(struct pgn_export *export, const struct game *game);
