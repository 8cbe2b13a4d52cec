/* picture_input: what the query says of a picture: size, theme, orientation, coordinates, check, last_move, arrows,
 * squares, targets.
 *
 * Layer: api. */
#pragma once

#include "api/picture.h"

struct exchange;

/* How last_move was given. */
enum picture_last { PICTURE_LAST_SHOWN, PICTURE_LAST_HIDDEN, PICTURE_LAST_SQUARES };

struct picture_input {
    struct picture picture;
    enum picture_last last; /* SQUARES: they stand in the picture; SHOWN: those of the move that was played */
};

/* Fills *input; the picture has no position yet. False: the response is a problem. */
bool picture_input_read(struct exchange *exchange, struct picture_input *input);

/* The squares of the last move (castling: of the king) and its words; after picture_input_read. MOVE_NONE: there was
 * none. False: memory is out. */
bool picture_input_last(struct picture_input *input, struct arena *arena, const struct position *before,
                        move last);
/* The targets of the square that was asked for, in the picture's position. */
void picture_input_targets(struct picture_input *input);
