#include "tests/games/possible.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

bool action_is_of_seats(enum action_kind kind)
{
    return kind == ACTION_TAKE_SEAT || kind == ACTION_LEAVE_SEAT || kind == ACTION_RENEW_TOKEN;
}

enum { TIME_MS = 300000, ABANDON_MS = 7200000 };

static void act(struct club *club, enum action_kind kind, const char *id, enum game_seat seat)
{
    assert_int_equal(club_seat(club, kind, id, seat), ACTION_DONE);
}

static void prepare(struct club *club, enum action_kind kind, const char *id)
{
    switch (kind) {
    case ACTION_ACCEPT_DRAW: /* 5.2.3: after a move of each side */
        club_play(club, id, "e5");
        act(club, ACTION_OFFER_DRAW, id, SEAT_BLACK);
        break;
    case ACTION_DECLINE_DRAW:
        act(club, ACTION_OFFER_DRAW, id, SEAT_WHITE);
        break;
    case ACTION_ACCEPT_TAKEBACK:
    case ACTION_DECLINE_TAKEBACK:
    case ACTION_WITHDRAW_TAKEBACK:
        act(club, ACTION_TAKEBACK, id, SEAT_WHITE);
        break;
    case ACTION_FLAG:
        club_advance(club, TIME_MS);
        break;
    case ACTION_ABANDON:
        club_advance(club, TIME_MS / 2);
        break;
    case ACTION_TAKEBACK:
        club_play(club, id, "e5 d4");
        break;
    case ACTION_CREATE:
    case ACTION_MOVE:
    case ACTION_UNDO:
    case ACTION_CLAIM:
    case ACTION_OFFER_DRAW:
    case ACTION_RESIGN:
    case ACTION_ABORT:
    case ACTION_ADJUDICATE:
    case ACTION_ADD_TIME:
    case ACTION_ILLEGAL_MOVE:
    case ACTION_UPDATE:
    case ACTION_DELETE:
    case ACTION_TAKE_SEAT:
    case ACTION_LEAVE_SEAT:
    case ACTION_RENEW_TOKEN:
    case ACTION_KIND_COUNT:
        break;
    }
}

/* Both seats are free, or White sits. */
static const char *game_with_seats(struct club *club, bool white_sits)
{
    struct seated *seated = seated_create(club, NULL, NULL);
    if (white_sits)
        assert_int_equal(seated_take(seated, ROLE_WHITE, SEAT_WHITE, NULL), ACTION_DONE);
    return seated->id;
}

const char *possible_game(struct club *club, enum action_kind kind)
{
    if (action_is_of_seats(kind))
        return game_with_seats(club, kind == ACTION_LEAVE_SEAT);
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.abandon_after_ms = kind == ACTION_ABANDON ? TIME_MS / 2 : ABANDON_MS;
    const char *id = club_create_timed(club, "300+3", NULL, &rules);
    assert_int_equal(club_comment(club, id, "e4", "opening"), ACTION_DONE);
    struct action_update update = {.sets_white = true, .texts = {.white_name = "old"}};
    assert_int_equal(club_update(club, id, &update), ACTION_DONE);
    prepare(club, kind, id);
    return id;
}

struct deed *possible_deed(struct club *club, enum action_kind kind, const char *id)
{
    struct deed *deed = club_deed(club, kind, id);
    if (kind == ACTION_MOVE) {
        deed_set_moves(deed, "e5 Nf3");
        deed->inputs[1].comment = "as usual";
    }
    if (kind == ACTION_UNDO)
        deed->action.undo_plies = 1;
    if (kind == ACTION_UPDATE)
        deed->action.update = (struct action_update){.sets_white = true,
                                                     .sets_visibility = true,
                                                     .texts = {.white_name = "new"},
                                                     .visibility = VISIBILITY_UNLISTED};
    if (action_is_of_seats(kind)) {
        deed->action.caller.is_operator = true;
        if (kind == ACTION_RENEW_TOKEN)
            deed->action.renewed = ROLE_CREATOR;
        else
            deed->action.place.seat = SEAT_WHITE;
    }
    if (kind == ACTION_CLAIM)
        deed_set_moves(deed, "e5");
    if (kind == ACTION_ADJUDICATE)
        deed->action.adjudicate =
            (struct action_adjudicate){.result = RESULT_BLACK_WINS, .comment = "by the arbiter"};
    if (kind == ACTION_ADD_TIME)
        deed->action.add_time = (struct action_add_time){.seat = SEAT_WHITE, .ms = 1000};
    return deed;
}
