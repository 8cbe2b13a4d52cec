/* view_board: a position as a text board.
 *
 * Layer: api. ascii: letters; unicode: figurines; list: pieces by colour in words, for those who listen. */
#pragma once

#include "api/writer.h"
#include "rules/position.h"

enum board_style { BOARD_ASCII, BOARD_UNICODE, BOARD_LIST };

struct board_view {
    const struct position *position;
    enum board_style style;
    enum color orientation; /* whose side is below */
    bool coordinates;       /* letters and numbers at the edge */
    const char *end;        /* how the game ended here ("1-0, resignation"), or NULL */
    const char *last_move;  /* in words, which the list tells; NULL: none was played */
};

/* Lines, each with its newline; the last one says how the game ended, else whose turn it is and whether there
 * is check. */
void view_board(struct writer *text, const struct board_view *view);
