/* playMove, putMove, undoMoves: what changes the moves of a game. */
#include <stddef.h>

#include "api/act.h"
#include "api/fields.h"
#include "api/handlers.h"
#include "api/move_input.h"
#include "api/reply.h"
#include "api/view_game.h"
#include "api/view_move.h"
#include "api/view_position.h"

static void answer_minimal(struct writer *json, const struct game *game)
{
    json_int(json, "ply", game->head.ply);
    json_int(json, "version", game->head.version);
    json_string(json, "status", game_status_name((enum game_status)game->head.status));
}

/* The plies that this request played, or that it found played. */
static unsigned last_ply(const struct act *act, const struct game *game)
{
    const struct action *action = &act->action;
    return action->outcome == ACTION_REPLAYED ? action->first_ply + (unsigned)action->move.count - 1
                                              : game->head.ply;
}

static struct move_view move_view_of(const struct act *act, const struct game *game,
                                     const struct replay *replay)
{
    const struct action *action = &act->action;
    const struct move_input *input = &action->move.moves[replay->ply - action->first_ply];
    struct move_view view = {
        .before = &replay->before,
        .after = &replay->after,
        .move = replay->move,
        .ply = replay->ply,
        .repetition = replay->repetition,
        .played_at_ms = game->head.move_at_ms,
        .comment = input->comment,
    };
    action_move_times(action, replay->ply - action->first_ply, &view.clock_ms, &view.spent_ms);
    if (action->outcome == ACTION_REPLAYED) {
        const struct replayed_move *played = &action->replayed[replay->ply - action->first_ply];
        view.played_at_ms = played->at_ms;
        view.clock_ms = played->clock_ms;
        view.spent_ms = played->spent_ms;
        view.comment = played->comment;
    }
    return view;
}

/* The member `move`, or the elements of `moves`. */
static void view_each(struct writer *json, const struct act *act, const struct game *game)
{
    uint64_t *keys = arena_alloc(json->arena, (game->head.ply + 1U) * sizeof *keys);
    if (!keys) {
        json->failed = true;
        return;
    }
    struct replay replay;
    unsigned last = last_ply(act, game);
    replay_begin(&replay, game, keys);
    while (replay_next(&replay) && replay.ply <= last) {
        if (replay.ply < act->action.first_ply)
            continue;
        struct move_view view = move_view_of(act, game, &replay);
        view_move(json, act->several ? NULL : "move", &view);
    }
}

static void view_moves(struct writer *json, const struct act *act, const struct game *game)
{
    if (act->several)
        json_array_begin(json, "moves");
    view_each(json, act, game);
    if (act->several)
        json_array_end(json);
}

static void answer_text(struct act *act, const struct game *game)
{
    struct writer *text = &act->exchange->out;
    struct position position = game_position_at(game, act->action.first_ply - 1);
    for (unsigned ply = act->action.first_ply; ply <= last_ply(act, game); ply++) {
        struct position before = position;
        move m = game->moves[ply - 1];
        char san[NOTATION_SAN_SIZE];
        notation_format_san(&before, m, san);
        writer_printf(text, "%s\n", san);
        position_play(&before, m, &position);
    }
    if (game->head.status != GAME_ACTIVE)
        view_result_line(text, game);
}

static void answer_json(struct act *act, const struct game *game)
{
    struct writer *json = &act->exchange->out;
    json_object_begin(json, NULL);
    if (act_wants_minimal(act->exchange)) {
        reply_header(act->exchange, "Preference-Applied", "return=minimal");
        answer_minimal(json, game);
        act_answer_end(act);
        return;
    }
    if (act->several || act->action.outcome == ACTION_REPLAYED) {
        view_moves(json, act, game);
        view_game(json, "game", act->exchange, game);
    } else {
        view_game_and_move(json, act->exchange, game);
    }
    act_answer_end(act);
}

static void locate(struct exchange *exchange, const struct game *game, unsigned ply)
{
    char *path = arena_alloc(exchange->arena, GAME_PATH_LENGTH + sizeof "/moves/" + PUT_INT_MAX);
    if (!path) {
        exchange->out.failed = true;
        return;
    }
    *put_uint(put_literal(put_game_path(path, game), "/moves/"), ply) = '\0';
    reply_header(exchange, "Location", path);
}

static void answer_moves(struct act *act, const struct game *game)
{
    struct exchange *exchange = act->exchange;
    const struct action *action = &act->action;
    bool replayed = action->outcome == ACTION_REPLAYED;
    reply_begin(exchange, replayed || action->validate_only ? 200 : 201);
    if (!action->validate_only) {
        locate(exchange, game, last_ply(act, game));
        game_headers(exchange, game);
    }
    if (replayed)
        reply_header(exchange, "Idempotent-Replayed", "true");
    if (exchange->format == FORMAT_TEXT)
        answer_text(act, game);
    else
        answer_json(act, game);
    reply_end(exchange);
}

static enum api_result play(struct exchange *exchange, uint32_t ply, bool several_allowed)
{
    struct move_request request;
    if (!move_request_read(exchange, several_allowed, &request))
        return API_DONE;
    if (ply && request.ply && ply != request.ply)
        return problem_field(exchange, "/ply", "The path says half-move %u.", ply);
    struct act *act = act_begin(exchange, ACTION_MOVE);
    if (!act)
        return API_DONE;
    act->action.move = (struct action_moves){request.moves, request.count};
    act->action.ply = ply ? ply : request.ply;
    act->action.validate_only = query_bool(exchange, QUERY_VALIDATE_ONLY, false);
    act->texts = request.texts;
    act->pointer = request.pointer;
    act->several = request.several;
    act->answer = answer_moves;
    return act_run(act);
}

enum api_result play_move(struct exchange *exchange)
{
    return play(exchange, 0, true);
}

enum api_result put_move(struct exchange *exchange)
{
    if (exchange->path.ply == 0)
        return problem_reply(exchange, PROBLEM_PLY_NOT_FOUND, "The first half-move is 1.");
    return play(exchange, exchange->path.ply, false);
}

static void write_fen(struct writer *text, const struct game *game)
{
    view_fen_line(text, &game->head.position, FEN_EN_PASSANT_LEGAL);
}

enum api_result undo_moves(struct exchange *exchange)
{
    struct undo_fields {
        struct field_integer plies;
    } fields = {0};
    static const struct field table[] = {
        {.name = "plies",
         .type = FIELD_INTEGER,
         .at = offsetof(struct undo_fields, plies),
         .min = 1,
         .max = GAME_PLIES_LIMIT},
    };
    if (!fields_read_or_text(exchange, table, FIELDS_COUNT(table), &fields))
        return API_DONE;
    struct act *act = act_begin(exchange, ACTION_UNDO);
    if (!act)
        return API_DONE;
    act->action.undo_plies = fields.plies.given ? (uint32_t)fields.plies.value : 1;
    act->line = write_fen;
    return act_run(act);
}
