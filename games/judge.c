#include "games/judge.h"

#include <stdlib.h>
#include <string.h>

#include "games/payload.h"
#include "rules/movegen.h"

/* Every action in every status. A new action or status is a row or a column here. */
static const enum action_outcome life[ACTION_KIND_COUNT][GAME_STATUS_COUNT] = {
    /*                 waiting              active       ended             aborted */
    [ACTION_CREATE] = {ACTION_DONE, ACTION_DONE, ACTION_DONE, ACTION_DONE},
    [ACTION_MOVE] = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_UNDO] = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_DONE, ACTION_GAME_OVER},
    [ACTION_CLAIM] = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_RESIGN] = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_ABORT] = {ACTION_DONE, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_UPDATE] = {ACTION_DONE, ACTION_DONE, ACTION_DONE, ACTION_DONE},
    [ACTION_DELETE] = {ACTION_DONE, ACTION_DONE, ACTION_DONE, ACTION_DONE},
};

/* A game is aborted, not resigned, only before both sides have moved. */
enum { ABORT_PLIES = 2 };

enum action_outcome lifecycle(enum action_kind kind, enum game_status status)
{
    return life[kind][status];
}

static char *end_payload(struct payload *payload, const struct game_end *end, const struct position *position)
{
    if (end->termination != TERMINATION_NONE) {
        payload_add(payload, "end", game_termination_name((enum game_termination)end->termination));
        payload_add(payload, "result", game_result_name((enum game_result)end->result));
        payload_add(payload, "by", game_seat_name((enum game_seat)end->by));
        payload_add(payload, "claim", game_claim_name((enum claim_reason)end->claim));
        if (end->claim_move != MOVE_NONE) {
            char uci[NOTATION_UCI_SIZE];
            notation_format_uci(position, end->claim_move, uci);
            payload_add(payload, "claim_move", uci);
        }
        if (end->also)
            payload_add_int(payload, "also", end->also);
        if (end->by_material)
            payload_add_int(payload, "material", 1);
    }
    return payload->text;
}

static char *move_payload(struct change *change, const char *comment, bool *ok)
{
    struct payload payload = {0};
    payload_add(&payload, "comment", comment);
    char *text = end_payload(&payload, &change->view.head.end, &change->view.head.position);
    *ok = !payload.failed;
    return text;
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

bool judge_read_input(struct action *action, const struct position *position, const struct move_input *input)
{
    struct reading *reading = &action->reading;
    action->position = *position;
    if (input->text)
        notation_read(position, input->text, input->length, input->form, input->style,
                      input->default_promotion, reading);
    else
        notation_resolve(position, &input->attempt, input->default_promotion, reading);
    return reading->status == READING_OK;
}

enum games_status judge_play_move(struct change *change, move m, const char *comment, int64_t now)
{
    struct game *view = &change->view;
    struct position before = view->head.position;
    struct change_row *text = &change->texts[change->row_count];
    notation_format_uci(&before, m, text->uci);
    notation_format_san(&before, m, text->san);
    advance(view, m, now, true);
    bool ok;
    char *payload = move_payload(change, comment, &ok);
    change_add_row(change, "move", game_seat_of(position_turn(&before)), now, payload);
    return ok && set_comment(change, comment) ? GAMES_OK : GAMES_UNAVAILABLE;
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

/* ---- replays and preconditions
 * ------------------------------------------------------------------------------- */

static bool take_record(void *context, const struct move_record *record)
{
    struct action *action = context;
    action->replayed_at_ms = record->at_ms;
    free(action->replayed_comment);
    action->replayed_comment = record->comment ? strdup(record->comment) : NULL;
    return true;
}

/* When the move of that ply was played and what was said: memory knows it of the last move, the log of all.
 */
static enum games_status recall_move(struct games *games, struct action *action, const struct game *game,
                                     uint32_t ply)
{
    if (ply == 0)
        return GAMES_OK;
    if (ply == game->head.ply) {
        struct move_record last = {.at_ms = game->head.move_at_ms, .comment = game->head.comment};
        take_record(action, &last);
        return GAMES_OK;
    }
    if (!action->may_block)
        return GAMES_COLD;
    return games_move_records(games, game, ply, 1, take_record, action);
}

/* A move for a ply that is played already: the same move is what was wanted (API 6.1). */
static enum games_status judge_played_ply(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct game *game = &change->live->game;
    struct position position = game_start(game);
    for (unsigned i = 0; i + 1 < action->ply; i++) {
        struct position before = position;
        position_play(&before, game->moves[i], &position);
    }
    action->first_ply = action->ply;
    bool legal = judge_read_input(action, &position, action->move.moves);
    action->outcome = action->reading.status == READING_SYNTAX ? ACTION_MOVE_REFUSED : ACTION_PLY_CONFLICT;
    if (!legal || action->move.count != 1 || action->reading.move != game->moves[action->ply - 1])
        return GAMES_OK;
    action->outcome = ACTION_REPLAYED;
    return recall_move(games, action, game, action->ply);
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

/* ---- one function an action
 * ---------------------------------------------------------------------------------- */

static enum games_status judge_create(struct change *change, struct games *games)
{
    struct action *action = change->action;
    int64_t now = games_now_ms(games);
    advance_decide_end(&change->view, SEAT_NONE, now);
    struct payload payload = {0};
    char *text = end_payload(&payload, &change->view.head.end, &change->view.head.position);
    change_add_row(change, "created", SEAT_NONE, now, text);
    if (payload.failed)
        return GAMES_UNAVAILABLE;
    return play_all(change, action->create.moves, action->create.move_count, now, games_plies_limit(games));
}

static enum games_status judge_move(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct game *game = &change->live->game;
    if (action->ply && action->ply <= game->head.ply)
        return judge_played_ply(change, games);
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
    return end->termination <= TERMINATION_FIFTY_MOVES && end->claim == CLAIM_NONE;
}

/* The history up to `ply`, in arrays of its own. */
static bool rewind_history(struct change *change, unsigned ply)
{
    struct game *view = &change->view;
    change->moves_new = malloc((ply + 1U) * sizeof *change->moves_new);
    change->keys_new = malloc((ply + 1U) * sizeof *change->keys_new);
    if (!change->moves_new || !change->keys_new)
        return false;
    const struct game *game = &change->live->game;
    struct game_head head = view->head;
    view->moves = change->moves_new;
    view->keys = change->keys_new;
    view->moves_capacity = view->keys_capacity = ply + 1U;
    view->head = (struct game_head){.version = head.version, .status = GAME_ACTIVE};
    view->head.position = game_start(game);
    view->head.keys_count = view->head.repetition = view->head.most_repeated = 1;
    view->keys[0] = view->head.position.key;
    for (unsigned i = 0; i < ply; i++)
        advance(view, game->moves[i], 0, false);
    view->head.offer_by = SEAT_NONE;
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
    enum games_status status = recall_move(games, action, game, ply);
    if (status != GAMES_OK)
        return status;
    if (!rewind_history(change, ply) || !set_comment(change, action->replayed_comment))
        return GAMES_UNAVAILABLE;
    change->view.head.move_at_ms = ply ? action->replayed_at_ms : 0;
    change_add_row(change, "undo", SEAT_NONE, games_now_ms(games), NULL)->rewinds = true;
    return GAMES_OK;
}

enum games_status judge_end_row(struct change *change, const char *kind, enum game_seat seat, int64_t now)
{
    struct payload payload = {0};
    char *text = end_payload(&payload, &change->view.head.end, &change->view.head.position);
    change_add_row(change, kind, seat, now, text);
    return payload.failed ? GAMES_UNAVAILABLE : GAMES_OK;
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
    return judge_end_row(change, "resign", seat, now);
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
    return judge_end_row(change, "abort", SEAT_NONE, now);
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
    if (!judge_version_fits(action, game))
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
    judge_version_fits(change->action, &change->live->game);
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
