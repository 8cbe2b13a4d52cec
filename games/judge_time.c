/* What time brings about: flags (6.8, 6.9), abandonment, and time that is given. */
#include "games/judge.h"

enum action_kind judge_overdue(const struct game *game, int64_t at_ms)
{
    if (game_deadline(game) > at_ms)
        return ACTION_KIND_COUNT;
    return game_flag_deadline(game) <= at_ms ? ACTION_FLAG : ACTION_ABANDON;
}

bool action_is_of_time(const struct action *action)
{
    return action->kind == ACTION_FLAG || action->kind == ACTION_ABANDON;
}

enum action_kind judge_overdue_before(const struct game *game, const struct action *action)
{
    return action_is_of_time(action) ? ACTION_KIND_COUNT : judge_overdue(game, action->received_ms);
}

static void give(struct game *view, enum game_seat seat, int64_t ms, struct payload *payload)
{
    payload_add(payload, "to", game_seat_name(seat));
    payload_add_number(payload, "ms", ms);
    clock_add(view->clock, game_color(seat), ms);
}

void judge_penalize(struct game *view, enum game_seat offender, struct payload *payload)
{
    if (view->clock && view->rules.claim_penalty_ms)
        give(view, game_other_seat(offender), view->rules.claim_penalty_ms, payload);
}

static bool is_timeout(const struct game_end *end)
{
    return end->termination == TERMINATION_TIMEOUT || end->termination == TERMINATION_TIMEOUT_UNWINNABLE;
}

static bool flag_may_fall(struct change *change)
{
    struct action *action = change->action;
    const struct game *game = &change->live->game;
    if (is_timeout(&game->head.end)) {
        action->outcome = ACTION_REPLAYED;
    } else if (!judge_may(change)) {
        return false;
    } else if (!game->clock) {
        action->outcome = ACTION_NO_CLOCK;
    } else if (game_flag_deadline(game) > action->received_ms) {
        enum game_seat running = game_running(game);
        enum game_seat next = running ? running : game_turn(game);
        int64_t allowed = clock_allowed_ms(game->clock, game_color(next));
        action->remaining_ms = running ? game_flag_deadline(game) - action->received_ms : allowed;
        action->outcome = ACTION_CLOCK_RUNNING;
    }
    return action->outcome == ACTION_DONE;
}

enum games_status judge_flag(struct change *change, struct games *games)
{
    if (!flag_may_fall(change))
        return GAMES_OK;
    enum game_seat flagged = game_running(&change->live->game);
    if (!judge_decision(change, game_color(game_other_seat(flagged))))
        return judge_undecided(change);
    int64_t now = judge_now_ms(change, games);
    judge_lose(change, flagged, TERMINATION_TIMEOUT, TERMINATION_TIMEOUT_UNWINNABLE, now);
    return judge_add_row(change, ROW_FLAGGED, flagged, now, NULL);
}

/* Before both sides have moved nobody loses a game that was not taken up. */
enum games_status judge_abandon(struct change *change, struct games *games)
{
    enum { TAKEN_UP_PLIES = 2 };
    struct action *action = change->action;
    const struct game *game = &change->live->game;
    if (!judge_may(change))
        return GAMES_OK;
    if (judge_overdue(game, action->received_ms) != ACTION_ABANDON) {
        action->outcome = ACTION_CLOCK_RUNNING;
        return GAMES_OK;
    }
    enum game_seat seat = game_turn(game);
    int64_t now = judge_now_ms(change, games);
    if (game->head.ply < TAKEN_UP_PLIES) {
        judge_end(change, TERMINATION_ABANDONMENT, RESULT_NONE, seat, now);
        return judge_add_row(change, ROW_ABANDONED, seat, now, NULL);
    }
    if (!judge_decision(change, game_color(game_other_seat(seat))))
        return judge_undecided(change);
    judge_lose(change, seat, TERMINATION_ABANDONMENT, TERMINATION_ABANDONMENT, now);
    return judge_add_row(change, ROW_ABANDONED, seat, now, NULL);
}

enum games_status judge_add_time(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct action_add_time *add = &action->add_time;
    if (!judge_may(change))
        return GAMES_OK;
    if (!change->view.clock) {
        action->outcome = ACTION_NO_CLOCK;
        return GAMES_OK;
    }
    if (change->view.clock->remaining_ms[game_color(add->seat)] + add->ms > CLOCK_MS_MAX) {
        action->outcome = ACTION_FORBIDDEN_BY_RULES;
        action->rule = "clock_shown_ms";
        return GAMES_OK;
    }
    struct payload payload = {0};
    give(&change->view, add->seat, add->ms, &payload);
    return judge_add_row(change, ROW_CLOCK_ADDED, add->seat, judge_now_ms(change, games), &payload);
}
