#include "api/act_refuse.h"

#include <ctype.h>

#include "api/problem.h"
#include "api/reading_problem.h"
#include "api/view_game.h"

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
                                  "The position has occurred %u time%s of 3 (9.2), and of the 100 half-moves "
                                  "without a pawn move or a capture there are %u (9.3).",
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

static void rule_members(struct writer *json, const void *context)
{
    const struct refused *refused = context;
    json_string(json, "rule", refused->act->action.rule);
    view_game_brief(json, refused->game);
}

/* An option of the game or a limit by its name, or an article of the Laws by its number. */
static void refuse_by_rule(struct act *act, const struct refused *refused)
{
    const char *rule = act->action.rule;
    struct problem problem = {
        .code = PROBLEM_NOT_ALLOWED_BY_RULES, .members = rule_members, .context = refused};
    problem.detail =
        isdigit((unsigned char)rule[0])
            ? arena_printf(act->exchange->arena, "Article %s of the Laws excludes it here.", rule)
            : arena_printf(act->exchange->arena, "`%s` excludes it here.", rule);
    problem_send(act->exchange, &problem);
}

static void clock_members(struct writer *json, const void *context)
{
    const struct refused *refused = context;
    json_int(json, "remaining_ms", refused->act->action.remaining_ms);
    view_game_brief(json, refused->game);
}

static void refuse_running(struct act *act, const struct refused *refused)
{
    struct problem problem = {.code = PROBLEM_CLOCK_RUNNING, .members = clock_members, .context = refused};
    problem.detail = arena_printf(act->exchange->arena, "No flag has fallen: %lld ms are left.",
                                  (long long)act->action.remaining_ms);
    problem_send(act->exchange, &problem);
}

/* What the action would have answered, made or accepted. */
static const char *offered(const struct action *action)
{
    bool takeback = action->kind == ACTION_TAKEBACK || action->kind == ACTION_ACCEPT_TAKEBACK ||
                    action->kind == ACTION_DECLINE_TAKEBACK || action->kind == ACTION_WITHDRAW_TAKEBACK;
    return takeback ? "to take moves back" : "of a draw";
}

static void refuse_offer(struct act *act, const struct game *game)
{
    struct arena *arena = act->exchange->arena;
    enum action_outcome outcome = act->action.outcome;
    enum problem_code code = outcome == ACTION_OWN_OFFER      ? PROBLEM_OWN_OFFER
                             : outcome == ACTION_OFFER_EXISTS ? PROBLEM_OFFER_EXISTS
                                                              : PROBLEM_NO_OPEN_OFFER;
    const char *what = offered(&act->action);
    const char *detail =
        code == PROBLEM_OWN_OFFER
            ? arena_printf(arena, "The offer %s is this side's own; the other one answers it.", what)
        : code == PROBLEM_OFFER_EXISTS
            ? arena_printf(arena, "The opponent's offer %s stands: accept or decline it.", what)
            : arena_printf(arena, "No offer %s stands.", what);
    game_problem(act->exchange, code, detail, game);
}

/* The state of the game says all. */
static void refuse_state(struct act *act, const struct game *game)
{
    struct exchange *exchange = act->exchange;
    switch ((int)act->action.outcome) {
    case ACTION_VERSION_MISMATCH:
        game_problem(exchange, PROBLEM_VERSION_MISMATCH,
                     arena_printf(exchange->arena, "The game is at version %u.", game->head.version), game);
        break;
    case ACTION_NOT_STARTED:
        game_problem(exchange, PROBLEM_GAME_NOT_STARTED, "The game has not started.", game);
        break;
    case ACTION_NOTHING_TO_UNDO:
        game_problem(exchange, PROBLEM_NOTHING_TO_UNDO,
                     arena_printf(exchange->arena, "%u half-move%s been played in this game.", game->head.ply,
                                  game->head.ply == 1 ? " has" : "s have"),
                     game);
        break;
    case ACTION_ABORT_TOO_LATE:
        game_problem(exchange, PROBLEM_ABORT_TOO_LATE,
                     "Both sides have moved: the game can be resigned, not aborted.", game);
        break;
    case ACTION_NO_CLOCK:
        game_problem(exchange, PROBLEM_NO_CLOCK, "The game has no clock.", game);
        break;
    }
}

void act_refuse(struct act *act, const struct game *game)
{
    struct refused refused = {act, game, move_pointer(act)};
    if (act->several && !refused.pointer) {
        problem_out_of_memory(act->exchange);
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
    case ACTION_NOT_STARTED:
    case ACTION_NOTHING_TO_UNDO:
    case ACTION_ABORT_TOO_LATE:
    case ACTION_NO_CLOCK:
        refuse_state(act, game);
        break;
    case ACTION_TOO_MANY_PLIES:
        refuse_plies(act, &refused);
        break;
    case ACTION_NO_OPEN_OFFER:
    case ACTION_OWN_OFFER:
    case ACTION_OFFER_EXISTS:
        refuse_offer(act, game);
        break;
    case ACTION_FORBIDDEN_BY_RULES:
        refuse_by_rule(act, &refused);
        break;
    case ACTION_CLOCK_RUNNING:
        refuse_running(act, &refused);
        break;
    case ACTION_HIDDEN:
    case ACTION_TOKEN_REQUIRED:
    case ACTION_TOKEN_INVALID:
    case ACTION_WRONG_SEAT:
    case ACTION_SPECTATOR_ONLY:
    case ACTION_NOT_CREATOR:
    case ACTION_CONSENT_REQUIRED:
    case ACTION_NOT_YOUR_TURN:
    case ACTION_SEAT_TAKEN:
    case ACTION_NEEDS_SEATS:
        act_refuse_rights(act, game);
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
