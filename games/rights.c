#include "games/rights.h"

enum column { NOBODY, PLAYER, SPECTATOR, CREATOR, OPERATOR, COLUMN_COUNT };

#define MAY       ACTION_DONE
#define NO_TOKEN  ACTION_TOKEN_REQUIRED
#define NOT_SEAT  ACTION_WRONG_SEAT
#define READ_ONLY ACTION_SPECTATOR_ONLY
#define NOT_HIS   ACTION_NOT_CREATOR
#define CONSENT   ACTION_CONSENT_REQUIRED

/* Every action for every role. A new action or role is a row or a column here, as in the life cycle of games/judge.c. */
/* clang-format off */
static const enum action_outcome table[ACTION_KIND_COUNT][COLUMN_COUNT] = {
    /*                            nobody    a player  spectator  creator   operator */
    [ACTION_CREATE]            = {MAY,      MAY,      MAY,       MAY,      MAY},
    [ACTION_MOVE]              = {NO_TOKEN, MAY,      READ_ONLY, NOT_SEAT, NOT_SEAT},
    [ACTION_UNDO]              = {NO_TOKEN, CONSENT,  CONSENT,   CONSENT,  CONSENT},
    [ACTION_CLAIM]             = {NO_TOKEN, MAY,      READ_ONLY, NOT_SEAT, NOT_SEAT},
    [ACTION_OFFER_DRAW]        = {NO_TOKEN, MAY,      READ_ONLY, NOT_SEAT, NOT_SEAT},
    [ACTION_ACCEPT_DRAW]       = {NO_TOKEN, MAY,      READ_ONLY, NOT_SEAT, NOT_SEAT},
    [ACTION_DECLINE_DRAW]      = {NO_TOKEN, MAY,      READ_ONLY, NOT_SEAT, NOT_SEAT},
    [ACTION_RESIGN]            = {NO_TOKEN, MAY,      READ_ONLY, NOT_SEAT, NOT_SEAT},
    [ACTION_ABORT]             = {NO_TOKEN, MAY,      READ_ONLY, MAY,      MAY},
    [ACTION_ADJUDICATE]        = {NO_TOKEN, NOT_HIS,  NOT_HIS,   MAY,      MAY},
    [ACTION_TAKEBACK]          = {NO_TOKEN, MAY,      READ_ONLY, NOT_SEAT, NOT_SEAT},
    [ACTION_ACCEPT_TAKEBACK]   = {NO_TOKEN, MAY,      READ_ONLY, NOT_SEAT, NOT_SEAT},
    [ACTION_DECLINE_TAKEBACK]  = {NO_TOKEN, MAY,      READ_ONLY, NOT_SEAT, NOT_SEAT},
    [ACTION_WITHDRAW_TAKEBACK] = {NO_TOKEN, MAY,      READ_ONLY, NOT_SEAT, NOT_SEAT},
    [ACTION_FLAG]              = {MAY,      MAY,      MAY,       MAY,      MAY},
    [ACTION_ABANDON]           = {MAY,      MAY,      MAY,       MAY,      MAY},
    [ACTION_ADD_TIME]          = {NO_TOKEN, MAY,      READ_ONLY, MAY,      MAY},
    [ACTION_ILLEGAL_MOVE]      = {NO_TOKEN, NOT_HIS,  NOT_HIS,   MAY,      MAY},
    [ACTION_UPDATE]            = {NO_TOKEN, NOT_HIS,  NOT_HIS,   MAY,      MAY},
    [ACTION_DELETE]            = {NO_TOKEN, NOT_HIS,  NOT_HIS,   MAY,      MAY},
    [ACTION_TAKE_SEAT]         = {MAY,      MAY,      READ_ONLY, MAY,      MAY},
    [ACTION_LEAVE_SEAT]        = {NO_TOKEN, MAY,      READ_ONLY, MAY,      MAY},
    [ACTION_RENEW_TOKEN]       = {NO_TOKEN, NOT_HIS,  NOT_HIS,   MAY,      MAY},
};
/* clang-format on */

enum action_outcome rights(enum action_kind kind, enum game_role role)
{
    static const enum column columns[ROLE_COUNT] = {
        [ROLE_NONE] = NOBODY,         [ROLE_WHITE] = PLAYER,    [ROLE_BLACK] = PLAYER,
        [ROLE_SPECTATOR] = SPECTATOR, [ROLE_CREATOR] = CREATOR, [ROLE_OPERATOR] = OPERATOR,
    };
    return table[kind][columns[role]];
}

/* The action speaks for that seat: it may name it, or nobody. */
static enum action_outcome bind(enum game_seat *named, enum game_seat seat)
{
    if (*named != SEAT_NONE && *named != seat)
        return ACTION_WRONG_SEAT;
    *named = seat;
    return ACTION_DONE;
}

static enum action_outcome bind_player(struct action *action, enum game_seat seat)
{
    action->actor = seat;
    switch (action->kind) {
    case ACTION_OFFER_DRAW:
    case ACTION_ACCEPT_DRAW:
    case ACTION_DECLINE_DRAW:
    case ACTION_RESIGN:
    case ACTION_ACCEPT_TAKEBACK:
    case ACTION_DECLINE_TAKEBACK:
    case ACTION_WITHDRAW_TAKEBACK:
        return bind(&action->seat, seat);
    case ACTION_TAKEBACK:
        return bind(&action->takeback.seat, seat);
    case ACTION_TAKE_SEAT:
    case ACTION_LEAVE_SEAT:
        return bind(&action->place.seat, seat);
    case ACTION_MOVE: /* one side cannot play several moves in a row */
        return action->move.count > 1 ? ACTION_WRONG_SEAT : ACTION_DONE;
    case ACTION_ADD_TIME: /* nobody gives time to himself */
        return action->add_time.seat == seat ? ACTION_WRONG_SEAT : ACTION_DONE;
    case ACTION_CREATE:
    case ACTION_UNDO:
    case ACTION_CLAIM:
    case ACTION_ABORT:
    case ACTION_ADJUDICATE:
    case ACTION_FLAG:
    case ACTION_ABANDON:
    case ACTION_ILLEGAL_MOVE:
    case ACTION_UPDATE:
    case ACTION_DELETE:
    case ACTION_RENEW_TOKEN:
    case ACTION_KIND_COUNT:
        break;
    }
    return ACTION_DONE;
}

enum action_outcome rights_check(const struct game *game, struct action *action)
{
    const struct caller *caller = &action->caller;
    enum game_role role = game_role_of(game, caller);
    action->actor = SEAT_NONE;
    if (!game_may_read(game, caller))
        return ACTION_HIDDEN;
    if (!game->seats)
        return ACTION_DONE;
    enum action_outcome outcome = rights(action->kind, role);
    if (outcome == ACTION_TOKEN_REQUIRED && caller->has_token)
        return ACTION_TOKEN_INVALID;
    enum game_seat seat = game_role_seat(role);
    return outcome == ACTION_DONE && seat != SEAT_NONE ? bind_player(action, seat) : outcome;
}
