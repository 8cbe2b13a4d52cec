/* Moves for plies that are played already: the same moves are what was wanted (API 6.1). */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "games/judge.h"

static bool take_record(void *context, const struct move_record *record)
{
    struct action *action = context;
    struct replayed_move *replayed = &action->replayed[action->replayed_count];
    replayed->at_ms = record->at_ms;
    replayed->clock_ms = record->clock_ms;
    replayed->spent_ms = record->spent_ms;
    replayed->comment = record->comment ? strdup(record->comment) : NULL;
    if (record->comment && !replayed->comment)
        return false;
    action->replayed_count++;
    return true;
}

/* When moves in force were played and what was said of them, into action->replayed: memory knows it of the last move,
 * the log of all. At least one. GAMES_COLD: the log has to be read. */
static enum games_status recall_moves(struct change *change, struct games *games, uint32_t first_ply,
                                      uint32_t count)
{
    struct action *action = change->action;
    const struct game *game = &change->live->game;
    assert(count > 0);
    action_forget_replayed(action);
    action->replayed = calloc(count, sizeof *action->replayed);
    if (!action->replayed)
        return GAMES_UNAVAILABLE;
    if (first_ply == game->head.ply) {
        const struct game_head *head = &game->head;
        struct move_record last = {.at_ms = head->move_at_ms,
                                   .clock_ms = head->move_clock_ms,
                                   .spent_ms = head->move_spent_ms,
                                   .comment = head->comment};
        return take_record(action, &last) ? GAMES_OK : GAMES_UNAVAILABLE;
    }
    if (!action->may_block)
        return GAMES_COLD;
    judge_let_go(change);
    enum games_status status = games_move_records(games, game, first_ply, count, take_record, action);
    judge_hold(change);
    return status == GAMES_OK && action->replayed_count != count ? GAMES_UNAVAILABLE : status;
}

/* Sets action->outcome. */
static void compare_played_plies(struct action *action, const struct game *game)
{
    struct position position = game_position_at(game, action->ply - 1);
    action->first_ply = action->ply;
    for (size_t i = 0; i < action->move.count; i++) {
        uint32_t ply = action->ply + (uint32_t)i;
        action->index = i;
        action->outcome = ACTION_PLY_CONFLICT;
        if (ply > game->head.ply)
            return;
        if (!judge_read_input(action, &position, &action->move.moves[i])) {
            if (action->reading.status == READING_SYNTAX)
                action->outcome = ACTION_MOVE_REFUSED;
            return;
        }
        if (action->reading.move != game->moves[ply - 1])
            return;
        position_play(&action->position, action->reading.move, &position);
    }
    action->outcome = ACTION_REPLAYED;
}

enum games_status judge_played_plies(struct change *change, struct games *games)
{
    struct action *action = change->action;
    bool many = action->move.count > GAMES_MOVES_AT_ONCE;
    if (many)
        judge_let_go(change);
    compare_played_plies(action, &change->live->game);
    if (many)
        judge_hold(change);
    return action->outcome == ACTION_REPLAYED
               ? recall_moves(change, games, action->ply, (uint32_t)action->move.count)
               : GAMES_OK;
}
