/* laws: what holds of every game at rest, whatever was done to it before; told without a store and without the code
 * that decides.
 *
 * For tests of games. Source: FIDE 5 (completion), 6.9, 7.5.5, 9; API sections 3 and 4.4. */
#pragma once

#include "games/game.h"

enum { LAWS_TEXT_SIZE = 160 };

/* The law that the game breaks, as a sentence in `text`; false: it breaks none. From any thread. */
bool laws_find_fault(const struct game *game, char text[LAWS_TEXT_SIZE]);
