/* Ends that need no claim, resignation, abortion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/games_club.h"

static const struct game *expect_end(struct club *club, const char *id, enum game_termination termination,
                                     enum game_result result, enum game_seat by)
{
    const struct game *game = club_view(club, id);
    const struct game_end *end = &game->head.end;
    assert_int_equal(end->termination, termination);
    assert_int_equal(end->result, result);
    assert_int_equal(end->by, by);
    assert_int_equal(game->head.status, termination == TERMINATION_ABORTED ? GAME_ABORTED : GAME_ENDED);
    assert_true(end->at_ms == game->head.updated_at_ms);
    return game;
}

/* ---- by themselves ------------------------------------------------------------------------------------ */

static void checkmate_ends_the_game_5_1_1(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#");
    const struct game *game = expect_end(club, id, TERMINATION_CHECKMATE, RESULT_WHITE_WINS, SEAT_WHITE);
    assert_int_equal(game_winner(game), SEAT_WHITE);
    assert_int_equal(club_move(club, id, "Kxf7"), ACTION_GAME_OVER);
}

static void stalemate_ends_the_game_5_2_1(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1");
    club_play(club, id, "Qf7");
    const struct game *game = expect_end(club, id, TERMINATION_STALEMATE, RESULT_DRAW, SEAT_WHITE);
    assert_int_equal(game_winner(game), SEAT_NONE);
}

static void a_dead_position_of_material_ends_the_game_5_2_2(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, "8/8/8/4k3/3P4/8/8/4K3 b - - 0 1");
    club_play(club, id, "Kxd4");
    const struct game *game = expect_end(club, id, TERMINATION_DEAD_POSITION, RESULT_DRAW, SEAT_BLACK);
    assert_int_equal(game->head.end.dead_method, WINNABLE_MATERIAL);
    club_reopen(club);
    assert_int_equal(club_view(club, id)->head.end.dead_method, WINNABLE_MATERIAL);
}

static void the_fifth_occurrence_ends_the_game_after_sixteen_half_moves_9_6_1(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    club_play(club, id, "Ng8");
    const struct game *game = expect_end(club, id, TERMINATION_FIVEFOLD_REPETITION, RESULT_DRAW, SEAT_BLACK);
    assert_int_equal(game->head.repetition, 5);
    assert_int_equal(game->head.ply, 16);
}

static void occurrences_need_not_follow_each_other_9_6_1(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8 Nf3 Nc6 Ng1 Nb8 Nc3 Nf6 Nb1");
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    club_play(club, id, "Ng8");
    (void)expect_end(club, id, TERMINATION_FIVEFOLD_REPETITION, RESULT_DRAW, SEAT_BLACK);
}

static void the_count_of_occurrences_survives_a_reload(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    for (int i = 0; i < 4; i++) {
        club_play(club, id, "Nf3 Nf6");
        club_forget(club);
        club_play(club, id, "Ng1 Ng8");
        club_forget(club);
    }
    (void)expect_end(club, id, TERMINATION_FIVEFOLD_REPETITION, RESULT_DRAW, SEAT_BLACK);
}

static void the_150th_half_move_ends_the_game_and_not_the_149th_9_6_2(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, "4k3/8/8/8/8/8/8/R3K3 w - - 148 120");
    club_play(club, id, "Ra2");
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    club_play(club, id, "Kd8");
    (void)expect_end(club, id, TERMINATION_SEVENTYFIVE_MOVES, RESULT_DRAW, SEAT_BLACK);
}

static void checkmate_goes_before_seventyfive_moves_9_6_2(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 120");
    club_play(club, id, "Ra8#");
    const struct game *game = expect_end(club, id, TERMINATION_CHECKMATE, RESULT_WHITE_WINS, SEAT_WHITE);
    assert_int_equal(game->head.end.also, 1U << TERMINATION_SEVENTYFIVE_MOVES);
    club_reopen(club);
    assert_int_equal(club_view(club, id)->head.end.also, 1U << TERMINATION_SEVENTYFIVE_MOVES);
}

static void stalemate_goes_before_seventyfive_moves(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, "7k/8/6K1/8/8/8/5Q2/8 w - - 149 120");
    club_play(club, id, "Qf7");
    const struct game *game = expect_end(club, id, TERMINATION_STALEMATE, RESULT_DRAW, SEAT_WHITE);
    assert_int_equal(game->head.end.also, 1U << TERMINATION_SEVENTYFIVE_MOVES);
}

static void a_capture_at_149_starts_the_count_anew(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, "4k3/8/8/8/8/8/r7/R3K3 w - - 149 120");
    club_play(club, id, "Rxa2");
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
}

/* ---- resignation -------------------------------------------------------------------------------------- */

static void resignation_wins_for_the_other_side_5_1_2(void **state)
{
    struct club *club = *state;
    const char *white = club_create(club);
    assert_int_equal(club_resign(club, white, SEAT_WHITE), ACTION_DONE);
    (void)expect_end(club, white, TERMINATION_RESIGNATION, RESULT_BLACK_WINS, SEAT_WHITE);
    const char *black = club_create(club);
    assert_int_equal(club_resign(club, black, SEAT_BLACK), ACTION_DONE); /* out of turn */
    (void)expect_end(club, black, TERMINATION_RESIGNATION, RESULT_WHITE_WINS, SEAT_BLACK);
}

static void who_is_not_named_and_resigns_is_the_side_to_move(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4");
    assert_int_equal(club_resign(club, id, SEAT_NONE), ACTION_DONE);
    (void)expect_end(club, id, TERMINATION_RESIGNATION, RESULT_WHITE_WINS, SEAT_BLACK);
    club_reopen(club);
    (void)expect_end(club, id, TERMINATION_RESIGNATION, RESULT_WHITE_WINS, SEAT_BLACK);
}

static void resignation_against_a_bare_king_draws_5_1_2(void **state)
{
    struct club *club = *state;
    const char *fen = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";
    const char *white = club_create_fen(club, fen);
    assert_int_equal(club_resign(club, white, SEAT_WHITE), ACTION_DONE);
    (void)expect_end(club, white, TERMINATION_RESIGNATION_UNWINNABLE, RESULT_DRAW, SEAT_WHITE);
    const char *black = club_create_fen(club, fen);
    assert_int_equal(club_resign(club, black, SEAT_BLACK), ACTION_DONE);
    (void)expect_end(club, black, TERMINATION_RESIGNATION, RESULT_WHITE_WINS, SEAT_BLACK);
    club_reopen(club);
    (void)expect_end(club, white, TERMINATION_RESIGNATION_UNWINNABLE, RESULT_DRAW, SEAT_WHITE);
}

static void resigning_once_more_is_a_repeat(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4 e5");
    assert_int_equal(club_resign(club, id, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(club_resign(club, id, SEAT_WHITE), ACTION_REPLAYED);
    assert_int_equal(club_resign(club, id, SEAT_NONE), ACTION_REPLAYED);
    assert_int_equal(club_resign(club, id, SEAT_BLACK), ACTION_GAME_OVER);
    club_forget(club);
    assert_int_equal(club_resign(club, id, SEAT_WHITE), ACTION_REPLAYED);
    const char *drawn = club_create_fen(club, "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1");
    assert_int_equal(club_resign(club, drawn, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(club_resign(club, drawn, SEAT_WHITE), ACTION_REPLAYED);
}

static void nobody_resigns_a_game_that_a_move_has_ended(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "f3 e5 g4 Qh4");
    assert_int_equal(club_resign(club, id, SEAT_WHITE), ACTION_GAME_OVER);
}

static void a_repeat_needs_no_version_but_a_resignation_does(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct deed *wrong = club_deed(club, ACTION_RESIGN, id);
    deed_if_version(wrong, 2);
    assert_int_equal(club_do(club, wrong), ACTION_VERSION_MISMATCH);
    struct deed *right = club_deed(club, ACTION_RESIGN, id);
    deed_if_version(right, 1);
    assert_int_equal(club_do(club, right), ACTION_DONE);
    struct deed *again = club_deed(club, ACTION_RESIGN, id);
    deed_if_version(again, 1);
    assert_int_equal(club_do(club, again), ACTION_REPLAYED);
}

/* ---- abortion ----------------------------------------------------------------------------------------- */

static void a_game_can_be_aborted_before_both_have_moved(void **state)
{
    struct club *club = *state;
    const char *fresh = club_create(club);
    assert_int_equal(club_abort(club, fresh), ACTION_DONE);
    (void)expect_end(club, fresh, TERMINATION_ABORTED, RESULT_NONE, SEAT_NONE);
    const char *moved = club_create(club);
    club_play(club, moved, "e4");
    assert_int_equal(club_abort(club, moved), ACTION_DONE);
    club_reopen(club);
    (void)expect_end(club, moved, TERMINATION_ABORTED, RESULT_NONE, SEAT_NONE);
}

static void a_game_in_which_both_have_moved_is_not_aborted(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4 e5");
    assert_int_equal(club_abort(club, id), ACTION_ABORT_TOO_LATE);
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    assert_int_equal(club_abort(club, id), ACTION_DONE);
}

static void aborting_once_more_is_a_repeat(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_abort(club, id), ACTION_DONE);
    assert_int_equal(club_abort(club, id), ACTION_REPLAYED);
    club_forget(club);
    assert_int_equal(club_abort(club, id), ACTION_REPLAYED);
}

static void a_game_that_has_ended_is_not_aborted(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_resign(club, id, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(club_abort(club, id), ACTION_GAME_OVER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(checkmate_ends_the_game_5_1_1),
        CLUB_TEST(stalemate_ends_the_game_5_2_1),
        CLUB_TEST(a_dead_position_of_material_ends_the_game_5_2_2),
        CLUB_TEST(the_fifth_occurrence_ends_the_game_after_sixteen_half_moves_9_6_1),
        CLUB_TEST(occurrences_need_not_follow_each_other_9_6_1),
        CLUB_TEST(the_count_of_occurrences_survives_a_reload),
        CLUB_TEST(the_150th_half_move_ends_the_game_and_not_the_149th_9_6_2),
        CLUB_TEST(checkmate_goes_before_seventyfive_moves_9_6_2),
        CLUB_TEST(stalemate_goes_before_seventyfive_moves),
        CLUB_TEST(a_capture_at_149_starts_the_count_anew),
        CLUB_TEST(resignation_wins_for_the_other_side_5_1_2),
        CLUB_TEST(who_is_not_named_and_resigns_is_the_side_to_move),
        CLUB_TEST(resignation_against_a_bare_king_draws_5_1_2),
        CLUB_TEST(resigning_once_more_is_a_repeat),
        CLUB_TEST(nobody_resigns_a_game_that_a_move_has_ended),
        CLUB_TEST(a_repeat_needs_no_version_but_a_resignation_does),
        CLUB_TEST(a_game_can_be_aborted_before_both_have_moved),
        CLUB_TEST(a_game_in_which_both_have_moved_is_not_aborted),
        CLUB_TEST(aborting_once_more_is_a_repeat),
        CLUB_TEST(a_game_that_has_ended_is_not_aborted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
