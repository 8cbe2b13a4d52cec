/* Draw offers (9.1) and agreement (5.2.3). */
#include "games/judge.h"

/* 5.2.3: after at least one move of each player. */
enum { AGREEMENT_PLIES = 2 };

enum games_status judge_offer_draw(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct game *game = &change->live->game;
    struct game_head *head = &change->view.head;
    enum game_seat seat = action->seat ? action->seat : game_turn(game);
    if (head->offer_by == seat) {
        action->outcome = ACTION_REPLAYED;
        return GAMES_OK;
    }
    if (!judge_may(change))
        return GAMES_OK;
    if (head->offer_by != SEAT_NONE) {
        action->outcome = ACTION_OFFER_EXISTS;
        return GAMES_OK;
    }
    action->rule = game_rule_against_offer(game, false);
    if (action->rule) {
        action->outcome = ACTION_FORBIDDEN_BY_RULES;
        return GAMES_OK;
    }
    advance_offer(head, seat);
    return judge_add_row(change, ROW_DRAW_OFFERED, seat, judge_now_ms(change, games), NULL);
}

bool judge_may_answer(struct action *action, enum game_seat offered_by)
{
    if (offered_by == SEAT_NONE)
        action->outcome = ACTION_NO_OPEN_OFFER;
    else if (action->seat == offered_by)
        action->outcome = ACTION_OWN_OFFER;
    return action->outcome == ACTION_DONE;
}

struct last_row {
    enum row_kind kind;
    enum game_seat seat;
};

static bool keep_row(void *context, const struct storage_action *row)
{
    struct last_row *last = context;
    last->kind = row_kind_find(row->kind);
    if (!row->seat || !game_seat_parse(row->seat, &last->seat))
        last->seat = SEAT_NONE;
    return true;
}

enum games_status judge_repeat(struct change *change, struct games *games, enum row_kind kind)
{
    struct action *action = change->action;
    struct last_row last = {.kind = ROW_NONE};
    const struct storage_rows rows = {.context = &last, .action = keep_row};
    if (action->outcome != ACTION_NO_OPEN_OFFER)
        return GAMES_OK;
    if (!action->may_block)
        return GAMES_COLD;
    enum games_status status = judge_read_rows(change, games, change->live->game.head.version - 1, 1, &rows);
    if (status != GAMES_OK)
        return status;
    if (last.kind == kind && (action->seat == SEAT_NONE || action->seat == last.seat))
        action->outcome = ACTION_REPLAYED;
    return GAMES_OK;
}

enum games_status judge_accept_draw(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct game_head *head = &change->live->game.head;
    enum game_seat offered_by = (enum game_seat)head->offer_by;
    if (head->end.termination == TERMINATION_AGREEMENT &&
        (action->seat == SEAT_NONE || action->seat == head->end.by)) {
        action->outcome = ACTION_REPLAYED;
        return GAMES_OK;
    }
    if (!judge_may(change) || !judge_may_answer(action, offered_by))
        return GAMES_OK;
    if (head->ply < AGREEMENT_PLIES) {
        action->outcome = ACTION_FORBIDDEN_BY_RULES;
        action->rule = "5.2.3";
        return GAMES_OK;
    }
    int64_t now = judge_now_ms(change, games);
    enum game_seat seat = game_other_seat(offered_by);
    judge_end(change, TERMINATION_AGREEMENT, RESULT_DRAW, seat, now);
    return judge_add_row(change, ROW_DRAW_ACCEPTED, seat, now, NULL);
}

enum games_status judge_decline_draw(struct change *change, struct games *games)
{
    struct action *action = change->action;
    struct game_head *head = &change->view.head;
    enum game_seat offered_by = (enum game_seat)head->offer_by;
    if (!judge_may(change) || !judge_may_answer(action, offered_by))
        return judge_repeat(change, games, ROW_DRAW_DECLINED);
    head->offer_by = SEAT_NONE;
    return judge_add_row(change, ROW_DRAW_DECLINED, game_other_seat(offered_by), judge_now_ms(change, games),
                         NULL);
}
