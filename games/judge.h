/* judge: what an action comes to in the state that is committed now.
 *
 * Layer: games, private. Sets action->outcome; for ACTION_DONE the change is ready for the store. Called with the
 * lock of the shard held.
 * Source: FIDE 3 (moves), 5 (completion), 9 (draws); order of checks: API section 5. */
#pragma once

#include "games/change.h"

/* GAMES_OK: decided. GAMES_COLD: the log has to be read and the action may not block. Else a fault. */
enum games_status judge(struct change *change, struct games *games);

/* The life cycle: what may be done to a game in which status. ACTION_DONE: may be tried. */
enum action_outcome lifecycle(enum action_kind kind, enum game_status status);

/* Appends a legal move to the view: position, history, repetition, and the end it makes, if any. Used by judge and
 * by the fold of the log; `decide` false leaves ends to what the log says. */
void advance(struct game *view, move m, int64_t at_ms, bool decide);
/* The end that the position of the view makes by itself, by `mover`. */
void decide_end(struct game *view, enum game_seat mover, int64_t at_ms);
