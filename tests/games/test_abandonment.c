/* Games that nobody goes on with: a rule option, no rule of chess. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/games_club.h"

enum { SECOND = 1000 };

static const struct game *expect_end(struct club *club, const char *id, enum game_termination termination,
                                     enum game_result result)
{
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.end.termination, termination);
    assert_int_equal(game->head.end.result, result);
    return game;
}

static const char *watched_game(struct club *club, const char *fen)
{
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.abandon_after_ms = 60 * SECOND;
    return club_create_rules(club, fen, &rules, NULL);
}

static void who_does_not_move_for_too_long_has_lost(void **state)
{
    struct club *club = *state;
    const char *id = watched_game(club, NULL);
    club_play(club, id, "e4 e5");
    club_advance(club, 60 * SECOND - 1);
    assert_int_equal(club_tick(club, id), 1);
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    club_advance(club, 1);
    (void)club_tick(club, id);
    const struct game *game = expect_end(club, id, TERMINATION_ABANDONMENT, RESULT_BLACK_WINS);
    assert_int_equal(game->head.end.by, SEAT_WHITE);
    assert_int_equal(game->head.status, GAME_ENDED);
    assert_int_equal(club_counters(club).deadlines, 0);
}

static void before_both_have_moved_it_is_aborted(void **state)
{
    struct club *club = *state;
    const char *untouched = watched_game(club, NULL);
    const char *begun = watched_game(club, NULL);
    club_play(club, begun, "e4");
    club_advance(club, 60 * SECOND);
    (void)club_tick(club, untouched);
    (void)club_tick(club, begun);
    const struct game *game = expect_end(club, untouched, TERMINATION_ABANDONMENT, RESULT_NONE);
    assert_int_equal(game->head.status, GAME_ABORTED);
    game = expect_end(club, begun, TERMINATION_ABANDONMENT, RESULT_NONE);
    assert_int_equal(game->head.status, GAME_ABORTED);
    assert_int_equal(game->head.end.by, SEAT_BLACK);
}

static void it_draws_where_the_opponent_cannot_mate(void **state)
{
    struct club *club = *state;
    const char *id = watched_game(club, "7k/8/8/8/8/8/q7/7K w - - 0 1");
    club_play(club, id, "Kg1 Kg7 Kh1"); /* now the queen would have to move */
    club_advance(club, 60 * SECOND);
    (void)club_tick(club, id);
    const struct game *game = expect_end(club, id, TERMINATION_ABANDONMENT, RESULT_DRAW);
    assert_int_equal(game->head.end.by, SEAT_BLACK);
    assert_int_equal(game->head.end.decision->verdict, WINNABLE_NO);
}

static void only_a_move_starts_the_time_anew(void **state)
{
    struct club *club = *state;
    const char *id = watched_game(club, NULL);
    club_play(club, id, "e4 e5");
    club_advance(club, 50 * SECOND);
    assert_int_equal(club_seat(club, ACTION_OFFER_DRAW, id, SEAT_WHITE), ACTION_DONE);
    club_advance(club, 10 * SECOND);
    assert_int_equal(club_seat(club, ACTION_DECLINE_DRAW, id, SEAT_BLACK), ACTION_GAME_OVER);
    (void)expect_end(club, id, TERMINATION_ABANDONMENT, RESULT_BLACK_WINS);
}

static void a_move_in_time_starts_it_anew(void **state)
{
    struct club *club = *state;
    const char *id = watched_game(club, NULL);
    club_play(club, id, "e4 e5");
    club_advance(club, 50 * SECOND);
    club_play(club, id, "Nf3");
    club_advance(club, 50 * SECOND);
    (void)club_tick(club, id);
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
}

static void nobody_abandons_by_asking(void **state)
{
    struct club *club = *state;
    const char *id = watched_game(club, NULL);
    club_advance(club, 59 * SECOND);
    assert_int_equal(club_do(club, club_deed(club, ACTION_ABANDON, id)), ACTION_CLOCK_RUNNING);
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(who_does_not_move_for_too_long_has_lost), CLUB_TEST(before_both_have_moved_it_is_aborted),
        CLUB_TEST(it_draws_where_the_opponent_cannot_mate), CLUB_TEST(only_a_move_starts_the_time_anew),
        CLUB_TEST(a_move_in_time_starts_it_anew),           CLUB_TEST(nobody_abandons_by_asking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
