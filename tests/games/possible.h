/* A game for each kind of action, in which that action is possible: for tests that go through all kinds. */
#pragma once

#include "tests/support/games_club.h"
#include "tests/support/games_seated.h"

/* Open games have no seats. */
bool action_is_of_seats(enum action_kind kind);

/* A timed game after 1 e4 (which has the comment "opening"), White's name is "old". Where the kind needs it Black has
 * answered, something is offered, or time has gone by. For kinds that are of seats a game with seats that waits. */
const char *possible_game(struct club *club, enum action_kind kind);

/* The action; a resignation, an offer and the like are of the side to move. Not ACTION_CREATE. */
struct deed *possible_deed(struct club *club, enum action_kind kind, const char *id);
