/* Seats: taken, left, played from; tokens that live and die. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/games_seated.h"

static void a_game_with_seats_waits_and_all_its_tokens_work_at_once(void **state)
{
    struct seated *seated = seated_create(*state, NULL, NULL);
    assert_int_equal(seated_status(seated), GAME_WAITING);
    assert_int_equal(club_view(*state, seated->id)->access, ACCESS_SEATS);
    for (enum game_role role = ROLE_WHITE; role <= ROLE_CREATOR; role++) {
        assert_true(secret_token_is_formed(seated->tokens[role], strlen(seated->tokens[role])));
        assert_int_equal(seated->tokens[role][1], "?wbsc"[role]);
        assert_int_equal(seated_role_by(seated, seated->tokens[role]), role);
    }
}

static void roles_have_words_and_players_have_seats(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        enum game_role role;
        enum game_seat seat;
    } rows[] = {{"white", ROLE_WHITE, SEAT_WHITE},
                {"black", ROLE_BLACK, SEAT_BLACK},
                {"spectator", ROLE_SPECTATOR, SEAT_NONE},
                {"creator", ROLE_CREATOR, SEAT_NONE}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        enum game_role role = ROLE_NONE;
        assert_true(game_role_parse(rows[i].word, &role));
        assert_int_equal(role, rows[i].role);
        assert_int_equal(game_role_seat(role), rows[i].seat);
        if (rows[i].seat != SEAT_NONE)
            assert_int_equal(game_seat_role(rows[i].seat), role);
    }
    static const char *const NONE[] = {"", "White", "operator", "white "};
    for (size_t i = 0; i < sizeof NONE / sizeof NONE[0]; i++) {
        enum game_role role = ROLE_NONE;
        assert_false(game_role_parse(NONE[i], &role));
        assert_int_equal(role, ROLE_NONE);
    }
}

static void an_open_game_has_no_tokens_and_looks_at_none(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club->last->action.tokens[0][0], '\0');
    assert_null(club_view(club, id)->seats);
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, "e4");
    deed_by_token(deed, "cw_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    assert_int_equal(club_do(club, deed), ACTION_DONE);
}

static void an_open_game_has_no_seats(void **state)
{
    struct club *club = *state;
    static const enum action_kind kinds[] = {ACTION_TAKE_SEAT, ACTION_LEAVE_SEAT, ACTION_RENEW_TOKEN};
    const char *id = club_create(club);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct deed *deed = club_deed(club, kinds[i], id);
        assert_int_equal(club_do(club, deed), ACTION_FORBIDDEN_BY_RULES);
        assert_string_equal(deed->action.rule, "access");
    }
}

static void a_taken_seat_gets_a_token_of_its_own_and_the_old_one_dies(void **state)
{
    struct seated *seated = seated_create(*state, NULL, NULL);
    assert_int_equal(seated_take(seated, ROLE_NONE, SEAT_WHITE, "Anna"), ACTION_DONE);
    const char *token = seated_made(seated, ROLE_WHITE);
    assert_int_equal(token[1], SECRET_WHITE);
    assert_int_equal(seated_role_by(seated, token), ROLE_WHITE);
    assert_int_equal(seated_role_by(seated, seated->tokens[ROLE_WHITE]), ROLE_NONE);
    assert_string_equal(seated_name(seated, SEAT_WHITE), "Anna");
    assert_true(seated_sits(seated, SEAT_WHITE));
    assert_false(seated_sits(seated, SEAT_BLACK));
    assert_int_equal(seated_status(seated), GAME_WAITING);
}

static void ones_own_token_takes_its_seat_and_stays(void **state)
{
    struct seated *seated = seated_create(*state, NULL, NULL);
    assert_int_equal(seated_take(seated, ROLE_BLACK, SEAT_NONE, "Boris"), ACTION_DONE);
    assert_string_equal(seated_made(seated, ROLE_BLACK), "");
    assert_int_equal(seated->club->last->action.actor, SEAT_BLACK);
    assert_int_equal(seated_role_by(seated, seated->tokens[ROLE_BLACK]), ROLE_BLACK);
    assert_string_equal(seated_name(seated, SEAT_BLACK), "Boris");
}

static void taking_ones_seat_again_is_a_replay_but_for_a_new_name(void **state)
{
    struct seated *seated = seated_create(*state, NULL, NULL);
    assert_int_equal(seated_take(seated, ROLE_WHITE, SEAT_WHITE, "Anna"), ACTION_DONE);
    assert_int_equal(seated_take(seated, ROLE_WHITE, SEAT_WHITE, "Anna"), ACTION_REPLAYED);
    assert_int_equal(seated_take(seated, ROLE_WHITE, SEAT_WHITE, NULL), ACTION_REPLAYED);
    assert_int_equal(seated_take(seated, ROLE_WHITE, SEAT_WHITE, "Anne"), ACTION_DONE);
    assert_string_equal(seated_name(seated, SEAT_WHITE), "Anne");
}

static void a_seat_that_somebody_has_is_taken(void **state)
{
    struct seated *seated = seated_create(*state, NULL, NULL);
    assert_int_equal(seated_take(seated, ROLE_NONE, SEAT_WHITE, NULL), ACTION_DONE);
    assert_int_equal(seated_take(seated, ROLE_NONE, SEAT_WHITE, NULL), ACTION_SEAT_TAKEN);
    assert_int_equal(seated_take(seated, ROLE_CREATOR, SEAT_WHITE, NULL), ACTION_SEAT_TAKEN);
    assert_int_equal(seated_take(seated, ROLE_NONE, SEAT_BLACK, NULL), ACTION_DONE);
    assert_int_equal(seated_take(seated, ROLE_NONE, SEAT_NONE, NULL), ACTION_SEAT_TAKEN);
}

static void a_dead_token_takes_no_seat(void **state)
{
    struct seated *seated = seated_create(*state, NULL, NULL);
    assert_int_equal(seated_renew(seated, ROLE_CREATOR, ROLE_WHITE), ACTION_DONE);
    assert_int_equal(seated_take(seated, ROLE_WHITE, SEAT_WHITE, NULL), ACTION_TOKEN_INVALID);
    assert_false(seated_sits(seated, SEAT_WHITE));
}

static void the_creator_may_take_a_seat_for_himself(void **state)
{
    struct seated *seated = seated_create(*state, NULL, NULL);
    assert_int_equal(seated_take(seated, ROLE_CREATOR, SEAT_BLACK, NULL), ACTION_DONE);
    assert_int_equal(seated_role_by(seated, seated_made(seated, ROLE_BLACK)), ROLE_BLACK);
    assert_int_equal(seated_role_by(seated, seated->tokens[ROLE_CREATOR]), ROLE_CREATOR);
}

/* 40 games: that all lots fall alike has a chance of 1 in 2^39. */
static void a_seat_by_lot_is_either_and_then_the_one_that_is_left(void **state)
{
    unsigned whites = 0;
    for (unsigned i = 0; i < 40; i++) {
        struct seated *seated = seated_create(*state, NULL, NULL);
        assert_int_equal(seated_take(seated, ROLE_NONE, SEAT_NONE, NULL), ACTION_DONE);
        enum game_seat first = seated->club->last->action.actor;
        whites += first == SEAT_WHITE;
        assert_int_equal(seated_take(seated, ROLE_NONE, SEAT_NONE, NULL), ACTION_DONE);
        assert_int_equal(seated->club->last->action.actor, game_other_seat(first));
        assert_int_equal(seated_status(seated), GAME_ACTIVE);
    }
    assert_in_range(whites, 1, 39);
}

static void the_game_begins_when_both_sit(void **state)
{
    struct seated *seated = seated_create(*state, NULL, NULL);
    assert_int_equal(seated_take(seated, ROLE_NONE, SEAT_BLACK, NULL), ACTION_DONE);
    assert_int_equal(seated_status(seated), GAME_WAITING);
    assert_int_equal(seated_take(seated, ROLE_WHITE, SEAT_WHITE, NULL), ACTION_DONE);
    assert_int_equal(seated_status(seated), GAME_ACTIVE);
}

static void the_first_move_takes_its_seat_and_begins_the_game(void **state)
{
    struct seated *seated = seated_create(*state, NULL, NULL);
    assert_int_equal(seated_move(seated, ROLE_BLACK, "e5"), ACTION_NOT_YOUR_TURN);
    assert_int_equal(seated_move(seated, ROLE_WHITE, "e4"), ACTION_DONE);
    assert_int_equal(seated_status(seated), GAME_ACTIVE);
    assert_true(seated_sits(seated, SEAT_WHITE));
    assert_false(seated_sits(seated, SEAT_BLACK));
    assert_int_equal(seated_take(seated, ROLE_NONE, SEAT_WHITE, NULL), ACTION_SEAT_TAKEN);
    assert_int_equal(seated_move(seated, ROLE_BLACK, "e5"), ACTION_DONE);
    assert_true(seated_sits(seated, SEAT_BLACK));
}

static void a_game_created_with_moves_goes_on_and_nobody_sits_yet(void **state)
{
    struct seated *seated = seated_create(*state, NULL, "e4 e5");
    assert_int_equal(seated_status(seated), GAME_ACTIVE);
    assert_false(seated_sits(seated, SEAT_WHITE));
    assert_false(seated_sits(seated, SEAT_BLACK));
    assert_int_equal(seated_take(seated, ROLE_NONE, SEAT_BLACK, NULL), ACTION_DONE);
    assert_int_equal(seated_move(seated, ROLE_WHITE, "Nf3"), ACTION_DONE);
    assert_true(seated_sits(seated, SEAT_WHITE));
}

static void what_needs_two_players_waits_for_them(void **state)
{
    static const enum action_kind kinds[] = {ACTION_OFFER_DRAW, ACTION_ACCEPT_DRAW, ACTION_RESIGN,
                                             ACTION_CLAIM, ACTION_TAKEBACK};
    struct seated *seated = seated_create(*state, "300+3", NULL);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        assert_int_equal(club_do(*state, seated_deed(seated, kinds[i], ROLE_WHITE)), ACTION_NOT_STARTED);
    assert_int_equal(club_flag(*state, seated->id), ACTION_NOT_STARTED);
}

static void only_one_move_at_a_time_and_only_ones_own(void **state)
{
    struct seated *seated = seated_create(*state, NULL, NULL);
    assert_int_equal(seated_move(seated, ROLE_WHITE, "e4 e5"), ACTION_WRONG_SEAT);
    assert_int_equal(seated_move(seated, ROLE_WHITE, "e4"), ACTION_DONE);
    assert_int_equal(seated_move(seated, ROLE_WHITE, "d4"), ACTION_NOT_YOUR_TURN);
    assert_int_equal(seated_move(seated, ROLE_NONE, "e5"), ACTION_TOKEN_REQUIRED);
}

static void a_move_that_was_played_is_a_replay_whoever_sends_it(void **state)
{
    struct seated *seated = seated_create(*state, NULL, NULL);
    seated_play(seated, "e4 e5");
    struct deed *deed = seated_deed(seated, ACTION_MOVE, ROLE_WHITE);
    deed_set_moves(deed, "e4");
    deed->action.ply = 1;
    assert_int_equal(club_do(*state, deed), ACTION_REPLAYED);
    deed = seated_deed(seated, ACTION_MOVE, ROLE_NONE);
    deed_set_moves(deed, "e4");
    deed->action.ply = 1;
    assert_int_equal(club_do(*state, deed), ACTION_TOKEN_REQUIRED);
}

static void the_side_that_an_action_names_must_be_the_tokens(void **state)
{
    static const enum action_kind kinds[] = {
        ACTION_OFFER_DRAW,      ACTION_ACCEPT_DRAW,      ACTION_DECLINE_DRAW,     ACTION_RESIGN,
        ACTION_ACCEPT_TAKEBACK, ACTION_DECLINE_TAKEBACK, ACTION_WITHDRAW_TAKEBACK};
    struct seated *seated = seated_create(*state, NULL, NULL);
    seated_play(seated, "e4 e5");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct deed *deed = seated_deed(seated, kinds[i], ROLE_BLACK);
        deed->action.seat = SEAT_WHITE;
        assert_int_equal(club_do(*state, deed), ACTION_WRONG_SEAT);
    }
    struct deed *deed = seated_deed(seated, ACTION_TAKEBACK, ROLE_BLACK);
    deed->action.takeback = (struct action_takeback){.seat = SEAT_WHITE};
    assert_int_equal(club_do(*state, deed), ACTION_WRONG_SEAT);
    assert_int_equal(seated_take(seated, ROLE_BLACK, SEAT_WHITE, NULL), ACTION_WRONG_SEAT);
}

static void the_side_that_no_action_names_is_the_tokens(void **state)
{
    struct club *club = *state;
    struct seated *seated = seated_create(club, NULL, NULL);
    seated_play(seated, "e4 e5");
    assert_int_equal(club_do(club, seated_deed(seated, ACTION_OFFER_DRAW, ROLE_BLACK)), ACTION_DONE);
    assert_int_equal(club_view(club, seated->id)->head.offer_by, SEAT_BLACK);
    assert_int_equal(club_do(club, seated_deed(seated, ACTION_ACCEPT_DRAW, ROLE_BLACK)), ACTION_OWN_OFFER);
    assert_int_equal(club_do(club, seated_deed(seated, ACTION_TAKEBACK, ROLE_BLACK)), ACTION_DONE);
    assert_int_equal(club_view(club, seated->id)->head.takeback_by, SEAT_BLACK);
    assert_int_equal(club_do(club, seated_deed(seated, ACTION_RESIGN, ROLE_BLACK)), ACTION_DONE);
    assert_int_equal(club_view(club, seated->id)->head.end.by, SEAT_BLACK);
}

static void a_player_gives_time_to_the_opponent_only(void **state)
{
    struct seated *seated = seated_create(*state, "300+3", NULL);
    static const struct {
        enum game_role role;
        enum game_seat seat;
        enum action_outcome outcome;
    } rows[] = {
        {ROLE_WHITE, SEAT_BLACK, ACTION_DONE},
        {ROLE_WHITE, SEAT_WHITE, ACTION_WRONG_SEAT},
        {ROLE_BLACK, SEAT_WHITE, ACTION_DONE},
        {ROLE_BLACK, SEAT_BLACK, ACTION_WRONG_SEAT},
        {ROLE_CREATOR, SEAT_WHITE, ACTION_DONE},
        {ROLE_OPERATOR, SEAT_BLACK, ACTION_DONE},
        {ROLE_SPECTATOR, SEAT_BLACK, ACTION_SPECTATOR_ONLY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct deed *deed = seated_deed(seated, ACTION_ADD_TIME, rows[i].role);
        deed->action.add_time = (struct action_add_time){.seat = rows[i].seat, .ms = 1000};
        assert_int_equal(club_do(*state, deed), rows[i].outcome);
    }
}

static void a_seat_that_is_left_is_free_nameless_and_its_token_dead(void **state)
{
    struct seated *seated = seated_create(*state, NULL, NULL);
    assert_int_equal(seated_take(seated, ROLE_WHITE, SEAT_WHITE, "Anna"), ACTION_DONE);
    assert_int_equal(seated_take(seated, ROLE_BLACK, SEAT_BLACK, "Boris"), ACTION_DONE);
    assert_int_equal(seated_leave(seated, ROLE_BLACK, SEAT_WHITE), ACTION_WRONG_SEAT);
    assert_int_equal(seated_leave(seated, ROLE_WHITE, SEAT_WHITE), ACTION_DONE);
    assert_string_equal(seated_made(seated, ROLE_WHITE), "");
    assert_int_equal(seated_status(seated), GAME_WAITING);
    assert_false(seated_sits(seated, SEAT_WHITE));
    assert_null(seated_name(seated, SEAT_WHITE));
    assert_string_equal(seated_name(seated, SEAT_BLACK), "Boris");
    assert_int_equal(seated_role_by(seated, seated->tokens[ROLE_WHITE]), ROLE_NONE);
    assert_int_equal(seated_take(seated, ROLE_NONE, SEAT_WHITE, NULL), ACTION_DONE);
    assert_int_equal(seated_status(seated), GAME_ACTIVE);
}

static void the_creator_frees_a_seat_and_a_free_one_is_free_already(void **state)
{
    struct seated *seated = seated_create(*state, NULL, NULL);
    seated_take_both(seated);
    assert_int_equal(seated_leave(seated, ROLE_CREATOR, SEAT_BLACK), ACTION_DONE);
    assert_int_equal(seated_leave(seated, ROLE_CREATOR, SEAT_BLACK), ACTION_REPLAYED);
}

static void after_the_first_move_nobody_leaves(void **state)
{
    struct seated *seated = seated_create(*state, NULL, NULL);
    seated_play(seated, "e4");
    assert_int_equal(seated_leave(seated, ROLE_WHITE, SEAT_WHITE), ACTION_FORBIDDEN_BY_RULES);
    assert_string_equal(seated->club->last->action.rule, "seats");
}

static void nobody_leaves_his_running_clock_6_6(void **state)
{
    struct deed *deed = club_deed(*state, ACTION_CREATE, NULL);
    const struct time_control control = {
        .mode = TIME_INCREMENT, .stage_count = 1, .immediate = true, .stages = {{.time_ms = 300000}}};
    deed->action.create.control = &control;
    struct seated *seated = seated_create_with(*state, deed);
    assert_int_equal(seated_take(seated, ROLE_WHITE, SEAT_WHITE, NULL), ACTION_DONE);
    assert_int_equal(seated_leave(seated, ROLE_WHITE, SEAT_WHITE), ACTION_DONE); /* nobody's runs */
    memcpy(seated->tokens[ROLE_WHITE], "", 1);
    assert_int_equal(seated_take(seated, ROLE_NONE, SEAT_WHITE, NULL), ACTION_DONE);
    memcpy(seated->tokens[ROLE_WHITE], seated_made(seated, ROLE_WHITE), SECRET_TOKEN_SIZE);
    assert_int_equal(seated_take(seated, ROLE_BLACK, SEAT_BLACK, NULL), ACTION_DONE);
    int64_t deadline_ms = game_deadline(club_view(*state, seated->id));
    club_advance(*state, 200000);
    assert_int_equal(seated_leave(seated, ROLE_WHITE, SEAT_WHITE), ACTION_FORBIDDEN_BY_RULES);
    assert_string_equal(seated->club->last->action.rule, "seats");
    assert_int_equal(game_deadline(club_view(*state, seated->id)), deadline_ms);
    assert_int_equal(seated_leave(seated, ROLE_CREATOR, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(seated_status(seated), GAME_WAITING);
    assert_int_equal(seated_take(seated, ROLE_NONE, SEAT_WHITE, NULL), ACTION_DONE);
    assert_int_equal(game_deadline(club_view(*state, seated->id)), deadline_ms + 200000);
    deed->action.create.control = NULL;
}

static void a_seat_that_is_left_takes_its_offer_along(void **state)
{
    struct seated *seated = seated_create(*state, NULL, NULL);
    seated_take_both(seated);
    assert_int_equal(club_do(*state, seated_deed(seated, ACTION_OFFER_DRAW, ROLE_WHITE)), ACTION_DONE);
    assert_int_equal(seated_leave(seated, ROLE_WHITE, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(club_view(*state, seated->id)->head.offer_by, SEAT_NONE);
}

static void a_renewed_token_replaces_the_old_one_and_nothing_else(void **state)
{
    struct seated *seated = seated_create(*state, NULL, NULL);
    seated_play(seated, "e4");
    for (enum game_role role = ROLE_WHITE; role <= ROLE_CREATOR; role++) {
        assert_int_equal(seated_renew(seated, ROLE_OPERATOR, role), ACTION_DONE);
        char made[SECRET_TOKEN_SIZE];
        memcpy(made, seated_made(seated, role), sizeof made);
        assert_int_equal(seated_role_by(seated, seated->tokens[role]), ROLE_NONE);
        assert_int_equal(seated_role_by(seated, made), role);
        memcpy(seated->tokens[role], made, sizeof made);
        for (enum game_role other = ROLE_WHITE; other <= ROLE_CREATOR; other++)
            assert_int_equal(seated_role_by(seated, seated->tokens[other]), other);
    }
    assert_true(seated_sits(seated, SEAT_WHITE));
    assert_int_equal(seated_move(seated, ROLE_BLACK, "e5"), ACTION_DONE);
}

static void a_token_can_be_renewed_when_the_game_is_over(void **state)
{
    struct seated *seated = seated_create(*state, NULL, NULL);
    seated_play(seated, "f3 e5 g4 Qh4");
    assert_int_equal(seated_status(seated), GAME_ENDED);
    assert_int_equal(seated_renew(seated, ROLE_CREATOR, ROLE_SPECTATOR), ACTION_DONE);
    assert_int_equal(seated_take(seated, ROLE_CREATOR, SEAT_WHITE, NULL), ACTION_GAME_OVER);
    assert_int_equal(seated_leave(seated, ROLE_CREATOR, SEAT_WHITE), ACTION_GAME_OVER);
}

static void a_takeback_by_consent_and_a_free_one_work_with_seats(void **state)
{
    struct seated *seated = seated_create(*state, NULL, NULL);
    seated_play(seated, "e4 e5");
    assert_int_equal(club_do(*state, seated_deed(seated, ACTION_TAKEBACK, ROLE_WHITE)), ACTION_DONE);
    assert_int_equal(club_do(*state, seated_deed(seated, ACTION_ACCEPT_TAKEBACK, ROLE_WHITE)),
                     ACTION_OWN_OFFER);
    assert_int_equal(club_do(*state, seated_deed(seated, ACTION_ACCEPT_TAKEBACK, ROLE_BLACK)), ACTION_DONE);
    assert_int_equal(club_view(*state, seated->id)->head.ply, 0);
    assert_int_equal(seated_status(seated), GAME_ACTIVE);
    assert_true(seated_sits(seated, SEAT_WHITE) && seated_sits(seated, SEAT_BLACK));
    struct deed *deed = club_deed(*state, ACTION_CREATE, NULL);
    deed->action.create.rules.takeback = TAKEBACK_FREE;
    seated = seated_create_with(*state, deed);
    seated_play(seated, "e4 e5");
    assert_int_equal(club_do(*state, seated_deed(seated, ACTION_TAKEBACK, ROLE_BLACK)), ACTION_DONE);
    assert_int_equal(club_view(*state, seated->id)->head.ply, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(a_game_with_seats_waits_and_all_its_tokens_work_at_once),
        CLUB_TEST(roles_have_words_and_players_have_seats),
        CLUB_TEST(an_open_game_has_no_tokens_and_looks_at_none),
        CLUB_TEST(an_open_game_has_no_seats),
        CLUB_TEST(a_taken_seat_gets_a_token_of_its_own_and_the_old_one_dies),
        CLUB_TEST(ones_own_token_takes_its_seat_and_stays),
        CLUB_TEST(taking_ones_seat_again_is_a_replay_but_for_a_new_name),
        CLUB_TEST(a_seat_that_somebody_has_is_taken),
        CLUB_TEST(a_dead_token_takes_no_seat),
        CLUB_TEST(the_creator_may_take_a_seat_for_himself),
        CLUB_TEST(a_seat_by_lot_is_either_and_then_the_one_that_is_left),
        CLUB_TEST(the_game_begins_when_both_sit),
        CLUB_TEST(the_first_move_takes_its_seat_and_begins_the_game),
        CLUB_TEST(a_game_created_with_moves_goes_on_and_nobody_sits_yet),
        CLUB_TEST(what_needs_two_players_waits_for_them),
        CLUB_TEST(only_one_move_at_a_time_and_only_ones_own),
        CLUB_TEST(a_move_that_was_played_is_a_replay_whoever_sends_it),
        CLUB_TEST(the_side_that_an_action_names_must_be_the_tokens),
        CLUB_TEST(the_side_that_no_action_names_is_the_tokens),
        CLUB_TEST(a_player_gives_time_to_the_opponent_only),
        CLUB_TEST(a_seat_that_is_left_is_free_nameless_and_its_token_dead),
        CLUB_TEST(the_creator_frees_a_seat_and_a_free_one_is_free_already),
        CLUB_TEST(after_the_first_move_nobody_leaves),
        CLUB_TEST(nobody_leaves_his_running_clock_6_6),
        CLUB_TEST(a_seat_that_is_left_takes_its_offer_along),
        CLUB_TEST(a_renewed_token_replaces_the_old_one_and_nothing_else),
        CLUB_TEST(a_token_can_be_renewed_when_the_game_is_over),
        CLUB_TEST(a_takeback_by_consent_and_a_free_one_work_with_seats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
