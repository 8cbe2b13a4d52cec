/* act_refuse: the problem that tells why an action was refused.
 *
 * Layer: api. Private to act*.c. */
#pragma once

#include "api/act.h"

/* Writes the problem of act->action.outcome, a refusal. `game`: as it is. */
void act_refuse(struct act *act, const struct game *game);
/* The same of a refusal that is about who asks. */
void act_refuse_rights(struct act *act, const struct game *game);
