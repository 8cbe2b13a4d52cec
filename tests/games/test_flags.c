/* Flags: by a timer, before any other action, and against moves that were in time (6.2.1.1, 6.8, 6.9). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

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

/* After 1 e4: Black has 60 s, which run. */
static const char *running_game(struct club *club)
{
    const char *id = club_create_timed(club, "60", NULL, NULL);
    club_play(club, id, "e4");
    return id;
}

static void expect_flagged(struct club *club, const char *id)
{
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.status, GAME_ENDED);
    assert_int_equal(game->head.end.termination, TERMINATION_TIMEOUT);
    assert_int_equal(game->head.end.result, RESULT_WHITE_WINS);
    assert_int_equal(game->head.end.by, SEAT_BLACK);
    assert_int_equal(game->clock->remaining_ms[COLOR_BLACK], 0);
    assert_int_equal(game->clock->remaining_ms[COLOR_WHITE], 60 * SECOND);
    assert_int_equal(game_running(game), SEAT_NONE);
}

static struct deed *move_deed(struct club *club, const char *id, const char *text)
{
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, text);
    return deed;
}

/* ---- the timer ---------------------------------------------------------------------------------------- */

static void a_flag_falls_by_the_timer_and_not_a_millisecond_before_6_8(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    club_advance(club, 60 * SECOND - 1);
    assert_int_equal(club_tick(club, id), 1);
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    club_advance(club, 1);
    (void)club_tick(club, id);
    expect_flagged(club, id);
    club_reopen(club);
    expect_flagged(club, id);
}

static void the_decision_says_why_the_flag_loses_6_9(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "60", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", NULL);
    club_play(club, id, "Kd2");
    club_advance(club, 60 * SECOND);
    (void)club_tick(club, id);
    const struct game_decision *decision = club_view(club, id)->head.end.decision;
    assert_int_equal(decision->verdict, WINNABLE_YES);
    assert_int_equal(decision->method, WINNABLE_SEARCH);
    assert_true(decision->length > 0);
    assert_string_equal(game_termination_article(TERMINATION_TIMEOUT), "6.9");
}

static void a_flag_draws_where_the_opponent_cannot_mate_6_9(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "60", "7k/8/8/8/8/8/q7/7K w - - 0 1", NULL);
    club_play(club, id, "Kg1");
    club_advance(club, 60 * SECOND);
    (void)club_tick(club, id);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.end.termination, TERMINATION_TIMEOUT_UNWINNABLE);
    assert_int_equal(game->head.end.result, RESULT_DRAW);
    assert_int_equal(game->head.end.by, SEAT_BLACK);
    assert_int_equal(game->head.end.decision->method, WINNABLE_MATERIAL);
}

static void the_timer_knows_the_next_deadline_of_many(void **state)
{
    struct club *club = *state;
    const char *late = club_create_timed(club, "90", NULL, NULL);
    const char *soon = club_create_timed(club, "60", NULL, NULL);
    club_play(club, late, "e4");
    club_play(club, soon, "e4");
    assert_int_equal(club_counters(club).deadlines, 2);
    club_advance(club, 60 * SECOND);
    assert_int_equal(club_tick(club, soon), 1000); /* the next beat */
    assert_int_equal(club_view(club, soon)->head.status, GAME_ENDED);
    assert_int_equal(club_view(club, late)->head.status, GAME_ACTIVE);
    assert_int_equal(club_counters(club).deadlines, 1);
    club_advance(club, 30 * SECOND);
    (void)club_tick(club, late);
    assert_int_equal(club_view(club, late)->head.status, GAME_ENDED);
    assert_int_equal(club_tick(club, late), -1); /* nothing more to wait for */
}

static void a_move_in_time_moves_the_deadline(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    club_advance(club, 50 * SECOND);
    club_play(club, id, "e5");
    club_advance(club, 50 * SECOND);
    (void)club_tick(club, id);
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    club_advance(club, 10 * SECOND);
    (void)club_tick(club, id);
    assert_int_equal(club_view(club, id)->head.end.result, RESULT_BLACK_WINS);
}

static void given_time_moves_the_deadline(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    assert_int_equal(club_add_time(club, id, SEAT_BLACK, 5 * SECOND), ACTION_DONE);
    club_advance(club, 60 * SECOND);
    (void)club_tick(club, id);
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    club_advance(club, 5 * SECOND);
    (void)club_tick(club, id);
    expect_flagged(club, id);
}

static void games_that_are_over_or_gone_have_no_deadline(void **state)
{
    struct club *club = *state;
    const char *resigned = running_game(club);
    const char *gone = running_game(club);
    const char *untimed = club_create(club);
    club_play(club, untimed, "e4");
    assert_int_equal(club_counters(club).deadlines, 2);
    assert_int_equal(club_resign(club, resigned, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(club_delete(club, gone), ACTION_DONE);
    assert_int_equal(club_counters(club).deadlines, 0);
    club_advance(club, 60 * SECOND);
    assert_int_equal(games_tick(club->games), -1);
}

static void games_that_memory_has_dropped_flag_all_the_same(void **state)
{
    (void)state;
    struct club *club = club_open(&(struct club_options){.memory_bytes = 1});
    enum { GAMES = 200 };
    const char *ids[GAMES];
    for (int i = 0; i < GAMES; i++)
        ids[i] = running_game(club);
    assert_true(club_counters(club).live < GAMES / 2);
    assert_int_equal(club_counters(club).deadlines, GAMES);
    club_advance(club, 60 * SECOND);
    (void)games_tick(club->games);
    for (int i = 0; i < GAMES; i++) {
        (void)club_tick(club, ids[i]);
        expect_flagged(club, ids[i]);
    }
    club_close(club);
}

/* ---- before any other action -------------------------------------------------------------------------- */

static void a_move_after_the_flag_comes_too_late_6_8(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    club_advance(club, 60 * SECOND);
    assert_int_equal(club_move(club, id, "e5"), ACTION_GAME_OVER);
    assert_int_equal(club->last->picture->game.head.end.termination, TERMINATION_TIMEOUT); /* as shown */
    expect_flagged(club, id);
}

static void nothing_that_comes_after_the_flag_counts(void **state)
{
    static const enum action_kind kinds[] = {ACTION_MOVE,     ACTION_CLAIM,    ACTION_OFFER_DRAW,
                                             ACTION_RESIGN,   ACTION_ABORT,    ACTION_ADJUDICATE,
                                             ACTION_TAKEBACK, ACTION_ADD_TIME, ACTION_ILLEGAL_MOVE};
    struct club *club = *state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const char *id = running_game(club);
        club_advance(club, 61 * SECOND);
        struct deed *deed = club_deed(club, kinds[i], id);
        if (kinds[i] == ACTION_MOVE)
            deed_set_moves(deed, "e5");
        if (kinds[i] == ACTION_ADJUDICATE)
            deed->action.adjudicate.result = RESULT_DRAW;
        if (kinds[i] == ACTION_ADD_TIME)
            deed->action.add_time = (struct action_add_time){SEAT_BLACK, SECOND};
        if (club_do(club, deed) != ACTION_GAME_OVER)
            fail_msg("action %d: outcome %d", kinds[i], deed->action.outcome);
        expect_flagged(club, id);
    }
}

static void moves_are_not_taken_back_after_the_flag(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    club_advance(club, 60 * SECOND);
    assert_int_equal(club_undo(club, id, 1), ACTION_GAME_OVER);
    expect_flagged(club, id);
}

static void names_are_changed_after_the_flag_too(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    club_advance(club, 60 * SECOND);
    struct action_update update = {.sets_white = true, .texts = {.white_name = "Ann"}};
    assert_int_equal(club_update(club, id, &update), ACTION_DONE);
    expect_flagged(club, id);
    assert_int_equal(club_view(club, id)->head.version, 4);
}

static void the_version_is_asked_for_after_the_flag(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    club_advance(club, 60 * SECOND);
    struct deed *deed = move_deed(club, id, "e5");
    deed_if_version(deed, 2);
    assert_int_equal(club_do(club, deed), ACTION_VERSION_MISMATCH);
    expect_flagged(club, id);
}

static void a_move_that_was_received_in_time_stands_6_2_1_1(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    struct deed *deed = move_deed(club, id, "e5");
    club_advance(club, 60 * SECOND - 1);
    deed->action.received_ms = games_service_ms(club->games);
    club_advance(club, 10 * SECOND); /* it is judged late */
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->clock->remaining_ms[COLOR_BLACK], 1);
    assert_int_equal(game->head.status, GAME_ACTIVE);
    club_advance(club, 50 * SECOND - 1);
    (void)club_tick(club, id); /* White's clock has run since then */
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    club_advance(club, 1);
    (void)club_tick(club, id);
    assert_int_equal(club_view(club, id)->head.end.result, RESULT_BLACK_WINS);
}

static void a_mate_that_was_received_in_time_beats_the_flag_6_2_1_1(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "60", NULL, NULL);
    club_play(club, id, "f3 e5 g4");
    struct deed *deed = move_deed(club, id, "Qh4");
    club_advance(club, 60 * SECOND - 1);
    deed->action.received_ms = games_service_ms(club->games);
    club_advance(club, 10 * SECOND);
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.end.termination, TERMINATION_CHECKMATE);
    (void)club_tick(club, id);
    assert_int_equal(club_view(club, id)->head.end.termination, TERMINATION_CHECKMATE);
}

static void after_a_mate_nothing_runs_6_2_1_1(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "60", NULL, NULL);
    club_play(club, id, "f3 e5 g4 Qh4");
    club_advance(club, 3600 * SECOND);
    assert_int_equal(games_tick(club->games), -1);
    assert_int_equal(club_flag(club, id), ACTION_GAME_OVER);
    assert_int_equal(club_view(club, id)->head.end.termination, TERMINATION_CHECKMATE);
}

static void actions_whose_order_of_receipt_is_another_take_no_time_from_anybody(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    club_advance(club, 10 * SECOND);
    int64_t earlier_ms = games_service_ms(club->games);
    club_advance(club, 5 * SECOND);
    club_play(club, id, "e5");
    struct deed *deed = move_deed(club, id, "Nf3"); /* received before the move that it answers */
    deed->action.received_ms = earlier_ms;
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    assert_int_equal(club_view(club, id)->clock->remaining_ms[COLOR_WHITE], 60 * SECOND);
    assert_int_equal(club_flag(club, id),
                     ACTION_CLOCK_RUNNING); /* nor does Black's clock run before his move */
    assert_int_equal(club->last->action.remaining_ms, 45 * SECOND);
}

/* ---- asking ------------------------------------------------------------------------------------------- */

static void a_flag_that_has_not_fallen_is_not_claimed(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    club_advance(club, 59 * SECOND);
    assert_int_equal(club_flag(club, id), ACTION_CLOCK_RUNNING);
    assert_int_equal(club->last->action.remaining_ms, 1 * SECOND);
    assert_int_equal(club_view(club, id)->head.version, 2);
}

static void before_the_clock_starts_all_the_time_remains(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "60d5", NULL, NULL);
    club_advance(club, 600 * SECOND);
    assert_int_equal(club_flag(club, id), ACTION_CLOCK_RUNNING);
    assert_int_equal(club->last->action.remaining_ms, 65 * SECOND);
}

static void a_fallen_flag_is_claimed_without_the_timer(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    club_advance(club, 60 * SECOND);
    assert_int_equal(club_flag(club, id), ACTION_DONE);
    expect_flagged(club, id);
    assert_int_equal(club_flag(club, id), ACTION_REPLAYED);
    club_forget(club);
    assert_int_equal(club_flag(club, id), ACTION_REPLAYED);
}

/* Such a decision is put in: what the solver cannot decide today it may decide tomorrow. */
static void what_nobody_can_decide_counts_as_lost_and_says_so_6_9(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    club_advance(club, 60 * SECOND);
    struct deed *deed = club_deed(club, ACTION_FLAG, id);
    struct action *action = &deed->action;
    action->decision = calloc(1, sizeof *action->decision);
    assert_non_null(action->decision);
    action->decision->nodes = 190000;
    action->position = club_view(club, id)->head.position;
    action->decided_for = COLOR_WHITE;
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    expect_flagged(club, id);
    club_reopen(club);
    const struct game_decision *decision = club_view(club, id)->head.end.decision;
    assert_int_equal(decision->verdict, WINNABLE_UNDETERMINED);
    assert_int_equal(decision->method, WINNABLE_NONE);
    assert_int_equal(decision->nodes, 190000);
    assert_int_equal(decision->length, 0);
}

/* ---- a store that fails ------------------------------------------------------------------------------- */

static void a_flag_that_was_not_stored_comes_up_a_second_later(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    club_advance(club, 60 * SECOND);
    faulty_fail_always(club->front, FAULTY_WRITE, STORAGE_FULL);
    (void)club_tick(club, id);
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    faulty_heal(club->front);
    club_advance(club, SECOND - 1);
    (void)club_tick(club, id);
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    club_advance(club, 1);
    (void)club_tick(club, id);
    expect_flagged(club, id);
}

static void an_action_after_a_flag_that_cannot_be_stored_fails_with_it(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    club_advance(club, 60 * SECOND);
    faulty_fail_always(club->front, FAULTY_COMMIT, STORAGE_FULL);
    struct deed *first = move_deed(club, id, "e5");
    struct deed *second = club_deed(club, ACTION_RESIGN, id);
    assert_int_equal(deed_start(first), GAMES_PENDING);
    assert_int_equal(deed_start(second), GAMES_PENDING);
    assert_int_equal(deed_await(first), ACTION_STORE_FULL);
    assert_int_equal(deed_await(second), ACTION_STORE_FULL);
    faulty_heal(club->front);
    assert_int_equal(club_view(club, id)->head.version, 2);
    assert_int_equal(club_move(club, id, "e5"), ACTION_GAME_OVER);
    expect_flagged(club, id);
}

static void a_move_received_in_time_goes_on_behind_a_flag_that_was_not_stored(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    club_advance(club, 59 * SECOND);
    int64_t in_time_ms = games_service_ms(club->games);
    club_advance(club, 1 * SECOND);
    faulty_hold(club->front);
    faulty_fail(club->front, FAULTY_WRITE, 1, STORAGE_BUSY);
    struct deed *flag = club_deed(club, ACTION_FLAG, id);
    struct deed *late = club_deed(club, ACTION_RESIGN, id);
    struct deed *played = move_deed(club, id, "e5");
    played->action.received_ms = in_time_ms;
    assert_int_equal(deed_start(flag), GAMES_PENDING);
    assert_int_equal(deed_start(late), GAMES_PENDING);
    assert_int_equal(deed_start(played), GAMES_PENDING);
    faulty_release(club->front);
    assert_int_equal(deed_await(flag), ACTION_STORE_BUSY);
    assert_int_equal(deed_await(late), ACTION_STORE_BUSY);
    assert_int_equal(deed_await(played), ACTION_DONE);
    assert_int_equal(club_view(club, id)->clock->remaining_ms[COLOR_BLACK], SECOND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(a_flag_falls_by_the_timer_and_not_a_millisecond_before_6_8),
        CLUB_TEST(the_decision_says_why_the_flag_loses_6_9),
        CLUB_TEST(a_flag_draws_where_the_opponent_cannot_mate_6_9),
        CLUB_TEST(the_timer_knows_the_next_deadline_of_many),
        CLUB_TEST(a_move_in_time_moves_the_deadline),
        CLUB_TEST(given_time_moves_the_deadline),
        CLUB_TEST(games_that_are_over_or_gone_have_no_deadline),
        cmocka_unit_test(games_that_memory_has_dropped_flag_all_the_same),
        CLUB_TEST(a_move_after_the_flag_comes_too_late_6_8),
        CLUB_TEST(nothing_that_comes_after_the_flag_counts),
        CLUB_TEST(moves_are_not_taken_back_after_the_flag),
        CLUB_TEST(names_are_changed_after_the_flag_too),
        CLUB_TEST(the_version_is_asked_for_after_the_flag),
        CLUB_TEST(a_move_that_was_received_in_time_stands_6_2_1_1),
        CLUB_TEST(a_mate_that_was_received_in_time_beats_the_flag_6_2_1_1),
        CLUB_TEST(after_a_mate_nothing_runs_6_2_1_1),
        CLUB_TEST(actions_whose_order_of_receipt_is_another_take_no_time_from_anybody),
        CLUB_TEST(a_flag_that_has_not_fallen_is_not_claimed),
        CLUB_TEST(before_the_clock_starts_all_the_time_remains),
        CLUB_TEST(a_fallen_flag_is_claimed_without_the_timer),
        CLUB_TEST(what_nobody_can_decide_counts_as_lost_and_says_so_6_9),
        FAULTY_TEST(a_flag_that_was_not_stored_comes_up_a_second_later),
        FAULTY_TEST(an_action_after_a_flag_that_cannot_be_stored_fails_with_it),
        FAULTY_TEST(a_move_received_in_time_goes_on_behind_a_flag_that_was_not_stored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
