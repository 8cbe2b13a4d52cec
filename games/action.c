#include "games/action.h"

#include <stdlib.h>
#include <string.h>

#include "games/change.h"

void action_init(struct action *action, enum action_kind kind)
{
    memset(action, 0, sizeof *action);
    action->kind = kind;
}

void action_finish(struct action *action)
{
    if (!action)
        return;
    change_destroy(action->change);
    action->change = NULL;
    free(action->replayed_comment);
    action->replayed_comment = NULL;
}
