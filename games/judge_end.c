/* Ends that somebody declares: resignation (5.1.2), abort, adjudication, and the arbiter's penalty for an illegal move
 * (7.5.5). */
#include <stdlib.h>
#include <string.h>

#include "games/judge.h"

/* A game is aborted, not resigned, only before both sides have moved. 7.5.5: the second illegal move loses. */
enum { ABORT_PLIES = 2, ILLEGAL_MOVES_LOST = 2 };

void judge_lose(struct change *change, enum game_seat loser, enum game_termination lost,
                enum game_termination drawn, int64_t now)
{
    struct game_decision *decision = change->action->decision;
    change->action->decision = NULL;
    if (decision->verdict == WINNABLE_NO)
        judge_end(change, drawn, RESULT_DRAW, loser, now);
    else
        judge_end(change, lost, game_result_for(game_other_seat(loser)), loser, now);
    change->decision = decision;
    change->view.head.end.decision = decision;
}

enum games_status judge_resign(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct game *game = &change->live->game;
    const struct game_end *end = &game->head.end;
    enum game_seat seat = action->seat ? action->seat : game_turn(game);
    if ((end->termination == TERMINATION_RESIGNATION ||
         end->termination == TERMINATION_RESIGNATION_UNWINNABLE) &&
        end->by == seat) {
        action->outcome = ACTION_REPLAYED;
        return GAMES_OK;
    }
    if (!judge_may(change))
        return GAMES_OK;
    if (!judge_decision(change, game_color(game_other_seat(seat))))
        return judge_undecided(change);
    int64_t now = judge_now_ms(change, games);
    judge_lose(change, seat, TERMINATION_RESIGNATION, TERMINATION_RESIGNATION_UNWINNABLE, now);
    return judge_add_row(change, ROW_RESIGN, seat, now, NULL);
}

enum games_status judge_abort(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct game *game = &change->live->game;
    if (game->head.end.termination == TERMINATION_ABORTED) {
        action->outcome = ACTION_REPLAYED;
        return GAMES_OK;
    }
    if (!judge_may(change))
        return GAMES_OK;
    if (game->head.ply >= ABORT_PLIES) {
        action->outcome = ACTION_ABORT_TOO_LATE;
        return GAMES_OK;
    }
    int64_t now = judge_now_ms(change, games);
    judge_end(change, TERMINATION_ABORTED, RESULT_NONE, SEAT_NONE, now);
    return judge_add_row(change, ROW_ABORT, SEAT_NONE, now, NULL);
}

enum games_status judge_adjudicate(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct action_adjudicate *adjudicate = &action->adjudicate;
    const struct game_end *end = &change->live->game.head.end;
    if (end->termination == TERMINATION_ADJUDICATION && end->result == adjudicate->result) {
        action->outcome = ACTION_REPLAYED;
        return GAMES_OK;
    }
    if (!judge_may(change))
        return GAMES_OK;
    int64_t now = judge_now_ms(change, games);
    judge_end(change, TERMINATION_ADJUDICATION, adjudicate->result, SEAT_NONE, now);
    if (adjudicate->comment) {
        change->end_comment = strdup(adjudicate->comment);
        if (!change->end_comment)
            return GAMES_UNAVAILABLE;
        change->view.head.end.comment = change->end_comment;
    }
    return judge_add_row(change, ROW_ADJUDICATED, SEAT_NONE, now, NULL);
}

enum games_status judge_illegal_move(struct change *change, struct games *games)
{
    struct action *action = change->action;
    struct game *view = &change->view;
    enum game_seat seat = action->seat ? action->seat : game_turn(view);
    enum color color = game_color(seat);
    if (view->head.end.termination == TERMINATION_RULES_INFRACTION && view->head.end.by == seat) {
        action->outcome = ACTION_REPLAYED;
        return GAMES_OK;
    }
    if (!judge_may(change))
        return GAMES_OK;
    bool lost = view->head.illegal[color] + 1 >= ILLEGAL_MOVES_LOST;
    if (lost && !judge_decision(change, game_color(game_other_seat(seat))))
        return judge_undecided(change);
    int64_t now = judge_now_ms(change, games);
    view->head.illegal[color]++;
    struct payload payload = {0};
    if (lost)
        judge_lose(change, seat, TERMINATION_RULES_INFRACTION, TERMINATION_RULES_INFRACTION, now);
    else
        judge_penalize(view, seat, &payload);
    return judge_add_row(change, ROW_ILLEGAL_MOVE, seat, now, &payload);
}
