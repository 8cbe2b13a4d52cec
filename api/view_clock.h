/* view_clock: the Clock shape (API 3).
 *
 * Layer: api. */
#pragma once

#include "api/json.h"
#include "games/game.h"

/* The clock as the game carries it: its values are those at `as_of`, so that nothing changes without a version. null
 * for an untimed game. */
void view_clock(struct writer *json, const char *key, const struct game *game);

/* The clock as it stands at a service time, which the wall clock shows as `now_ms`. The game is a timed one. */
void view_clock_now(struct writer *json, const char *key, const struct game *game, int64_t service_ms,
                    int64_t now_ms);
/* The same as one line of text. */
void view_clock_line(struct writer *text, const struct game *game, int64_t service_ms);
