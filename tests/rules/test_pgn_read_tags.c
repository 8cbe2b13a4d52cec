/* rules/pgn_read: tag pairs, which game they belong to, and the position they name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/rules/pgn_log.h"

#define CHECK(cases)               pgn_log_check(cases, sizeof(cases) / sizeof(cases)[0], false)
#define CHECK_WITH_WARNINGS(cases) pgn_log_check(cases, sizeof(cases) / sizeof(cases)[0], true)

/* PGN standard 7 and 8.1. */
static void values_are_unescaped(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"quotes", "[A \"\\\"x\\\" y\"] *", "#0@1 A=\"x\" y start =*"},
        {"backslash", "[A \"a\\\\b\\\\\"] *", "#0@1 A=a\\b\\ start =*"},
        {"a backslash that escapes nothing", "[A \"a\\b\"] *", "#0@1 A=a\\b start =*"},
        {"quotes that nobody escaped", "[A \"5th \"Mikis\" Cup\"] *", "#0@1 A=5th \"Mikis\" Cup start =*"},
        {"two together", "[A \"x\"\" \"y\"] *", "#0@1 A=x\"\" \"y start =*"},
        {"brackets and braces", "[A \"[x] (y) {z} ; %\"] *", "#0@1 A=[x] (y) {z} ; % start =*"},
        {"empty", "[A \"\"] *", "#0@1 A= start =*"},
        {"a tab becomes a blank", "[A \"a\tb\"] *", "#0@1 A=a b start =*"},
        {"blanks around", "[  A\t \"x\"  ] *", "#0@1 A=x start =*"},
        {"no blanks", "[A\"x\"]*", "#0@1 A=x start =*"},
    };
    CHECK(cases);
}

static void pairs_may_stand_anywhere_before_the_moves(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"in a line", "[A \"x\"] [B \"y\"][C \"z\"] e4 *", "#0@1 A=x B=y C=z start e4 =*"},
        {"no empty line", "[A \"x\"]\ne4 *", "#0@1 A=x start e4 =*"},
        {"empty lines between", "[A \"x\"]\n\n\n[B \"y\"]\n\ne4 *", "#0@1 A=x B=y start e4 =*"},
        {"comments between", "[A \"x\"]\n{c}\n[B \"y\"] ; d\ne4 *", "#0@1 A=x B=y start {c d} e4 =*"},
        {"behind a marker", "e4 * [A \"x\"] d4 *", "#0@1 start e4 =* #1@1 A=x start d4 =*"},
        {"a bracket in the next line", "[A \"x\"\n]\ne4 *", "#0@1 A=x start e4 =*"},
        {"a pair over several lines (8.1)", "[A\n\"x\"]\n[\r\nB \"y\"\n]\n[ C\n\n \"z\"]\n\ne4 *",
         "#0@1 A=x B=y C=z start e4 =*"},
        {"behind moves", "e4 e5\n[A\n\"x\"]\nd4 *", "#0@1 start e4 e5 =* #1@2 A=x start d4 =*"},
    };
    CHECK(cases);
}

static void games_of_tags_alone_are_games(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"one", "[A \"x\"]\n[Result \"1-0\"]\n", "#0@1 A=x Result=1-0 start =1-0"},
        {"two that begin with Event", "[Event \"x\"]\n\n[Event \"y\"]\n\n*",
         "#0@1 Event=x start =* #1@3 Event=y start =*"},
        {"Event behind others", "[White \"x\"]\n\n[Event \"y\"]\n\n*",
         "#0@1 White=x start =* #1@3 Event=y start =*"},
        {"a tag again", "[A \"x\"]\n[B \"x\"]\n\n[B \"y\"]\n[A \"y\"]\n",
         "#0@1 A=x B=x start =* #1@4 B=y A=y start =*"},
        {"with markers", "[A \"x\"]\n\n*\n\n[A \"y\"]\n\n1-0\n", "#0@1 A=x start =* #1@5 A=y start =1-0"},
    };
    CHECK(cases);
}

static void a_tag_given_twice_counts_as_the_last(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"twice", "[A \"x\"]\n[A \"y\"]\n*", "#0@1 A=x warning:syntax@2:1/0'A' A=y! start =*"},
        {"the result", "[Result \"1-0\"]\n[Result \"0-1\"]\n0-1",
         "#0@1 Result=1-0 warning:syntax@2:1/0'Result' Result=0-1! start =0-1"},
    };
    CHECK_WITH_WARNINGS(cases);
}

static void a_broken_pair_is_an_error_of_its_game(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"no value", "[A]\n[B \"y\"]\ne4 *\n[C \"z\"]\n*",
         "#0@1 error:syntax@1:1/0'[' B=y =*! #1@4 C=z start =*"},
        {"no name", "[\"x\"]\n[B \"y\"]\n*", "#0@1 error:syntax@1:1/0'[' B=y =*!"},
        {"no quotes", "[A x]\n*", "#0@1 error:syntax@1:1/0'[' =*!"},
        {"no closing quote", "[A \"x]\n[B \"y\"]\ne4 *", "#0@1 error:syntax@1:1/0'A' B=y =*!"},
        {"a line without a value", "[A\n[B \"y\"]\ne4 *\n[C\ne4 *",
         "#0@1 error:syntax@1:1/0'[' B=y =*! #1@4 error:syntax@4:1/0'[' =*!"},
        {"a line without a value, apart", "[A \"x\"]\n[B\n\n[Event \"y\"]\n*",
         "#0@1 A=x error:syntax@2:1/0'[' =*! #1@4 Event=y start =*"},
        {"a bracket in movetext", "e4\n[\nB \"y\"]\n*", "#0@1 start e4 error:syntax@2:1/2'[' =*!"},
        {"two of them", "[A]\n[B]\n*", "#0@1 error:syntax@1:1/0'[' error:syntax@2:1/0'[' =*!"},
        {"a text that ends in a name", "[A", "#0@1 error:syntax@1:1/0'[' =*!"},
        {"a text that ends in a value", "[A \"x", "#0@1 error:syntax@1:1/0'A' =*!"},
        {"a text that ends in an escape", "[A \"x\\", "#0@1 error:syntax@1:1/0'A' =*!"},
    };
    CHECK(cases);
    static const struct pgn_log_case warned[] = {
        {"no closing bracket", "[A \"x\"\n[B \"y\"]\n*", "#0@1 warning:syntax@1:1/0'A' A=x B=y start =*"},
        {"before another game", "[A \"x\"\n\n[Event \"y\"]\n*",
         "#0@1 warning:syntax@1:1/0'A' A=x start warning:result@3:1/0'' =* #1@3 Event=y start =*"},
        {"nor at the end of the text", "[Result \"1-0\"",
         "#0@1 warning:syntax@1:1/0'Result' Result=1-0 start warning:result@1:14/0'' =1-0"},
    };
    CHECK_WITH_WARNINGS(warned);
}

#define KINGS      "4k3/8/8/8/8/8/4P3/4K3 b - - 3 30"
#define FIRST_FEN  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define NINE_PAWNS "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1"

static void the_first_position_is_what_fen_says(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"with SetUp", "[SetUp \"1\"]\n[FEN \"" KINGS "\"]\nKd7 *",
         "#0@1 SetUp=1 FEN=" KINGS " start(" KINGS ") Kd7 =*"},
        {"without", "[FEN \"" KINGS "\"]\nKd7 *", "#0@1 FEN=" KINGS " start(" KINGS ") Kd7 =*"},
        {"against SetUp", "[SetUp \"0\"]\n[FEN \"" KINGS "\"]\nKd7 *",
         "#0@1 SetUp=0 FEN=" KINGS " start(" KINGS ") Kd7 =*"},
        {"in small letters", "[Fen \"" KINGS "\"]\nKd7 *", "#0@1 Fen=" KINGS " start(" KINGS ") Kd7 =*"},
        {"the usual one", "[FEN \"" FIRST_FEN "\"]\ne4 *", "#0@1 FEN=" FIRST_FEN " start e4 =*"},
        {"an empty FEN is none", "[FEN \"\"]\ne4 *", "#0@1 FEN= start e4 =*"},
        {"SetUp alone", "[SetUp \"1\"]\ne4 *", "#0@1 SetUp=1 warning:fen@2:1/0'SetUp' start e4 =*"},
        {"nothing to play with", "[FEN \"8/8/8/8/8/8/8/K7 w - - 0 1\"]\ne4 *",
         "#0@1 FEN=8/8/8/8/8/8/8/K7 w - - 0 1 error:fen@1:1/0'8/8/8/8/8/8/8/K7 w - - 0 1' =*!"},
        {"unreachable", "[FEN \"" NINE_PAWNS "\"]\n*",
         "#0@1 FEN=" NINE_PAWNS " warning:fen@1:1/0'" NINE_PAWNS "' start(" NINE_PAWNS ") =*"},
    };
    CHECK_WITH_WARNINGS(cases);
}

#define FEN_960 "bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w KQkq - 0 1"
#define TAG_960 "[FEN \"" FEN_960 "\"]"

static void variants_have_many_names(void **state)
{
    (void)state;
    static const char *const chess960[] = {
        "Chess960",       "chess 960",     "CHESS-960", "Fischerandom",
        "Fischer Random", "Fischerrandom", "FRC",       "Fischer Random Chess",
        "wild/fr"};
    static const char *const standard[] = {"",      "?",      "Standard", "From Position",
                                           "chess", "normal", "Regular",  "standard chess"};
    static const char *const others[] = {"Crazyhouse", "Atomic", "960 Crazyhouse", "Chess 9600"};
    static struct pgn_log log;
    char text[256];
    for (size_t i = 0; i < sizeof chess960 / sizeof chess960[0]; i++) {
        int length = snprintf(text, sizeof text, TAG_960 "[Variant \"%s\"] *", chess960[i]);
        pgn_log_read(&log, text, (size_t)length, NULL);
        assert_non_null(strstr(log.text, "start960(" FEN_960 ") =* "));
    }
    for (size_t i = 0; i < sizeof standard / sizeof standard[0]; i++) {
        int length = snprintf(text, sizeof text, "[Variant \"%s\"] *", standard[i]);
        pgn_log_read(&log, text, (size_t)length, NULL);
        assert_non_null(strstr(log.text, "start =* "));
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        int length = snprintf(text, sizeof text, "[Variant \"%s\"] e4 1-0 d4 *", others[i]);
        pgn_log_read(&log, text, (size_t)length, NULL);
        assert_non_null(strstr(log.text, "error:variant@1:1/0"));
        assert_non_null(strstr(log.text, "=1-0! #1@1 start d4 =* "));
    }
}

static void chess960_may_go_without_saying(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"the rights are of Chess960", TAG_960 "b3 c5 Nf3 d5 d4 b6 O-O *",
         "#0@1 FEN=" FEN_960 " start960(" FEN_960 ") b3 c5 Nf3 d5 d4 b6 O-O =*"},
        {"the usual position", "[Variant \"Chess960\"] e4 *", "#0@1 Variant=Chess960 start960 e4 =*"},
    };
    CHECK(cases);
    static struct pgn_log log;
    static const char asked[] = "e4 *\n[Variant \"Standard\"] e4 *\n[Variant \"?\"] e4 *";
    pgn_log_read(&log, asked, sizeof asked - 1, &(struct pgn_options){.chess960 = true});
    assert_string_equal(log.text, "#0@1 start960 e4 =* #1@2 Variant=Standard start e4 =* "
                                  "#2@3 Variant=? start960 e4 =* ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_unescaped),
        cmocka_unit_test(pairs_may_stand_anywhere_before_the_moves),
        cmocka_unit_test(games_of_tags_alone_are_games),
        cmocka_unit_test(a_tag_given_twice_counts_as_the_last),
        cmocka_unit_test(a_broken_pair_is_an_error_of_its_game),
        cmocka_unit_test(the_first_position_is_what_fen_says),
        cmocka_unit_test(variants_have_many_names),
        cmocka_unit_test(chess960_may_go_without_saying),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
