/* Random time controls that hold, of all modes, with and without stages. */
#pragma once

#include "games/time_control.h"
#include "tests/games/random_actions.h"

/* No time in it is above `most_ms` (from 2), no stage has more than `most_moves` moves. */
struct time_control random_control(struct random *random, uint32_t most_ms, uint32_t most_moves);

bool controls_same(const struct time_control *a, const struct time_control *b);
