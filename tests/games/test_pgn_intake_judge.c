/* What the rules make of a game out of a PGN. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules/fen.h"
#include "tests/games/intake_scene.h"

static const char dead_and_on[] = "[FEN \"4k3/8/8/8/8/8/4p3/4K3 w - - 0 1\"]\n[Result \"1-0\"]\n\n"
                                  "1. Kxe2 Kd7\n 2. Kd3 1-0\n";

static void moves_after_a_dead_position_are_a_fault(void **state)
{
    struct intake_scene *scene = *state;
    intake_scene_take(scene, dead_and_on);
    assert_true(scene->intake.good);
    assert_null(intake_scene_create(scene, NULL));
    assert_int_equal(scene->deed->action.outcome, ACTION_GAME_OVER);
    assert_int_equal(scene->deed->action.over_by, TERMINATION_DEAD_POSITION);
    assert_false(scene->intake.good);
    const struct pgn_fault *fault = intake_scene_fault(scene);
    assert_int_equal(fault->code, PGN_FAULT_MOVES_AFTER_END);
    assert_int_equal(fault->severity, PGN_ERROR);
    assert_int_equal(fault->line, 4);
    assert_int_equal(fault->column, 9);
    assert_int_equal(fault->ply, 2);
    assert_string_equal(fault->token, "Kd7");
    assert_int_equal(scene->intake.plies, 1); /* up to the fault, as with other errors */
    char fen[FEN_SIZE];
    fen_format(&scene->intake.final, FEN_EN_PASSANT_LEGAL, fen);
    assert_string_equal(fen, "4k3/8/8/8/8/8/4K3/8 b - - 0 1");
    assert_non_null(strstr(fault->detail, "5.2.2"));
}

static void without_the_rule_the_game_goes_on_and_has_its_result(void **state)
{
    struct intake_scene *scene = *state;
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.dead = ENDING_DEAD_OFF;
    intake_scene_take(scene, dead_and_on);
    const struct game *game = intake_scene_create(scene, &rules);
    assert_non_null(game);
    assert_int_equal(game->head.ply, 3);
    assert_int_equal(game->head.end.termination, TERMINATION_RECORDED);
    assert_int_equal(game->head.end.result, RESULT_WHITE_WINS);
    assert_int_equal(scene->intake.fault_count, 0);
}

static void a_result_against_an_automatic_draw_is_a_warning(void **state)
{
    struct intake_scene *scene = *state;
    intake_scene_take(scene, "[Result \"1-0\"]\n[FEN \"4k3/8/8/8/8/8/4p3/4K3 w - - 0 1\"]\n\n1. Kxe2 1-0\n");
    const struct game *game = intake_scene_create(scene, NULL);
    assert_non_null(game);
    assert_int_equal(game->head.end.termination, TERMINATION_DEAD_POSITION);
    assert_int_equal(game->head.end.result, RESULT_DRAW);
    assert_true(scene->intake.good);
    assert_int_equal(scene->intake.result, RESULT_DRAW);
    const struct pgn_fault *fault = intake_scene_fault(scene);
    assert_int_equal(fault->code, PGN_FAULT_RESULT);
    assert_int_equal(fault->severity, PGN_WARNING);
    assert_int_equal(fault->line, 1);
    assert_string_equal(fault->token, "1-0");
}

static void a_game_without_a_result_says_nothing_against_the_board(void **state)
{
    struct intake_scene *scene = *state;
    intake_scene_take(scene, "[Result \"*\"]\n[FEN \"4k3/8/8/8/8/8/4p3/4K3 w - - 0 1\"]\n\n1. Kxe2 *\n");
    assert_non_null(intake_scene_create(scene, NULL));
    assert_int_equal(scene->intake.fault_count, 0);
    assert_int_equal(scene->intake.result, RESULT_DRAW);
}

static void a_fifth_repetition_ends_the_game_at_its_move(void **state)
{
    struct intake_scene *scene = *state;
    intake_scene_take(
        scene,
        "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8 9. e4 *");
    assert_null(intake_scene_create(scene, NULL));
    const struct pgn_fault *fault = &scene->intake.faults[scene->intake.fault_count - 1];
    assert_int_equal(fault->ply, 17); /* the first position came a fifth time at ply 16 (9.6.1) */
    assert_string_equal(fault->token, "e4");
    assert_non_null(strstr(fault->detail, "9.6.1"));
}

static void a_game_longer_than_games_may_be_is_a_fault(void **state)
{
    const struct club_options options = {.plies_limit = 3};
    struct intake_scene *scene = *state;
    club_close(scene->club);
    scene->club = club_open(&options);
    intake_scene_take(scene, "1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n");
    assert_null(intake_scene_create(scene, NULL));
    const struct pgn_fault *fault = intake_scene_fault(scene);
    assert_int_equal(fault->severity, PGN_ERROR);
    assert_int_equal(fault->ply, 4);
    assert_string_equal(fault->token, "Nc6");
    assert_int_equal(scene->intake.plies, 3);
}

static void a_game_is_created_with_all_that_was_said(void **state)
{
    struct intake_scene *scene = *state;
    intake_scene_take(scene, "[Event \"E\"]\n[White \"A\"]\n\n{first} 1. e4 {good [%clk 0:01:00]} e5 0-1\n");
    const struct game *game = intake_scene_create(scene, NULL);
    assert_non_null(game);
    assert_string_equal(game->texts->white_name, "A");
    assert_string_equal(game->texts->tags, "Event=E\n");
    assert_string_equal(game->texts->comment, "first");
    assert_null(game->texts->metadata);
    assert_int_equal(game->head.end.result, RESULT_BLACK_WINS);
    assert_int_equal(game->head.end.termination, TERMINATION_RECORDED);
}

#define SCENE_TEST(test) cmocka_unit_test_setup_teardown(test, intake_scene_set_up, intake_scene_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(moves_after_a_dead_position_are_a_fault),
        SCENE_TEST(without_the_rule_the_game_goes_on_and_has_its_result),
        SCENE_TEST(a_result_against_an_automatic_draw_is_a_warning),
        SCENE_TEST(a_game_without_a_result_says_nothing_against_the_board),
        SCENE_TEST(a_fifth_repetition_ends_the_game_at_its_move),
        SCENE_TEST(a_game_longer_than_games_may_be_is_a_fault),
        SCENE_TEST(a_game_is_created_with_all_that_was_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
