#include "games/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/feed.h"
#include "games/payload.h"
#include "games/rights.h"
#include "games/solver.h"
#include "rules/movegen.h"

/* Every action in every status. A new action or status is a row or a column here. */
/* clang-format off */
static const enum action_outcome life[ACTION_KIND_COUNT][GAME_STATUS_COUNT] = {
    /*                            waiting             active       ended             aborted */
    [ACTION_CREATE]            = {ACTION_DONE,        ACTION_DONE, ACTION_DONE,      ACTION_DONE},
    [ACTION_MOVE]              = {ACTION_DONE,        ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_UNDO]              = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_DONE,      ACTION_GAME_OVER},
    [ACTION_CLAIM]             = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_OFFER_DRAW]        = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_ACCEPT_DRAW]       = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_DECLINE_DRAW]      = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_RESIGN]            = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_ABORT]             = {ACTION_DONE,        ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_ADJUDICATE]        = {ACTION_DONE,        ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_TAKEBACK]          = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_ACCEPT_TAKEBACK]   = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_DECLINE_TAKEBACK]  = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_WITHDRAW_TAKEBACK] = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_FLAG]              = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_ABANDON]           = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_ADD_TIME]          = {ACTION_DONE,        ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_ILLEGAL_MOVE]      = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_UPDATE]            = {ACTION_DONE,        ACTION_DONE, ACTION_DONE,      ACTION_DONE},
    [ACTION_DELETE]            = {ACTION_DONE,        ACTION_DONE, ACTION_DONE,      ACTION_DONE},
    [ACTION_TAKE_SEAT]         = {ACTION_DONE,        ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_LEAVE_SEAT]        = {ACTION_DONE,        ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_RENEW_TOKEN]       = {ACTION_DONE,        ACTION_DONE, ACTION_DONE,      ACTION_DONE},
};
/* clang-format on */

enum action_outcome lifecycle(enum action_kind kind, enum game_status status)
{
    return life[kind][status];
}

/* "dead_position,seventyfive_moves" */
static void add_also(struct payload *payload, uint32_t also)
{
    char words[PAYLOAD_WORD_SIZE] = "";
    size_t length = 0;
    for (unsigned t = TERMINATION_CHECKMATE; t < TERMINATION_COUNT; t++)
        if (also >> t & 1)
            length += (size_t)snprintf(words + length, sizeof words - length, "%s%s", length ? "," : "",
                                       game_termination_name((enum game_termination)t));
    if (length)
        payload_add(payload, "also", words);
}

/* The line as UCI, parted by blanks. */
static void add_line(struct payload *payload, struct position position, const struct game_decision *decision)
{
    char *text = malloc(decision->length * (size_t)NOTATION_UCI_SIZE);
    if (!text) {
        payload->failed = true;
        return;
    }
    size_t length = 0;
    for (unsigned i = 0; i < decision->length; i++) {
        struct position before = position;
        length += notation_format_uci(&before, decision->line[i], text + length);
        text[length++] = ' ';
        position_play(&before, decision->line[i], &position);
    }
    text[length - 1] = '\0';
    payload_add(payload, "line", text);
    free(text);
}

static void add_decision(struct payload *payload, const struct position *position,
                         const struct game_decision *decision)
{
    payload_add(payload, "winnable", winnable_verdict_name(decision->verdict));
    payload_add(payload, "method", winnable_method_name(decision->method));
    payload_add_number(payload, "nodes", decision->nodes);
    if (decision->length)
        add_line(payload, *position, decision);
}

static void add_end(struct payload *payload, const struct game_head *head)
{
    const struct game_end *end = &head->end;
    if (end->termination == TERMINATION_NONE)
        return;
    payload_add(payload, "end", game_termination_name((enum game_termination)end->termination));
    payload_add(payload, "result", game_result_name((enum game_result)end->result));
    payload_add(payload, "by", game_seat_name((enum game_seat)end->by));
    payload_add(payload, "claim", game_claim_name((enum claim_reason)end->claim));
    if (end->claim_move != MOVE_NONE) {
        char uci[NOTATION_UCI_SIZE];
        notation_format_uci(&head->position, end->claim_move, uci);
        payload_add(payload, "claim_move", uci);
    }
    add_also(payload, end->also);
    payload_add(payload, "dead_method",
                end->dead_method ? winnable_method_name((enum winnable_method)end->dead_method) : NULL);
    payload_add(payload, "remark", end->comment);
    if (end->decision)
        add_decision(payload, &head->position, end->decision);
}

enum games_status judge_add_row(struct change *change, enum row_kind kind, enum game_seat seat, int64_t now,
                                struct payload *payload)
{
    struct payload empty = {0};
    payload = payload ? payload : &empty;
    add_end(payload, &change->view.head);
    change_add_row(change, kind, seat, now, payload->text);
    return payload->failed ? GAMES_UNAVAILABLE : GAMES_OK;
}

static bool set_comment(struct change *change, const char *comment)
{
    if (!comment)
        return true;
    free(change->comment);
    change->comment = strdup(comment);
    change->view.head.comment = change->comment;
    return change->comment != NULL;
}

void move_input_read(const struct move_input *input, const struct position *position, struct reading *reading)
{
    if (input->text)
        notation_read(position, input->text, input->length, input->form, input->style,
                      input->default_promotion, reading);
    else
        notation_resolve(position, &input->attempt, input->default_promotion, reading);
}

bool judge_read_input(struct action *action, const struct position *position, const struct move_input *input)
{
    action->position = *position;
    move_input_read(input, position, &action->reading);
    return action->reading.status == READING_OK;
}

int64_t judge_now_ms(const struct change *change, struct games *games)
{
    return games_epoch_ms(games) + change->action->received_ms;
}

/* What the clock makes of a move that took `spent_ms`; the view is past the move. */
static void press_clock(struct game *view, enum game_seat mover, int64_t spent_ms, int64_t received_ms)
{
    struct game_head *head = &view->head;
    enum color color = game_color(mover);
    unsigned made = game_moves_made(view, mover);
    if (view->clock) {
        if (head->ply == 1 && !view->clock->control.immediate)
            clock_move_untimed(view->clock, color, made);
        else
            clock_move(view->clock, color, made, spent_ms);
        head->move_clock_ms = view->clock->remaining_ms[color];
        head->move_spent_ms = spent_ms;
    }
    head->since_ms = game_is_watched(view) ? received_ms : 0;
    head->since_at_ms = head->move_at_ms;
}

/* Since the move under way began, as far as its clock counts. */
static int64_t elapsed_ms(const struct game *view, int64_t received_ms)
{
    int64_t elapsed = received_ms - view->head.since_ms;
    return game_running(view) == SEAT_NONE || elapsed < 0 ? 0 : elapsed;
}

void judge_end(struct change *change, enum game_termination termination, enum game_result result,
               enum game_seat by, int64_t now)
{
    struct game *view = &change->view;
    enum game_seat running = game_running(view);
    if (running != SEAT_NONE)
        clock_stop(view->clock, game_color(running), elapsed_ms(view, change->action->received_ms));
    advance_end(view, termination, result, by, now);
}

/* Who moves with the token of a seat sits there from now on, and the game begins. */
static void sit_down(struct change *change, int64_t now)
{
    const struct action *action = change->action;
    if (action->actor != SEAT_NONE)
        change->seats.taken[game_color(action->actor)] = true;
    if (change->view.head.status == GAME_WAITING)
        advance_start(&change->view, action->received_ms, now);
}

static bool takes_seat(const struct change *change, enum game_seat mover)
{
    return game_seat_is_taken(&change->view, mover) && !game_seat_is_taken(&change->live->game, mover);
}

static enum games_status add_move_row(struct change *change, enum game_seat mover,
                                      const struct move_input *input, int64_t now)
{
    struct game_head *head = &change->view.head;
    struct payload payload = {0};
    payload_add(&payload, "comment", input->comment);
    payload_add(&payload, "offer", input->draw_offer ? "1" : NULL);
    payload_add(&payload, "takes_seat", takes_seat(change, mover) ? "1" : NULL);
    enum games_status status = judge_add_row(change, ROW_MOVE, mover, now, &payload);
    struct storage_action *row = &change->rows[change->row_count - 1];
    row->spent_ms = head->move_spent_ms;
    if (!change->view.clock)
        *(mover == SEAT_WHITE ? &row->white_ms : &row->black_ms) = head->move_clock_ms;
    return status == GAMES_OK && !set_comment(change, input->comment) ? GAMES_UNAVAILABLE : status;
}

enum games_status judge_play_move(struct change *change, move m, const struct move_input *input, int64_t now)
{
    struct game *view = &change->view;
    struct position before = view->head.position;
    enum game_seat mover = game_seat_of(position_turn(&before));
    struct change_row *text = &change->texts[change->row_count];
    int64_t received_ms = change->action->received_ms;
    sit_down(change, now);
    int64_t spent_ms = elapsed_ms(view, received_ms);
    notation_format_uci(&before, m, text->uci);
    notation_format_san(&before, m, text->san);
    advance(view, m, now, true);
    press_clock(view, mover, spent_ms, received_ms);
    if (!view->clock && input->has_clock_ms)
        view->head.move_clock_ms = input->clock_ms;
    if (input->draw_offer && view->head.status == GAME_ACTIVE)
        advance_offer(&view->head, mover);
    return add_move_row(change, mover, input, now);
}

/* The move meant by an input that may be known already. */
static bool find_move(struct action *action, const struct position *position, const struct move_input *input,
                      move *m)
{
    *m = input->known;
    if (*m == MOVE_NONE && judge_read_input(action, position, input))
        *m = action->reading.move;
    return *m != MOVE_NONE;
}

void judge_let_go(const struct change *change)
{
    if (change->shard)
        pthread_mutex_unlock(&change->shard->lock);
}

void judge_hold(const struct change *change)
{
    if (change->shard)
        pthread_mutex_lock(&change->shard->lock);
}

static enum games_status play_one_of_many(struct change *change, move m, const struct move_input *input,
                                          int64_t now)
{
    judge_let_go(change);
    enum games_status status = judge_play_move(change, m, input, now);
    judge_hold(change);
    return status;
}

static enum games_status play_all(struct change *change, struct games *games, const struct move_input *moves,
                                  size_t count, int64_t now)
{
    struct action *action = change->action;
    struct game_head *head = &change->view.head;
    action->first_ply = head->ply + 1U;
    for (size_t i = 0; i < count; i++) {
        action->index = i;
        action->outcome = lifecycle(ACTION_MOVE, (enum game_status)head->status);
        if (action->outcome != ACTION_DONE) {
            action->over_by = (enum game_termination)head->end.termination;
            return GAMES_OK;
        }
        if (head->ply >= games_plies_limit(games)) {
            action->outcome = ACTION_TOO_MANY_PLIES;
            return GAMES_OK;
        }
        move m;
        if (!find_move(action, &head->position, &moves[i], &m)) {
            action->outcome = ACTION_MOVE_REFUSED;
            return GAMES_OK;
        }
        if (moves[i].draw_offer && (action->rule = game_rule_against_offer(&change->view, true))) {
            action->outcome = ACTION_FORBIDDEN_BY_RULES;
            return GAMES_OK;
        }
        feed_render_ahead(games, change);
        enum games_status status = count > GAMES_MOVES_AT_ONCE ? play_one_of_many(change, m, &moves[i], now)
                                                               : judge_play_move(change, m, &moves[i], now);
        if (status != GAMES_OK)
            return status;
    }
    return GAMES_OK;
}

bool judge_version_fits(struct action *action, const struct game *game)
{
    if (!action->if_given)
        return true;
    for (unsigned i = 0; i < action->if_count; i++)
        if (action->if_versions[i] == game->head.version)
            return true;
    action->outcome = ACTION_VERSION_MISMATCH;
    return false;
}

bool judge_status_fits(struct action *action, const struct game *game)
{
    action->outcome = lifecycle(action->kind, (enum game_status)game->head.status);
    return action->outcome == ACTION_DONE;
}

bool judge_turn_fits(struct action *action, const struct game *game)
{
    if (action->actor != SEAT_NONE && action->actor != game_turn(game))
        action->outcome = ACTION_NOT_YOUR_TURN;
    return action->outcome == ACTION_DONE;
}

bool judge_may(struct change *change)
{
    const struct game *game = &change->live->game;
    return judge_version_fits(change->action, game) && judge_status_fits(change->action, game);
}

bool judge_decision(struct change *change, enum color winner)
{
    struct action *action = change->action;
    const struct position *position = &change->live->game.head.position;
    bool known =
        action->decision && action->decided_for == winner && position_same(&action->position, position);
    if (known)
        return true;
    free(action->decision);
    action->position = *position;
    action->decided_for = winner;
    action->decision = decision_make(position, winner, WINNABLE_NODES_SMALL, WINNABLE_SCRATCH_SMALL);
    change->wants_decision = action->decision && action->decision->verdict == WINNABLE_UNDETERMINED;
    return action->decision && !change->wants_decision;
}

/* ---- one function an action ---- */

/* The result of a game that was played elsewhere, where the board does not show one. */
static enum games_status record_result(struct change *change, enum game_result result, int64_t now)
{
    if (change->action->outcome != ACTION_DONE || result == RESULT_NONE ||
        change->view.head.end.termination != TERMINATION_NONE)
        return GAMES_OK;
    advance_end(&change->view, TERMINATION_RECORDED, result, SEAT_NONE, now);
    return judge_add_row(change, ROW_RECORDED, SEAT_NONE, now, NULL);
}

static enum games_status judge_create(struct change *change, struct games *games)
{
    const struct action_create *create = &change->action->create;
    int64_t now = judge_now_ms(change, games);
    change->view.head.since_at_ms = now;
    advance_decide_end(&change->view, SEAT_NONE, now);
    struct payload payload = {0};
    payload_add(&payload, "comment", create->texts.comment);
    enum games_status status = judge_add_row(change, ROW_CREATED, SEAT_NONE, now, &payload);
    if (status == GAMES_OK)
        status = play_all(change, games, create->moves, create->move_count, now);
    return status == GAMES_OK ? record_result(change, create->recorded, now) : status;
}

static enum games_status judge_move(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct game *game = &change->live->game;
    if (action->ply && action->ply <= game->head.ply)
        return judge_played_plies(change, games);
    if (!judge_may(change))
        return GAMES_OK;
    if (action->ply > game->head.ply + 1U) {
        action->outcome = ACTION_PLY_CONFLICT;
        return GAMES_OK;
    }
    if (!judge_turn_fits(action, game))
        return GAMES_OK;
    return play_all(change, games, action->move.moves, action->move.count, judge_now_ms(change, games));
}

static enum games_status judge_delete(struct change *change, struct games *games)
{
    (void)games;
    const struct game *game = &change->live->game;
    if (judge_version_fits(change->action, game))
        (void)judge_status_fits(change->action, game);
    return GAMES_OK;
}

enum games_status judge(struct change *change, struct games *games)
{
    static enum games_status (*const judges[ACTION_KIND_COUNT])(struct change *, struct games *) = {
        [ACTION_CREATE] = judge_create,
        [ACTION_MOVE] = judge_move,
        [ACTION_UNDO] = judge_undo,
        [ACTION_CLAIM] = judge_claim,
        [ACTION_OFFER_DRAW] = judge_offer_draw,
        [ACTION_ACCEPT_DRAW] = judge_accept_draw,
        [ACTION_DECLINE_DRAW] = judge_decline_draw,
        [ACTION_RESIGN] = judge_resign,
        [ACTION_ABORT] = judge_abort,
        [ACTION_ADJUDICATE] = judge_adjudicate,
        [ACTION_TAKEBACK] = judge_takeback,
        [ACTION_ACCEPT_TAKEBACK] = judge_accept_takeback,
        [ACTION_DECLINE_TAKEBACK] = judge_decline_takeback,
        [ACTION_WITHDRAW_TAKEBACK] = judge_withdraw_takeback,
        [ACTION_FLAG] = judge_flag,
        [ACTION_ABANDON] = judge_abandon,
        [ACTION_ADD_TIME] = judge_add_time,
        [ACTION_ILLEGAL_MOVE] = judge_illegal_move,
        [ACTION_UPDATE] = judge_update,
        [ACTION_DELETE] = judge_delete,
        [ACTION_TAKE_SEAT] = judge_take_seat,
        [ACTION_LEAVE_SEAT] = judge_leave_seat,
        [ACTION_RENEW_TOKEN] = judge_renew_token,
    };
    struct action *action = change->action;
    int64_t since_ms = change->live->game.head.since_ms;
    /* No request is of the time before the move that it comes after. */
    if (action->received_ms < since_ms)
        action->received_ms = since_ms;
    action->verdict = (struct claim_verdict){0};
    action->outcome = action->kind == ACTION_CREATE ? ACTION_DONE : rights_check(&change->live->game, action);
    if (action->outcome != ACTION_DONE)
        return GAMES_OK;
    return judges[action->kind](change, games);
}
