/* rights: what each role may do in a game that is played with seats.
 *
 * Layer: games, private. Open games know no roles: whoever has the id may do everything. */
#pragma once

#include "games/action.h"
#include "games/seats.h"

/* The table: ACTION_DONE, or why the role may not do it. */
enum action_outcome rights(enum action_kind kind, enum game_role role);

/* Whether the caller may do the action in this game: ACTION_DONE or the refusal. Of a player the action is bound to his
 * seat: action->actor, and the side that the action is for. */
enum action_outcome rights_check(const struct game *game, struct action *action);
