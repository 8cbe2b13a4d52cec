#include <stdlib.h>

#include "games/feed.h"
#include "games/judge.h"
#include "games/payload.h"

void claim_describe(struct claim_verdict *verdict, const struct game *game, enum claim_reason reason, move m)
{
    struct position after = game->head.position;
    *verdict = (struct claim_verdict){.reason = reason, .move = m};
    if (m != MOVE_NONE) {
        position_play(&game->head.position, m, &after);
        notation_format_san(&game->head.position, m, verdict->san);
        notation_format_uci(&game->head.position, m, verdict->uci);
        verdict->count = 1; /* the position about to appear */
    }
    verdict->halfmove_clock = after.halfmove_clock;
    enum { ROOM = sizeof verdict->plies / sizeof verdict->plies[0] };
    unsigned count = replay_occurrences(game, &after, game->head.ply, verdict->plies, ROOM);
    verdict->ply_count = count < ROOM ? count : ROOM;
    verdict->count += count;
}

/* Which claim holds: by key and clock, and for a repetition by the positions themselves. */
static bool claim_holds(struct claim_verdict *verdict, const struct game *game, enum claim_reason asked,
                        move m)
{
    struct key_history history = game_history(game);
    unsigned claims = m == MOVE_NONE ? claim_now(&game->head.position, &history)
                                     : claim_with_move(&game->head.position, &history, m);
    if (asked != CLAIM_NONE)
        claims &= 1U << asked;
    enum claim_reason reason = claims >> CLAIM_THREEFOLD & 1 ? CLAIM_THREEFOLD
                               : claims >> CLAIM_FIFTY & 1   ? CLAIM_FIFTY
                                                             : CLAIM_NONE;
    claim_describe(verdict, game, reason != CLAIM_NONE ? reason : asked, m);
    return reason == CLAIM_THREEFOLD ? verdict->count >= ENDING_THREEFOLD : reason != CLAIM_NONE;
}

/* The claim that ended the game, made once more. */
static bool claim_is_replayed(const struct action *action, const struct game_end *end, move m)
{
    return end->claim != CLAIM_NONE &&
           (action->claim.reason == CLAIM_NONE || action->claim.reason == end->claim) && end->claim_move == m;
}

/* 9.1.2.3: the claim stands as an offer; 9.5.3: an announced move must be played. */
static enum games_status play_failed_claim(struct change *change, struct games *games, enum game_seat seat)
{
    struct action *action = change->action;
    struct game_head *head = &change->view.head;
    int64_t now = judge_now_ms(change, games);
    move m = action->verdict.move;
    if (m != MOVE_NONE && head->ply >= games_plies_limit(games)) {
        action->index = 0;
        action->outcome = ACTION_TOO_MANY_PLIES;
        return GAMES_OK;
    }
    bool stands = !game_rule_against_offer(&change->view, m != MOVE_NONE);
    if (stands)
        advance_claim_refused(head, seat, m != MOVE_NONE);
    struct payload payload = {0};
    payload_add(&payload, "claim", game_claim_name(action->claim.reason));
    payload_add(&payload, "move", m != MOVE_NONE ? action->verdict.uci : NULL);
    payload_add(&payload, "no_offer", stands ? NULL : "1");
    judge_penalize(&change->view, seat, &payload);
    action->first_ply = head->ply + 1U;
    enum games_status status = judge_add_row(change, ROW_CLAIM_REFUSED, seat, now, &payload);
    if (status == GAMES_OK && m != MOVE_NONE) {
        feed_render_ahead(games, change);
        status = judge_play_move(change, m, action->claim.move, now);
    }
    action->verdict.stands_as_offer = head->offer_by == seat;
    return status;
}

enum games_status judge_claim(struct change *change, struct games *games)
{
    struct action *action = change->action;
    struct game *view = &change->view;
    const struct game *game = &change->live->game;
    const struct move_input *announced = action->claim.move;
    move m = MOVE_NONE;
    bool readable = !announced || judge_read_input(action, &game->head.position, announced);
    if (announced && readable)
        m = action->reading.move;
    if (readable && claim_is_replayed(action, &game->head.end, m)) {
        claim_describe(&action->verdict, game, (enum claim_reason)game->head.end.claim, m);
        action->verdict.valid = true;
        action->outcome = ACTION_REPLAYED;
        return GAMES_OK;
    }
    if (!judge_may(change) || !judge_turn_fits(action, game))
        return GAMES_OK;
    if (!readable) {
        action->outcome = ACTION_MOVE_REFUSED;
        return GAMES_OK;
    }
    enum game_seat seat = game_seat_of(position_turn(&game->head.position));
    bool valid = claim_holds(&action->verdict, game, action->claim.reason, m);
    action->verdict.valid = valid;
    if (!valid) {
        if (game->rules.failed_claim == FAILED_CLAIM_OFFER)
            return play_failed_claim(change, games, seat);
        action->outcome = ACTION_CLAIM_INVALID;
        return GAMES_OK;
    }
    int64_t now = judge_now_ms(change, games);
    judge_end(change, advance_claim_termination(action->verdict.reason), RESULT_DRAW, seat, now);
    view->head.end.claim = (uint8_t)action->verdict.reason;
    view->head.end.claim_move = action->verdict.move;
    return judge_add_row(change, ROW_CLAIM, seat, now, NULL);
}
