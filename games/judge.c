#include "games/judge.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/payload.h"
#include "rules/movegen.h"

/* Every action in every status. A new action or status is a row or a column here. */
/* clang-format off */
static const enum action_outcome life[ACTION_KIND_COUNT][GAME_STATUS_COUNT] = {
    /*                 waiting              active       ended             aborted */
    [ACTION_CREATE] = {ACTION_DONE,        ACTION_DONE, ACTION_DONE,      ACTION_DONE},
    [ACTION_MOVE]   = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_UNDO]   = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_DONE,      ACTION_GAME_OVER},
    [ACTION_CLAIM]  = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_RESIGN] = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_ABORT]  = {ACTION_DONE,        ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_UPDATE] = {ACTION_DONE,        ACTION_DONE, ACTION_DONE,      ACTION_DONE},
    [ACTION_DELETE] = {ACTION_DONE,        ACTION_DONE, ACTION_DONE,      ACTION_DONE},
};
/* clang-format on */

/* A game is aborted, not resigned, only before both sides have moved. */
enum { ABORT_PLIES = 2 };

enum action_outcome lifecycle(enum action_kind kind, enum game_status status)
{
    return life[kind][status];
}

/* "dead_position,seventyfive_moves" */
static void add_also(struct payload *payload, uint16_t also)
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
    payload_add(payload, "material", end->by_material ? "1" : NULL);
}

enum games_status judge_add_row(struct change *change, const char *kind, enum game_seat seat, int64_t now,
                                const char *comment)
{
    struct payload payload = {0};
    payload_add(&payload, "comment", comment);
    add_end(&payload, &change->view.head);
    change_add_row(change, kind, seat, now, payload.text);
    return payload.failed ? GAMES_UNAVAILABLE : GAMES_OK;
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

enum games_status judge_play_move(struct change *change, move m, const char *comment, int64_t now)
{
    struct position before = change->view.head.position;
    struct change_row *text = &change->texts[change->row_count];
    notation_format_uci(&before, m, text->uci);
    notation_format_san(&before, m, text->san);
    advance(&change->view, m, now, true);
    enum games_status status =
        judge_add_row(change, "move", game_seat_of(position_turn(&before)), now, comment);
    if (status == GAMES_OK && !set_comment(change, comment))
        status = GAMES_UNAVAILABLE;
    return status;
}

static enum games_status play_all(struct change *change, const struct move_input *moves, size_t count,
                                  int64_t now, uint32_t limit)
{
    struct action *action = change->action;
    struct game_head *head = &change->view.head;
    action->first_ply = head->ply + 1U;
    for (size_t i = 0; i < count; i++) {
        action->index = i;
        if (head->status != GAME_ACTIVE) {
            action->outcome = lifecycle(ACTION_MOVE, (enum game_status)head->status);
            return GAMES_OK;
        }
        if (head->ply >= limit) {
            action->outcome = ACTION_TOO_MANY_PLIES;
            return GAMES_OK;
        }
        if (!judge_read_input(action, &head->position, &moves[i])) {
            action->outcome = ACTION_MOVE_REFUSED;
            return GAMES_OK;
        }
        enum games_status status = judge_play_move(change, action->reading.move, moves[i].comment, now);
        if (status != GAMES_OK)
            return status;
    }
    return GAMES_OK;
}

static bool take_record(void *context, const struct move_record *record)
{
    struct action *action = context;
    struct replayed_move *replayed = &action->replayed[action->replayed_count];
    replayed->at_ms = record->at_ms;
    replayed->comment = record->comment ? strdup(record->comment) : NULL;
    if (record->comment && !replayed->comment)
        return false;
    action->replayed_count++;
    return true;
}

/* When moves were played and what was said of them: memory knows it of the last move, the log of all. */
static enum games_status recall_moves(struct games *games, struct action *action, const struct game *game,
                                      uint32_t first_ply, uint32_t count)
{
    assert(count > 0);
    action_forget_replayed(action);
    action->replayed = calloc(count, sizeof *action->replayed);
    if (!action->replayed)
        return GAMES_UNAVAILABLE;
    if (first_ply == game->head.ply) {
        struct move_record last = {.at_ms = game->head.move_at_ms, .comment = game->head.comment};
        return take_record(action, &last) ? GAMES_OK : GAMES_UNAVAILABLE;
    }
    if (!action->may_block)
        return GAMES_COLD;
    enum games_status status = games_move_records(games, game, first_ply, count, take_record, action);
    return status == GAMES_OK && action->replayed_count != count ? GAMES_UNAVAILABLE : status;
}

/* Moves for plies that are played already: the same moves are what was wanted (API 6.1). */
static enum games_status judge_played_plies(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct game *game = &change->live->game;
    struct position position = game_position_at(game, action->ply - 1);
    action->first_ply = action->ply;
    for (size_t i = 0; i < action->move.count; i++) {
        uint32_t ply = action->ply + (uint32_t)i;
        action->index = i;
        action->outcome = ACTION_PLY_CONFLICT;
        if (ply > game->head.ply)
            return GAMES_OK;
        if (!judge_read_input(action, &position, &action->move.moves[i])) {
            if (action->reading.status == READING_SYNTAX)
                action->outcome = ACTION_MOVE_REFUSED;
            return GAMES_OK;
        }
        if (action->reading.move != game->moves[ply - 1])
            return GAMES_OK;
        position_play(&action->position, action->reading.move, &position);
    }
    action->outcome = ACTION_REPLAYED;
    return recall_moves(games, action, game, action->ply, (uint32_t)action->move.count);
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

/* ---- one function an action ---- */

static enum games_status judge_create(struct change *change, struct games *games)
{
    struct action *action = change->action;
    int64_t now = games_now_ms(games);
    advance_decide_end(&change->view, SEAT_NONE, now);
    enum games_status status = judge_add_row(change, "created", SEAT_NONE, now, NULL);
    if (status != GAMES_OK)
        return status;
    return play_all(change, action->create.moves, action->create.move_count, now, games_plies_limit(games));
}

static enum games_status judge_move(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct game *game = &change->live->game;
    if (action->ply && action->ply <= game->head.ply)
        return judge_played_plies(change, games);
    if (!judge_version_fits(action, game) || !judge_status_fits(action, game))
        return GAMES_OK;
    if (action->ply > game->head.ply + 1U) {
        action->outcome = ACTION_PLY_CONFLICT;
        return GAMES_OK;
    }
    return play_all(change, action->move.moves, action->move.count, games_now_ms(games),
                    games_plies_limit(games));
}

static bool ended_by_move(const struct game_end *end)
{
    return game_termination_is_of_move((enum game_termination)end->termination) && end->claim == CLAIM_NONE;
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
    view->head = (struct game_head){.version = game->head.version, .status = GAME_ACTIVE};
    advance_begin(view);
    for (unsigned i = 0; i < ply; i++)
        advance(view, game->moves[i], 0, false);
    return true;
}

static enum games_status judge_undo(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct game *game = &change->live->game;
    if (!judge_version_fits(action, game) || !judge_status_fits(action, game))
        return GAMES_OK;
    if (game->head.status == GAME_ENDED && !ended_by_move(&game->head.end)) {
        action->outcome = ACTION_GAME_OVER;
        return GAMES_OK;
    }
    if (action->undo_plies == 0 || action->undo_plies > game->head.ply) {
        action->outcome = ACTION_NOTHING_TO_UNDO;
        return GAMES_OK;
    }
    unsigned ply = game->head.ply - action->undo_plies;
    enum games_status status = ply ? recall_moves(games, action, game, ply, 1) : GAMES_OK;
    if (status != GAMES_OK)
        return status;
    if (!rewind_history(change, ply) || (ply && !set_comment(change, action->replayed->comment)))
        return GAMES_UNAVAILABLE;
    change->view.head.move_at_ms = ply ? action->replayed->at_ms : 0;
    change_add_row(change, "undo", SEAT_NONE, games_now_ms(games), NULL)->rewinds = true;
    return GAMES_OK;
}

/* 5.1.2: a draw where the opponent has no mate by any series of legal moves. A bare king never has. */
static bool opponent_cannot_mate(const struct position *position, enum game_seat resigning)
{
    enum color winner = resigning == SEAT_WHITE ? COLOR_BLACK : COLOR_WHITE;
    return !bitboard_has_several(position->by_color[winner]) || ending_is_dead_by_material(position);
}

static enum games_status judge_resign(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct game *game = &change->live->game;
    const struct game_end *end = &game->head.end;
    enum game_seat seat = action->resign ? action->resign : game_seat_of(position_turn(&game->head.position));
    if ((end->termination == TERMINATION_RESIGNATION ||
         end->termination == TERMINATION_RESIGNATION_UNWINNABLE) &&
        end->by == seat) {
        action->outcome = ACTION_REPLAYED;
        return GAMES_OK;
    }
    if (!judge_version_fits(action, game) || !judge_status_fits(action, game))
        return GAMES_OK;
    int64_t now = games_now_ms(games);
    if (opponent_cannot_mate(&game->head.position, seat))
        advance_end(&change->view, TERMINATION_RESIGNATION_UNWINNABLE, RESULT_DRAW, seat, now);
    else
        advance_end(&change->view, TERMINATION_RESIGNATION, game_result_for(game_other_seat(seat)), seat,
                    now);
    return judge_add_row(change, "resign", seat, now, NULL);
}

static enum games_status judge_abort(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct game *game = &change->live->game;
    if (game->head.status == GAME_ABORTED) {
        action->outcome = ACTION_REPLAYED;
        return GAMES_OK;
    }
    if (!judge_version_fits(action, game) || !judge_status_fits(action, game))
        return GAMES_OK;
    if (game->head.ply >= ABORT_PLIES) {
        action->outcome = ACTION_ABORT_TOO_LATE;
        return GAMES_OK;
    }
    int64_t now = games_now_ms(games);
    advance_end(&change->view, TERMINATION_ABORTED, RESULT_NONE, SEAT_NONE, now);
    return judge_add_row(change, "abort", SEAT_NONE, now, NULL);
}

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

static enum games_status judge_update(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct action_update *update = &action->update;
    const struct game *game = &change->live->game;
    if (!judge_version_fits(action, game) || !judge_status_fits(action, game))
        return GAMES_OK;
    struct game_texts texts = {0};
    if (game->texts)
        texts = *game->texts;
    struct payload payload = {0};
    if (update->sets_white)
        payload_add(&payload, "white", text_or_empty(texts.white_name = update->texts.white_name));
    if (update->sets_black)
        payload_add(&payload, "black", text_or_empty(texts.black_name = update->texts.black_name));
    if (update->sets_metadata)
        payload_add(&payload, "metadata", text_or_empty(texts.metadata = update->texts.metadata));
    if (update->sets_visibility) {
        change->view.visibility = (uint8_t)update->visibility;
        payload_add(&payload, "visibility", game_visibility_name(update->visibility));
    }
    if (update->sets_white || update->sets_black || update->sets_metadata) {
        change->texts_new = game_texts_empty(&texts) ? NULL : game_texts_copy(&texts);
        if (!change->texts_new && !game_texts_empty(&texts))
            payload.failed = true;
        change->view.texts = change->texts_new;
    }
    change_add_row(change, "updated", SEAT_NONE, games_now_ms(games), payload.text);
    return payload.failed ? GAMES_UNAVAILABLE : GAMES_OK;
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
        [ACTION_CREATE] = judge_create, [ACTION_MOVE] = judge_move,     [ACTION_UNDO] = judge_undo,
        [ACTION_CLAIM] = judge_claim,   [ACTION_RESIGN] = judge_resign, [ACTION_ABORT] = judge_abort,
        [ACTION_UPDATE] = judge_update, [ACTION_DELETE] = judge_delete,
    };
    struct action *action = change->action;
    action->outcome = ACTION_DONE;
    action->verdict = (struct claim_verdict){0};
    return judges[action->kind](change, games);
}
