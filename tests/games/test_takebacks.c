/* Moves taken back by consent or freely, and what becomes of the clocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/games_club.h"
#include "tests/support/storage_faulty.h"

static int faulty_setup(void **state)
{
    *state = club_open(&(struct club_options){.wrap = faulty_wrap});
    return 0;
}

#define FAULTY_TEST(test) cmocka_unit_test_setup_teardown(test, faulty_setup, club_teardown)

enum { SECOND = 1000 };

static enum action_outcome answer(struct club *club, enum action_kind kind, const char *id,
                                  enum game_seat seat)
{
    return club_seat(club, kind, id, seat);
}

static const char *game_with(struct club *club, enum game_takeback takeback)
{
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.takeback = (uint8_t)takeback;
    return club_create_rules(club, NULL, &rules, "e4 e5 Nf3");
}

static void expect_offer(struct club *club, const char *id, enum game_seat by, unsigned to_ply)
{
    const struct game_head *head = &club_view(club, id)->head;
    assert_int_equal(head->takeback_by, by);
    if (by != SEAT_NONE)
        assert_int_equal(head->takeback_ply, to_ply);
}

static void expect_clocks(struct club *club, const char *id, int64_t white_ms, int64_t black_ms)
{
    const struct clock *clock = club_view(club, id)->clock;
    assert_int_equal(clock->remaining_ms[COLOR_WHITE], white_ms);
    assert_int_equal(clock->remaining_ms[COLOR_BLACK], black_ms);
}

static void think_and_play(struct club *club, const char *id, int64_t ms, const char *text)
{
    club_advance(club, ms);
    club_play(club, id, text);
}

/* ---- by consent --------------------------------------------------------------------------------------- */

static void an_accepted_takeback_takes_back_the_askers_move(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, TAKEBACK_CONSENT);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, CLUB_LAST_MOVE), ACTION_DONE);
    expect_offer(club, id, SEAT_WHITE, 2);
    assert_int_equal(club_view(club, id)->head.ply, 3); /* nothing is taken back yet */
    club_forget(club);
    expect_offer(club, id, SEAT_WHITE, 2);
    assert_int_equal(answer(club, ACTION_ACCEPT_TAKEBACK, id, SEAT_BLACK), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.ply, 2);
    expect_offer(club, id, SEAT_NONE, 0);
    club_play(club, id, "Nc3");
}

static void who_has_been_answered_takes_back_both_moves(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, TAKEBACK_CONSENT);
    assert_int_equal(club_takeback(club, id, SEAT_NONE, CLUB_LAST_MOVE), ACTION_DONE); /* Black is to move */
    expect_offer(club, id, SEAT_BLACK, 1);
    assert_int_equal(answer(club, ACTION_ACCEPT_TAKEBACK, id, SEAT_NONE), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.ply, 1);
}

static void a_ply_to_go_back_to_can_be_named(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, TAKEBACK_CONSENT);
    assert_int_equal(club_takeback(club, id, SEAT_BLACK, 0), ACTION_DONE);
    expect_offer(club, id, SEAT_BLACK, 0);
    assert_int_equal(answer(club, ACTION_ACCEPT_TAKEBACK, id, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.ply, 0);
}

static void where_black_begins_his_first_move_can_be_taken_back(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, "4k3/8/8/8/8/8/8/R3K3 b - - 0 1");
    club_play(club, id, "Kd7");
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, CLUB_LAST_MOVE), ACTION_NOTHING_TO_UNDO);
    assert_int_equal(club_takeback(club, id, SEAT_BLACK, CLUB_LAST_MOVE), ACTION_DONE);
    expect_offer(club, id, SEAT_BLACK, 0);
}

static void there_must_be_a_move_to_take_back(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, CLUB_LAST_MOVE), ACTION_NOTHING_TO_UNDO);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, 0), ACTION_NOTHING_TO_UNDO);
    club_play(club, id, "e4");
    assert_int_equal(club_takeback(club, id, SEAT_BLACK, CLUB_LAST_MOVE), ACTION_NOTHING_TO_UNDO);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, 1), ACTION_NOTHING_TO_UNDO);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, 0), ACTION_DONE);
}

static void a_declined_takeback_is_gone(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, TAKEBACK_CONSENT);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, CLUB_LAST_MOVE), ACTION_DONE);
    assert_int_equal(answer(club, ACTION_DECLINE_TAKEBACK, id, SEAT_NONE), ACTION_DONE);
    expect_offer(club, id, SEAT_NONE, 0);
    club_forget(club);
    assert_int_equal(answer(club, ACTION_ACCEPT_TAKEBACK, id, SEAT_BLACK), ACTION_NO_OPEN_OFFER);
    assert_int_equal(club_view(club, id)->head.ply, 3);
}

static void only_who_asked_can_withdraw(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, TAKEBACK_CONSENT);
    assert_int_equal(answer(club, ACTION_WITHDRAW_TAKEBACK, id, SEAT_NONE), ACTION_NO_OPEN_OFFER);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, CLUB_LAST_MOVE), ACTION_DONE);
    assert_int_equal(answer(club, ACTION_WITHDRAW_TAKEBACK, id, SEAT_BLACK), ACTION_NO_OPEN_OFFER);
    assert_int_equal(answer(club, ACTION_WITHDRAW_TAKEBACK, id, SEAT_WHITE), ACTION_DONE);
    expect_offer(club, id, SEAT_NONE, 0);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, CLUB_LAST_MOVE), ACTION_DONE);
    assert_int_equal(answer(club, ACTION_WITHDRAW_TAKEBACK, id, SEAT_NONE), ACTION_DONE);
}

static void nobody_answers_his_own_wish(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, TAKEBACK_CONSENT);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, CLUB_LAST_MOVE), ACTION_DONE);
    assert_int_equal(answer(club, ACTION_ACCEPT_TAKEBACK, id, SEAT_WHITE), ACTION_OWN_OFFER);
    assert_int_equal(answer(club, ACTION_DECLINE_TAKEBACK, id, SEAT_WHITE), ACTION_OWN_OFFER);
    expect_offer(club, id, SEAT_WHITE, 2);
}

static void the_same_wish_again_is_the_same_and_another_ply_takes_its_place(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, TAKEBACK_CONSENT);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, CLUB_LAST_MOVE), ACTION_DONE);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, 2), ACTION_REPLAYED);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, 0), ACTION_DONE);
    expect_offer(club, id, SEAT_WHITE, 0);
    assert_int_equal(club_takeback(club, id, SEAT_BLACK, 1), ACTION_OFFER_EXISTS);
    expect_offer(club, id, SEAT_WHITE, 0);
}

static void a_move_of_either_side_ends_the_wish(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, TAKEBACK_CONSENT);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, CLUB_LAST_MOVE), ACTION_DONE);
    club_play(club, id, "Nc6");
    expect_offer(club, id, SEAT_NONE, 0);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, CLUB_LAST_MOVE), ACTION_DONE);
    club_play(club, id, "Bb5");
    expect_offer(club, id, SEAT_NONE, 0);
}

static void the_end_of_the_game_ends_the_wish(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, TAKEBACK_CONSENT);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, CLUB_LAST_MOVE), ACTION_DONE);
    assert_int_equal(club_resign(club, id, SEAT_WHITE), ACTION_DONE);
    expect_offer(club, id, SEAT_NONE, 0);
    assert_int_equal(answer(club, ACTION_ACCEPT_TAKEBACK, id, SEAT_BLACK), ACTION_GAME_OVER);
}

static void a_takeback_ends_the_draw_offer_and_restores_the_comment(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_comment(club, id, "e4", "best by test"), ACTION_DONE);
    club_play(club, id, "e5");
    assert_int_equal(club_seat(club, ACTION_OFFER_DRAW, id, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(club_takeback(club, id, SEAT_BLACK, CLUB_LAST_MOVE), ACTION_DONE);
    assert_int_equal(answer(club, ACTION_ACCEPT_TAKEBACK, id, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.offer_by, SEAT_NONE);
    assert_string_equal(club_view(club, id)->head.comment, "best by test");
}

/* ---- free, or off ------------------------------------------------------------------------------------- */

static void a_free_takeback_asks_nobody(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, TAKEBACK_FREE);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, CLUB_LAST_MOVE), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.ply, 2);
    expect_offer(club, id, SEAT_NONE, 0);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, CLUB_LAST_MOVE), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.ply, 0);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, CLUB_LAST_MOVE), ACTION_NOTHING_TO_UNDO);
}

static void where_takebacks_are_off_nothing_is_taken_back(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, TAKEBACK_OFF);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, CLUB_LAST_MOVE), ACTION_FORBIDDEN_BY_RULES);
    assert_string_equal(club->last->action.rule, "takeback");
    assert_int_equal(club_undo(club, id, 1), ACTION_FORBIDDEN_BY_RULES);
    assert_string_equal(club->last->action.rule, "takeback");
    assert_int_equal(club_view(club, id)->head.ply, 3);
}

static void a_game_that_is_over_is_not_taken_back_but_undone(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "f3 e5 g4 Qh4");
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, CLUB_LAST_MOVE), ACTION_GAME_OVER);
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
}

/* ---- the clocks --------------------------------------------------------------------------------------- */

/* After 1 e4 e5 2 Nf3: 283 s and 293 s. */
static const char *timed_game(struct club *club)
{
    const char *id = club_create_timed(club, "300+3", NULL, NULL);
    think_and_play(club, id, 50 * SECOND, "e4"); /* untimed */
    think_and_play(club, id, 10 * SECOND, "e5");
    think_and_play(club, id, 20 * SECOND, "Nf3");
    expect_clocks(club, id, 283 * SECOND, 293 * SECOND);
    return id;
}

static void the_clocks_are_as_they_were_after_the_move_that_is_the_last_again(void **state)
{
    struct club *club = *state;
    const char *id = timed_game(club);
    club_advance(club, 5 * SECOND);
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, CLUB_LAST_MOVE), ACTION_DONE);
    club_advance(club, 7 * SECOND);
    assert_int_equal(answer(club, ACTION_ACCEPT_TAKEBACK, id, SEAT_BLACK), ACTION_DONE);
    expect_clocks(club, id, 300 * SECOND, 293 * SECOND);
    think_and_play(club, id, 4 * SECOND, "Nc3"); /* White's clock runs from the consent */
    expect_clocks(club, id, 299 * SECOND, 293 * SECOND);
}

static void time_given_since_stays_given(void **state)
{
    struct club *club = *state;
    const char *id = timed_game(club);
    assert_int_equal(club_add_time(club, id, SEAT_WHITE, 30 * SECOND), ACTION_DONE);
    assert_int_equal(club_add_time(club, id, SEAT_BLACK, 1 * SECOND), ACTION_DONE);
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    expect_clocks(club, id, 330 * SECOND, 294 * SECOND);
    think_and_play(club, id, 1 * SECOND, "Nc3");
    expect_clocks(club, id, 332 * SECOND, 294 * SECOND);
    assert_int_equal(club_undo(club, id, 2), ACTION_DONE); /* to 1 e4 */
    expect_clocks(club, id, 330 * SECOND, 301 * SECOND);
}

static void a_penalty_given_since_stays_given_9_5_3(void **state)
{
    struct club *club = *state;
    const char *id = timed_game(club);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, "Nc6"), ACTION_DONE); /* wrong: 120 s for White */
    expect_clocks(club, id, 403 * SECOND, 296 * SECOND);
    assert_int_equal(club_undo(club, id, 2), ACTION_DONE);
    expect_clocks(club, id, 420 * SECOND, 293 * SECOND);
}

static void back_at_the_beginning_the_first_move_is_untimed_again(void **state)
{
    struct club *club = *state;
    const char *id = timed_game(club);
    assert_int_equal(club_undo(club, id, 3), ACTION_DONE);
    expect_clocks(club, id, 300 * SECOND, 300 * SECOND);
    assert_int_equal(game_running(club_view(club, id)), SEAT_NONE);
    think_and_play(club, id, 400 * SECOND, "d4");
    expect_clocks(club, id, 300 * SECOND, 300 * SECOND);
}

static void the_time_of_a_stage_goes_with_the_move_that_reached_it_6_3(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "2/60:30", NULL, NULL);
    club_play(club, id, "e4");
    think_and_play(club, id, 10 * SECOND, "e5");
    think_and_play(club, id, 15 * SECOND, "Nf3"); /* the second: 45 s and 30 s */
    expect_clocks(club, id, 75 * SECOND, 50 * SECOND);
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    expect_clocks(club, id, 60 * SECOND, 50 * SECOND);
    think_and_play(club, id, 20 * SECOND, "Nf3");
    expect_clocks(club, id, 70 * SECOND, 50 * SECOND);
}

static void undoing_a_mate_sets_the_clock_going_again(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "300", NULL, NULL);
    club_play(club, id, "f3 e5 g4");
    think_and_play(club, id, 30 * SECOND, "Qh4");
    club_advance(club, 1000 * SECOND); /* nothing runs */
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    expect_clocks(club, id, 300 * SECOND, 300 * SECOND);
    think_and_play(club, id, 40 * SECOND, "d5");
    expect_clocks(club, id, 300 * SECOND, 260 * SECOND);
}

static void a_thread_that_may_not_wait_does_not_read_the_log(void **state)
{
    struct club *club = *state;
    const char *id = timed_game(club);
    struct deed *deed = club_deed(club, ACTION_UNDO, id);
    deed->action.undo_plies = 1;
    deed->action.may_block = false;
    assert_int_equal(deed_start(deed), GAMES_COLD);
    assert_int_equal(club_view(club, id)->head.ply, 3);
}

static const struct {
    enum storage_status stored;
    enum games_status status;
} faults[] = {{STORAGE_UNAVAILABLE, GAMES_UNAVAILABLE}, {STORAGE_DAMAGED, GAMES_DAMAGED}};

static void a_log_that_cannot_be_read_takes_nothing_back(void **state)
{
    struct club *club = *state;
    const char *id = timed_game(club);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        faulty_fail(club->front, FAULTY_ACTIONS_AFTER, 1, faults[i].stored);
        assert_int_equal(club_undo(club, id, 1), ACTION_OUTCOME_COUNT);
        assert_int_equal(club->last->status, faults[i].status);
    }
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
}

/* Whether an answer is a repeat is asked of the log. */
static void a_log_that_cannot_be_read_tells_of_no_repeat(void **state)
{
    struct club *club = *state;
    const char *id = game_with(club, TAKEBACK_CONSENT);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        faulty_fail(club->front, FAULTY_ACTIONS_AFTER, 1, faults[i].stored);
        assert_int_equal(answer(club, ACTION_DECLINE_TAKEBACK, id, SEAT_NONE), ACTION_OUTCOME_COUNT);
        assert_int_equal(club->last->status, faults[i].status);
    }
    assert_int_equal(answer(club, ACTION_DECLINE_TAKEBACK, id, SEAT_NONE), ACTION_NO_OPEN_OFFER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(an_accepted_takeback_takes_back_the_askers_move),
        CLUB_TEST(who_has_been_answered_takes_back_both_moves),
        CLUB_TEST(a_ply_to_go_back_to_can_be_named),
        CLUB_TEST(where_black_begins_his_first_move_can_be_taken_back),
        CLUB_TEST(there_must_be_a_move_to_take_back),
        CLUB_TEST(a_declined_takeback_is_gone),
        CLUB_TEST(only_who_asked_can_withdraw),
        CLUB_TEST(nobody_answers_his_own_wish),
        CLUB_TEST(the_same_wish_again_is_the_same_and_another_ply_takes_its_place),
        CLUB_TEST(a_move_of_either_side_ends_the_wish),
        CLUB_TEST(the_end_of_the_game_ends_the_wish),
        CLUB_TEST(a_takeback_ends_the_draw_offer_and_restores_the_comment),
        CLUB_TEST(a_free_takeback_asks_nobody),
        CLUB_TEST(where_takebacks_are_off_nothing_is_taken_back),
        CLUB_TEST(a_game_that_is_over_is_not_taken_back_but_undone),
        CLUB_TEST(the_clocks_are_as_they_were_after_the_move_that_is_the_last_again),
        CLUB_TEST(time_given_since_stays_given),
        CLUB_TEST(a_penalty_given_since_stays_given_9_5_3),
        CLUB_TEST(back_at_the_beginning_the_first_move_is_untimed_again),
        CLUB_TEST(the_time_of_a_stage_goes_with_the_move_that_reached_it_6_3),
        CLUB_TEST(undoing_a_mate_sets_the_clock_going_again),
        CLUB_TEST(a_thread_that_may_not_wait_does_not_read_the_log),
        FAULTY_TEST(a_log_that_cannot_be_read_takes_nothing_back),
        FAULTY_TEST(a_log_that_cannot_be_read_tells_of_no_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
