/* What an arbiter does to a game: penalties (7.5.5, 9.5.3), adjudication, a limit of moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/games_club.h"

enum { SECOND = 1000 };

static const char *const twice_more = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
/* White has a bare king, and it is White's move. */
static const char *const bare_king = "7k/8/8/8/8/8/q7/7K w - - 0 1";

static const struct game *expect_end(struct club *club, const char *id, enum game_termination termination,
                                     enum game_result result)
{
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.end.termination, termination);
    assert_int_equal(game->head.end.result, result);
    return game;
}

static void expect_clocks(struct club *club, const char *id, int64_t white_ms, int64_t black_ms)
{
    const struct clock *clock = club_view(club, id)->clock;
    assert_int_equal(clock->remaining_ms[COLOR_WHITE], white_ms);
    assert_int_equal(clock->remaining_ms[COLOR_BLACK], black_ms);
}

static enum action_outcome illegal(struct club *club, const char *id, enum game_seat seat)
{
    return club_seat(club, ACTION_ILLEGAL_MOVE, id, seat);
}

/* ---- a wrong claim (9.5.3) ---------------------------------------------------------------------------- */

static void a_wrong_claim_gives_the_opponent_two_minutes_9_5_3(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "300", NULL, NULL);
    club_play(club, id, "e4");
    club_advance(club, 10 * SECOND);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_DONE);
    expect_clocks(club, id, 420 * SECOND, 300 * SECOND);
    club_advance(club, 5 * SECOND);
    club_play(club, id, "e5"); /* Black's clock has gone on all the time */
    expect_clocks(club, id, 420 * SECOND, 285 * SECOND);
    club_reopen(club);
    expect_clocks(club, id, 420 * SECOND, 285 * SECOND);
}

static void in_rapid_and_blitz_it_is_one_minute_A_3(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.claim_penalty_ms = 60 * SECOND;
    const char *id = club_create_timed(club, "300", NULL, &rules);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_DONE);
    expect_clocks(club, id, 300 * SECOND, 360 * SECOND);
}

static void the_penalty_can_be_nothing(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.claim_penalty_ms = 0;
    const char *id = club_create_timed(club, "300", NULL, &rules);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_DONE);
    assert_int_equal(illegal(club, id, SEAT_WHITE), ACTION_DONE);
    expect_clocks(club, id, 300 * SECOND, 300 * SECOND);
}

static void a_wrong_claim_costs_and_its_announced_move_is_played_9_5_3(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "300+2", NULL, NULL);
    club_play(club, id, "e4");
    club_advance(club, 20 * SECOND);
    assert_int_equal(club_claim(club, id, CLAIM_FIFTY, "e5"), ACTION_DONE);
    expect_clocks(club, id, 420 * SECOND, 282 * SECOND);
    assert_int_equal(club_view(club, id)->head.ply, 2);
    assert_int_equal(club_view(club, id)->head.move_spent_ms, 20 * SECOND);
}

static void a_refused_claim_costs_nothing(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_ONLINE);
    const char *id = club_create_timed(club, "300", NULL, &rules);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, "e4"), ACTION_CLAIM_INVALID);
    expect_clocks(club, id, 300 * SECOND, 300 * SECOND);
    assert_int_equal(club_view(club, id)->head.version, 1);
}

static void a_wrong_claim_costs_where_offers_are_off_too_9_5_3(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.draw_offers = DRAW_OFFERS_OFF;
    const char *id = club_create_timed(club, "300", NULL, &rules);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_DONE);
    expect_clocks(club, id, 300 * SECOND, 420 * SECOND);
    assert_int_equal(club_view(club, id)->head.offer_by, SEAT_NONE);
}

static void a_right_claim_costs_nothing(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "300", NULL, NULL);
    club_play(club, id, twice_more);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_DONE);
    expect_clocks(club, id, 300 * SECOND, 300 * SECOND);
}

static void a_pawn_move_at_99_is_no_claim_and_is_played_9_3_1(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, "4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80");
    assert_int_equal(club_claim(club, id, CLAIM_FIFTY, "e4"), ACTION_DONE);
    assert_false(club->last->action.verdict.valid);
    assert_int_equal(club_view(club, id)->head.position.halfmove_clock, 0);
}

static void a_claim_with_a_stalemating_move_as_the_hundredth_is_right_9_3_1(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, "7k/8/6K1/8/8/8/5Q2/8 w - - 99 80");
    assert_int_equal(club_claim(club, id, CLAIM_FIFTY, "Qf7"), ACTION_DONE);
    (void)expect_end(club, id, TERMINATION_FIFTY_MOVES, RESULT_DRAW);
}

/* ---- illegal moves (7.5.5) ---------------------------------------------------------------------------- */

static void the_first_illegal_move_gives_the_opponent_two_minutes_7_5_5(void **state)
{
    struct club *club = *state;
    const char *id = club_create_timed(club, "300", NULL, NULL);
    club_play(club, id, "e4");
    assert_int_equal(illegal(club, id, SEAT_NONE), ACTION_DONE); /* the side to move: Black */
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.status, GAME_ACTIVE);
    assert_int_equal(game->head.illegal[COLOR_BLACK], 1);
    assert_int_equal(game->head.illegal[COLOR_WHITE], 0);
    expect_clocks(club, id, 420 * SECOND, 300 * SECOND);
    club_reopen(club);
    assert_int_equal(club_view(club, id)->head.illegal[COLOR_BLACK], 1);
    expect_clocks(club, id, 420 * SECOND, 300 * SECOND);
}

static void without_a_clock_the_first_illegal_move_is_noted_7_5_5(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(illegal(club, id, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.illegal[COLOR_WHITE], 1);
}

static void the_second_illegal_move_of_the_same_player_loses_7_5_5(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(illegal(club, id, SEAT_WHITE), ACTION_DONE);
    club_play(club, id, "e4");
    assert_int_equal(illegal(club, id, SEAT_BLACK), ACTION_DONE); /* the other one's first */
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    club_forget(club);
    assert_int_equal(illegal(club, id, SEAT_WHITE), ACTION_DONE);
    const struct game *game = expect_end(club, id, TERMINATION_RULES_INFRACTION, RESULT_BLACK_WINS);
    assert_int_equal(game->head.end.by, SEAT_WHITE);
    assert_non_null(game->head.end.decision);
    assert_int_equal(game->head.end.decision->verdict, WINNABLE_YES);
    assert_int_equal(illegal(club, id, SEAT_WHITE), ACTION_REPLAYED);
    assert_int_equal(illegal(club, id, SEAT_BLACK), ACTION_GAME_OVER);
}

static void it_draws_where_the_opponent_cannot_mate_7_5_5(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, bare_king);
    assert_int_equal(illegal(club, id, SEAT_BLACK), ACTION_DONE);
    assert_int_equal(illegal(club, id, SEAT_BLACK), ACTION_DONE);
    const struct game *game = expect_end(club, id, TERMINATION_RULES_INFRACTION, RESULT_DRAW);
    assert_int_equal(game->head.end.by, SEAT_BLACK);
    assert_int_equal(game->head.end.decision->verdict, WINNABLE_NO);
    assert_int_equal(game->head.end.decision->method, WINNABLE_MATERIAL);
    const char *other = club_create_fen(club, bare_king);
    assert_int_equal(illegal(club, other, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(illegal(club, other, SEAT_WHITE), ACTION_DONE);
    (void)expect_end(club, other, TERMINATION_RULES_INFRACTION, RESULT_BLACK_WINS);
}

static void a_takeback_does_not_forget_illegal_moves(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4");
    assert_int_equal(illegal(club, id, SEAT_BLACK), ACTION_DONE);
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.illegal[COLOR_BLACK], 1);
    assert_int_equal(illegal(club, id, SEAT_BLACK), ACTION_DONE);
    (void)expect_end(club, id, TERMINATION_RULES_INFRACTION, RESULT_WHITE_WINS);
}

/* ---- adjudication ------------------------------------------------------------------------------------- */

static void an_arbiter_may_decide_any_result(void **state)
{
    struct club *club = *state;
    for (int result = RESULT_WHITE_WINS; result < RESULT_COUNT; result++) {
        const char *id = club_create(club);
        assert_int_equal(club_adjudicate(club, id, (enum game_result)result, "hall closed\nat ten"),
                         ACTION_DONE);
        club_reopen(club);
        const struct game *game = expect_end(club, id, TERMINATION_ADJUDICATION, (enum game_result)result);
        assert_int_equal(game->head.status, GAME_ENDED);
        assert_int_equal(game->head.end.by, SEAT_NONE);
        assert_string_equal(game->head.end.comment, "hall closed\nat ten");
    }
}

static void an_adjudication_needs_no_comment(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_adjudicate(club, id, RESULT_DRAW, NULL), ACTION_DONE);
    assert_null(club_view(club, id)->head.end.comment);
}

static void the_same_adjudication_may_be_repeated_and_no_other(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_adjudicate(club, id, RESULT_DRAW, "first"), ACTION_DONE);
    assert_int_equal(club_adjudicate(club, id, RESULT_DRAW, "second"), ACTION_REPLAYED);
    assert_int_equal(club_adjudicate(club, id, RESULT_WHITE_WINS, NULL), ACTION_GAME_OVER);
    assert_string_equal(club_view(club, id)->head.end.comment, "first");
}

static void what_was_adjudicated_is_not_undone(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4");
    assert_int_equal(club_adjudicate(club, id, RESULT_BLACK_WINS, NULL), ACTION_DONE);
    assert_int_equal(club_undo(club, id, 1), ACTION_GAME_OVER);
    assert_int_equal(club_adjudicate(club, id, RESULT_BLACK_WINS, NULL), ACTION_REPLAYED);
}

/* ---- a limit of moves --------------------------------------------------------------------------------- */

static const char *limited_game(struct club *club, const char *fen, uint16_t move_limit)
{
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.move_limit = move_limit;
    return club_create_rules(club, fen, &rules, NULL);
}

static void a_game_is_drawn_after_so_many_moves_of_each_player(void **state)
{
    struct club *club = *state;
    const char *id = limited_game(club, NULL, 2);
    club_play(club, id, "e4 e5 Nf3");
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    club_play(club, id, "Nc6");
    const struct game *game = expect_end(club, id, TERMINATION_MOVE_LIMIT, RESULT_DRAW);
    assert_int_equal(game->head.end.by, SEAT_BLACK);
    assert_int_equal(game->head.end.also, 0);
    assert_int_equal(club_move(club, id, "Bb5"), ACTION_GAME_OVER);
}

static void the_limit_counts_the_moves_of_this_game(void **state)
{
    struct club *club = *state;
    const char *id = limited_game(club, "4k3/8/8/8/8/8/8/R3K3 b - - 0 70", 1);
    club_play(club, id, "Kd7");
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    club_play(club, id, "Ra2");
    (void)expect_end(club, id, TERMINATION_MOVE_LIMIT, RESULT_DRAW);
}

static void mate_goes_before_the_limit(void **state)
{
    struct club *club = *state;
    const char *id = limited_game(club, NULL, 2);
    club_play(club, id, "f3 e5 g4 Qh4");
    const struct game *game = expect_end(club, id, TERMINATION_CHECKMATE, RESULT_BLACK_WINS);
    assert_int_equal(game->head.end.also, 1U << TERMINATION_MOVE_LIMIT);
    club_reopen(club);
    assert_int_equal(club_view(club, id)->head.end.also, 1U << TERMINATION_MOVE_LIMIT);
}

static void the_ends_of_the_laws_go_before_the_limit(void **state)
{
    struct club *club = *state;
    const char *stale = limited_game(club, "6k1/8/6K1/8/8/8/5Q2/8 b - - 0 1", 1);
    club_play(club, stale, "Kh8 Qf7");
    const struct game *game = expect_end(club, stale, TERMINATION_STALEMATE, RESULT_DRAW);
    assert_int_equal(game->head.end.also, 1U << TERMINATION_MOVE_LIMIT);
    const char *counted = limited_game(club, "4k3/8/8/8/8/8/8/R3K3 w - - 148 120", 1);
    club_play(club, counted, "Ra2 Kd8");
    game = expect_end(club, counted, TERMINATION_SEVENTYFIVE_MOVES, RESULT_DRAW);
    assert_int_equal(game->head.end.also, 1U << TERMINATION_MOVE_LIMIT);
    const char *dead = limited_game(club, "8/8/8/3k4/3P4/8/8/4K3 w - - 0 1", 1);
    club_play(club, dead, "Ke2 Kxd4");
    game = expect_end(club, dead, TERMINATION_DEAD_POSITION, RESULT_DRAW);
    assert_int_equal(game->head.end.also, 1U << TERMINATION_MOVE_LIMIT);
}

static void what_claims_itself_goes_before_the_limit_and_names_it(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_ONLINE);
    rules.move_limit = 4;
    const char *id = club_create_rules(club, NULL, &rules, twice_more);
    const struct game *game = expect_end(club, id, TERMINATION_THREEFOLD_REPETITION, RESULT_DRAW);
    assert_int_equal(game->head.end.also, 1U << TERMINATION_MOVE_LIMIT);
}

static void of_two_that_claim_themselves_the_second_is_named(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_ONLINE);
    const char *id = club_create_rules(club, "4k3/8/8/8/8/8/8/R3K3 w - - 92 80", &rules,
                                       "Ra2 Kd8 Ra1 Ke8 Ra2 Kd8 Ra1 Ke8");
    const struct game *game = expect_end(club, id, TERMINATION_THREEFOLD_REPETITION, RESULT_DRAW);
    assert_int_equal(game->head.end.also, 1U << TERMINATION_FIFTY_MOVES);
}

static void taking_back_the_last_move_takes_the_limit_back(void **state)
{
    struct club *club = *state;
    const char *id = limited_game(club, NULL, 1);
    club_play(club, id, "e4 e5");
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    club_play(club, id, "c5");
    (void)expect_end(club, id, TERMINATION_MOVE_LIMIT, RESULT_DRAW);
}

/* ---- dead positions, as far as the rules look for them (5.2.2) ----------------------------------------- */

/* King and pawn walls that nobody can pass; the last waiting move closes it. */
static const char *const nearly_blocked = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1";

static void walls_that_nobody_passes_are_dead_5_2_2(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, nearly_blocked);
    const struct game *game = expect_end(club, id, TERMINATION_DEAD_POSITION, RESULT_DRAW);
    assert_int_not_equal(game->head.end.dead_method, WINNABLE_MATERIAL);
    club_reopen(club);
    assert_int_equal(club_view(club, id)->head.end.dead_method, game->head.end.dead_method);
}

static void dead_by_material_alone_does_not_see_walls(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.dead = ENDING_DEAD_MATERIAL;
    const char *id = club_create_rules(club, nearly_blocked, &rules, "Ke2 Kd7");
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    const char *bare = club_create_rules(club, "8/8/8/4k3/3P4/8/8/4K3 b - - 0 1", &rules, "Kxd4");
    (void)expect_end(club, bare, TERMINATION_DEAD_POSITION, RESULT_DRAW);
}

static void nothing_is_dead_where_the_rule_is_off(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.dead = ENDING_DEAD_OFF;
    const char *walls = club_create_rules(club, nearly_blocked, &rules, "Ke2 Kd7");
    assert_int_equal(club_view(club, walls)->head.status, GAME_ACTIVE);
    const char *bare = club_create_rules(club, "8/8/8/4k3/3P4/8/8/4K3 b - - 0 1", &rules, "Kxd4 Kd2");
    assert_int_equal(club_view(club, bare)->head.status, GAME_ACTIVE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(a_wrong_claim_gives_the_opponent_two_minutes_9_5_3),
        CLUB_TEST(in_rapid_and_blitz_it_is_one_minute_A_3),
        CLUB_TEST(the_penalty_can_be_nothing),
        CLUB_TEST(a_wrong_claim_costs_and_its_announced_move_is_played_9_5_3),
        CLUB_TEST(a_refused_claim_costs_nothing),
        CLUB_TEST(a_wrong_claim_costs_where_offers_are_off_too_9_5_3),
        CLUB_TEST(a_right_claim_costs_nothing),
        CLUB_TEST(a_pawn_move_at_99_is_no_claim_and_is_played_9_3_1),
        CLUB_TEST(a_claim_with_a_stalemating_move_as_the_hundredth_is_right_9_3_1),
        CLUB_TEST(the_first_illegal_move_gives_the_opponent_two_minutes_7_5_5),
        CLUB_TEST(without_a_clock_the_first_illegal_move_is_noted_7_5_5),
        CLUB_TEST(the_second_illegal_move_of_the_same_player_loses_7_5_5),
        CLUB_TEST(it_draws_where_the_opponent_cannot_mate_7_5_5),
        CLUB_TEST(a_takeback_does_not_forget_illegal_moves),
        CLUB_TEST(an_arbiter_may_decide_any_result),
        CLUB_TEST(an_adjudication_needs_no_comment),
        CLUB_TEST(the_same_adjudication_may_be_repeated_and_no_other),
        CLUB_TEST(what_was_adjudicated_is_not_undone),
        CLUB_TEST(a_game_is_drawn_after_so_many_moves_of_each_player),
        CLUB_TEST(the_limit_counts_the_moves_of_this_game),
        CLUB_TEST(mate_goes_before_the_limit),
        CLUB_TEST(the_ends_of_the_laws_go_before_the_limit),
        CLUB_TEST(what_claims_itself_goes_before_the_limit_and_names_it),
        CLUB_TEST(of_two_that_claim_themselves_the_second_is_named),
        CLUB_TEST(taking_back_the_last_move_takes_the_limit_back),
        CLUB_TEST(walls_that_nobody_passes_are_dead_5_2_2),
        CLUB_TEST(dead_by_material_alone_does_not_see_walls),
        CLUB_TEST(nothing_is_dead_where_the_rule_is_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
