/* One game out of a PGN, as a create action takes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/pgn_intake.h"
#include "rules/fen.h"
#include "tests/support/games_club.h"

/* A text that is read game by game into one intake. */
struct scene {
    struct club *club;
    struct pgn_intake intake;
    struct pgn_intake_hooks hooks;
    struct pgn_reader reader;
    unsigned games;      /* that have ended */
    unsigned stop_after; /* so many; 0: never */
    struct pgn_fault text_fault;
    unsigned text_faults;
    struct deed *deed; /* of the last create */
};

static bool note_end(struct pgn_intake_hooks *hooks)
{
    struct scene *scene = hooks->owner;
    scene->games++;
    return scene->games != scene->stop_after;
}

static bool note_text_fault(struct pgn_intake_hooks *hooks, const struct pgn_fault *fault)
{
    struct scene *scene = hooks->owner;
    scene->text_fault = *fault;
    scene->text_faults++;
    return true;
}

static void take(struct scene *scene, const char *pgn)
{
    const struct pgn_options options = {.variations = true};
    scene->hooks = (struct pgn_intake_hooks){
        .intake = &scene->intake, .owner = scene, .ended = note_end, .fault = note_text_fault};
    const struct pgn_handler handler = pgn_intake_handler(&scene->hooks);
    scene->games = 0;
    pgn_reader_init(&scene->reader, &handler, &options);
    if (pgn_read(&scene->reader, pgn, strlen(pgn)))
        (void)pgn_read_end(&scene->reader);
    assert_false(scene->intake.failed);
}

/* The intake of the create under way. */
static struct pgn_intake *judged;

static void judge(struct action *action, const struct game *game)
{
    pgn_intake_judge(judged, action, game);
}

/* Creates what was taken by the rules given, the result recorded. */
static const struct game *create(struct scene *scene, const struct game_rules *rules)
{
    struct deed *deed = club_deed(scene->club, ACTION_CREATE, NULL);
    pgn_intake_create(&scene->intake, &deed->action.create);
    deed->action.create.recorded = scene->intake.result;
    if (rules)
        deed->action.create.rules = *rules;
    scene->deed = deed;
    judged = &scene->intake;
    deed->action.render = judge;
    (void)deed_start(deed);
    enum action_outcome outcome = deed_await(deed);
    return outcome == ACTION_DONE ? club_view(scene->club, deed->action.id) : NULL;
}

static int set_up(void **state)
{
    struct scene *scene = calloc(1, sizeof *scene);
    if (!scene)
        return -1;
    scene->club = club_open(NULL);
    *state = scene;
    return 0;
}

static int tear_down(void **state)
{
    struct scene *scene = *state;
    club_close(scene->club);
    pgn_intake_finish(&scene->intake);
    free(scene);
    return 0;
}

static const struct pgn_fault *only_fault(const struct scene *scene)
{
    assert_int_equal(scene->intake.fault_count, 1);
    return &scene->intake.faults[0];
}

/* ---- tags -------------------------------------------------------------------------------------------- */

static void tags_that_the_game_says_itself_are_not_kept_beside_it(void **state)
{
    struct scene *scene = *state;
    take(scene, "[Event \"Open\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n[SetUp \"1\"]\n"
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
    struct scene *scene = *state;
    take(scene, "[White \"?\"]\n[Black \"\"]\n\n*\n");
    assert_null(scene->intake.texts.white_name);
    assert_null(scene->intake.texts.black_name);
    assert_string_equal(scene->intake.texts.tags, "");
    take(scene, "[White \" \"]\n[Black \"\t \"]\n\n*\n");
    assert_null(scene->intake.texts.white_name);
    assert_null(scene->intake.texts.black_name);
}

static void the_last_of_repeated_tags_counts(void **state)
{
    struct scene *scene = *state;
    take(scene, "[White \"A\"]\n[Event \"x\"]\n[White \"B\"]\n\n1. e4 *\n");
    assert_string_equal(scene->intake.texts.white_name, "B");
    assert_int_equal(scene->intake.tag_count, 2);
    assert_string_equal(scene->intake.tags[0].value, "B");
    assert_string_equal(scene->intake.texts.tags, "Event=x\n");
}

static void more_tags_than_there_was_room_for_are_all_kept(void **state)
{
    struct scene *scene = *state;
    char pgn[4096] = "";
    char expected[4096] = "";
    for (int i = 0; i < 100; i++) {
        (void)snprintf(pgn + strlen(pgn), 32, "[T%d \"v%d\"]\n", i, i);
        (void)snprintf(expected + strlen(expected), 32, "T%d=v%d\n", i, i);
    }
    take(scene, strcat(pgn, "\n*\n"));
    assert_string_equal(scene->intake.texts.tags, expected);
}

/* ---- positions --------------------------------------------------------------------------------------- */

static void the_usual_position_is_no_position_of_its_own(void **state)
{
    struct scene *scene = *state;
    struct action_create create = {0};
    take(scene, "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 *\n");
    pgn_intake_create(&scene->intake, &create);
    assert_null(create.start);
    take(scene, "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3\"]\n\n1. e4 *\n");
    pgn_intake_create(&scene->intake, &create);
    assert_non_null(create.start);
    take(scene, "[Variant \"Chess960\"]\n\n1. e4 *\n");
    pgn_intake_create(&scene->intake, &create);
    assert_non_null(create.start);
    assert_true(create.start->chess960);
}

static void a_game_from_a_position_ends_where_its_moves_lead(void **state)
{
    struct scene *scene = *state;
    take(scene, "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 30\"]\n\n30... Kd7 31. e4 *\n");
    char fen[FEN_SIZE];
    fen_format(&scene->intake.final, FEN_EN_PASSANT_LEGAL, fen);
    assert_string_equal(fen, "8/3k4/8/8/4P3/8/8/4K3 b - - 0 31");
    const struct game *game = create(scene, NULL);
    assert_non_null(game);
    assert_int_equal(game->head.ply, 2);
    assert_true(position_same(&game->head.position, &scene->intake.final));
}

/* ---- comments and clocks ----------------------------------------------------------------------------- */

static void comments_of_one_move_are_joined_by_a_blank(void **state)
{
    struct scene *scene = *state;
    take(scene, "{ before } { all }\n1. e4 {one} ; two\n{three} e5 2. Nf3 {four} *\n");
    const struct pgn_intake *intake = &scene->intake;
    assert_string_equal(intake->texts.comment, "before all");
    assert_string_equal(intake->moves[0].comment, "one two three");
    assert_null(intake->moves[1].comment);
    assert_string_equal(intake->moves[2].comment, "four");
}

static void a_comment_goes_on_behind_a_warning(void **state)
{
    struct scene *scene = *state;
    take(scene, "1. e4 e5 {first} (1... Qxh2) {second} 2. Nf3 *\n");
    const struct pgn_fault *fault = only_fault(scene);
    assert_int_equal(fault->code, PGN_FAULT_VARIATION);
    assert_int_equal(fault->severity, PGN_WARNING);
    assert_string_equal(fault->token, "Qxh2");
    assert_string_equal(scene->intake.moves[1].comment, "first second");
    assert_true(scene->intake.good);
}

static void clocks_go_with_their_moves(void **state)
{
    struct scene *scene = *state;
    take(scene, "{ [%clk 1:00:00] } 1. e4 { [%clk 0:03:00] } e5 { so [%clk 0:02:56.5] } 2. Nf3 *\n");
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
    struct scene *scene = *state;
    take(scene,
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
    struct scene *scene = *state;
    take(scene, "[Event \"E\"]\n\n1. e4 e5\n2. Ke3 *\n");
    const struct pgn_fault *fault = only_fault(scene);
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
    struct scene *scene = *state;
    take(scene, " \n\n");
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
    struct scene *scene = *state;
    enum { COMMENT = 30000, COUNT = PGN_INTAKE_TEXT_MAX / COMMENT + 2 };
    char *comment = repeat("{", "x", COMMENT, "}");
    char *pgn = repeat("1. e4 ", comment, COUNT, " e5 *\n\n1. d4 *\n");
    scene->stop_after = 1;
    take(scene, pgn);
    assert_false(scene->intake.good);
    const struct pgn_fault *fault = only_fault(scene);
    assert_int_equal(fault->code, PGN_FAULT_SYNTAX);
    assert_int_equal(fault->ply, 1);
    assert_true(scene->intake.text_room <= PGN_INTAKE_TEXT_MAX);
    scene->stop_after = 0;
    take(scene, "1. d4 {x} *\n");
    assert_true(scene->intake.good);
    assert_true(scene->intake.text_room < COMMENT); /* the large room was given back */
    free(pgn);
    free(comment);
}

static void a_tag_that_comes_again_and_again_is_bounded(void **state)
{
    struct scene *scene = *state;
    char *value = repeat("", "v", PGN_TAG_VALUE_MAX, "");
    char *tag = repeat("[White \"", value, 1, "\"]\n");
    char *pgn = repeat("\n", tag, PGN_INTAKE_TEXT_MAX / PGN_TAG_VALUE_MAX + 1, "\n1. e4 *\n\n1. d4 *\n");
    scene->stop_after = 1;
    take(scene, pgn);
    const struct pgn_intake *intake = &scene->intake;
    assert_false(intake->good);
    const struct pgn_fault *fault = &intake->faults[intake->fault_count - 1];
    assert_int_equal(fault->code, PGN_FAULT_SYNTAX);
    assert_int_equal(fault->severity, PGN_ERROR);
    assert_int_equal(fault->line, 2);
    assert_int_equal(fault->ply, 0);
    assert_true(intake->text_room <= PGN_INTAKE_TEXT_MAX);
    scene->stop_after = 0;
    take(scene, pgn);
    assert_int_equal(scene->games, 2);
    assert_true(intake->good); /* the next one */
    free(pgn);
    free(tag);
    free(value);
}

static void the_room_of_many_tags_is_given_back(void **state)
{
    struct scene *scene = *state;
    char pgn[PGN_INTAKE_TAGS_MAX * (PGN_TAG_VALUE_MAX + 16)], *end = pgn;
    for (int i = 0; i < PGN_INTAKE_TAGS_MAX; i++)
        end += sprintf(end, "[T%d \"%0*d\"]\n", i, PGN_TAG_VALUE_MAX, 0);
    take(scene, pgn);
    assert_true(strlen(scene->intake.texts.tags) > PGN_INTAKE_TAGS_MAX * PGN_TAG_VALUE_MAX);
    pgn_intake_trim(&scene->intake);
    assert_int_equal(scene->intake.kept.capacity, 0);
}

/* What every game has in its PGN does not count: it can be read where it came from here. */
static void a_game_has_128_tags_of_its_own(void **state)
{
    struct scene *scene = *state;
    char pgn[4096], *end = pgn;
    for (int i = 0; i < PGN_INTAKE_TAGS_MAX; i++)
        end += sprintf(end, "[T%d \"x\"]\n", i);
    char *last = end;
    (void)sprintf(last, "[Event \"x\"]\n[GameId \"x\"]\n[T3 \"y\"]\n\n*\n");
    take(scene, pgn);
    assert_true(scene->intake.good);
    (void)sprintf(last, "[Event \"x\"]\n[U \"x\"]\n\n*\n\n[V \"x\"]\n\n*\n");
    scene->stop_after = 1;
    take(scene, pgn);
    assert_false(scene->intake.good);
    assert_int_equal(only_fault(scene)->line, PGN_INTAKE_TAGS_MAX + 2);
    assert_string_equal(only_fault(scene)->token, "U");
    scene->stop_after = 0;
    take(scene, pgn);
    assert_int_equal(scene->games, 2);
    assert_true(scene->intake.good);
}

/* As where they stand before the first token; those on a move may be longer. */
static void comments_before_the_first_move_are_bounded(void **state)
{
    struct scene *scene = *state;
    char *pgn = repeat("{a} 1. {", "a", PGN_COMMENT_MAX - 2, "} e4 *\n");
    take(scene, pgn);
    assert_true(scene->intake.good);
    assert_int_equal(strlen(scene->intake.texts.comment), PGN_COMMENT_MAX);
    free(pgn);
    pgn = repeat("{a} 1. {", "a", PGN_COMMENT_MAX - 1, "} e4 *\n");
    take(scene, pgn);
    assert_false(scene->intake.good);
    assert_int_equal(only_fault(scene)->ply, 0);
    free(pgn);
}

/* Each of 349,525 comments costs its own bytes, not those of all before it. */
static void a_mebibyte_of_short_comments_is_read(void **state)
{
    struct scene *scene = *state;
    enum { COUNT = (1 << 20) / 3 };
    char *pgn = repeat("1. e4 ", "{a}", COUNT, " e5 {b} *\n");
    take(scene, pgn);
    assert_true(scene->intake.good);
    const char *comment = scene->intake.moves[0].comment;
    assert_int_equal(strlen(comment), 2 * COUNT - 1);
    assert_int_equal(strspn(comment, "a "), 2 * COUNT - 1);
    assert_string_equal(scene->intake.moves[1].comment, "b");
    free(pgn);
}

/* ---- by the rules of the game ------------------------------------------------------------------------ */

static const char dead_and_on[] = "[FEN \"4k3/8/8/8/8/8/4p3/4K3 w - - 0 1\"]\n[Result \"1-0\"]\n\n"
                                  "1. Kxe2 Kd7\n 2. Kd3 1-0\n";

static void moves_after_a_dead_position_are_a_fault(void **state)
{
    struct scene *scene = *state;
    take(scene, dead_and_on);
    assert_true(scene->intake.good);
    assert_null(create(scene, NULL));
    assert_int_equal(scene->deed->action.outcome, ACTION_GAME_OVER);
    assert_int_equal(scene->deed->action.over_by, TERMINATION_DEAD_POSITION);
    assert_false(scene->intake.good);
    const struct pgn_fault *fault = only_fault(scene);
    assert_int_equal(fault->code, PGN_FAULT_MOVES_AFTER_END);
    assert_int_equal(fault->severity, PGN_ERROR);
    assert_int_equal(fault->line, 4);
    assert_int_equal(fault->column, 9);
    assert_int_equal(fault->ply, 2);
    assert_string_equal(fault->token, "Kd7");
    assert_non_null(strstr(fault->detail, "5.2.2"));
}

static void without_the_rule_the_game_goes_on_and_has_its_result(void **state)
{
    struct scene *scene = *state;
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.dead = ENDING_DEAD_OFF;
    take(scene, dead_and_on);
    const struct game *game = create(scene, &rules);
    assert_non_null(game);
    assert_int_equal(game->head.ply, 3);
    assert_int_equal(game->head.end.termination, TERMINATION_RECORDED);
    assert_int_equal(game->head.end.result, RESULT_WHITE_WINS);
    assert_int_equal(scene->intake.fault_count, 0);
}

static void a_result_against_an_automatic_draw_is_a_warning(void **state)
{
    struct scene *scene = *state;
    take(scene, "[Result \"1-0\"]\n[FEN \"4k3/8/8/8/8/8/4p3/4K3 w - - 0 1\"]\n\n1. Kxe2 1-0\n");
    const struct game *game = create(scene, NULL);
    assert_non_null(game);
    assert_int_equal(game->head.end.termination, TERMINATION_DEAD_POSITION);
    assert_int_equal(game->head.end.result, RESULT_DRAW);
    assert_true(scene->intake.good);
    assert_int_equal(scene->intake.result, RESULT_DRAW);
    const struct pgn_fault *fault = only_fault(scene);
    assert_int_equal(fault->code, PGN_FAULT_RESULT);
    assert_int_equal(fault->severity, PGN_WARNING);
    assert_int_equal(fault->line, 1);
    assert_string_equal(fault->token, "1-0");
}

static void a_game_without_a_result_says_nothing_against_the_board(void **state)
{
    struct scene *scene = *state;
    take(scene, "[Result \"*\"]\n[FEN \"4k3/8/8/8/8/8/4p3/4K3 w - - 0 1\"]\n\n1. Kxe2 *\n");
    assert_non_null(create(scene, NULL));
    assert_int_equal(scene->intake.fault_count, 0);
    assert_int_equal(scene->intake.result, RESULT_DRAW);
}

static void a_fifth_repetition_ends_the_game_at_its_move(void **state)
{
    struct scene *scene = *state;
    take(scene,
         "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8 9. e4 *");
    assert_null(create(scene, NULL));
    const struct pgn_fault *fault = &scene->intake.faults[scene->intake.fault_count - 1];
    assert_int_equal(fault->ply, 17); /* the first position came a fifth time at ply 16 (9.6.1) */
    assert_string_equal(fault->token, "e4");
    assert_non_null(strstr(fault->detail, "9.6.1"));
}

static void a_game_longer_than_games_may_be_is_a_fault(void **state)
{
    const struct club_options options = {.plies_limit = 3};
    struct scene *scene = *state;
    club_close(scene->club);
    scene->club = club_open(&options);
    take(scene, "1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n");
    assert_null(create(scene, NULL));
    const struct pgn_fault *fault = only_fault(scene);
    assert_int_equal(fault->severity, PGN_ERROR);
    assert_int_equal(fault->ply, 4);
    assert_string_equal(fault->token, "Nc6");
}

static void a_game_is_created_with_all_that_was_said(void **state)
{
    struct scene *scene = *state;
    take(scene, "[Event \"E\"]\n[White \"A\"]\n\n{first} 1. e4 {good [%clk 0:01:00]} e5 0-1\n");
    const struct game *game = create(scene, NULL);
    assert_non_null(game);
    assert_string_equal(game->texts->white_name, "A");
    assert_string_equal(game->texts->tags, "Event=E\n");
    assert_string_equal(game->texts->comment, "first");
    assert_null(game->texts->metadata);
    assert_int_equal(game->head.end.result, RESULT_BLACK_WINS);
    assert_int_equal(game->head.end.termination, TERMINATION_RECORDED);
}

#define SCENE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

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
