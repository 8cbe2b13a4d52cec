/* fold: a game rebuilt from its log.
 *
 * Layer: games, private. */
#pragma once

#include "games/live.h"

/* Reads the game `id`. GAMES_OK: *live is a new game, the caller's. GAMES_NOT_FOUND, _UNAVAILABLE, or
 * _DAMAGED where the log does not add up: a move that is not legal, a key that differs, a version that is
 * missing. Blocks. */
enum games_status fold_load(struct storage *storage, const char *id, struct live **live);
