/* pgn_intake_parts: what gathering and judging a game of a PGN ask of one another.
 *
 * Layer: games, private to games/pgn_intake*.c. */
#pragma once

#include "games/pgn_intake.h"

/* Where a move stands in the text, and what was said of it. */
struct pgn_intake_spot {
    unsigned line, column;
    uint32_t comment_at;
};

/* Kept while there is room; an error makes the game not good. `token_at`: where its token stands in `text`, 0 where it
 * does not. */
void pgn_intake_put_fault(struct pgn_intake *intake, const struct pgn_fault *fault, uint32_t token_at);
/* An error of that half-move, from 1; 0: of the game before it has one. */
void pgn_intake_put_error(struct pgn_intake *intake, enum pgn_fault_code code, unsigned ply,
                          const char *token, const char *detail);
