/* Moves: played, refused, repeated, several at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/games_club.h"

static const char *const mated = "f3 e5 g4 Qh4#";

static void a_move_makes_one_ply_and_one_version(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_move(club, id, "e4"), ACTION_DONE);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.ply, 1);
    assert_int_equal(game->head.version, 2);
    assert_int_equal(club->last->action.first_ply, 1);
    assert_true(game->head.move_at_ms == atomic_load(&club->now_ms));
    assert_true(game->head.updated_at_ms == game->head.move_at_ms);
}

static void moves_are_read_as_san_uci_and_squares(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4 e7e5 Nf3");
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    struct move_input input = {.attempt = {.from = notation_parse_square("b8", 2),
                                           .to = notation_parse_square("c6", 2),
                                           .from_file = ATTEMPT_NOT_SAID,
                                           .from_rank = ATTEMPT_NOT_SAID}};
    deed->action.move.moves = &input;
    deed->action.move.count = 1;
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.ply, 4);
}

static void a_missing_promotion_is_refused_unless_there_is_a_default(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, "8/P6k/8/8/8/8/8/4K3 w - - 0 1");
    assert_int_equal(club_move(club, id, "a7a8"), ACTION_MOVE_REFUSED);
    assert_int_equal(club->last->action.reading.refusal.reason, REFUSAL_PROMOTION_MISSING);
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, "a7a8");
    deed->inputs[0].default_promotion = PIECE_ROOK;
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    club_reopen(club);
    assert_int_equal(move_promotion(club_view(club, id)->moves[0]), PIECE_ROOK);
}

static void an_illegal_move_says_why_and_where_it_was_read(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_move(club, id, "Ra3"), ACTION_MOVE_REFUSED);
    const struct action *action = &club->last->action;
    assert_int_equal(action->reading.status, READING_ILLEGAL);
    assert_int_equal(action->reading.refusal.reason, REFUSAL_PATH_BLOCKED);
    struct position usual = position_initial();
    assert_true(position_same(&action->position, &usual));
}

static void an_ambiguous_move_names_the_moves_that_fit(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, "4k3/8/8/8/8/8/4K3/R6R w - - 0 1");
    assert_int_equal(club_move(club, id, "Rd1"), ACTION_MOVE_REFUSED);
    assert_int_equal(club->last->action.reading.status, READING_AMBIGUOUS);
    assert_int_equal(club->last->action.reading.candidates.count, 2);
}

static void several_moves_are_all_played_with_a_version_each(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_move(club, id, "e4 e5 Nf3 Nc6 Bb5"), ACTION_DONE);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.ply, 5);
    assert_int_equal(game->head.version, 6);
    assert_int_equal(club->last->action.first_ply, 1);
}

static void several_moves_are_played_all_or_none(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4 e5");
    assert_int_equal(club_move(club, id, "Nf3 Nc6 Bb5 Ke6 a3"), ACTION_MOVE_REFUSED);
    assert_int_equal(club->last->action.index, 3);
    assert_int_equal(club_view(club, id)->head.ply, 2);
    club_play(club, id, "Nf3"); /* what lay behind the moves in force does no harm */
    assert_int_equal(club_view(club, id)->head.ply, 3);
}

static void irreversible_moves_that_were_refused_in_the_end_leave_the_keys_alone(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "Nf3 Nf6 Ng1 Ng8");
    assert_int_equal(club_move(club, id, "e4 d5 exd5 Qxd5 Qh6"), ACTION_MOVE_REFUSED);
    club_play(club, id, "Nf3 Nf6 Ng1 Ng8");
    assert_int_equal(club_view(club, id)->head.repetition, 3);
}

static void a_mate_in_the_middle_of_several_moves_refuses_all(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_move(club, id, "f3 e5 g4 Qh4 a3"), ACTION_GAME_OVER);
    assert_int_equal(club->last->action.index, 4);
    assert_int_equal(club_view(club, id)->head.ply, 0);
}

/* ---- the order of checks (API section 5) -------------------------------------------------------------- */

static void the_same_move_at_a_played_ply_is_a_replay(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_comment(club, id, "e4", "king's pawn"), ACTION_DONE);
    int64_t played_at_ms = atomic_load(&club->now_ms);
    assert_int_equal(club_move_at(club, id, 1, "e2e4"), ACTION_REPLAYED); /* however it is written */
    const struct action *last = &club->last->action;
    assert_int_equal(last->first_ply, 1);
    assert_true(last->replayed->at_ms == played_at_ms);
    assert_string_equal(last->replayed->comment, "king's pawn");
    club_play(club, id, "e5 Nf3");
    assert_int_equal(club_move_at(club, id, 1, "e4"), ACTION_REPLAYED);
    const struct action *logged = &club->last->action;
    assert_true(logged->replayed->at_ms == played_at_ms);
    assert_string_equal(logged->replayed->comment, "king's pawn");
}

static void a_replay_that_needs_the_log_is_cold_where_nobody_may_block(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4 e5");
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, "e4");
    deed->action.ply = 1;
    deed->action.may_block = false;
    assert_int_equal(deed_start(deed), GAMES_COLD);
    assert_int_equal(deed->rendered + deed->suspended, 0);
    deed->action.may_block = true;
    assert_int_equal(club_do(club, deed), ACTION_REPLAYED);
    struct deed *last = club_deed(club, ACTION_MOVE, id); /* memory knows the last one */
    deed_set_moves(last, "e5");
    last->action.ply = 2;
    last->action.may_block = false;
    assert_int_equal(club_do(club, last), ACTION_REPLAYED);
}

static void the_same_move_is_a_replay_after_the_end_too(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, mated);
    assert_int_equal(club_move_at(club, id, 4, "Qh4"), ACTION_REPLAYED); /* the very move that ended it */
    assert_int_equal(club_move_at(club, id, 2, "e5"), ACTION_REPLAYED);
    const char *resigned = club_create(club);
    club_play(club, resigned, "e4 e5");
    assert_int_equal(club_resign(club, resigned, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(club_move_at(club, resigned, 2, "e5"), ACTION_REPLAYED);
}

static void another_move_at_a_played_ply_is_a_conflict(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4 e5");
    assert_int_equal(club_move_at(club, id, 1, "d4"), ACTION_PLY_CONFLICT);
    assert_int_equal(club->last->action.first_ply, 1);
    assert_int_equal(club_move_at(club, id, 1, "Ra3"), ACTION_PLY_CONFLICT); /* legal or not */
    assert_int_equal(club_move_at(club, id, 1, "%"), ACTION_MOVE_REFUSED);   /* not a move at all */
    assert_int_equal(club->last->action.reading.status, READING_SYNTAX);
}

static void a_ply_ahead_of_the_game_is_a_conflict(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_move_at(club, id, 2, "e4"), ACTION_PLY_CONFLICT);
    assert_int_equal(club_move_at(club, id, UINT32_MAX, "e4"), ACTION_PLY_CONFLICT);
    assert_int_equal(club_move_at(club, id, 1, "e4"), ACTION_DONE);
}

static enum action_outcome move_if(struct club *club, const char *id, uint32_t version, uint32_t ply,
                                   const char *text)
{
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, text);
    deed_if_version(deed, version);
    deed->action.ply = ply;
    return club_do(club, deed);
}

static void replay_by_ply_goes_before_the_version(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4");
    assert_int_equal(move_if(club, id, 1, 1, "e4"), ACTION_REPLAYED);
    assert_int_equal(move_if(club, id, 1, 1, "d4"), ACTION_PLY_CONFLICT);
}

static void the_version_goes_before_game_over_and_a_ply_ahead(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(move_if(club, id, 9, 2, "e4"), ACTION_VERSION_MISMATCH);
    club_play(club, id, mated);
    assert_int_equal(move_if(club, id, 9, 0, "a3"), ACTION_VERSION_MISMATCH);
    assert_int_equal(move_if(club, id, 5, 0, "a3"), ACTION_GAME_OVER);
}

static void game_over_goes_before_a_ply_ahead_and_legality(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, mated);
    assert_int_equal(club_move(club, id, "no move"), ACTION_GAME_OVER);
    assert_int_equal(club_move_at(club, id, 9, "a3"), ACTION_GAME_OVER);
    assert_int_equal(club_move_at(club, id, 5, "a3"), ACTION_GAME_OVER);
}

static void the_version_may_be_any_of_several(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4");
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, "e5");
    deed_if_version(deed, 7);
    deed_if_version(deed, 2);
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    struct deed *none = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(none, "Nf3");
    none->action.if_given = true; /* a condition that no version can meet */
    assert_int_equal(club_do(club, none), ACTION_VERSION_MISMATCH);
}

/* ---- limits, comments, dry runs ----------------------------------------------------------------------- */

static void comments_of_any_kind_survive_a_reload(void **state)
{
    static const char *const comments[] = {"plain",
                                           "",
                                           "a\nb\r\n\tc",
                                           "back\\slash \\n not a newline \\\\",
                                           "end=checkmate\nresult=1-0",
                                           "=",
                                           "\\",
                                           "Dame nach h4 ♕ – schachmatt"};
    static const char *const moves[] = {"e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "c3", "Nf6"};
    struct club *club = *state;
    const char *id = club_create(club);
    for (size_t i = 0; i < sizeof comments / sizeof comments[0]; i++) {
        assert_int_equal(club_comment(club, id, moves[i], comments[i]), ACTION_DONE);
        assert_string_equal(club_view(club, id)->head.comment, comments[i]);
        club_forget(club);
        assert_string_equal(club_view(club, id)->head.comment, comments[i]);
        assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    }
    club_reopen(club);
    for (unsigned i = 0; i < sizeof comments / sizeof comments[0]; i++) {
        assert_int_equal(club_move_at(club, id, i + 1, moves[i]), ACTION_REPLAYED);
        assert_string_equal(club->last->action.replayed->comment, comments[i]);
    }
}

static void a_comment_lasts_as_long_as_its_move_is_the_last(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_comment(club, id, "e4", "first"), ACTION_DONE);
    club_play(club, id, "e5");
    assert_null(club_view(club, id)->head.comment);
}

static void each_of_several_moves_may_have_a_comment(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, "e4 e5 Nf3");
    deed->inputs[0].comment = "one";
    deed->inputs[2].comment = "three";
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    assert_string_equal(club_view(club, id)->head.comment, "three");
    assert_int_equal(club_move_at(club, id, 1, "e4"), ACTION_REPLAYED);
    assert_string_equal(club->last->action.replayed->comment, "one");
    assert_int_equal(club_move_at(club, id, 2, "e5"), ACTION_REPLAYED);
    assert_null(club->last->action.replayed->comment);
}

static void a_game_has_at_most_so_many_plies(void **state)
{
    (void)state;
    struct club *club = club_open(&(struct club_options){.plies_limit = 4});
    const char *id = club_create(club);
    assert_int_equal(club_move(club, id, "e4 e5 Nf3 Nc6 Bb5"), ACTION_TOO_MANY_PLIES);
    assert_int_equal(club->last->action.index, 4);
    assert_int_equal(club_move(club, id, "e4 e5 Nf3 Nc6"), ACTION_DONE);
    assert_int_equal(club_move(club, id, "Bb5"), ACTION_TOO_MANY_PLIES);
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    assert_int_equal(club_move(club, id, "d6"), ACTION_DONE);
    club_close(club);
}

static void an_announced_move_is_not_played_beyond_the_limit_of_plies(void **state)
{
    (void)state;
    struct club *club = club_open(&(struct club_options){.plies_limit = 2});
    const char *id = club_create(club);
    club_play(club, id, "e4 e5");
    assert_int_equal(club_claim(club, id, CLAIM_NONE, "Nf3"), ACTION_TOO_MANY_PLIES);
    assert_int_equal(club_view(club, id)->head.ply, 2);
    club_close(club);
}

static void validate_only_shows_the_game_after_and_changes_nothing(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, mated);
    deed->inputs[3].comment = "mate";
    deed->action.validate_only = true;
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    assert_int_equal(deed->status, GAMES_OK);
    assert_int_equal(deed->picture->game.head.end.termination, TERMINATION_CHECKMATE);
    assert_string_equal(deed->picture->game.head.comment, "mate");
    assert_int_equal(club_view(club, id)->head.version, 1);
}

static void long_games_keep_their_history(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.fivefold = rules.seventyfive = false;
    const char *id = club_create_rules(club, NULL, &rules, NULL);
    club->unchecked = true;
    for (int i = 0; i < 50; i++)
        assert_int_equal(club_move(club, id, "Nf3 Nf6 Ng1 Ng8"), ACTION_DONE);
    club->unchecked = false;
    assert_int_equal(club_move(club, id, "e4"), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.ply, 201);
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.repetition, 51);
}

static void an_unknown_game_is_not_found(void **state)
{
    struct club *club = *state;
    assert_int_equal(club_move(club, "abcdefghjkmn", "e4"), ACTION_OUTCOME_COUNT);
    assert_int_equal(club->last->status, GAMES_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(a_move_makes_one_ply_and_one_version),
        CLUB_TEST(moves_are_read_as_san_uci_and_squares),
        CLUB_TEST(a_missing_promotion_is_refused_unless_there_is_a_default),
        CLUB_TEST(an_illegal_move_says_why_and_where_it_was_read),
        CLUB_TEST(an_ambiguous_move_names_the_moves_that_fit),
        CLUB_TEST(several_moves_are_all_played_with_a_version_each),
        CLUB_TEST(several_moves_are_played_all_or_none),
        CLUB_TEST(irreversible_moves_that_were_refused_in_the_end_leave_the_keys_alone),
        CLUB_TEST(a_mate_in_the_middle_of_several_moves_refuses_all),
        CLUB_TEST(the_same_move_at_a_played_ply_is_a_replay),
        CLUB_TEST(a_replay_that_needs_the_log_is_cold_where_nobody_may_block),
        CLUB_TEST(the_same_move_is_a_replay_after_the_end_too),
        CLUB_TEST(another_move_at_a_played_ply_is_a_conflict),
        CLUB_TEST(a_ply_ahead_of_the_game_is_a_conflict),
        CLUB_TEST(replay_by_ply_goes_before_the_version),
        CLUB_TEST(the_version_goes_before_game_over_and_a_ply_ahead),
        CLUB_TEST(game_over_goes_before_a_ply_ahead_and_legality),
        CLUB_TEST(the_version_may_be_any_of_several),
        CLUB_TEST(comments_of_any_kind_survive_a_reload),
        CLUB_TEST(a_comment_lasts_as_long_as_its_move_is_the_last),
        CLUB_TEST(each_of_several_moves_may_have_a_comment),
        cmocka_unit_test(a_game_has_at_most_so_many_plies),
        cmocka_unit_test(an_announced_move_is_not_played_beyond_the_limit_of_plies),
        CLUB_TEST(validate_only_shows_the_game_after_and_changes_nothing),
        CLUB_TEST(long_games_keep_their_history),
        CLUB_TEST(an_unknown_game_is_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
