/* A game for each kind of action, in which that action is possible: for tests that go through all kinds. */
#pragma once

#include "tests/support/games_club.h"

/* A timed game after 1 e4 (which has the comment "opening"), White's name is "old". Where the kind needs it Black has
 * answered, something is offered, or time has gone by. */
const char *possible_game(struct club *club, enum action_kind kind);

/* The action; a resignation, an offer and the like are of the side to move. Not ACTION_CREATE. */
struct deed *possible_deed(struct club *club, enum action_kind kind, const char *id);
