/* How games come into being. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rules/chess960.h"
#include "rules/fen.h"
#include "tests/support/games_club.h"

static void a_new_game_stands_at_version_one_with_the_usual_position(void **state)
{
    struct club *club = *state;
    const struct game *game = club_view(club, club_create(club));
    assert_int_equal(game->head.version, 1);
    assert_int_equal(game->head.ply, 0);
    assert_int_equal(game->head.status, GAME_ACTIVE);
    assert_int_equal(game->head.repetition, 1); /* 9.2: the first position counts */
    assert_int_equal(game->head.end.termination, TERMINATION_NONE);
    assert_null(game->start);
    assert_null(game->texts);
    struct position usual = position_initial();
    assert_true(position_same(&game->head.position, &usual));
}

static void an_id_has_the_letters_and_length_of_one_and_is_new_each_time(void **state)
{
    struct club *club = *state;
    const char *first = club_create(club);
    const char *second = club_create(club);
    assert_true(game_id_is_valid(first, strlen(first)));
    assert_true(game_id_is_valid(second, strlen(second)));
    assert_string_not_equal(first, second);
}

static void the_time_of_creation_is_the_injected_one(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    int64_t now = atomic_load(&club->now_ms);
    const struct game *game = club_view(club, id);
    assert_true(game->created_at_ms == now && game->head.updated_at_ms == now);
    assert_true(game->head.move_at_ms == 0);
}

static void a_game_created_with_n_moves_has_version_one_and_n(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    const struct game *game = club_view(club, club_create_rules(club, NULL, &rules, "e4 e5 Nf3"));
    assert_int_equal(game->head.version, 4);
    assert_int_equal(game->head.ply, 3);
    assert_int_equal(club->last->action.first_ply, 1);
}

static void a_game_with_a_bad_move_is_not_created_at_all(void **state)
{
    struct club *club = *state;
    struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
    deed_set_moves(deed, "e4 e5 Ke3 a6");
    assert_int_equal(club_do(club, deed), ACTION_MOVE_REFUSED);
    assert_int_equal(deed->status, GAMES_OK);
    assert_int_equal(deed->action.index, 2);
    assert_int_equal(deed->action.reading.status, READING_ILLEGAL);
    assert_int_equal(club_look(club, deed->action.id, true), GAMES_NOT_FOUND);
    assert_int_equal(club_counters(club).live, 0);
}

static void moves_after_the_end_are_refused_as_game_over(void **state)
{
    struct club *club = *state;
    struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
    deed_set_moves(deed, "f3 e5 g4 Qh4 a3");
    assert_int_equal(club_do(club, deed), ACTION_GAME_OVER);
    assert_int_equal(deed->action.index, 4);
}

static void a_game_created_with_a_mating_move_is_over(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    const struct game *game = club_view(club, club_create_rules(club, NULL, &rules, "f3 e5 g4 Qh4#"));
    assert_int_equal(game->head.status, GAME_ENDED);
    assert_int_equal(game->head.end.termination, TERMINATION_CHECKMATE);
    assert_int_equal(game->head.end.by, SEAT_BLACK);
    assert_int_equal(game_winner(game), SEAT_BLACK);
}

static void a_finished_position_makes_a_finished_game(void **state)
{
    static const struct {
        const char *label, *fen;
        enum game_termination termination;
        enum game_result result;
    } rows[] = {
        {"5.1.1 mate", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", TERMINATION_CHECKMATE, RESULT_WHITE_WINS},
        {"5.1.1 mate of White", "4k3/8/8/8/8/8/5PPP/r5K1 w - - 0 1", TERMINATION_CHECKMATE,
         RESULT_BLACK_WINS},
        {"5.2.1 stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", TERMINATION_STALEMATE, RESULT_DRAW},
        {"5.2.2 bare kings", "8/8/4k3/8/8/3K4/8/8 w - - 0 1", TERMINATION_DEAD_POSITION, RESULT_DRAW},
        {"5.2.2 one knight", "8/8/4k3/8/8/3KN3/8/8 w - - 0 1", TERMINATION_DEAD_POSITION, RESULT_DRAW},
        {"9.6.2 a count of 150", "4k3/8/8/8/8/8/8/R3K3 w - - 150 120", TERMINATION_SEVENTYFIVE_MOVES,
         RESULT_DRAW},
        {"9.6.2 mate goes before a count of 150", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 150 120",
         TERMINATION_CHECKMATE, RESULT_WHITE_WINS},
    };
    struct club *club = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct game *game = club_view(club, club_create_fen(club, rows[i].fen));
        const struct game_end *end = &game->head.end;
        if (end->termination != rows[i].termination || end->result != rows[i].result)
            fail_msg("%s: %s %s", rows[i].label,
                     end->termination ? game_termination_name((enum game_termination)end->termination)
                                      : "no end",
                     game_result_name((enum game_result)end->result));
        assert_int_equal(game->head.status, GAME_ENDED);
        assert_int_equal(game->head.version, 1);
        assert_int_equal(end->by, SEAT_NONE); /* nobody moved */
        assert_true(end->at_ms == game->created_at_ms);
    }
}

static void a_count_of_149_goes_on(void **state)
{
    struct club *club = *state;
    const struct game *game = club_view(club, club_create_fen(club, "4k3/8/8/8/8/8/8/R3K3 w - - 149 120"));
    assert_int_equal(game->head.status, GAME_ACTIVE);
}

static void mate_with_a_count_of_150_notes_the_other_end(void **state)
{
    struct club *club = *state;
    const struct game *game = club_view(club, club_create_fen(club, "R5k1/5ppp/8/8/8/8/8/4K3 b - - 150 120"));
    assert_int_equal(game->head.end.also, 1U << TERMINATION_SEVENTYFIVE_MOVES);
}

static void no_move_can_be_played_in_a_game_created_finished(void **state)
{
    struct club *club = *state;
    struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
    struct position start;
    struct setup_report report = {0};
    const char *fen = "4k3/8/8/8/8/8/8/R3K3 w - - 150 120";
    assert_true(fen_parse(fen, strlen(fen), false, &start, &report));
    deed->action.create.start = &start;
    deed_set_moves(deed, "Ra2");
    assert_int_equal(club_do(club, deed), ACTION_GAME_OVER);
    assert_int_equal(deed->action.index, 0);
}

static void black_may_be_the_first_to_move(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, "4k3/4p3/8/8/8/8/4P3/4K3 b - - 3 17");
    assert_int_equal(club_move(club, id, "e5"), ACTION_DONE);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.ply, 1);
    assert_int_equal(game->head.position.fullmove_number, 18);
}

static void a_chess960_game_survives_a_reload(void **state)
{
    struct club *club = *state;
    for (unsigned number = 0; number < CHESS960_COUNT; number += 97) {
        struct position start = chess960_position(number);
        struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
        deed->action.create.start = &start;
        assert_int_equal(club_do(club, deed), ACTION_DONE);
        club_forget(club);
        const struct game *game = club_view(club, deed->action.id);
        assert_true(game->start && game->start->chess960 && game->head.position.chess960);
        assert_int_equal(chess960_number(game->start), number);
    }
}

static void the_usual_position_as_chess960_stays_chess960(void **state)
{
    struct club *club = *state;
    struct position start = chess960_position(CHESS960_STANDARD);
    struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
    deed->action.create.start = &start;
    deed_set_moves(deed, "e4 e5 Nf3 Nc6 Bc4 Bc5 e1h1");
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    club_reopen(club);
    assert_int_equal(club_move(club, deed->action.id, "Nf6"), ACTION_DONE);
    assert_true(club_view(club, deed->action.id)->head.position.chess960);
}

static void names_metadata_and_visibility_are_kept(void **state)
{
    struct club *club = *state;
    struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
    deed->action.create.texts = (struct game_texts){.white_name = "Ding \"D\"\nLiren",
                                                    .black_name = "Ян Непомнящий\\",
                                                    .metadata = "{\"round\":\"4\\n\"}"};
    deed->action.create.visibility = VISIBILITY_UNLISTED;
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    club_reopen(club);
    const struct game *game = club_view(club, deed->action.id);
    assert_string_equal(game->texts->white_name, "Ding \"D\"\nLiren");
    assert_string_equal(game->texts->black_name, "Ян Непомнящий\\");
    assert_string_equal(game->texts->metadata, "{\"round\":\"4\\n\"}");
    assert_int_equal(game->visibility, VISIBILITY_UNLISTED);
}

static void validate_only_creates_nothing(void **state)
{
    struct club *club = *state;
    struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
    deed->action.validate_only = true;
    deed_set_moves(deed, "e4 e5");
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    assert_int_equal(deed->status, GAMES_OK);
    assert_int_equal(deed->picture->game.head.ply, 2);
    assert_int_equal(club_look(club, deed->action.id, true), GAMES_NOT_FOUND);
}

static void comments_of_the_moves_of_a_creation_are_stored(void **state)
{
    struct club *club = *state;
    struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
    deed_set_moves(deed, "e4 e5");
    deed->inputs[0].comment = "best by test";
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    assert_null(club_view(club, deed->action.id)->head.comment);
    assert_int_equal(club_undo(club, deed->action.id, 1), ACTION_DONE);
    assert_string_equal(club_view(club, deed->action.id)->head.comment, "best by test");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(a_new_game_stands_at_version_one_with_the_usual_position),
        CLUB_TEST(an_id_has_the_letters_and_length_of_one_and_is_new_each_time),
        CLUB_TEST(the_time_of_creation_is_the_injected_one),
        CLUB_TEST(a_game_created_with_n_moves_has_version_one_and_n),
        CLUB_TEST(a_game_with_a_bad_move_is_not_created_at_all),
        CLUB_TEST(moves_after_the_end_are_refused_as_game_over),
        CLUB_TEST(a_game_created_with_a_mating_move_is_over),
        CLUB_TEST(a_finished_position_makes_a_finished_game),
        CLUB_TEST(a_count_of_149_goes_on),
        CLUB_TEST(mate_with_a_count_of_150_notes_the_other_end),
        CLUB_TEST(no_move_can_be_played_in_a_game_created_finished),
        CLUB_TEST(black_may_be_the_first_to_move),
        CLUB_TEST(a_chess960_game_survives_a_reload),
        CLUB_TEST(the_usual_position_as_chess960_stays_chess960),
        CLUB_TEST(names_metadata_and_visibility_are_kept),
        CLUB_TEST(validate_only_creates_nothing),
        CLUB_TEST(comments_of_the_moves_of_a_creation_are_stored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
