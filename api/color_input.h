/* color_input: the side that an action is for.
 *
 * Layer: api. */
#pragma once

#include "games/game.h"

struct exchange;

/* The member `color` of a JSON body or a form, or a bare text; SEAT_NONE where none is given. False: the response is a
 * problem. */
bool color_input_read(struct exchange *exchange, enum game_seat *seat);
