/* act_refuse: the problem that tells why an action was refused.
 *
 * Layer: api. Private to act*.c. */
#pragma once

#include "api/act.h"

/* Writes the problem of act->action.outcome, a refusal. `game`: as it is. */
void act_refuse(struct act *act, const struct game *game);
