/* view_clock: the Clock shape (API 3).
 *
 * Layer: api. */
#pragma once

#include "api/json.h"
#include "games/game.h"

/* Wall times of a clock that runs are told by the wall clock of now, which is games_epoch_ms: `flag_at` less the time of
 * now is what is left until the flag falls, whatever has happened to the wall clock since the move under way began. Events
 * of the past tell them by the wall clock of then (games/events.h). */

/* The clock as the game carries it: its values are those at `as_of`, so that nothing changes without a version or a move
 * of the wall clock (api/etag.h). null for an untimed game. */
void view_clock(struct writer *json, const char *key, const struct game *game, int64_t epoch_ms);

/* The clock as it stands at a service time. The game is a timed one. */
void view_clock_now(struct writer *json, const char *key, const struct game *game, int64_t service_ms,
                    int64_t epoch_ms);
/* The same as one line of text. */
void view_clock_line(struct writer *text, const struct game *game, int64_t service_ms);
