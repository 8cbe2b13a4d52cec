/* id: public names of games.
 *
 * Layer: games, private. 12 characters of an alphabet of 31 without look-alikes: 59 random bits. */
#pragma once

#include <stdbool.h>

#include "games/game.h"

/* False if the system has no random bytes. */
bool id_make(char id[GAME_ID_SIZE]);
