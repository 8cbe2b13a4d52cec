/* view_pgn: a game as a PGN file in export form (PGN standard 3.2, 8.1).
 *
 * Layer: api. */
#pragma once

#include "api/writer.h"
#include "games/games.h"

struct pgn_view {
    const struct game *game;
    const struct move_record *records; /* one to each half-move; NULL: neither comments nor clocks */
    bool tags, comments, clocks;       /* what of them is shown */
};

/* The Seven Tag Roster, then the other tags in ASCII order. Tags that the game came with are kept where they say what
 * the game itself does not. */
void view_pgn(struct writer *text, const struct pgn_view *view);
