/* board_words: a board in words: for those who listen, and for what a picture says of itself.
 *
 * Layer: api. Plain ASCII, none of which needs an escape in XML. */
#pragma once

#include "api/writer.h"
#include "rules/position.h"

/* "White: king e1; rooks a1, h1; pawns a2, b2." */
void board_words_side(struct writer *text, const struct position *position, enum color color);
/* "White pawn e2 to e4", "Black bishop b4 takes knight c3", "White pawn e5 takes pawn d6 en passant", "Black pawn b2 to
 * b1, becomes a queen", "White castles kingside". */
void board_words_move(struct writer *text, const struct position *before, move m);
/* "a2, b2, e4": by files, as people list them. */
void board_words_squares(struct writer *text, bitboard squares);
/* "White to move, in check"; where the game is over `end`, with blanks for "_". */
void board_words_turn(struct writer *text, const struct position *position, const char *end);
