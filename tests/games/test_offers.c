/* Draw offers and agreement: 5.2.3, and the life of an offer by 9.1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/games_club.h"

static enum action_outcome offer(struct club *club, const char *id, enum game_seat seat)
{
    return club_seat(club, ACTION_OFFER_DRAW, id, seat);
}

static enum action_outcome accept(struct club *club, const char *id, enum game_seat seat)
{
    return club_seat(club, ACTION_ACCEPT_DRAW, id, seat);
}

static enum action_outcome decline(struct club *club, const char *id, enum game_seat seat)
{
    return club_seat(club, ACTION_DECLINE_DRAW, id, seat);
}

static enum game_seat offered_by(struct club *club, const char *id)
{
    return (enum game_seat)club_view(club, id)->head.offer_by;
}

/* A game after 1 e4 e5. */
static const char *opened_game(struct club *club)
{
    const char *id = club_create(club);
    club_play(club, id, "e4 e5");
    return id;
}

static const char *game_with(struct club *club, enum game_draw_offers offers, uint16_t from_move)
{
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.draw_offers = (uint8_t)offers;
    rules.draw_offers_from_move = from_move;
    return club_create_rules(club, NULL, &rules, NULL);
}

static void expect_forbidden(struct club *club, enum action_outcome outcome, const char *rule)
{
    assert_int_equal(outcome, ACTION_FORBIDDEN_BY_RULES);
    assert_string_equal(club->last->action.rule, rule);
}

/* ---- the life of an offer (9.1.2.1) ------------------------------------------------------------------- */

static void an_accepted_offer_is_a_draw_5_2_3(void **state)
{
    struct club *club = *state;
    const char *id = opened_game(club);
    assert_int_equal(offer(club, id, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(accept(club, id, SEAT_BLACK), ACTION_DONE);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.status, GAME_ENDED);
    assert_int_equal(game->head.end.termination, TERMINATION_AGREEMENT);
    assert_int_equal(game->head.end.result, RESULT_DRAW);
    assert_int_equal(game->head.end.by, SEAT_BLACK);
    assert_int_equal(game->head.offer_by, SEAT_NONE);
    assert_string_equal(game_termination_article(TERMINATION_AGREEMENT), "5.2.3");
    assert_int_equal(club_move(club, id, "Nf3"), ACTION_GAME_OVER);
}

static void agreement_needs_a_move_of_each_side_5_2_3(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(offer(club, id, SEAT_BLACK), ACTION_DONE);
    expect_forbidden(club, accept(club, id, SEAT_WHITE), "5.2.3");
    club_play(club, id, "e4");
    assert_int_equal(offered_by(club, id), SEAT_NONE);
    assert_int_equal(offer(club, id, SEAT_BLACK), ACTION_DONE);
    expect_forbidden(club, accept(club, id, SEAT_WHITE), "5.2.3");
    club_play(club, id, "e5"); /* one's own move: the offer stands */
    assert_int_equal(accept(club, id, SEAT_WHITE), ACTION_DONE);
}

static void an_offer_survives_the_own_next_move_9_1_2_1(void **state)
{
    struct club *club = *state;
    const char *id = opened_game(club);
    assert_int_equal(offer(club, id, SEAT_WHITE), ACTION_DONE);
    club_play(club, id, "Nf3");
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.offer_by, SEAT_WHITE);
    assert_int_equal(game->head.offer_ply, 2);
    club_forget(club);
    assert_int_equal(offered_by(club, id), SEAT_WHITE);
    assert_int_equal(accept(club, id, SEAT_NONE), ACTION_DONE);
}

static void the_opponents_move_refuses_an_offer_9_1_2_1(void **state)
{
    struct club *club = *state;
    const char *id = opened_game(club);
    assert_int_equal(offer(club, id, SEAT_WHITE), ACTION_DONE);
    club_play(club, id, "Nf3 Nc6");
    assert_int_equal(offered_by(club, id), SEAT_NONE);
    club_forget(club);
    assert_int_equal(accept(club, id, SEAT_BLACK), ACTION_NO_OPEN_OFFER);
}

static void an_offer_may_be_made_while_the_opponent_thinks_9_1_2_1(void **state)
{
    struct club *club = *state;
    const char *id = opened_game(club);
    assert_int_equal(offer(club, id, SEAT_BLACK), ACTION_DONE); /* White is to move */
    assert_int_equal(offered_by(club, id), SEAT_BLACK);
    club_play(club, id, "Nf3");
    assert_int_equal(offered_by(club, id), SEAT_NONE);
}

static void a_declined_offer_is_gone_and_may_be_made_again(void **state)
{
    struct club *club = *state;
    const char *id = opened_game(club);
    assert_int_equal(offer(club, id, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(decline(club, id, SEAT_BLACK), ACTION_DONE);
    assert_int_equal(offered_by(club, id), SEAT_NONE);
    club_forget(club);
    assert_int_equal(offered_by(club, id), SEAT_NONE);
    assert_int_equal(accept(club, id, SEAT_BLACK), ACTION_NO_OPEN_OFFER);
    assert_int_equal(offer(club, id, SEAT_WHITE), ACTION_DONE);
}

static void an_offer_dies_when_moves_are_taken_back(void **state)
{
    struct club *club = *state;
    const char *id = opened_game(club);
    assert_int_equal(offer(club, id, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    assert_int_equal(offered_by(club, id), SEAT_NONE);
}

static void an_offer_dies_with_the_game_9_1_2_1(void **state)
{
    struct club *club = *state;
    const char *id = opened_game(club);
    assert_int_equal(offer(club, id, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(club_resign(club, id, SEAT_BLACK), ACTION_DONE);
    assert_int_equal(offered_by(club, id), SEAT_NONE);
    assert_int_equal(accept(club, id, SEAT_BLACK), ACTION_GAME_OVER);
}

/* ---- with a move -------------------------------------------------------------------------------------- */

static void an_offer_goes_with_a_move_9_1_2_1(void **state)
{
    struct club *club = *state;
    const char *id = opened_game(club);
    assert_int_equal(club_move_offering(club, id, "Nf3"), ACTION_DONE);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.offer_by, SEAT_WHITE);
    assert_int_equal(game->head.offer_ply, 3);
    club_reopen(club);
    assert_int_equal(offered_by(club, id), SEAT_WHITE);
    assert_int_equal(accept(club, id, SEAT_NONE), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.end.by, SEAT_BLACK);
}

static void a_move_with_an_offer_refuses_the_opponents_offer(void **state)
{
    struct club *club = *state;
    const char *id = opened_game(club);
    assert_int_equal(offer(club, id, SEAT_BLACK), ACTION_DONE);
    assert_int_equal(club_move_offering(club, id, "Nf3"), ACTION_DONE);
    assert_int_equal(offered_by(club, id), SEAT_WHITE);
}

static void a_move_that_ends_the_game_offers_nothing(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "f3 e5 g4");
    assert_int_equal(club_move_offering(club, id, "Qh4"), ACTION_DONE);
    assert_int_equal(offered_by(club, id), SEAT_NONE);
    assert_int_equal(club_view(club, id)->head.end.termination, TERMINATION_CHECKMATE);
}

static void of_several_moves_the_answer_refuses_the_offer(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, "e4 e5 Nf3");
    deed->inputs[0].draw_offer = true;
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    assert_int_equal(offered_by(club, id), SEAT_NONE);
}

static void a_wrong_claim_can_be_accepted_like_any_offer_9_1_2_3(void **state)
{
    struct club *club = *state;
    const char *id = opened_game(club);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, "Nf3"), ACTION_DONE);
    assert_int_equal(accept(club, id, SEAT_WHITE), ACTION_OWN_OFFER);
    assert_int_equal(accept(club, id, SEAT_BLACK), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.end.termination, TERMINATION_AGREEMENT);
}

/* ---- what cannot be ----------------------------------------------------------------------------------- */

static void ones_own_offer_made_again_is_the_same_offer(void **state)
{
    struct club *club = *state;
    const char *id = opened_game(club);
    assert_int_equal(offer(club, id, SEAT_NONE), ACTION_DONE); /* the side to move */
    assert_int_equal(offered_by(club, id), SEAT_WHITE);
    club_play(club, id, "Nf3");
    assert_int_equal(offer(club, id, SEAT_WHITE), ACTION_REPLAYED);
    struct deed *stale = club_deed(club, ACTION_OFFER_DRAW, id);
    stale->action.seat = SEAT_WHITE;
    deed_if_version(stale, 1);
    assert_int_equal(club_do(club, stale), ACTION_REPLAYED);
    assert_int_equal(club_view(club, id)->head.offer_ply, 2);
}

static void where_the_opponent_has_offered_there_is_nothing_to_offer(void **state)
{
    struct club *club = *state;
    const char *id = opened_game(club);
    assert_int_equal(offer(club, id, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(offer(club, id, SEAT_BLACK), ACTION_OFFER_EXISTS);
    assert_int_equal(offered_by(club, id), SEAT_WHITE);
}

static void nobody_answers_his_own_offer(void **state)
{
    struct club *club = *state;
    const char *id = opened_game(club);
    assert_int_equal(offer(club, id, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(accept(club, id, SEAT_WHITE), ACTION_OWN_OFFER);
    assert_int_equal(decline(club, id, SEAT_WHITE), ACTION_OWN_OFFER);
    assert_int_equal(offered_by(club, id), SEAT_WHITE);
}

static void an_answer_without_a_side_is_of_the_side_that_did_not_offer(void **state)
{
    struct club *club = *state;
    const char *id = opened_game(club);
    assert_int_equal(offer(club, id, SEAT_BLACK), ACTION_DONE);
    assert_int_equal(decline(club, id, SEAT_NONE), ACTION_DONE);
    assert_int_equal(offer(club, id, SEAT_BLACK), ACTION_DONE);
    assert_int_equal(accept(club, id, SEAT_NONE), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.end.by, SEAT_WHITE);
}

static void without_an_offer_there_is_no_answer(void **state)
{
    struct club *club = *state;
    const char *id = opened_game(club);
    assert_int_equal(accept(club, id, SEAT_NONE), ACTION_NO_OPEN_OFFER);
    assert_int_equal(decline(club, id, SEAT_WHITE), ACTION_NO_OPEN_OFFER);
}

static void the_acceptance_that_ended_the_game_may_be_repeated(void **state)
{
    struct club *club = *state;
    const char *id = opened_game(club);
    assert_int_equal(offer(club, id, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(accept(club, id, SEAT_BLACK), ACTION_DONE);
    club_forget(club);
    assert_int_equal(accept(club, id, SEAT_BLACK), ACTION_REPLAYED);
    assert_int_equal(accept(club, id, SEAT_NONE), ACTION_REPLAYED);
    assert_int_equal(accept(club, id, SEAT_WHITE), ACTION_GAME_OVER);
    assert_int_equal(decline(club, id, SEAT_BLACK), ACTION_GAME_OVER);
}

static void an_answer_obeys_the_version(void **state)
{
    struct club *club = *state;
    const char *id = opened_game(club);
    assert_int_equal(offer(club, id, SEAT_WHITE), ACTION_DONE);
    struct deed *stale = club_deed(club, ACTION_ACCEPT_DRAW, id);
    deed_if_version(stale, 3);
    assert_int_equal(club_do(club, stale), ACTION_VERSION_MISMATCH);
    struct deed *right = club_deed(club, ACTION_ACCEPT_DRAW, id);
    deed_if_version(right, 4);
    assert_int_equal(club_do(club, right), ACTION_DONE);
}

/* ---- rules of the event (9.1.1) ----------------------------------------------------------------------- */

static void offers_can_be_off_9_1_1(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, DRAW_OFFERS_OFF, 0);
    club_play(club, id, "e4 e5");
    expect_forbidden(club, offer(club, id, SEAT_WHITE), "draw_offers");
    expect_forbidden(club, club_move_offering(club, id, "Nf3"), "draw_offers");
    assert_int_equal(club_view(club, id)->head.ply, 2); /* the move was not played either */
}

static void offers_can_be_for_those_who_move_9_1_1(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, DRAW_OFFERS_WITH_MOVE, 0);
    club_play(club, id, "e4 e5");
    expect_forbidden(club, offer(club, id, SEAT_WHITE), "draw_offers");
    assert_int_equal(club_move_offering(club, id, "Nf3"), ACTION_DONE);
    assert_int_equal(accept(club, id, SEAT_BLACK), ACTION_DONE);
}

static void offers_can_begin_with_a_move_number_9_1_1(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, DRAW_OFFERS_ANYTIME, 2);
    club_play(club, id, "e4 e5 Nf3"); /* Black has completed one move */
    expect_forbidden(club, offer(club, id, SEAT_WHITE), "draw_offers_from_move");
    expect_forbidden(club, offer(club, id, SEAT_BLACK), "draw_offers_from_move");
    assert_int_equal(club_move_offering(club, id, "Nc6"), ACTION_DONE); /* now two */
    assert_int_equal(decline(club, id, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(offer(club, id, SEAT_WHITE), ACTION_DONE);
}

static void an_offer_too_early_goes_not_with_a_move_either_9_1_1(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, DRAW_OFFERS_ANYTIME, 2);
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, "e4 e5 Nf3");
    deed->inputs[2].draw_offer = true;
    expect_forbidden(club, club_do(club, deed), "draw_offers_from_move");
    assert_int_equal(deed->action.index, 2);
    assert_int_equal(club_view(club, id)->head.ply, 0); /* all or nothing */
}

static void where_offers_are_off_a_draw_is_claimed_all_the_same_9_1_1(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, DRAW_OFFERS_OFF, 40);
    club_play(club, id, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, "Ng8"), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.end.termination, TERMINATION_THREEFOLD_REPETITION);
}

static void where_offers_are_off_a_wrong_claim_is_none_9_1_2_3(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, DRAW_OFFERS_OFF, 0);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_DONE);
    assert_false(club->last->action.verdict.valid || club->last->action.verdict.stands_as_offer);
    assert_int_equal(offered_by(club, id), SEAT_NONE);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, "e4"), ACTION_DONE); /* 9.5.3: it is played */
    assert_false(club->last->action.verdict.stands_as_offer);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.ply, 1);
    assert_int_equal(game->head.offer_by, SEAT_NONE);
    club_reopen(club);
    assert_int_equal(offered_by(club, id), SEAT_NONE);
}

static void a_wrong_claim_is_an_offer_where_one_could_be_made_9_1_2_3(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, DRAW_OFFERS_WITH_MOVE, 0);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_DONE);
    assert_int_equal(offered_by(club, id), SEAT_NONE);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, "e4"), ACTION_DONE);
    assert_true(club->last->action.verdict.stands_as_offer);
    assert_int_equal(offered_by(club, id), SEAT_WHITE);
}

static void a_wrong_claim_too_early_for_offers_is_none_9_1_2_3(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, DRAW_OFFERS_ANYTIME, 1);
    assert_int_equal(club_claim(club, id, CLAIM_FIFTY, "e4"), ACTION_DONE);
    assert_int_equal(offered_by(club, id), SEAT_NONE);
    assert_int_equal(club_claim(club, id, CLAIM_FIFTY, "e5"), ACTION_DONE); /* with it both have moved */
    assert_int_equal(offered_by(club, id), SEAT_BLACK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(an_accepted_offer_is_a_draw_5_2_3),
        CLUB_TEST(agreement_needs_a_move_of_each_side_5_2_3),
        CLUB_TEST(an_offer_survives_the_own_next_move_9_1_2_1),
        CLUB_TEST(the_opponents_move_refuses_an_offer_9_1_2_1),
        CLUB_TEST(an_offer_may_be_made_while_the_opponent_thinks_9_1_2_1),
        CLUB_TEST(a_declined_offer_is_gone_and_may_be_made_again),
        CLUB_TEST(an_offer_dies_when_moves_are_taken_back),
        CLUB_TEST(an_offer_dies_with_the_game_9_1_2_1),
        CLUB_TEST(an_offer_goes_with_a_move_9_1_2_1),
        CLUB_TEST(a_move_with_an_offer_refuses_the_opponents_offer),
        CLUB_TEST(a_move_that_ends_the_game_offers_nothing),
        CLUB_TEST(of_several_moves_the_answer_refuses_the_offer),
        CLUB_TEST(a_wrong_claim_can_be_accepted_like_any_offer_9_1_2_3),
        CLUB_TEST(ones_own_offer_made_again_is_the_same_offer),
        CLUB_TEST(where_the_opponent_has_offered_there_is_nothing_to_offer),
        CLUB_TEST(nobody_answers_his_own_offer),
        CLUB_TEST(an_answer_without_a_side_is_of_the_side_that_did_not_offer),
        CLUB_TEST(without_an_offer_there_is_no_answer),
        CLUB_TEST(the_acceptance_that_ended_the_game_may_be_repeated),
        CLUB_TEST(an_answer_obeys_the_version),
        CLUB_TEST(offers_can_be_off_9_1_1),
        CLUB_TEST(offers_can_be_for_those_who_move_9_1_1),
        CLUB_TEST(offers_can_begin_with_a_move_number_9_1_1),
        CLUB_TEST(an_offer_too_early_goes_not_with_a_move_either_9_1_1),
        CLUB_TEST(where_offers_are_off_a_draw_is_claimed_all_the_same_9_1_1),
        CLUB_TEST(where_offers_are_off_a_wrong_claim_is_none_9_1_2_3),
        CLUB_TEST(a_wrong_claim_is_an_offer_where_one_could_be_made_9_1_2_3),
        CLUB_TEST(a_wrong_claim_too_early_for_offers_is_none_9_1_2_3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
