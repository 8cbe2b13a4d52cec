#include "games/action.h"

#include <stdlib.h>
#include <string.h>

#include "games/change.h"

void action_init(struct action *action, enum action_kind kind)
{
    memset(action, 0, sizeof *action);
    action->kind = kind;
}

void action_forget_replayed(struct action *action)
{
    for (size_t i = 0; i < action->replayed_count; i++)
        free(action->replayed[i].comment);
    free(action->replayed);
    action->replayed = NULL;
    action->replayed_count = 0;
}

void action_move_times(const struct action *action, size_t n, int64_t *clock_ms, int64_t *spent_ms)
{
    *clock_ms = *spent_ms = MOVE_TIME_NONE;
    if (!action->change)
        return;
    const struct storage_action *row = &action->change->rows[n];
    enum game_seat seat = SEAT_NONE;
    (void)game_seat_parse(row->seat, &seat);
    *clock_ms = seat == SEAT_WHITE ? row->white_ms : row->black_ms;
    *spent_ms = row->spent_ms;
}

size_t action_moves(const struct action *action)
{
    if (action->kind == ACTION_CREATE)
        return action->create.move_count;
    if (action->kind == ACTION_MOVE)
        return action->move.count;
    return action->kind == ACTION_CLAIM && action->claim.move ? 1 : 0;
}

void action_finish(struct action *action)
{
    if (!action)
        return;
    change_destroy(action->change);
    action->change = NULL;
    action_forget_replayed(action);
    free(action->decision);
    action->decision = NULL;
    secret_forget(action->tokens, sizeof action->tokens);
}
