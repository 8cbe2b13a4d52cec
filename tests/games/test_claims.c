/* Draws that are claimed: 9.2 threefold repetition, 9.3 fifty moves, 9.5 what a wrong claim costs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "games/fold.h"
#include "games/judge.h"
#include "tests/support/games_club.h"

static const char *const once_more = "Nf3 Nf6 Ng1 Ng8";
static const char *const twice_more = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
static const char *const rook_at_99 = "4k3/8/8/8/8/8/8/R3K3 w - - 99 80";
static const char *const rook_at_100 = "4k3/8/8/8/8/8/8/R3K3 w - - 100 80";

static const struct claim_verdict *verdict(const struct club *club)
{
    return &club->last->action.verdict;
}

static void expect_claimed(struct club *club, const char *id, enum game_termination termination,
                           enum game_seat by)
{
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.status, GAME_ENDED);
    assert_int_equal(game->head.end.termination, termination);
    assert_int_equal(game->head.end.result, RESULT_DRAW);
    assert_int_equal(game->head.end.by, by);
    assert_int_equal(game->head.end.claim,
                     termination == TERMINATION_FIFTY_MOVES ? CLAIM_FIFTY : CLAIM_THREEFOLD);
}

/* ---- right ones --------------------------------------------------------------------------------------- */

static void the_third_occurrence_on_the_board_can_be_claimed_9_2_2(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, twice_more); /* the first position counts */
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_DONE);
    assert_true(verdict(club)->valid && !verdict(club)->stands_as_offer);
    assert_int_equal(verdict(club)->count, 3);
    assert_int_equal(verdict(club)->ply_count, 3);
    assert_int_equal(verdict(club)->plies[0], 0);
    assert_int_equal(verdict(club)->plies[1], 4);
    assert_int_equal(verdict(club)->plies[2], 8);
    expect_claimed(club, id, TERMINATION_THREEFOLD_REPETITION, SEAT_WHITE);
}

static void the_third_occurrence_can_be_claimed_with_an_announced_move_9_2_1(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, "Ng8"), ACTION_DONE);
    assert_int_equal(verdict(club)->count, 3);
    assert_int_equal(verdict(club)->ply_count, 2);
    assert_string_equal(verdict(club)->san, "Ng8");
    assert_string_equal(verdict(club)->uci, "f6g8");
    expect_claimed(club, id, TERMINATION_THREEFOLD_REPETITION, SEAT_BLACK);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.ply, 7); /* the announced move is not played */
    assert_int_not_equal(game->head.end.claim_move, MOVE_NONE);
    club_reopen(club);
    assert_int_equal(club_view(club, id)->head.end.claim_move, game->head.end.claim_move);
}

static void a_hundred_half_moves_on_the_board_can_be_claimed_9_3_2(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, rook_at_100);
    assert_int_equal(club_claim(club, id, CLAIM_FIFTY, NULL), ACTION_DONE);
    assert_int_equal(verdict(club)->halfmove_clock, 100);
    expect_claimed(club, id, TERMINATION_FIFTY_MOVES, SEAT_WHITE);
}

static void the_hundredth_half_move_can_be_announced_9_3_1(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, rook_at_99);
    assert_int_equal(club_claim(club, id, CLAIM_FIFTY, "Ra2"), ACTION_DONE);
    assert_int_equal(verdict(club)->halfmove_clock, 100);
    expect_claimed(club, id, TERMINATION_FIFTY_MOVES, SEAT_WHITE);
}

static void a_claim_with_a_mating_move_as_the_hundredth_is_right_9_3_1(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80");
    assert_int_equal(club_claim(club, id, CLAIM_FIFTY, "Ra8"), ACTION_DONE);
    assert_string_equal(verdict(club)->san, "Ra8#");
    expect_claimed(club, id, TERMINATION_FIFTY_MOVES, SEAT_WHITE);
}

static void a_claim_without_a_reason_takes_the_one_that_holds(void **state)
{
    struct club *club = *state;
    const char *repeated = club_create(club);
    club_play(club, repeated, twice_more);
    assert_int_equal(club_claim(club, repeated, CLAIM_NONE, NULL), ACTION_DONE);
    assert_int_equal(verdict(club)->reason, CLAIM_THREEFOLD);
    const char *counted = club_create_fen(club, rook_at_100);
    assert_int_equal(club_claim(club, counted, CLAIM_NONE, NULL), ACTION_DONE);
    assert_int_equal(verdict(club)->reason, CLAIM_FIFTY);
}

static void castling_rights_make_positions_different_9_2_3_2(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    const char *shuffle = "Rb1 Rb8 Ra1 Ra8";
    club_play(club, id, shuffle);
    assert_int_equal(club_view(club, id)->head.repetition, 1); /* the rights to castle long are gone */
    club_play(club, id, shuffle);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_DONE);
    assert_false(verdict(club)->valid);
    assert_int_equal(verdict(club)->count, 2);
    club_play(club, id, shuffle);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_DONE);
    assert_true(verdict(club)->valid);
}

static void a_capture_in_passing_makes_positions_different_9_2_3_1(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, "4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1");
    club_play(club, id, "a4 Ke7 Ke2 Ke8 Ke1 Ke7 Ke2 Ke8 Ke1");
    assert_int_equal(club_view(club, id)->head.repetition, 2); /* at ply 1 bxa3 was possible */
    club_play(club, id, "Ke7 Ke2 Ke8 Ke1");
    assert_int_equal(club_view(club, id)->head.repetition, 3);
}

static void a_capture_in_passing_that_is_not_legal_makes_no_difference_9_2_3_1(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, "8/8/8/8/Rp5k/8/2P5/4K3 w - - 0 1"); /* bxc3 opens the rank */
    club_play(club, id, "c4 Kh5 Ke2 Kh4 Ke1 Kh5 Ke2 Kh4 Ke1");
    assert_int_equal(club_view(club, id)->head.repetition, 3);
}

/* A game whose history is made to hold the present key three times, as if other positions had the same one.
 */
static struct live *live_with_colliding_keys(struct club *club, const char *moves, uint64_t key)
{
    const char *id = club_create(club);
    club_play(club, id, moves);
    struct live *live = NULL;
    assert_int_equal(fold_load(club->storage, id, NULL, &live), GAMES_OK);
    struct key_history history = game_history(&live->game);
    assert_true(history.count >= 4);
    for (unsigned i = 0; i < 2; i++)
        live->game.keys[live->game.head.keys_first + i] = key ? key : live->game.head.position.key;
    return live;
}

static void equal_keys_alone_are_no_claim_9_2_3(void **state)
{
    struct club *club = *state;
    struct live *live = live_with_colliding_keys(club, "Nf3 Nf6 Nc3 Nc6", 0);
    live->game.rules.failed_claim = FAILED_CLAIM_REFUSE;
    struct deed *deed = club_deed(club, ACTION_CLAIM, live->game.id);
    struct change *change = change_create(club->games, &deed->action, live, 2);
    assert_non_null(change);
    assert_int_equal(judge(change, club->games), GAMES_OK);
    assert_int_equal(deed->action.outcome, ACTION_CLAIM_INVALID);
    assert_int_equal(deed->action.verdict.count, 1);
    change_destroy(change);
    live_destroy(live);
}

static void equal_keys_alone_end_no_game_9_2_3(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "Nf3 Nf6 Nc3 Nc6 Rb1");
    const struct game *ahead = club_view(club, id);
    struct live *live = live_with_colliding_keys(club, "Nf3 Nf6 Nc3 Nc6", ahead->head.position.key);
    live->game.rules.auto_claim = 1U << CLAIM_THREEFOLD;
    assert_true(live_reserve(live, 5, 1));
    advance(&live->game, ahead->moves[4], 1, true);
    assert_int_equal(live->game.head.status, GAME_ACTIVE);
    assert_true(live->game.head.position.key == ahead->head.position.key);
    assert_int_equal(live->game.head.repetition, 1);
    live_destroy(live);
}

/* ---- wrong ones --------------------------------------------------------------------------------------- */

static void a_wrong_claim_stands_as_an_offer_9_1_2_3(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4");
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_DONE);
    assert_true(!verdict(club)->valid && verdict(club)->stands_as_offer);
    assert_int_equal(verdict(club)->count, 1);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.status, GAME_ACTIVE);
    assert_int_equal(game->head.version, 3);
    assert_int_equal(game->head.offer_by, SEAT_BLACK);
    assert_int_equal(game->head.offer_ply, 1);
    club_reopen(club);
    assert_int_equal(club_view(club, id)->head.offer_by, SEAT_BLACK);
    assert_int_equal(club_view(club, id)->head.offer_ply, 1);
}

static void the_announced_move_of_a_wrong_claim_is_played_9_5_3(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_claim(club, id, CLAIM_FIFTY, "e4"), ACTION_DONE);
    assert_false(verdict(club)->valid);
    assert_int_equal(verdict(club)->halfmove_clock, 0);
    assert_int_equal(club->last->action.first_ply, 1);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.ply, 1);
    assert_int_equal(game->head.offer_by, SEAT_WHITE); /* one's own move does not end one's offer */
    assert_int_equal(game->head.offer_ply, 0);
}

static void a_wrong_claim_may_mate_with_its_announced_move(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "f3 e5 g4");
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, "Qh4"), ACTION_DONE);
    assert_false(verdict(club)->stands_as_offer); /* nobody is left to take it */
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.end.termination, TERMINATION_CHECKMATE);
    assert_int_equal(game->head.offer_by, SEAT_NONE);
}

static void an_offer_stands_until_the_opponent_moves_9_1_2_1(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_claim(club, id, CLAIM_NONE, NULL), ACTION_DONE);
    club_play(club, id, "e4");
    assert_int_equal(club_view(club, id)->head.offer_by, SEAT_WHITE);
    club_forget(club);
    assert_int_equal(club_view(club, id)->head.offer_by, SEAT_WHITE);
    club_play(club, id, "e5");
    assert_int_equal(club_view(club, id)->head.offer_by, SEAT_NONE);
    club_forget(club);
    assert_int_equal(club_view(club, id)->head.offer_by, SEAT_NONE);
}

static void the_offer_dies_with_the_game(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_claim(club, id, CLAIM_NONE, NULL), ACTION_DONE);
    assert_int_equal(club_resign(club, id, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.offer_by, SEAT_NONE);
}

static void a_second_wrong_claim_leaves_the_offer_where_it_was(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_claim(club, id, CLAIM_NONE, "e4"), ACTION_DONE);
    club_play(club, id, "e5");
    assert_int_equal(club_claim(club, id, CLAIM_NONE, NULL), ACTION_DONE);
    assert_int_equal(club_claim(club, id, CLAIM_FIFTY, NULL), ACTION_DONE);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.offer_by, SEAT_WHITE);
    assert_int_equal(game->head.offer_ply, 2);
}

static void a_wrong_claim_is_refused_where_the_rules_say_so(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.failed_claim = FAILED_CLAIM_REFUSE;
    const char *id = club_create_rules(club, NULL, &rules, once_more);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_CLAIM_INVALID);
    assert_int_equal(club->last->status, GAMES_OK);
    assert_false(verdict(club)->valid || verdict(club)->stands_as_offer);
    assert_int_equal(verdict(club)->count, 2);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, "e4"), ACTION_CLAIM_INVALID);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.ply, 4);
    assert_int_equal(game->head.offer_by, SEAT_NONE);
}

static void the_reason_that_was_asked_for_is_the_one_that_counts(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.failed_claim = FAILED_CLAIM_REFUSE;
    const char *id = club_create_rules(club, NULL, &rules, twice_more);
    assert_int_equal(club_claim(club, id, CLAIM_FIFTY, NULL), ACTION_CLAIM_INVALID);
    assert_int_equal(verdict(club)->reason, CLAIM_FIFTY);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_DONE);
}

static void an_announced_move_that_makes_something_new_is_no_claim(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.failed_claim = FAILED_CLAIM_REFUSE;
    const char *counted = club_create_rules(club, "4k3/8/8/8/8/8/4P3/R3K3 w - - 120 80", &rules, NULL);
    assert_int_equal(club_claim(club, counted, CLAIM_NONE, "e4"), ACTION_CLAIM_INVALID);
    assert_int_equal(club_claim(club, counted, CLAIM_NONE, NULL), ACTION_DONE);
}

static void ninety_nine_half_moves_are_not_enough(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, rook_at_99);
    assert_int_equal(club_claim(club, id, CLAIM_FIFTY, NULL), ACTION_DONE);
    assert_false(verdict(club)->valid);
}

static void a_claim_with_a_move_that_cannot_be_played_is_refused(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, twice_more);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, "Ke2"), ACTION_MOVE_REFUSED);
    assert_int_equal(club->last->action.reading.status, READING_ILLEGAL);
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
}

/* ---- repeats and preconditions ------------------------------------------------------------------------ */

static void the_claim_that_ended_the_game_may_be_repeated(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, twice_more);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_DONE);
    club_forget(club);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_REPLAYED);
    assert_true(verdict(club)->valid);
    assert_int_equal(verdict(club)->count, 3);
    assert_int_equal(club_claim(club, id, CLAIM_NONE, NULL), ACTION_REPLAYED);
    assert_int_equal(club_claim(club, id, CLAIM_FIFTY, NULL), ACTION_GAME_OVER);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, "Nf3"), ACTION_GAME_OVER);
}

static void a_repeat_with_a_move_that_cannot_be_read_is_not_the_same_claim(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, twice_more);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_DONE);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, "Ke2"), ACTION_GAME_OVER);
}

static void the_claim_with_an_announced_move_may_be_repeated(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, rook_at_99);
    assert_int_equal(club_claim(club, id, CLAIM_NONE, "Ra2"), ACTION_DONE);
    club_forget(club);
    assert_int_equal(club_claim(club, id, CLAIM_NONE, "a1a2"), ACTION_REPLAYED);
    assert_string_equal(verdict(club)->san, "Ra2");
    assert_int_equal(club_claim(club, id, CLAIM_NONE, "Ra3"), ACTION_GAME_OVER);
    assert_int_equal(club_claim(club, id, CLAIM_NONE, NULL), ACTION_GAME_OVER);
}

static void an_end_without_a_claim_is_not_repeated_by_one(void **state)
{
    struct club *club = *state;
    const char *id = club_create_profile(club, NULL, PROFILE_ONLINE);
    club_play(club, id, twice_more);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_GAME_OVER);
}

static void a_claim_obeys_the_version(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, twice_more);
    struct deed *deed = club_deed(club, ACTION_CLAIM, id);
    deed_if_version(deed, 8);
    assert_int_equal(club_do(club, deed), ACTION_VERSION_MISMATCH);
    struct deed *right = club_deed(club, ACTION_CLAIM, id);
    deed_if_version(right, 9);
    assert_int_equal(club_do(club, right), ACTION_DONE);
    struct deed *again = club_deed(club, ACTION_CLAIM, id);
    deed_if_version(again, 9);
    assert_int_equal(club_do(club, again), ACTION_REPLAYED); /* what holds already needs no version */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(the_third_occurrence_on_the_board_can_be_claimed_9_2_2),
        CLUB_TEST(the_third_occurrence_can_be_claimed_with_an_announced_move_9_2_1),
        CLUB_TEST(a_hundred_half_moves_on_the_board_can_be_claimed_9_3_2),
        CLUB_TEST(the_hundredth_half_move_can_be_announced_9_3_1),
        CLUB_TEST(a_claim_with_a_mating_move_as_the_hundredth_is_right_9_3_1),
        CLUB_TEST(a_claim_without_a_reason_takes_the_one_that_holds),
        CLUB_TEST(castling_rights_make_positions_different_9_2_3_2),
        CLUB_TEST(a_capture_in_passing_makes_positions_different_9_2_3_1),
        CLUB_TEST(a_capture_in_passing_that_is_not_legal_makes_no_difference_9_2_3_1),
        CLUB_TEST(equal_keys_alone_are_no_claim_9_2_3),
        CLUB_TEST(equal_keys_alone_end_no_game_9_2_3),
        CLUB_TEST(a_wrong_claim_stands_as_an_offer_9_1_2_3),
        CLUB_TEST(the_announced_move_of_a_wrong_claim_is_played_9_5_3),
        CLUB_TEST(a_wrong_claim_may_mate_with_its_announced_move),
        CLUB_TEST(an_offer_stands_until_the_opponent_moves_9_1_2_1),
        CLUB_TEST(the_offer_dies_with_the_game),
        CLUB_TEST(a_second_wrong_claim_leaves_the_offer_where_it_was),
        CLUB_TEST(a_wrong_claim_is_refused_where_the_rules_say_so),
        CLUB_TEST(the_reason_that_was_asked_for_is_the_one_that_counts),
        CLUB_TEST(an_announced_move_that_makes_something_new_is_no_claim),
        CLUB_TEST(ninety_nine_half_moves_are_not_enough),
        CLUB_TEST(a_claim_with_a_move_that_cannot_be_played_is_refused),
        CLUB_TEST(the_claim_that_ended_the_game_may_be_repeated),
        CLUB_TEST(a_repeat_with_a_move_that_cannot_be_read_is_not_the_same_claim),
        CLUB_TEST(the_claim_with_an_announced_move_may_be_repeated),
        CLUB_TEST(an_end_without_a_claim_is_not_repeated_by_one),
        CLUB_TEST(a_claim_obeys_the_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
