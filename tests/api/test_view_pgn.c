/* api/view_pgn: tags that a game came with, and those of its own. */
#include "api/view_pgn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules/notation.h"

static struct arena arena;

static int tear_down(void **state)
{
    (void)state;
    arena_finish(&arena);
    return 0;
}

/* 2026-01-02T03:04:05.678Z */
static struct game game_with(struct game_texts *texts)
{
    return (struct game){
        .id = "abcdefghjkmn",
        .created_at_ms = 1767323045678,
        .texts = texts,
        .head = {.position = position_initial(), .status = GAME_ACTIVE},
    };
}

static const char *written(struct pgn_view view)
{
    struct writer text;
    writer_init(&text, &arena, 64);
    view_pgn(&text, &view);
    writer_char(&text, '\0');
    assert_false(text.failed);
    return text.data;
}

static void a_game_of_ours_is_dated_by_us(void **state)
{
    (void)state;
    struct game_texts texts = {.white_name = "Anna"};
    struct game game = game_with(&texts);
    assert_string_equal(
        written((struct pgn_view){.game = &game, .tags = true}),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"2026.01.02\"]\n[Round \"?\"]\n[White \"Anna\"]\n"
        "[Black \"?\"]\n[Result \"*\"]\n[GameId \"abcdefghjkmn\"]\n"
        "[Termination \"unterminated\"]\n[UTCDate \"2026.01.02\"]\n[UTCTime \"03:04:05\"]\n\n*\n");
}

/* The roster in its order (8.1.1), then the others in ASCII order; what the game knows better is its own. */
static void tags_that_a_game_came_with_are_kept(void **state)
{
    (void)state;
    struct game_texts texts = {
        .black_name = "Ben",
        .tags = "Zeta=last\nWhite=Old\nBlack=Older\nEvent=Cup\nDate=1992.11.04\nResult=1-0\nECO=C20\n"
                "FEN=8/8/8/8/8/8/8/8 w - - 0 1\nSetUp=1\nVariant=Standard\nTermination=abandoned\nRound=4\n"
                "GameId=theirs\nTimeControl=5400\nAnnotator=a\\\\b",
    };
    struct game game = game_with(&texts);
    assert_string_equal(
        written((struct pgn_view){.game = &game, .tags = true}),
        "[Event \"Cup\"]\n[Site \"?\"]\n[Date \"1992.11.04\"]\n[Round \"4\"]\n[White \"Old\"]\n"
        "[Black \"Ben\"]\n[Result \"*\"]\n[Annotator \"a\\\\b\"]\n[ECO \"C20\"]\n"
        "[GameId \"abcdefghjkmn\"]\n[Termination \"unterminated\"]\n[TimeControl \"5400\"]\n"
        "[Zeta \"last\"]\n\n*\n");
}

static void the_end_has_the_words_of_the_standard(void **state)
{
    (void)state;
    static const struct {
        enum game_termination termination;
        const char *tag;
    } rows[] = {
        {TERMINATION_NONE, "unterminated"},
        {TERMINATION_CHECKMATE, "normal"},
        {TERMINATION_STALEMATE, "normal"},
        {TERMINATION_DEAD_POSITION, "normal"},
        {TERMINATION_AGREEMENT, "normal"},
        {TERMINATION_RESIGNATION, "normal"},
        {TERMINATION_THREEFOLD_REPETITION, "normal"},
        {TERMINATION_MOVE_LIMIT, "normal"},
        {TERMINATION_TIMEOUT, "time forfeit"},
        {TERMINATION_TIMEOUT_UNWINNABLE, "time forfeit"},
        {TERMINATION_ABORTED, "abandoned"},
        {TERMINATION_ABANDONMENT, "abandoned"},
        {TERMINATION_ADJUDICATION, "adjudication"},
        {TERMINATION_RULES_INFRACTION, "rules infraction"},
        {TERMINATION_RECORDED, "normal"},
    };
    struct game game = game_with(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char tag[64] = "\n[Termination \"";
        strcat(strcat(tag, rows[i].tag), "\"]\n");
        game.head.end.termination = (uint8_t)rows[i].termination;
        assert_non_null(strstr(written((struct pgn_view){.game = &game, .tags = true}), tag));
    }
    struct game_texts texts = {.tags = "Termination=time forfeit"};
    game.texts = &texts;
    assert_non_null(
        strstr(written((struct pgn_view){.game = &game, .tags = true}), "[Termination \"time forfeit\"]"));
}

static void a_timed_game_has_its_control_and_its_clocks(void **state)
{
    (void)state;
    struct clock clock = {.control = {.stage_count = 2, .stages = {{40, 7200000, 0}, {0, 3600000, 0}}}};
    struct position start = position_initial();
    move moves[] = {notation_find_uci(&start, "e2e4")};
    struct move_record records[] = {
        {.ply = 1, .clock_ms = 7199500, .spent_ms = 500, .comment = "best by test"}};
    struct game game = game_with(NULL);
    game.clock = &clock;
    game.moves = moves;
    game.head.ply = 1;
    struct pgn_view view = {.game = &game, .records = records, .tags = true};
    assert_non_null(strstr(written(view), "\n[TimeControl \"40/7200:3600\"]\n"));
    view.tags = false;
    assert_string_equal(written(view), "1. e4 *\n");
    view.comments = true;
    assert_string_equal(written(view), "1. e4 { best by test } *\n");
    view.clocks = true;
    assert_string_equal(written(view), "1. e4 { [%clk 1:59:59.5] best by test } *\n");
    view.comments = false;
    assert_non_null(strstr(written(view), "1. e4 { [%clk 1:59:59.5] }"));
    records[0].clock_ms = MOVE_TIME_NONE;
    assert_string_equal(written(view), "1. e4 *\n");
}

static void a_comment_stands_before_the_first_move(void **state)
{
    (void)state;
    struct game_texts texts = {.comment = "An opening word."};
    struct game game = game_with(&texts);
    assert_string_equal(written((struct pgn_view){.game = &game, .comments = true}),
                        "{ An opening word. } *\n");
    assert_string_equal(written((struct pgn_view){.game = &game}), "*\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_game_of_ours_is_dated_by_us, tear_down),
        cmocka_unit_test_teardown(tags_that_a_game_came_with_are_kept, tear_down),
        cmocka_unit_test_teardown(the_end_has_the_words_of_the_standard, tear_down),
        cmocka_unit_test_teardown(a_timed_game_has_its_control_and_its_clocks, tear_down),
        cmocka_unit_test_teardown(a_comment_stands_before_the_first_move, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
