/* Moves taken back: at will (undo, a free takeback) or by consent. The board and the clocks are again as they were after
 * the move that is now the last; time that was given since stays given. */
#include <stdlib.h>
#include <string.h>

#include "games/judge.h"

/* The record of the move that will be the last one; at ply 0 that of the creation, which says nothing but its version. */
struct kept {
    struct move_record record; /* but for its comment */
    char *comment;             /* owned; NULL for none */
    bool failed;               /* memory is out */
};

static bool keep(void *context, const struct move_record *record)
{
    struct kept *kept = context;
    kept->record = *record;
    kept->comment = record->comment ? strdup(record->comment) : NULL;
    kept->failed = record->comment && !kept->comment;
    return !kept->failed;
}

/* GAMES_COLD: the log has to be read. */
static enum games_status read_kept(struct change *change, struct games *games, uint32_t ply,
                                   struct kept *kept)
{
    const struct game *game = &change->live->game;
    if (!change->action->may_block && (ply > 0 || game->clock))
        return GAMES_COLD;
    if (ply == 0)
        return GAMES_OK;
    judge_let_go(change);
    enum games_status status = games_move_records(games, game, ply, 1, keep, kept);
    judge_hold(change);
    return kept->failed ? GAMES_UNAVAILABLE : status;
}

/* Time that was given stays given. */
static bool give_again(void *context, const struct storage_action *row)
{
    char word[PAYLOAD_WORD_SIZE];
    enum game_seat seat;
    int64_t ms;
    if (payload_word(row->payload, "to", word) && game_seat_parse(word, &seat) &&
        payload_number(row->payload, "ms", &ms) && ms >= 0)
        clock_add(context, game_color(seat), ms);
    return true;
}

enum games_status judge_read_rows(struct change *change, struct games *games, uint32_t version,
                                  uint32_t limit, const struct storage_rows *rows)
{
    judge_let_go(change);
    enum storage_status status =
        storage_actions_after(games_storage(games), change->live->game.key, version, limit, rows);
    judge_hold(change);
    switch (status) {
    case STORAGE_OK:
        return GAMES_OK;
    case STORAGE_DAMAGED:
        return GAMES_DAMAGED;
    case STORAGE_CONFLICT:
    case STORAGE_NOT_FOUND:
    case STORAGE_STOPPED:
    case STORAGE_BUSY:
    case STORAGE_FULL:
    case STORAGE_UNAVAILABLE:
        break;
    }
    return GAMES_UNAVAILABLE;
}

static enum games_status restore_clock(struct change *change, struct games *games, uint32_t ply,
                                       const struct move_record *record)
{
    const struct game *game = &change->live->game;
    struct clock *clock = &change->clock;
    clock_begin(clock, &game->clock->control);
    for (int color = 0; ply > 0 && color < COLOR_COUNT; color++)
        clock->remaining_ms[color] = record->remaining_ms[color];
    const struct storage_rows rows = {.context = clock, .action = give_again};
    return judge_read_rows(change, games, record->version, 0, &rows);
}

/* The history up to `ply`, in arrays of its own. */
static bool rewind_history(struct change *change, unsigned ply)
{
    struct game *view = &change->view;
    const struct game *game = &change->live->game;
    change->moves_new = malloc((ply + 1U) * sizeof *change->moves_new);
    change->keys_new = malloc((ply + 1U) * sizeof *change->keys_new);
    if (!change->moves_new || !change->keys_new)
        return false;
    view->moves = change->moves_new;
    view->keys = change->keys_new;
    view->moves_capacity = view->keys_capacity = ply + 1U;
    view->head = (struct game_head){
        .version = game->head.version,
        .status = GAME_ACTIVE,
        .illegal = {game->head.illegal[COLOR_WHITE], game->head.illegal[COLOR_BLACK]},
    };
    advance_begin(view);
    for (unsigned i = 0; i < ply; i++)
        advance(view, game->moves[i], 0, false);
    return true;
}

static enum games_status rewind_with(struct change *change, struct games *games, uint32_t ply,
                                     struct kept *kept)
{
    struct game_head *head = &change->view.head;
    if (!rewind_history(change, ply))
        return GAMES_UNAVAILABLE;
    if (ply > 0) {
        head->move_at_ms = kept->record.at_ms;
        head->move_clock_ms = kept->record.clock_ms;
        head->move_spent_ms = kept->record.spent_ms;
        head->comment = change->comment = kept->comment;
        kept->comment = NULL;
    }
    return change->view.clock ? restore_clock(change, games, ply, &kept->record) : GAMES_OK;
}

static enum games_status rewind_to(struct change *change, struct games *games, enum row_kind kind,
                                   enum game_seat seat, uint32_t ply)
{
    struct kept kept = {.record.version = 1};
    enum games_status status = read_kept(change, games, ply, &kept);
    if (status == GAMES_OK)
        status = rewind_with(change, games, ply, &kept);
    free(kept.comment);
    if (status != GAMES_OK)
        return status;
    int64_t now = judge_now_ms(change, games);
    struct game *view = &change->view;
    view->head.since_ms = game_is_watched(view) ? change->action->received_ms : 0;
    view->head.since_at_ms = now;
    change_add_row(change, kind, seat, now, NULL);
    return GAMES_OK;
}

static bool ended_by_move(const struct game_end *end)
{
    return game_termination_is_of_move((enum game_termination)end->termination) && end->claim == CLAIM_NONE;
}

static enum games_status refuse(struct action *action, enum action_outcome outcome)
{
    action->outcome = outcome;
    action->rule = outcome == ACTION_FORBIDDEN_BY_RULES ? "takeback" : NULL;
    return GAMES_OK;
}

enum games_status judge_undo(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct game *game = &change->live->game;
    if (!judge_may(change))
        return GAMES_OK;
    if (game->head.status == GAME_ENDED && !ended_by_move(&game->head.end))
        return refuse(action, ACTION_GAME_OVER);
    if (game->rules.takeback == TAKEBACK_OFF)
        return refuse(action, ACTION_FORBIDDEN_BY_RULES);
    if (action->undo_plies == 0 || action->undo_plies > game->head.ply)
        return refuse(action, ACTION_NOTHING_TO_UNDO);
    return rewind_to(change, games, ROW_UNDO, SEAT_NONE, game->head.ply - action->undo_plies);
}

/* To before the last move of `seat`; false: there is no such move, or no such ply to go back to. */
static bool find_ply(const struct game *game, const struct action_takeback *takeback, enum game_seat seat,
                     uint32_t *ply)
{
    uint32_t back = game_turn(game) == seat ? 2 : 1;
    if (takeback->has_ply) {
        *ply = takeback->to_ply;
        return *ply < game->head.ply;
    }
    *ply = game->head.ply - back;
    return game->head.ply >= back;
}

static enum games_status offer_takeback(struct change *change, struct games *games, enum game_seat seat,
                                        uint32_t ply)
{
    struct game_head *head = &change->view.head;
    if (head->takeback_by == seat && head->takeback_ply == ply)
        return refuse(change->action, ACTION_REPLAYED);
    if (head->takeback_by == game_other_seat(seat))
        return refuse(change->action, ACTION_OFFER_EXISTS);
    head->takeback_by = (uint8_t)seat;
    head->takeback_ply = (uint16_t)ply;
    struct payload payload = {0};
    payload_add_number(&payload, "to_ply", ply);
    return judge_add_row(change, ROW_TAKEBACK_OFFERED, seat, judge_now_ms(change, games), &payload);
}

enum games_status judge_takeback(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct game *game = &change->live->game;
    enum game_seat seat = action->takeback.seat ? action->takeback.seat : game_turn(game);
    uint32_t ply;
    if (!judge_may(change))
        return GAMES_OK;
    if (game->rules.takeback == TAKEBACK_OFF)
        return refuse(action, ACTION_FORBIDDEN_BY_RULES);
    if (!find_ply(game, &action->takeback, seat, &ply))
        return refuse(action, ACTION_NOTHING_TO_UNDO);
    if (game->rules.takeback == TAKEBACK_FREE)
        return rewind_to(change, games, ROW_TAKEBACK, seat, ply);
    return offer_takeback(change, games, seat, ply);
}

enum games_status judge_accept_takeback(struct change *change, struct games *games)
{
    const struct game_head *head = &change->live->game.head;
    enum game_seat offered_by = (enum game_seat)head->takeback_by;
    if (!judge_may(change) || !judge_may_answer(change->action, offered_by))
        return judge_repeat(change, games, ROW_TAKEBACK_ACCEPTED);
    return rewind_to(change, games, ROW_TAKEBACK_ACCEPTED, game_other_seat(offered_by), head->takeback_ply);
}

enum games_status judge_decline_takeback(struct change *change, struct games *games)
{
    struct game_head *head = &change->view.head;
    enum game_seat offered_by = (enum game_seat)head->takeback_by;
    if (!judge_may(change) || !judge_may_answer(change->action, offered_by))
        return judge_repeat(change, games, ROW_TAKEBACK_DECLINED);
    head->takeback_by = SEAT_NONE;
    return judge_add_row(change, ROW_TAKEBACK_DECLINED, game_other_seat(offered_by),
                         judge_now_ms(change, games), NULL);
}

enum games_status judge_withdraw_takeback(struct change *change, struct games *games)
{
    struct action *action = change->action;
    struct game_head *head = &change->view.head;
    enum game_seat offered_by = (enum game_seat)head->takeback_by;
    if (!judge_may(change))
        return GAMES_OK;
    if (offered_by == SEAT_NONE || (action->seat && action->seat != offered_by)) {
        action->outcome = ACTION_NO_OPEN_OFFER;
        return judge_repeat(change, games, ROW_TAKEBACK_WITHDRAWN);
    }
    head->takeback_by = SEAT_NONE;
    return judge_add_row(change, ROW_TAKEBACK_WITHDRAWN, offered_by, judge_now_ms(change, games), NULL);
}
