#include "api/act.h"

#include <string.h>

#include "api/etag.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/view_game.h"
#include "api/view_move.h"
#include "rules/fen.h"

/* ---- reading ------------------------------------------------------------------------------------------- */

enum api_result games_fault(struct exchange *exchange, enum games_status status)
{
    switch (status) {
    case GAMES_COLD:
        return API_BLOCKS;
    case GAMES_NOT_FOUND:
        return problem_reply(exchange, PROBLEM_GAME_NOT_FOUND, "There is no game of that id.");
    case GAMES_UNAVAILABLE:
        return problem_reply(exchange, PROBLEM_STORAGE_UNAVAILABLE,
                             "The games cannot be read at the moment.");
    case GAMES_DAMAGED:
        return problem_reply(exchange, PROBLEM_INTERNAL,
                             "The stored moves of this game do not add up; the operator should run a check.");
    case GAMES_CHANGED:
        return problem_reply(exchange, PROBLEM_STORAGE_BUSY, "The game keeps changing.");
    case GAMES_OK:
    case GAMES_PENDING:
        break;
    }
    return API_DONE;
}

struct conditional {
    struct exchange *exchange;
    game_reader read;
};

/* A precondition counts only where the request would succeed without it (RFC 9110 13.2.1): what asks for a
 * ply that was not played is answered by `read`. */
static void read_if_changed(void *context, const struct game *game)
{
    const struct conditional *conditional = context;
    struct exchange *exchange = conditional->exchange;
    bool there = query_integer(exchange, QUERY_PLY, 0) <= game->head.ply;
    if (there && etag_is_current(exchange, game->head.version))
        game_not_modified(exchange, game);
    else
        conditional->read(exchange, game);
}

enum api_result game_get(struct exchange *exchange, game_reader read)
{
    struct conditional conditional = {exchange, read};
    return games_fault(exchange, games_view(exchange->api->games, exchange->path.id,
                                            exchange->request->may_block, read_if_changed, &conditional));
}

void game_headers(struct exchange *exchange, const struct game *game)
{
    etag_set(exchange, game->head.version);
    bool over = game->head.status == GAME_ENDED || game->head.status == GAME_ABORTED;
    if (over && (exchange->method == METHOD_GET || exchange->method == METHOD_HEAD))
        reply_cache(exchange, "max-age=300");
}

enum api_result game_not_modified(struct exchange *exchange, const struct game *game)
{
    reply_empty(exchange, 304);
    game_headers(exchange, game);
    return exchange->out.failed ? problem_out_of_memory(exchange) : API_DONE;
}

/* ---- refusals ------------------------------------------------------------------------------------------ */

static void brief_member(struct writer *json, const void *context)
{
    view_game_brief(json, context);
}

enum api_result game_problem(struct exchange *exchange, enum problem_code code, const char *detail,
                             const struct game *game)
{
    struct problem problem = {.code = code, .detail = detail, .members = brief_member, .context = game};
    return problem_send(exchange, &problem);
}

struct refused {
    struct act *act;
    const struct game *game; /* as it is; of a create: as it would have begun, which nobody is shown */
    const char *pointer;     /* of the move at fault */
};

static void game_and_index(struct writer *json, const void *context)
{
    const struct refused *refused = context;
    if (refused->act->several)
        json_int(json, "index", (int64_t)refused->act->action.index);
    if (refused->act->action.kind != ACTION_CREATE)
        view_game_brief(json, refused->game);
}

/* NULL: there is none, or memory is out. */
static const char *move_pointer(const struct act *act)
{
    if (!act->several)
        return act->pointer;
    return arena_printf(act->exchange->arena, "%s/%zu", act->pointer, act->action.index);
}

/* The n-th move of the request: it was read and played before the one that was refused. */
static move played_before(const struct action *action, size_t n, const struct position *position)
{
    const struct move_input *input =
        action->kind == ACTION_CREATE ? &action->create.moves[n] : &action->move.moves[n];
    struct reading reading;
    move_input_read(input, position, &reading);
    return reading.move;
}

/* The ply that took the castling right which the refused move would have needed, in the game or in the moves
 * of the request before it; 0 where there never was one. */
static unsigned right_lost_at(const struct action *action, const struct game *game)
{
    if (action->reading.refusal.reason != REFUSAL_CASTLING_RIGHT_LOST)
        return 0;
    enum color us = position_turn(&action->position);
    enum castling_side side = action->reading.refusal.move.side;
    struct position position = game_start(game);
    for (unsigned ply = 0; ply < game->head.ply + action->index; ply++) {
        struct position before = position;
        move m =
            ply < game->head.ply ? game->moves[ply] : played_before(action, ply - game->head.ply, &before);
        position_play(&before, m, &position);
        if (position_castling_rook(&before, us, side) != SQUARE_NONE &&
            position_castling_rook(&position, us, side) == SQUARE_NONE)
            return ply + 1;
    }
    return 0;
}

static void refuse_move(struct act *act, const struct refused *refused)
{
    struct reading_fault fault = {
        .position = &act->action.position,
        .reading = &act->action.reading,
        .text = act->texts ? act->texts[act->action.index] : NULL,
        .pointer = refused->pointer,
        .lost_at_ply = right_lost_at(&act->action, refused->game),
        .more = game_and_index,
        .context = refused,
    };
    reading_problem(act->exchange, &fault);
}

/* The half-move at which the request and the game part. */
static unsigned conflict_ply(const struct action *action)
{
    return action->ply + (unsigned)action->index;
}

static void stored_move(struct writer *json, const void *context)
{
    const struct refused *refused = context;
    const struct game *game = refused->game;
    unsigned ply = conflict_ply(&refused->act->action);
    json_int(json, "expected_ply", game->head.ply + 1);
    if (ply <= game->head.ply) {
        struct position position = game_position_at(game, ply - 1);
        char san[NOTATION_SAN_SIZE];
        char uci[NOTATION_UCI_SIZE];
        notation_format_san(&position, game->moves[ply - 1], san);
        notation_format_uci(&position, game->moves[ply - 1], uci);
        json_object_begin(json, "move");
        json_int(json, "ply", ply);
        json_string(json, "san", san);
        json_string(json, "uci", uci);
        json_object_end(json);
    }
    view_game_brief(json, game);
}

static void refuse_ply(struct act *act, const struct refused *refused)
{
    unsigned next = refused->game->head.ply + 1U;
    unsigned ply = conflict_ply(&act->action);
    struct problem problem = {.code = PROBLEM_PLY_CONFLICT, .members = stored_move, .context = refused};
    if (ply < next)
        problem.detail =
            arena_printf(act->exchange->arena, "Half-move %u has been played, and it was another move.", ply);
    else
        problem.detail =
            arena_printf(act->exchange->arena, "Half-move %u is next, not %u.", next, act->action.ply);
    problem_send(act->exchange, &problem);
}

static void claim_members(struct writer *json, const void *context)
{
    const struct refused *refused = context;
    const struct claim_verdict *verdict = &refused->act->action.verdict;
    json_string(json, "reason", game_claim_name(verdict->reason));
    json_int(json, "count", verdict->count);
    json_array_begin(json, "plies");
    for (unsigned i = 0; i < verdict->ply_count; i++)
        json_int(json, NULL, verdict->plies[i]);
    json_array_end(json);
    json_int(json, "needed", verdict->reason == CLAIM_FIFTY ? ENDING_FIFTY_PLIES : ENDING_THREEFOLD);
    json_int(json, "halfmove_clock", verdict->halfmove_clock);
    json_bool(json, "stands_as_offer", verdict->stands_as_offer);
    view_game_brief(json, refused->game);
}

static void refuse_claim(struct act *act, const struct refused *refused)
{
    const struct claim_verdict *verdict = &act->action.verdict;
    struct problem problem = {.code = PROBLEM_CLAIM_NOT_VALID, .members = claim_members, .context = refused};
    problem.detail = arena_printf(act->exchange->arena,
                                  "The position has occurred %u time%s of 3 (9.2), and %u half-moves of 100 "
                                  "went without a pawn move or a capture (9.3).",
                                  verdict->count, verdict->count == 1 ? "" : "s", verdict->halfmove_clock);
    problem_send(act->exchange, &problem);
}

/* An end that the request itself would bring has no name yet: nothing of it was played. */
static const char *over_detail(const struct act *act, const struct game *game)
{
    const struct game_end *end = &game->head.end;
    if (end->termination != TERMINATION_NONE)
        return arena_printf(act->exchange->arena, "The game is over: %s, %s.",
                            game_termination_name((enum game_termination)end->termination),
                            game_result_name((enum game_result)end->result));
    return act->action.index ? "The moves before this one end the game."
                             : "The position is the end of a game: there is no move in it.";
}

static void refuse_over(struct act *act, const struct refused *refused)
{
    struct problem problem = {.code = PROBLEM_GAME_OVER, .members = game_and_index, .context = refused};
    problem.pointer = act->several ? refused->pointer : NULL;
    problem.detail = over_detail(act, refused->game);
    problem_send(act->exchange, &problem);
}

static void limit_members(struct writer *json, const void *context)
{
    const struct refused *refused = context;
    json_int(json, "limit", games_plies_limit(refused->act->exchange->api->games));
    game_and_index(json, context);
}

static void refuse_plies(struct act *act, const struct refused *refused)
{
    struct problem problem = {.code = PROBLEM_TOO_EXPENSIVE, .members = limit_members, .context = refused};
    problem.pointer = act->several ? refused->pointer : NULL;
    problem.detail = arena_printf(act->exchange->arena, "A game has at most %u half-moves (limit `plies`).",
                                  games_plies_limit(act->exchange->api->games));
    problem_send(act->exchange, &problem);
}

static void refuse(struct act *act, const struct game *game)
{
    struct exchange *exchange = act->exchange;
    struct refused refused = {act, game, move_pointer(act)};
    if (act->several && !refused.pointer) {
        problem_out_of_memory(exchange);
        return;
    }
    switch (act->action.outcome) {
    case ACTION_MOVE_REFUSED:
        refuse_move(act, &refused);
        break;
    case ACTION_PLY_CONFLICT:
        refuse_ply(act, &refused);
        break;
    case ACTION_GAME_OVER:
        refuse_over(act, &refused);
        break;
    case ACTION_CLAIM_INVALID:
        refuse_claim(act, &refused);
        break;
    case ACTION_VERSION_MISMATCH:
        game_problem(exchange, PROBLEM_VERSION_MISMATCH,
                     arena_printf(exchange->arena, "The game is at version %u.", game->head.version), game);
        break;
    case ACTION_NOT_STARTED:
        game_problem(exchange, PROBLEM_GAME_NOT_STARTED, "The game has not started.", game);
        break;
    case ACTION_NOTHING_TO_UNDO:
        game_problem(
            exchange, PROBLEM_NOTHING_TO_UNDO,
            arena_printf(exchange->arena, "%u half-moves have been played in this game.", game->head.ply),
            game);
        break;
    case ACTION_ABORT_TOO_LATE:
        game_problem(exchange, PROBLEM_ABORT_TOO_LATE,
                     "Both sides have moved: the game can be resigned, not aborted.", game);
        break;
    case ACTION_TOO_MANY_PLIES:
        refuse_plies(act, &refused);
        break;
    case ACTION_DONE:
    case ACTION_REPLAYED:
    case ACTION_GONE:
    case ACTION_STORE_BUSY:
    case ACTION_STORE_FULL:
    case ACTION_STORE_FAILED:
    case ACTION_OUTCOME_COUNT:
        break;
    }
}

/* ---- acting -------------------------------------------------------------------------------------------- */

static void suspend(struct action *action)
{
    exchange_suspend(((struct act *)action->owner)->exchange);
}

static void render(struct action *action, const struct game *game)
{
    struct act *act = action->owner;
    if (action->outcome == ACTION_DONE || action->outcome == ACTION_REPLAYED)
        act->answer(act, game);
    else if (game)
        refuse(act, game);
}

static void fail(struct exchange *exchange, enum action_outcome outcome)
{
    switch (outcome) {
    case ACTION_GONE:
        games_fault(exchange, GAMES_NOT_FOUND);
        break;
    case ACTION_STORE_BUSY:
        problem_reply(exchange, PROBLEM_STORAGE_BUSY, "The store is busy; nothing was changed.");
        break;
    case ACTION_STORE_FULL:
        problem_reply(exchange, PROBLEM_STORAGE_UNAVAILABLE, "The disk is full; nothing was changed.");
        break;
    case ACTION_STORE_FAILED:
        problem_reply(exchange, PROBLEM_STORAGE_UNAVAILABLE,
                      "The store cannot be written; nothing was changed.");
        break;
    case ACTION_DONE:
    case ACTION_REPLAYED:
    case ACTION_VERSION_MISMATCH:
    case ACTION_PLY_CONFLICT:
    case ACTION_GAME_OVER:
    case ACTION_NOT_STARTED:
    case ACTION_MOVE_REFUSED:
    case ACTION_CLAIM_INVALID:
    case ACTION_NOTHING_TO_UNDO:
    case ACTION_ABORT_TOO_LATE:
    case ACTION_TOO_MANY_PLIES:
    case ACTION_OUTCOME_COUNT:
        break; /* rendered already */
    }
}

/* In the writer's thread as a rule: the answer is there, unless the log refused. */
static void done(struct action *action)
{
    struct exchange *exchange = ((struct act *)action->owner)->exchange;
    fail(exchange, action->outcome);
    action_finish(action);
    exchange_wake(exchange);
}

struct act *act_begin(struct exchange *exchange, enum action_kind kind)
{
    struct act *act = arena_zalloc(exchange->arena, sizeof *act);
    if (!act) {
        problem_out_of_memory(exchange);
        return NULL;
    }
    action_init(&act->action, kind);
    act->exchange = exchange;
    act->action.owner = act;
    act->action.suspend = suspend;
    act->action.render = render;
    act->action.done = done;
    act->action.may_block = exchange->request->may_block;
    memcpy(act->action.id, exchange->path.id, sizeof act->action.id);
    etag_condition(exchange, &act->action);
    return act;
}

enum api_result act_run(struct act *act)
{
    struct exchange *exchange = act->exchange;
    enum games_status status = games_act(exchange->api->games, &act->action);
    if (status == GAMES_PENDING)
        return API_PENDING; /* the exchange belongs to `done` now */
    action_finish(&act->action);
    return status == GAMES_OK ? API_DONE : games_fault(exchange, status);
}

void act_answer_end(struct act *act)
{
    struct writer *json = &act->exchange->out;
    json_time(json, "server_time", games_now_ms(act->exchange->api->games));
    json_object_end(json);
}

/* Up to one of the stops that does not stand in quotes. */
static size_t span_unquoted(const char *text, const char *stops)
{
    bool quoted = false;
    size_t length = 0;
    for (; text[length] && (quoted || !strchr(stops, text[length])); length++) {
        if (quoted && text[length] == '\\' && text[length + 1])
            length++;
        else if (text[length] == '"')
            quoted = !quoted;
    }
    return length;
}

/* name [= value], where the value may stand in quotes (RFC 7240 2). */
static bool read_preference(struct text_span preference, const char *name, struct text_span *value)
{
    const char *equals = memchr(preference.text, '=', preference.length);
    struct text_span word = {preference.text,
                             equals ? (size_t)(equals - preference.text) : preference.length};
    text_trim(&word.text, &word.length);
    if (!text_is_nocase(word, name))
        return false;
    *value = (struct text_span){preference.text + preference.length, 0};
    if (equals)
        *value = (struct text_span){equals + 1, (size_t)(value->text - equals - 1)};
    text_trim(&value->text, &value->length);
    if (value->length >= 2 && value->text[0] == '"' && value->text[value->length - 1] == '"')
        *value = (struct text_span){value->text + 1, value->length - 2};
    return true;
}

/* Of several the first counts. */
bool act_wants_minimal(const struct exchange *exchange)
{
    const char *list = exchange_header(exchange, "Prefer");
    while (list && *list) {
        struct text_span value;
        if (read_preference((struct text_span){list, span_unquoted(list, ",;")}, "return", &value))
            return text_is(value, "minimal");
        list += span_unquoted(list, ",");
        list += *list == ',';
    }
    return false;
}
