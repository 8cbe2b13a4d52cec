#include "tests/support/games_seated.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct seated *seated_create_with(struct club *club, struct deed *deed)
{
    deed->action.create.access = ACCESS_SEATS;
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    /* Kept in the memory of a deed, which the club frees. */
    struct deed *keeper = club_deed(club, ACTION_FLAG, deed->action.id);
    struct seated *seated = calloc(1, sizeof *seated);
    assert_non_null(seated);
    keeper->words = (char *)seated;
    seated->club = club;
    seated->id = keeper->action.id;
    for (unsigned i = 0; i < GAME_TOKENS; i++)
        memcpy(seated->tokens[ROLE_WHITE + i], deed->action.tokens[i], SECRET_TOKEN_SIZE);
    return seated;
}

struct seated *seated_create(struct club *club, const char *control, const char *moves)
{
    struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
    struct time_control parsed;
    size_t offset;
    if (control) {
        assert_int_equal(time_control_read(control, strlen(control), &parsed, &offset), TIME_OK);
        deed->action.create.control = &parsed;
    }
    if (moves)
        deed_set_moves(deed, moves);
    struct seated *seated = seated_create_with(club, deed);
    deed->action.create.control = NULL;
    return seated;
}

struct seated *seated_create_private(struct club *club)
{
    struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
    deed->action.create.visibility = VISIBILITY_PRIVATE;
    return seated_create_with(club, deed);
}

void deed_by_token(struct deed *deed, const char *token)
{
    deed->action.caller = (struct caller){.has_token = token != NULL};
    if (token)
        secret_digest(token, strlen(token), deed->action.caller.digest);
}

struct deed *seated_deed(struct seated *seated, enum action_kind kind, enum game_role role)
{
    struct deed *deed = club_deed(seated->club, kind, seated->id);
    deed_by_token(deed, seated->tokens[role][0] ? seated->tokens[role] : NULL);
    deed->action.caller.is_operator = role == ROLE_OPERATOR;
    return deed;
}

enum action_outcome seated_move(struct seated *seated, enum game_role role, const char *text)
{
    struct deed *deed = seated_deed(seated, ACTION_MOVE, role);
    deed_set_moves(deed, text);
    return club_do(seated->club, deed);
}

void seated_play(struct seated *seated, const char *moves)
{
    char *words = strdup(moves);
    assert_non_null(words);
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        enum game_seat turn = game_turn(club_view(seated->club, seated->id));
        assert_int_equal(seated_move(seated, turn == SEAT_WHITE ? ROLE_WHITE : ROLE_BLACK, word),
                         ACTION_DONE);
    }
    free(words);
}

enum action_outcome seated_take(struct seated *seated, enum game_role role, enum game_seat seat,
                                const char *name)
{
    struct deed *deed = seated_deed(seated, ACTION_TAKE_SEAT, role);
    deed->action.place = (struct action_place){.seat = seat, .sets_name = name != NULL, .name = name};
    return club_do(seated->club, deed);
}

enum action_outcome seated_leave(struct seated *seated, enum game_role role, enum game_seat seat)
{
    struct deed *deed = seated_deed(seated, ACTION_LEAVE_SEAT, role);
    deed->action.place.seat = seat;
    return club_do(seated->club, deed);
}

enum action_outcome seated_renew(struct seated *seated, enum game_role role, enum game_role renewed)
{
    struct deed *deed = seated_deed(seated, ACTION_RENEW_TOKEN, role);
    deed->action.renewed = renewed;
    return club_do(seated->club, deed);
}

const char *seated_made(const struct seated *seated, enum game_role role)
{
    return seated->club->last->action.tokens[role - ROLE_WHITE];
}

enum game_status seated_status(struct seated *seated)
{
    return (enum game_status)club_view(seated->club, seated->id)->head.status;
}

enum game_role seated_role_by(struct seated *seated, const char *token)
{
    struct caller caller = {.has_token = true};
    secret_digest(token, strlen(token), caller.digest);
    return game_role_of(club_view(seated->club, seated->id), &caller);
}

const char *seated_name(struct seated *seated, enum game_seat seat)
{
    const struct game_texts *texts = club_view(seated->club, seated->id)->texts;
    return !texts ? NULL : seat == SEAT_WHITE ? texts->white_name : texts->black_name;
}

bool seated_sits(struct seated *seated, enum game_seat seat)
{
    return game_seat_is_taken(club_view(seated->club, seated->id), seat);
}

void seated_take_both(struct seated *seated)
{
    assert_int_equal(seated_take(seated, ROLE_WHITE, SEAT_WHITE, NULL), ACTION_DONE);
    assert_int_equal(seated_take(seated, ROLE_BLACK, SEAT_BLACK, NULL), ACTION_DONE);
}
