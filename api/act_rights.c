/* Why somebody may not do what he asks for. */
#include "api/act_refuse.h"
#include "api/problem.h"

static const char *wrong_seat(const struct act *act)
{
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

static const char *seat_taken(const struct act *act)
{
    enum game_seat seat = act->action.place.seat;
    return seat == SEAT_NONE
               ? "Both seats are taken."
               : arena_printf(act->exchange->arena, "Somebody plays %s already.", game_seat_name(seat));
}

void act_refuse_rights(struct act *act, const struct game *game)
{
    struct exchange *exchange = act->exchange;
    switch ((int)act->action.outcome) {
    case ACTION_HIDDEN:
        games_fault(exchange, GAMES_NOT_FOUND);
        break;
    case ACTION_TOKEN_REQUIRED:
        game_problem(exchange, PROBLEM_TOKEN_REQUIRED,
                     "This game is played with tokens: send yours as Authorization: Bearer.", game);
        break;
    case ACTION_TOKEN_INVALID:
        game_problem(exchange, PROBLEM_TOKEN_INVALID,
                     "This token belongs to nobody in the game; a newer one may have replaced it.", game);
        break;
    case ACTION_WRONG_SEAT:
        game_problem(exchange, PROBLEM_WRONG_SEAT, wrong_seat(act), game);
        break;
    case ACTION_SPECTATOR_ONLY:
        game_problem(exchange, PROBLEM_SPECTATOR_ONLY, "The token of a spectator reads, and does nothing.",
                     game);
        break;
    case ACTION_NOT_CREATOR:
        game_problem(exchange, PROBLEM_NOT_CREATOR, "This needs the creator's token, or an operator's key.",
                     game);
        break;
    case ACTION_CONSENT_REQUIRED:
        game_problem(exchange, PROBLEM_CONSENT_REQUIRED,
                     "With seats no move is undone at will: ask for it by POST takeback.", game);
        break;
    case ACTION_NOT_YOUR_TURN:
        game_problem(exchange, PROBLEM_NOT_YOUR_TURN, not_your_turn(act, game), game);
        break;
    case ACTION_SEAT_TAKEN:
        game_problem(exchange, PROBLEM_SEAT_TAKEN, seat_taken(act), game);
        break;
    case ACTION_NEEDS_SEATS:
        problem_field(exchange, "/visibility",
                      "private needs access \"seats\": nobody could show that he may read an open game.");
        break;
    }
}
