#include "api/act_refuse.h"

#include <ctype.h>

#include "api/credentials.h"
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

static const char *own_offer(const struct act *act, const struct game *game)
{
    (void)game;
    return arena_printf(act->exchange->arena, "The offer %s is this side's own; the other one answers it.",
                        offered(&act->action));
}

static const char *offer_exists(const struct act *act, const struct game *game)
{
    (void)game;
    return arena_printf(act->exchange->arena, "The opponent's offer %s stands: accept or decline it.",
                        offered(&act->action));
}

static const char *no_offer(const struct act *act, const struct game *game)
{
    (void)game;
    return arena_printf(act->exchange->arena, "No offer %s stands.", offered(&act->action));
}

static const char *version(const struct act *act, const struct game *game)
{
    return arena_printf(act->exchange->arena, "The game is at version %u.", game->head.version);
}

static const char *half_moves(const struct act *act, const struct game *game)
{
    const struct action_takeback *takeback = &act->action.takeback;
    if (act->action.kind == ACTION_TAKEBACK && !takeback->has_ply) {
        enum game_seat seat = takeback->seat ? takeback->seat : game_turn(game);
        return arena_printf(act->exchange->arena,
                            "%s has made no move in this game that could be taken back.",
                            seat == SEAT_WHITE ? "White" : "Black");
    }
    return arena_printf(act->exchange->arena, "%u half-move%s been played in this game.", game->head.ply,
                        game->head.ply == 1 ? " has" : "s have");
}

/* ---- who asks ---- */

static void refuse_hidden(struct act *act, const struct refused *refused)
{
    (void)refused;
    act_fault(act->exchange, ACTION_GONE);
}

static void refuse_private(struct act *act, const struct refused *refused)
{
    (void)refused;
    problem_field(act->exchange, "/visibility",
                  "private needs access \"seats\": nobody could show that he may read an open game.");
}

static const char *wrong_seat(const struct act *act, const struct game *game)
{
    (void)game;
    const struct action *action = &act->action;
    if (action->actor == SEAT_NONE)
        return "This is a player's to do: it needs the token of a seat.";
    if (action->kind == ACTION_MOVE)
        return "With seats one side plays one move at a time; several at once are for open games.";
    if (action->kind == ACTION_ADD_TIME)
        return "A player gives time to the opponent, not to himself.";
    return arena_printf(act->exchange->arena,
                        "The token is that of %s, and this is asked for the other side.",
                        game_seat_name(action->actor));
}

static const char *not_your_turn(const struct act *act, const struct game *game)
{
    return arena_printf(act->exchange->arena, "It is the turn of %s.", game_seat_name(game_turn(game)));
}

static const char *seat_taken(const struct act *act, const struct game *game)
{
    (void)game;
    enum game_seat seat = act->action.place.seat;
    return seat == SEAT_NONE
               ? "Both seats are taken."
               : arena_printf(act->exchange->arena, "Somebody plays %s already.", game_seat_name(seat));
}

/* ---- every outcome ---- */

/* How an outcome is told: by a code and one sentence, which `say` may make, or by `write`. */
struct telling {
    enum problem_code code;
    const char *detail;
    const char *(*say)(const struct act *act, const struct game *game);
    void (*write)(struct act *act, const struct refused *refused);
};

#define SAYS(problem, text)                                                                                  \
    {                                                                                                        \
        .code = PROBLEM_##problem, .detail = (text)                                                          \
    }
#define SAYS_BY(problem, words)                                                                              \
    {                                                                                                        \
        .code = PROBLEM_##problem, .say = (words)                                                            \
    }
#define WRITES(writer)                                                                                       \
    {                                                                                                        \
        .write = (writer)                                                                                    \
    }

/* A new outcome is a row here. */
static const struct telling tellings[ACTION_OUTCOME_COUNT] = {
    [ACTION_HIDDEN] = WRITES(refuse_hidden),
    [ACTION_TOKEN_REQUIRED] =
        SAYS(TOKEN_REQUIRED, "This game is played with tokens: send yours as Authorization: Bearer."),
    [ACTION_TOKEN_INVALID] = SAYS(TOKEN_INVALID, TOKEN_OF_NOBODY),
    [ACTION_WRONG_SEAT] = SAYS_BY(WRONG_SEAT, wrong_seat),
    [ACTION_SPECTATOR_ONLY] = SAYS(SPECTATOR_ONLY, "The token of a spectator reads, and does nothing."),
    [ACTION_NOT_CREATOR] = SAYS(NOT_CREATOR, "This needs the creator's token, or an operator's key."),
    [ACTION_CONSENT_REQUIRED] =
        SAYS(CONSENT_REQUIRED, "With seats no move is undone at will: ask for it by POST takeback."),
    [ACTION_NOT_YOUR_TURN] = SAYS_BY(NOT_YOUR_TURN, not_your_turn),
    [ACTION_SEAT_TAKEN] = SAYS_BY(SEAT_TAKEN, seat_taken),
    [ACTION_NEEDS_SEATS] = WRITES(refuse_private),
    [ACTION_VERSION_MISMATCH] = SAYS_BY(VERSION_MISMATCH, version),
    [ACTION_PLY_CONFLICT] = WRITES(refuse_ply),
    [ACTION_GAME_OVER] = WRITES(refuse_over),
    [ACTION_NOT_STARTED] = SAYS(GAME_NOT_STARTED, "The game has not started."),
    [ACTION_MOVE_REFUSED] = WRITES(refuse_move),
    [ACTION_CLAIM_INVALID] = WRITES(refuse_claim),
    [ACTION_NOTHING_TO_UNDO] = SAYS_BY(NOTHING_TO_UNDO, half_moves),
    [ACTION_ABORT_TOO_LATE] =
        SAYS(ABORT_TOO_LATE, "Both sides have moved: the game can be resigned, not aborted."),
    [ACTION_TOO_MANY_PLIES] = WRITES(refuse_plies),
    [ACTION_NO_OPEN_OFFER] = SAYS_BY(NO_OPEN_OFFER, no_offer),
    [ACTION_OWN_OFFER] = SAYS_BY(OWN_OFFER, own_offer),
    [ACTION_OFFER_EXISTS] = SAYS_BY(OFFER_EXISTS, offer_exists),
    [ACTION_FORBIDDEN_BY_RULES] = WRITES(refuse_by_rule),
    [ACTION_NO_CLOCK] = SAYS(NO_CLOCK, "The game has no clock."),
    [ACTION_CLOCK_RUNNING] = WRITES(refuse_running),
    [ACTION_GONE] = SAYS(GAME_NOT_FOUND, "There is no game of that id."),
    [ACTION_STORE_BUSY] = SAYS(STORAGE_BUSY, "The store is busy; nothing was changed."),
    [ACTION_STORE_FULL] = SAYS(STORAGE_UNAVAILABLE, "The disk is full; nothing was changed."),
    [ACTION_STORE_FAILED] = SAYS(STORAGE_UNAVAILABLE, "The store cannot be written; nothing was changed."),
};

void act_fault(struct exchange *exchange, enum action_outcome outcome)
{
    if (outcome == ACTION_NO_MEMORY)
        problem_out_of_memory(exchange);
    else
        problem_reply(exchange, tellings[outcome].code, tellings[outcome].detail);
}

void act_refuse(struct act *act, const struct game *game)
{
    const struct telling *telling = &tellings[act->action.outcome];
    struct refused refused = {act, game, move_pointer(act)};
    if (act->several && !refused.pointer)
        problem_out_of_memory(act->exchange);
    else if (telling->write)
        telling->write(act, &refused);
    else
        game_problem(act->exchange, telling->code, telling->say ? telling->say(act, game) : telling->detail,
                     game);
}
