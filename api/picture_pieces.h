/* picture_pieces: how the pieces look: our own drawings, in one table.
 *
 * Layer: api. Static. A piece is drawn for both colours alike, by parts in order; the style (api/picture_style.h) says
 * with which paints. Path texts as in api/picture_outline.h, in a square of PIECE_UNITS by PIECE_UNITS units, y
 * downwards. tools/pieces.c makes the pieces of the web page of the same table. */
#pragma once

#include "rules/board.h"

enum { PIECE_UNITS = 100, PIECE_PARTS_MAX = 8 };

enum piece_part_kind {
    PIECE_PART_NONE,
    PIECE_PART_BODY, /* filled, with an outline around it */
    PIECE_PART_LINE, /* a line inside */
    PIECE_PART_DOT,  /* filled with what lines are drawn with */
};

struct piece_part {
    enum piece_part_kind kind;
    const char *path;
};

/* PIECE_PART_NONE ends a list shorter than PIECE_PARTS_MAX; PIECE_NONE has none. */
extern const struct piece_part picture_pieces[PIECE_COUNT][PIECE_PARTS_MAX];
