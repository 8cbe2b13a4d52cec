/* Timed games: every mode, when the clocks start, what stages bring (6.2, 6.3, III.3), and what is kept of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/games_club.h"

enum { SECOND = 1000 };

static struct time_control read_control(const char *text)
{
    struct time_control control;
    size_t offset;
    assert_int_equal(time_control_read(text, strlen(text), &control, &offset), TIME_OK);
    return control;
}

static const char *immediate_game(struct club *club, const char *text, const char *fen)
{
    struct time_control control = read_control(text);
    control.immediate = true;
    return club_create_control(club, &control, fen, NULL);
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

/* How long the side to move may think from now on. */
static int64_t allowed_ms(struct club *club, const char *id)
{
    assert_int_equal(club_flag(club, id), ACTION_CLOCK_RUNNING);
    return club->last->action.remaining_ms;
}

/* ---- the start ---------------------------------------------------------------------------------------- */

static void a_game_without_a_control_has_no_clock(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4");
    const struct game *game = club_view(club, id);
    assert_null(game->clock);
    assert_int_equal(game->head.move_clock_ms, MOVE_TIME_NONE);
    assert_int_equal(game->head.move_spent_ms, MOVE_TIME_NONE);
    assert_int_equal(game_running(game), SEAT_NONE);
    assert_int_equal(club_flag(club, id), ACTION_NO_CLOCK);
    assert_int_equal(club_add_time(club, id, SEAT_WHITE, 1), ACTION_NO_CLOCK);
}

static void clocks_start_with_the_first_move_which_is_untimed(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "60+5", NULL, NULL);
    assert_int_equal(game_running(club_view(club, id)), SEAT_NONE);
    think_and_play(club, id, 3600 * SECOND, "e4");
    expect_clocks(club, id, 60 * SECOND, 60 * SECOND); /* nothing taken, and no increment earned */
    const struct game *game = club_view(club, id);
    assert_int_equal(game_running(game), SEAT_BLACK);
    assert_int_equal(game->head.move_spent_ms, 0);
    assert_int_equal(game->head.move_clock_ms, 60 * SECOND);
    think_and_play(club, id, 10 * SECOND, "e5");
    expect_clocks(club, id, 60 * SECOND, 55 * SECOND);
}

static void clocks_can_start_at_once(void **state)
{
    struct club *club = *state;
    const char *id = immediate_game(club, "60+5", NULL);
    assert_int_equal(game_running(club_view(club, id)), SEAT_WHITE);
    think_and_play(club, id, 10 * SECOND, "e4");
    expect_clocks(club, id, 55 * SECOND, 60 * SECOND);
    assert_int_equal(club_view(club, id)->head.move_spent_ms, 10 * SECOND);
}

static void an_immediate_clock_flags_before_the_first_move(void **state)
{
    struct club *club = *state;
    const char *id = immediate_game(club, "60", NULL);
    club_advance(club, 60 * SECOND);
    (void)club_tick(club, id);
    assert_int_equal(club_view(club, id)->head.end.result, RESULT_BLACK_WINS);
}

static void where_black_begins_his_first_move_is_the_untimed_one(void **state)
{
    struct club *club = *state;
    const char *fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    const char *id = club_create_timed(club, "60+5", fen, NULL);
    think_and_play(club, id, 100 * SECOND, "e5");
    expect_clocks(club, id, 60 * SECOND, 60 * SECOND);
    think_and_play(club, id, 10 * SECOND, "Nf3");
    expect_clocks(club, id, 55 * SECOND, 60 * SECOND);
    const char *at_once = immediate_game(club, "60+5", fen);
    assert_int_equal(game_running(club_view(club, at_once)), SEAT_BLACK);
    think_and_play(club, at_once, 10 * SECOND, "e5");
    expect_clocks(club, at_once, 60 * SECOND, 55 * SECOND);
}

static void moves_that_come_together_take_no_time(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "60+5", NULL, NULL);
    think_and_play(club, id, 0, "e4");
    club_advance(club, 7 * SECOND);
    assert_int_equal(club_move(club, id, "e5 Nf3 Nc6"), ACTION_DONE);
    expect_clocks(club, id, 65 * SECOND, 63 * SECOND); /* Black's first took 7 s */
}

/* ---- the modes ---------------------------------------------------------------------------------------- */

static void an_increment_is_added_after_each_move_III_3(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "60+5", NULL, NULL);
    club_play(club, id, "e4");
    think_and_play(club, id, 2 * SECOND, "e5");
    expect_clocks(club, id, 60 * SECOND, 63 * SECOND); /* one may gain */
    think_and_play(club, id, 59 * SECOND + 999, "Nf3");
    expect_clocks(club, id, 5 * SECOND + 1, 63 * SECOND);
}

static void a_delay_is_not_counted(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "60d5", NULL, NULL);
    club_play(club, id, "e4");
    assert_int_equal(allowed_ms(club, id), 65 * SECOND);
    think_and_play(club, id, 4 * SECOND, "e5");
    expect_clocks(club, id, 60 * SECOND, 60 * SECOND); /* nothing is saved up either */
    think_and_play(club, id, 7 * SECOND, "Nf3");
    expect_clocks(club, id, 58 * SECOND, 60 * SECOND);
    think_and_play(club, id, 64 * SECOND + 999, "Nc6");
    expect_clocks(club, id, 58 * SECOND, 1);
    assert_int_equal(allowed_ms(club, id), 63 * SECOND);
}

static void bronstein_gives_back_what_was_used(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "60b5", NULL, NULL);
    club_play(club, id, "e4");
    assert_int_equal(allowed_ms(club, id), 60 * SECOND);
    think_and_play(club, id, 4 * SECOND, "e5");
    expect_clocks(club, id, 60 * SECOND, 60 * SECOND);
    think_and_play(club, id, 7 * SECOND, "Nf3");
    expect_clocks(club, id, 58 * SECOND, 60 * SECOND);
    think_and_play(club, id, 59 * SECOND + 999, "Nc6");
    expect_clocks(club, id, 58 * SECOND, 5 * SECOND + 1);
}

static void each_move_can_have_its_own_time(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "1/60", NULL, NULL);
    club_play(club, id, "e4");
    think_and_play(club, id, 59 * SECOND, "e5");
    expect_clocks(club, id, 60 * SECOND, 60 * SECOND);
    club_advance(club, 60 * SECOND);
    assert_int_equal(club_flag(club, id), ACTION_DONE);
}

static void a_bank_is_used_up_beyond_the_time_of_a_move(void **state)
{
    struct club *club = *state;
    struct time_control control = read_control("1/60");
    control.bank_ms = 30 * SECOND;
    const char *id = club_create_control(club, &control, NULL, NULL);
    club_play(club, id, "e4");
    think_and_play(club, id, 70 * SECOND, "e5");
    expect_clocks(club, id, 90 * SECOND, 80 * SECOND);
    think_and_play(club, id, 60 * SECOND, "Nf3");
    expect_clocks(club, id, 90 * SECOND, 80 * SECOND);
    assert_int_equal(allowed_ms(club, id), 80 * SECOND);
    think_and_play(club, id, 79 * SECOND, "Nc6");
    expect_clocks(club, id, 90 * SECOND, 61 * SECOND);
}

static void what_is_saved_in_a_stage_is_carried_over_6_3(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "2/60:30+1", NULL, NULL);
    club_play(club, id, "e4");
    think_and_play(club, id, 20 * SECOND, "e5");
    think_and_play(club, id, 5 * SECOND, "Nf3");
    expect_clocks(club, id, 85 * SECOND, 40 * SECOND);
    think_and_play(club, id, 10 * SECOND, "Nc6");
    expect_clocks(club, id, 85 * SECOND, 60 * SECOND);
    think_and_play(club, id, 10 * SECOND, "Bb5"); /* now with increments */
    expect_clocks(club, id, 76 * SECOND, 60 * SECOND);
}

static void a_last_stage_with_moves_is_repeated(void **state)
{
    struct club *club = *state;
    const char *id = immediate_game(club, "2/60", NULL);
    for (int64_t i = 1; i <= 3; i++) {
        think_and_play(club, id, 10 * SECOND, "Nf3");
        think_and_play(club, id, 20 * SECOND, "Nf6");
        think_and_play(club, id, 10 * SECOND, "Ng1"); /* the second of a stage */
        think_and_play(club, id, 20 * SECOND, "Ng8");
        expect_clocks(club, id, (60 + 40 * i) * SECOND, (60 + 20 * i) * SECOND);
    }
}

/* Two periods of 31 days are more than it can show (2 x 2,678,400 s). */
static void a_clock_shows_no_more_than_its_most(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "1/2678400:2678400", NULL, NULL);
    club_play(club, id, "e4 e5");
    expect_clocks(club, id, CLOCK_MS_MAX, CLOCK_MS_MAX);
    club_reopen(club);
    expect_clocks(club, id, CLOCK_MS_MAX, CLOCK_MS_MAX);
}

/* ---- time that is given ------------------------------------------------------------------------------- */

static void an_end_that_is_no_move_stops_the_clock_at_what_it_shows(void **state)
{
    static const enum action_kind ends[] = {ACTION_RESIGN, ACTION_ADJUDICATE, ACTION_ACCEPT_DRAW};
    struct club *club = *state;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const char *id = club_create_timed(club, "300+3", NULL, NULL);
        club_play(club, id, "e4 e5");
        if (ends[i] == ACTION_ACCEPT_DRAW)
            assert_int_equal(club_do(club, club_deed(club, ACTION_OFFER_DRAW, id)), ACTION_DONE);
        club_advance(club, 60000);
        struct deed *deed = club_deed(club, ends[i], id);
        if (ends[i] == ACTION_ADJUDICATE)
            deed->action.adjudicate.result = RESULT_DRAW;
        assert_int_equal(club_do(club, deed), ACTION_DONE);
        club_advance(club, 60000);
        club_forget(club);
        expect_clocks(club, id, 240000, 303000);
    }
}

static void an_arbiter_may_give_time_to_either_side_6_10(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "60", NULL, NULL);
    club_play(club, id, "e4");
    club_advance(club, 59 * SECOND);
    assert_int_equal(club_add_time(club, id, SEAT_BLACK, 10 * SECOND), ACTION_DONE); /* whose clock runs */
    expect_clocks(club, id, 60 * SECOND, 70 * SECOND);
    assert_int_equal(allowed_ms(club, id), 11 * SECOND);
    assert_int_equal(club_add_time(club, id, SEAT_WHITE, 5 * SECOND), ACTION_DONE);
    think_and_play(club, id, 1 * SECOND, "e5");
    expect_clocks(club, id, 65 * SECOND, 10 * SECOND);
}

static void time_that_no_clock_can_show_is_refused(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "60", NULL, NULL);
    assert_int_equal(club_add_time(club, id, SEAT_WHITE, TIME_MS_MAX), ACTION_DONE);
    assert_int_equal(club_add_time(club, id, SEAT_WHITE, TIME_MS_MAX), ACTION_FORBIDDEN_BY_RULES);
    expect_clocks(club, id, 60 * SECOND + TIME_MS_MAX, 60 * SECOND);
}

static void time_can_be_given_before_the_game_has_begun(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "60", NULL, NULL);
    assert_int_equal(club_add_time(club, id, SEAT_BLACK, 7 * SECOND), ACTION_DONE);
    club_play(club, id, "e4");
    expect_clocks(club, id, 60 * SECOND, 67 * SECOND);
    assert_int_equal(allowed_ms(club, id), 67 * SECOND);
}

static void time_given_to_a_bank_is_for_the_whole_game(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "1/60", NULL, NULL);
    club_play(club, id, "e4");
    assert_int_equal(club_add_time(club, id, SEAT_BLACK, 10 * SECOND), ACTION_DONE);
    think_and_play(club, id, 50 * SECOND, "e5");
    expect_clocks(club, id, 60 * SECOND, 70 * SECOND);
    club_play(club, id, "Nf3");
    think_and_play(club, id, 65 * SECOND, "Nc6");
    expect_clocks(club, id, 60 * SECOND, 65 * SECOND);
}

/* ---- what is kept ------------------------------------------------------------------------------------- */

struct kept {
    struct move_record records[8];
    size_t count;
};

static bool keep(void *context, const struct move_record *record)
{
    struct kept *kept = context;
    kept->records[kept->count++] = *record;
    return true;
}

static void every_move_keeps_what_it_took_and_what_it_left(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "60+5", NULL, NULL);
    think_and_play(club, id, 9 * SECOND, "e4");
    think_and_play(club, id, 2 * SECOND, "e5");
    think_and_play(club, id, 30 * SECOND, "Nf3");
    struct kept kept = {.count = 0};
    assert_int_equal(games_move_records(club->games, club_view(club, id), 1, 8, keep, &kept), GAMES_OK);
    static const int64_t left[] = {60 * SECOND, 63 * SECOND, 35 * SECOND};
    static const int64_t spent[] = {0, 2 * SECOND, 30 * SECOND};
    assert_int_equal(kept.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(kept.records[i].clock_ms, left[i]);
        assert_int_equal(kept.records[i].spent_ms, spent[i]);
    }
    assert_int_equal(kept.records[2].remaining_ms[COLOR_WHITE], 35 * SECOND);
    assert_int_equal(kept.records[2].remaining_ms[COLOR_BLACK], 63 * SECOND);
}

static void a_repeated_move_tells_its_times_again(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "60+5", NULL, NULL);
    club_play(club, id, "e4");
    think_and_play(club, id, 2 * SECOND, "e5");
    club_advance(club, 20 * SECOND);
    assert_int_equal(club_move_at(club, id, 2, "e5"), ACTION_REPLAYED);
    assert_int_equal(club->last->action.replayed[0].clock_ms, 63 * SECOND);
    assert_int_equal(club->last->action.replayed[0].spent_ms, 2 * SECOND);
}

static void an_untimed_game_keeps_the_clock_that_came_with_a_move(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, "e4 e5");
    deed->inputs[1].has_clock_ms = true;
    deed->inputs[1].clock_ms = 12345;
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.move_clock_ms, 12345);
    assert_int_equal(game_running(club_view(club, id)), SEAT_NONE);
    club_play(club, id, "Nf3");
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.move_clock_ms, 12345);
}

static void a_timed_game_believes_no_clock_but_its_own(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "60", NULL, NULL);
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, "e4");
    deed->inputs[0].has_clock_ms = true;
    deed->inputs[0].clock_ms = 12345;
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.move_clock_ms, 60 * SECOND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(a_game_without_a_control_has_no_clock),
        CLUB_TEST(clocks_start_with_the_first_move_which_is_untimed),
        CLUB_TEST(clocks_can_start_at_once),
        CLUB_TEST(an_immediate_clock_flags_before_the_first_move),
        CLUB_TEST(where_black_begins_his_first_move_is_the_untimed_one),
        CLUB_TEST(moves_that_come_together_take_no_time),
        CLUB_TEST(an_increment_is_added_after_each_move_III_3),
        CLUB_TEST(a_delay_is_not_counted),
        CLUB_TEST(bronstein_gives_back_what_was_used),
        CLUB_TEST(each_move_can_have_its_own_time),
        CLUB_TEST(a_bank_is_used_up_beyond_the_time_of_a_move),
        CLUB_TEST(what_is_saved_in_a_stage_is_carried_over_6_3),
        CLUB_TEST(a_last_stage_with_moves_is_repeated),
        CLUB_TEST(a_clock_shows_no_more_than_its_most),
        CLUB_TEST(an_end_that_is_no_move_stops_the_clock_at_what_it_shows),
        CLUB_TEST(an_arbiter_may_give_time_to_either_side_6_10),
        CLUB_TEST(time_that_no_clock_can_show_is_refused),
        CLUB_TEST(time_can_be_given_before_the_game_has_begun),
        CLUB_TEST(time_given_to_a_bank_is_for_the_whole_game),
        CLUB_TEST(every_move_keeps_what_it_took_and_what_it_left),
        CLUB_TEST(a_repeated_move_tells_its_times_again),
        CLUB_TEST(an_untimed_game_keeps_the_clock_that_came_with_a_move),
        CLUB_TEST(a_timed_game_believes_no_clock_but_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
