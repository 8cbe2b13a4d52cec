/* Moves taken back (open games). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/games_club.h"

static void an_undo_takes_back_the_last_move_and_makes_a_version(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4 e5");
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.ply, 1);
    assert_int_equal(game->head.version, 4);
    assert_int_equal(game->head.position.turn, COLOR_BLACK);
    club_play(club, id, "c5");
    assert_int_equal(club_view(club, id)->head.ply, 2);
}

static void an_undo_may_take_back_everything(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, "4k3/4p3/8/8/8/8/4P3/4K3 b - - 3 17");
    club_play(club, id, "e5 e4 Ke7");
    assert_int_equal(club_undo(club, id, 3), ACTION_DONE);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.ply, 0);
    assert_int_equal(game->head.position.halfmove_clock, 3);
    assert_true(game->head.move_at_ms == 0);
}

static void more_moves_than_there_are_cannot_be_taken_back(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_undo(club, id, 1), ACTION_NOTHING_TO_UNDO);
    club_play(club, id, "e4");
    assert_int_equal(club_undo(club, id, 2), ACTION_NOTHING_TO_UNDO);
    assert_int_equal(club_undo(club, id, UINT32_MAX), ACTION_NOTHING_TO_UNDO);
}

static void no_moves_at_all_cannot_be_taken_back(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "f3 e5 g4 Qh4");
    assert_int_equal(club_undo(club, id, 0), ACTION_NOTHING_TO_UNDO);
    assert_int_equal(club_view(club, id)->head.status, GAME_ENDED);
}

static void an_undo_gives_back_time_and_comment_of_the_move_before(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_comment(club, id, "e4", "the first\nof all"), ACTION_DONE);
    int64_t first_at_ms = club_view(club, id)->head.move_at_ms;
    club_play(club, id, "e5 Nf3 Nc6");
    assert_int_equal(club_undo(club, id, 3), ACTION_DONE);
    const struct game *game = club_view(club, id);
    assert_string_equal(game->head.comment, "the first\nof all"); /* which only the log had */
    assert_true(game->head.move_at_ms == first_at_ms);
    assert_true(game->head.updated_at_ms > first_at_ms);
}

static void the_move_before_is_the_one_in_force_not_the_one_taken_back(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_comment(club, id, "d4", "taken back"), ACTION_DONE);
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    assert_int_equal(club_comment(club, id, "e4", "in force"), ACTION_DONE);
    club_play(club, id, "e5");
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    assert_string_equal(club_view(club, id)->head.comment, "in force");
    club_reopen(club);
    assert_string_equal(club_view(club, id)->head.comment, "in force");
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    assert_null(club_view(club, id)->head.comment);
}

static void an_undo_after_a_reload_finds_what_it_needs(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_comment(club, id, "e4", "one"), ACTION_DONE);
    assert_int_equal(club_comment(club, id, "e5", "two"), ACTION_DONE);
    assert_int_equal(club_comment(club, id, "Nf3", "three"), ACTION_DONE);
    club_reopen(club);
    assert_int_equal(club_undo(club, id, 2), ACTION_DONE);
    assert_string_equal(club_view(club, id)->head.comment, "one");
}

static void an_undo_is_cold_where_nobody_may_block(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4 e5");
    struct deed *deed = club_deed(club, ACTION_UNDO, id);
    deed->action.undo_plies = 1;
    deed->action.may_block = false;
    assert_int_equal(deed_start(deed), GAMES_COLD);
    assert_int_equal(deed->suspended + deed->rendered, 0);
    struct deed *all = club_deed(club, ACTION_UNDO, id); /* nothing has to be looked up */
    all->action.undo_plies = 2;
    all->action.may_block = false;
    assert_int_equal(club_do(club, all), ACTION_DONE);
}

static void an_undo_reopens_a_game_that_a_move_has_ended(void **state)
{
    static const struct {
        const char *label, *fen, *moves;
        enum game_profile profile;
    } rows[] = {
        {"5.1.1 mate", NULL, "f3 e5 g4 Qh4", PROFILE_FIDE},
        {"5.2.1 stalemate", "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "Qf7", PROFILE_FIDE},
        {"5.2.2 dead position", "8/8/8/4k3/3P4/8/8/4K3 b - - 0 1", "Kxd4", PROFILE_FIDE},
        {"9.6.1 fivefold repetition", NULL, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8",
         PROFILE_FIDE},
        {"9.6.2 seventy-five moves", "4k3/8/8/8/8/8/8/R3K3 w - - 149 120", "Ra2", PROFILE_FIDE},
        {"9.2 claimed by the rules of the game", NULL, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", PROFILE_ONLINE},
        {"9.3 claimed by the rules of the game", "4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "Ra2", PROFILE_ONLINE},
    };
    struct club *club = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *id = club_create_profile(club, rows[i].fen, rows[i].profile);
        club_play(club, id, rows[i].moves);
        const struct game *ended = club_view(club, id);
        if (ended->head.status != GAME_ENDED)
            fail_msg("%s: not ended", rows[i].label);
        assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
        const struct game *game = club_view(club, id);
        assert_int_equal(game->head.status, GAME_ACTIVE);
        assert_int_equal(game->head.end.termination, TERMINATION_NONE);
        assert_int_equal(game->head.ply, ended->head.ply - 1);
        club_forget(club);
        assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    }
}

static void what_a_person_has_ended_stays_ended(void **state)
{
    struct club *club = *state;
    const char *resigned = club_create(club);
    club_play(club, resigned, "e4 e5");
    assert_int_equal(club_resign(club, resigned, SEAT_NONE), ACTION_DONE);
    assert_int_equal(club_undo(club, resigned, 1), ACTION_GAME_OVER);
    const char *claimed = club_create(club);
    club_play(club, claimed, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    assert_int_equal(club_claim(club, claimed, CLAIM_NONE, NULL), ACTION_DONE);
    assert_int_equal(club_undo(club, claimed, 1), ACTION_GAME_OVER);
    const char *aborted = club_create(club);
    club_play(club, aborted, "e4");
    assert_int_equal(club_abort(club, aborted), ACTION_DONE);
    assert_int_equal(club_undo(club, aborted, 1), ACTION_GAME_OVER);
}

static void game_over_goes_before_nothing_to_undo(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_resign(club, id, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(club_undo(club, id, 1), ACTION_GAME_OVER);
}

static void a_game_created_finished_has_nothing_to_undo(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
    assert_int_equal(club_undo(club, id, 1), ACTION_NOTHING_TO_UNDO);
}

static void an_undo_brings_back_keys_from_before_an_irreversible_move(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "Nf3 Nf6 Ng1 Ng8 e4");
    assert_int_equal(club_view(club, id)->head.keys_count, 1);
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.keys_count, 5);
    assert_int_equal(game->head.repetition, 2);
    club_play(club, id, "Nf3 Nf6 Ng1 Ng8");
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_DONE);
}

static void an_undo_leaves_no_draw_offer(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4 e5");
    assert_int_equal(club_claim(club, id, CLAIM_NONE, "Nf3"), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.offer_by, SEAT_WHITE);
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.offer_by, SEAT_NONE);
    club_forget(club);
    assert_int_equal(club_view(club, id)->head.offer_by, SEAT_NONE);
}

static void an_undo_obeys_the_version(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4 e5");
    struct deed *deed = club_deed(club, ACTION_UNDO, id);
    deed->action.undo_plies = 1;
    deed_if_version(deed, 2);
    assert_int_equal(club_do(club, deed), ACTION_VERSION_MISMATCH);
}

static void names_stay_when_moves_are_taken_back(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4");
    struct action_update update = {.sets_white = true, .texts = {.white_name = "Nona"}};
    assert_int_equal(club_update(club, id, &update), ACTION_DONE);
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    assert_string_equal(club_view(club, id)->texts->white_name, "Nona");
}

static void validate_only_takes_nothing_back(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4 e5");
    struct deed *deed = club_deed(club, ACTION_UNDO, id);
    deed->action.undo_plies = 1;
    deed->action.validate_only = true;
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    assert_int_equal(deed->picture->game.head.ply, 1);
    assert_int_equal(club_view(club, id)->head.ply, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(an_undo_takes_back_the_last_move_and_makes_a_version),
        CLUB_TEST(an_undo_may_take_back_everything),
        CLUB_TEST(more_moves_than_there_are_cannot_be_taken_back),
        CLUB_TEST(no_moves_at_all_cannot_be_taken_back),
        CLUB_TEST(an_undo_gives_back_time_and_comment_of_the_move_before),
        CLUB_TEST(the_move_before_is_the_one_in_force_not_the_one_taken_back),
        CLUB_TEST(an_undo_after_a_reload_finds_what_it_needs),
        CLUB_TEST(an_undo_is_cold_where_nobody_may_block),
        CLUB_TEST(an_undo_reopens_a_game_that_a_move_has_ended),
        CLUB_TEST(what_a_person_has_ended_stays_ended),
        CLUB_TEST(game_over_goes_before_nothing_to_undo),
        CLUB_TEST(a_game_created_finished_has_nothing_to_undo),
        CLUB_TEST(an_undo_brings_back_keys_from_before_an_irreversible_move),
        CLUB_TEST(an_undo_leaves_no_draw_offer),
        CLUB_TEST(an_undo_obeys_the_version),
        CLUB_TEST(names_stay_when_moves_are_taken_back),
        CLUB_TEST(validate_only_takes_nothing_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
