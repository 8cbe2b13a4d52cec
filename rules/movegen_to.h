/* movegen_to: the legal moves of one kind of piece to one square, which is what a move in SAN names.
 *
 * Layer: rules. No allocation. Says the same as the generator of rules/movegen.h, found from the target: each
 * piece that could go there is tried by whether its own king would be attacked (3.9.2). Source: FIDE Laws
 * 3.1-3.9. */
#pragma once

#include "rules/movegen.h"

/* `piece` is none of PIECE_NONE and PIECE_COUNT, `to` a square. Castling is not among the king's moves. In no
 * promised order; a pawn that comes to its last rank is there four times. Returns the count. */
unsigned movegen_to(const struct position *position, enum piece_type piece, square to, struct movelist *list);
