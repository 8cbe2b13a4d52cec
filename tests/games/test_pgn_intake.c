/* One game out of a PGN, as a create action takes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rules/fen.h"
#include "tests/games/intake_scene.h"

/* ---- tags -------------------------------------------------------------------------------------------- */

static void tags_that_the_game_says_itself_are_not_kept_beside_it(void **state)
{
    struct intake_scene *scene = *state;
    intake_scene_take(scene,
                      "[Event \"Open\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n[SetUp \"1\"]\n"
                      "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[Variant \"Standard\"]\n[Opening "
                      "\"a\\\\b\"]\n\n1. e4 1-0\n");
    const struct pgn_intake *intake = &scene->intake;
    assert_true(intake->good);
    assert_string_equal(intake->texts.white_name, "Ann");
    assert_string_equal(intake->texts.black_name, "Bob");
    assert_string_equal(intake->texts.tags, "Event=Open\nOpening=a\\\\b\n");
    assert_int_equal(intake->tag_count, 8);
    assert_string_equal(intake->tags[7].name, "Opening");
    assert_string_equal(intake->tags[7].value, "a\\b");
    assert_int_equal(intake->result, RESULT_WHITE_WINS);
}

static void unknown_players_have_no_name(void **state)
{
    struct intake_scene *scene = *state;
    intake_scene_take(scene, "[White \"?\"]\n[Black \"\"]\n\n*\n");
    assert_null(scene->intake.texts.white_name);
    assert_null(scene->intake.texts.black_name);
    assert_string_equal(scene->intake.texts.tags, "");
    intake_scene_take(scene, "[White \" \"]\n[Black \"\t \"]\n\n*\n");
    assert_null(scene->intake.texts.white_name);
    assert_null(scene->intake.texts.black_name);
}

static void the_last_of_repeated_tags_counts(void **state)
{
    struct intake_scene *scene = *state;
    intake_scene_take(scene, "[White \"A\"]\n[Event \"x\"]\n[White \"B\"]\n\n1. e4 *\n");
    assert_string_equal(scene->intake.texts.white_name, "B");
    assert_int_equal(scene->intake.tag_count, 2);
    assert_string_equal(scene->intake.tags[0].value, "B");
    assert_string_equal(scene->intake.texts.tags, "Event=x\n");
}

static void more_tags_than_there_was_room_for_are_all_kept(void **state)
{
    struct intake_scene *scene = *state;
    char pgn[4096] = "";
    char expected[4096] = "";
    for (int i = 0; i < 100; i++) {
        (void)snprintf(pgn + strlen(pgn), 32, "[T%d \"v%d\"]\n", i, i);
        (void)snprintf(expected + strlen(expected), 32, "T%d=v%d\n", i, i);
    }
    intake_scene_take(scene, strcat(pgn, "\n*\n"));
    assert_string_equal(scene->intake.texts.tags, expected);
}

/* ---- positions --------------------------------------------------------------------------------------- */

static void the_usual_position_is_no_position_of_its_own(void **state)
{
    struct intake_scene *scene = *state;
    struct action_create create = {0};
    intake_scene_take(scene,
                      "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 *\n");
    pgn_intake_create(&scene->intake, &create);
    assert_null(create.start);
    intake_scene_take(scene,
                      "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3\"]\n\n1. e4 *\n");
    pgn_intake_create(&scene->intake, &create);
    assert_non_null(create.start);
    intake_scene_take(scene, "[Variant \"Chess960\"]\n\n1. e4 *\n");
    pgn_intake_create(&scene->intake, &create);
    assert_non_null(create.start);
    assert_true(create.start->chess960);
}

static void a_game_from_a_position_ends_where_its_moves_lead(void **state)
{
    struct intake_scene *scene = *state;
    intake_scene_take(scene, "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 30\"]\n\n30... Kd7 31. e4 *\n");
    char fen[FEN_SIZE];
    fen_format(&scene->intake.final, FEN_EN_PASSANT_LEGAL, fen);
    assert_string_equal(fen, "8/3k4/8/8/4P3/8/8/4K3 b - - 0 31");
    const struct game *game = intake_scene_create(scene, NULL);
    assert_non_null(game);
    assert_int_equal(game->head.ply, 2);
    assert_true(position_same(&game->head.position, &scene->intake.final));
}

/* ---- comments and clocks ----------------------------------------------------------------------------- */

static void comments_of_one_move_are_joined_by_a_blank(void **state)
{
    struct intake_scene *scene = *state;
    intake_scene_take(scene, "{ before } { all }\n1. e4 {one} ; two\n{three} e5 2. Nf3 {four} *\n");
    const struct pgn_intake *intake = &scene->intake;
    assert_string_equal(intake->texts.comment, "before all");
    assert_string_equal(intake->moves[0].comment, "one two three");
    assert_null(intake->moves[1].comment);
    assert_string_equal(intake->moves[2].comment, "four");
}

static void a_comment_goes_on_behind_a_warning(void **state)
{
    struct intake_scene *scene = *state;
    intake_scene_take(scene, "1. e4 e5 {first} (1... Qxh2) {second} 2. Nf3 *\n");
    const struct pgn_fault *fault = intake_scene_fault(scene);
    assert_int_equal(fault->code, PGN_FAULT_VARIATION);
    assert_int_equal(fault->severity, PGN_WARNING);
    assert_string_equal(fault->token, "Qxh2");
    assert_string_equal(scene->intake.moves[1].comment, "first second");
    assert_true(scene->intake.good);
}

static void clocks_go_with_their_moves(void **state)
{
    struct intake_scene *scene = *state;
    intake_scene_take(scene,
                      "{ [%clk 1:00:00] } 1. e4 { [%clk 0:03:00] } e5 { so [%clk 0:02:56.5] } 2. Nf3 *\n");
    const struct move_input *moves = scene->intake.moves;
    assert_true(moves[0].has_clock_ms && moves[1].has_clock_ms && !moves[2].has_clock_ms);
    assert_int_equal(moves[0].clock_ms, 180000);
    assert_int_equal(moves[1].clock_ms, 176500);
    assert_null(moves[0].comment);
    assert_string_equal(moves[1].comment, "so");
}

/* ---- one game after another -------------------------------------------------------------------------- */

static void nothing_of_a_game_is_left_in_the_next(void **state)
{
    struct intake_scene *scene = *state;
    intake_scene_take(
        scene,
        "{before} [White \"A\"]\n[Event \"E\"]\n\n{a} 1. e4 {b [%clk 0:01:00]} Ke7 *\n\n1. d4 d5 1/2-1/2\n");
    const struct pgn_intake *intake = &scene->intake;
    assert_int_equal(scene->games, 2);
    assert_int_equal(intake->place.index, 1);
    assert_int_equal(intake->place.line, 6);
    assert_true(intake->good);
    assert_int_equal(intake->fault_count, 0);
    assert_int_equal(intake->plies, 2);
    assert_int_equal(intake->tag_count, 0);
    assert_int_equal(intake->result, RESULT_DRAW);
    assert_null(intake->texts.white_name);
    assert_string_equal(intake->texts.tags, "");
    assert_null(intake->texts.comment);
    assert_null(intake->moves[0].comment);
    assert_false(intake->moves[0].has_clock_ms);
}

static void a_fault_is_kept_with_its_place_and_token(void **state)
{
    struct intake_scene *scene = *state;
    intake_scene_take(scene, "[Event \"E\"]\n\n1. e4 e5\n2. Ke3 *\n");
    const struct pgn_fault *fault = intake_scene_fault(scene);
    assert_false(scene->intake.good);
    assert_int_equal(fault->code, PGN_FAULT_ILLEGAL_MOVE);
    assert_int_equal(fault->line, 4);
    assert_int_equal(fault->column, 4);
    assert_int_equal(fault->ply, 3);
    assert_string_equal(fault->token, "Ke3");
    assert_int_equal(scene->intake.plies, 2);
}

static void a_text_without_a_game_has_a_fault_of_its_own(void **state)
{
    struct intake_scene *scene = *state;
    intake_scene_take(scene, " \n\n");
    assert_int_equal(scene->games, 0);
    assert_int_equal(scene->text_faults, 1);
    assert_int_equal(scene->text_fault.code, PGN_FAULT_EMPTY);
}

/* `count` times `piece` behind `first`, and `last`: for the caller to free. */
static char *repeat(const char *first, const char *piece, size_t count, const char *last)
{
    size_t length = strlen(piece);
    char *text = malloc(strlen(first) + count * length + strlen(last) + 1);
    assert_non_null(text);
    char *end = stpcpy(text, first);
    for (size_t i = 0; i < count; i++, end += length)
        memcpy(end, piece, length);
    (void)strcpy(end, last);
    return text;
}

static void the_texts_of_a_game_are_bounded(void **state)
{
    struct intake_scene *scene = *state;
    enum { COMMENT = 30000, COUNT = PGN_INTAKE_TEXT_MAX / COMMENT + 2 };
    char *comment = repeat("{", "x", COMMENT, "}");
    char *pgn = repeat("1. e4 ", comment, COUNT, " e5 *\n\n1. d4 *\n");
    scene->stop_after = 1;
    intake_scene_take(scene, pgn);
    assert_false(scene->intake.good);
    const struct pgn_fault *fault = intake_scene_fault(scene);
    assert_int_equal(fault->code, PGN_FAULT_SYNTAX);
    assert_int_equal(fault->ply, 1);
    assert_true(scene->intake.text_room <= PGN_INTAKE_TEXT_MAX);
    scene->stop_after = 0;
    intake_scene_take(scene, "1. d4 {x} *\n");
    assert_true(scene->intake.good);
    assert_true(scene->intake.text_room < COMMENT); /* the large room was given back */
    free(pgn);
    free(comment);
}

static void a_tag_that_comes_again_and_again_is_bounded(void **state)
{
    struct intake_scene *scene = *state;
    char *value = repeat("", "v", PGN_TAG_VALUE_MAX, "");
    char *tag = repeat("[White \"", value, 1, "\"]\n");
    char *pgn = repeat("\n", tag, PGN_INTAKE_TEXT_MAX / PGN_TAG_VALUE_MAX + 1, "\n1. e4 *\n\n1. d4 *\n");
    scene->stop_after = 1;
    intake_scene_take(scene, pgn);
    const struct pgn_intake *intake = &scene->intake;
    assert_false(intake->good);
    const struct pgn_fault *fault = &intake->faults[intake->fault_count - 1];
    assert_int_equal(fault->code, PGN_FAULT_SYNTAX);
    assert_int_equal(fault->severity, PGN_ERROR);
    assert_int_equal(fault->line, 2);
    assert_int_equal(fault->ply, 0);
    assert_true(intake->text_room <= PGN_INTAKE_TEXT_MAX);
    scene->stop_after = 0;
    intake_scene_take(scene, pgn);
    assert_int_equal(scene->games, 2);
    assert_true(intake->good); /* the next one */
    free(pgn);
    free(tag);
    free(value);
}

static void the_room_of_many_tags_is_given_back(void **state)
{
    struct intake_scene *scene = *state;
    char pgn[PGN_INTAKE_TAGS_MAX * (PGN_TAG_VALUE_MAX + 16)], *end = pgn;
    for (int i = 0; i < PGN_INTAKE_TAGS_MAX; i++)
        end += sprintf(end, "[T%d \"%0*d\"]\n", i, PGN_TAG_VALUE_MAX, 0);
    intake_scene_take(scene, pgn);
    assert_true(strlen(scene->intake.texts.tags) > PGN_INTAKE_TAGS_MAX * PGN_TAG_VALUE_MAX);
    pgn_intake_trim(&scene->intake);
    assert_int_equal(scene->intake.kept.capacity, 0);
}

/* What every game has in its PGN does not count: it can be read where it came from here. */
static void a_game_has_128_tags_of_its_own(void **state)
{
    struct intake_scene *scene = *state;
    char pgn[4096], *end = pgn;
    for (int i = 0; i < PGN_INTAKE_TAGS_MAX; i++)
        end += sprintf(end, "[T%d \"x\"]\n", i);
    char *last = end;
    (void)sprintf(last, "[Event \"x\"]\n[GameId \"x\"]\n[T3 \"y\"]\n\n*\n");
    intake_scene_take(scene, pgn);
    assert_true(scene->intake.good);
    (void)sprintf(last, "[Event \"x\"]\n[U \"x\"]\n[W \"x\"]\n\n*\n\n[V \"x\"]\n\n*\n");
    scene->stop_after = 1;
    intake_scene_take(scene, pgn);
    assert_false(scene->intake.good);
    assert_int_equal(intake_scene_fault(scene)->line, PGN_INTAKE_TAGS_MAX + 2);
    assert_string_equal(intake_scene_fault(scene)->token, "U");
    assert_int_equal(scene->intake.fault_count, 1);
    scene->stop_after = 0;
    intake_scene_take(scene, pgn);
    assert_int_equal(scene->games, 2);
    assert_true(scene->intake.good);
}

/* As where they stand before the first token; those on a move may be longer. */
static void comments_before_the_first_move_are_bounded(void **state)
{
    struct intake_scene *scene = *state;
    char *pgn = repeat("{a} 1. {", "a", PGN_COMMENT_MAX - 2, "} e4 *\n");
    intake_scene_take(scene, pgn);
    assert_true(scene->intake.good);
    assert_int_equal(strlen(scene->intake.texts.comment), PGN_COMMENT_MAX);
    free(pgn);
    pgn = repeat("{a} 1. {", "a", PGN_COMMENT_MAX - 1, "} e4 *\n");
    intake_scene_take(scene, pgn);
    assert_false(scene->intake.good);
    assert_int_equal(intake_scene_fault(scene)->ply, 0);
    free(pgn);
}

/* Each of 349,525 comments costs its own bytes, not those of all before it. */
static void a_mebibyte_of_short_comments_is_read(void **state)
{
    struct intake_scene *scene = *state;
    enum { COUNT = (1 << 20) / 3 };
    char *pgn = repeat("1. e4 ", "{a}", COUNT, " e5 {b} *\n");
    intake_scene_take(scene, pgn);
    assert_true(scene->intake.good);
    const char *comment = scene->intake.moves[0].comment;
    assert_int_equal(strlen(comment), 2 * COUNT - 1);
    assert_int_equal(strspn(comment, "a "), 2 * COUNT - 1);
    assert_string_equal(scene->intake.moves[1].comment, "b");
    free(pgn);
}

#define SCENE_TEST(test) cmocka_unit_test_setup_teardown(test, intake_scene_set_up, intake_scene_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(tags_that_the_game_says_itself_are_not_kept_beside_it),
        SCENE_TEST(unknown_players_have_no_name),
        SCENE_TEST(the_last_of_repeated_tags_counts),
        SCENE_TEST(more_tags_than_there_was_room_for_are_all_kept),
        SCENE_TEST(the_usual_position_is_no_position_of_its_own),
        SCENE_TEST(a_game_from_a_position_ends_where_its_moves_lead),
        SCENE_TEST(comments_of_one_move_are_joined_by_a_blank),
        SCENE_TEST(a_comment_goes_on_behind_a_warning),
        SCENE_TEST(clocks_go_with_their_moves),
        SCENE_TEST(nothing_of_a_game_is_left_in_the_next),
        SCENE_TEST(a_fault_is_kept_with_its_place_and_token),
        SCENE_TEST(a_text_without_a_game_has_a_fault_of_its_own),
        SCENE_TEST(the_texts_of_a_game_are_bounded),
        SCENE_TEST(a_tag_that_comes_again_and_again_is_bounded),
        SCENE_TEST(the_room_of_many_tags_is_given_back),
        SCENE_TEST(a_game_has_128_tags_of_its_own),
        SCENE_TEST(comments_before_the_first_move_are_bounded),
        SCENE_TEST(a_mebibyte_of_short_comments_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
