/* rules/pgn_read: movetext, results, and where games begin and end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/rules/pgn_log.h"

#define CHECK(cases)               pgn_log_check(cases, sizeof(cases) / sizeof(cases)[0], false)
#define CHECK_WITH_WARNINGS(cases) pgn_log_check(cases, sizeof(cases) / sizeof(cases)[0], true)

static void numbers_of_all_kinds_are_read(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"export form", "1. e4 e5 2. Nf3 *", "#0@1 start e4 e5 Nf3 =*"},
        {"none", "e4 e5 Nf3 *", "#0@1 start e4 e5 Nf3 =*"},
        {"glued", "1.e4 1...e5 2.Nf3 2...Nc6*", "#0@1 start e4 e5 Nf3 Nc6 =*"},
        {"parted", "1 . e4 1. ... e5 2 Nf3 ... Nc6 *", "#0@1 start e4 e5 Nf3 Nc6 =*"},
        {"wrong", "7. e4 7. e5 1000. Nf3 *", "#0@1 start e4 e5 Nf3 =*"},
        {"an ellipsis", "1. e4 1\u2026 e5 2.Nf3 2\u2026Nc6 *", "#0@1 start e4 e5 Nf3 Nc6 =*"},
        {"blanks of web pages", "1.\u00A0e4\u00A0\u00A0e5 \u00A02.\u00A0Ke3\u00A0*",
         "#0@1 start e4 e5 error:illegal_move@1:20/3'Ke3' =*!"},
        {"a line a token", "1.\ne4\n\n1...\ne5\n*\n", "#0@1 start e4 e5 =*"},
    };
    CHECK(cases);
}

static void moves_are_read_leniently(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"long, UCI and marks", "1. e2-e4 e7e5 2. Ng1f3+ Nb8-c6 3. bf1xb5 *",
         "#0@1 start e4 e5 Nf3 Nc6 error:syntax@1:35/5'bf1xb5' =*!"},
        {"zeros", "e4 e5 Nf3 Nf6 Bc4 Bc5 0-0 o-o *", "#0@1 start e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O =*"},
        {"short captures", "e4 d5 ed Qd5 *", "#0@1 start e4 d5 exd5 Qxd5 =*"},
        {"en passant, marked", "e4 a6 e5 d5 exd6 e.p. a5 dxc7ep. *",
         "#0@1 start e4 a6 e5 d5 exd6 a5 dxc7 =*"},
        {"checks apart", "e4 f5 Qh5 + g6 Qxg6 ++ hxg6 *", "#0@1 start e4 f5 Qh5+ g6 Qxg6+ hxg6 =*"},
        {"a draw offer", "e4 e5 (=) Nf3(=) Nc6 *", "#0@1 start e4 e5 Nf3 Nc6 =*"},
        {"glued to a comment", "e4{a}e5;b\nNf3{c}*", "#0@1 start e4 {a} e5 {b} Nf3 {c} =*"},
        {"promotions", "[FEN \"8/P1P1P2k/8/8/8/8/p6K/8 w - - 0 1\"] a8(Q) a1(=N) c8=R Nb3 e8Q *",
         "#0@1 FEN=8/P1P1P2k/8/8/8/8/p6K/8 w - - 0 1 start(8/P1P1P2k/8/8/8/8/p6K/8 w - - 0 1) a8=Q a1=N c8=R "
         "Nb3 "
         "e8=Q =*"},
        {"a last rank before a variation",
         "[FEN \"8/P1P1P2k/8/8/8/8/p6K/8 w - - 0 1\"] a8Q(a8R) a1=N(Q) Kh1(Kh3) *",
         "#0@1 FEN=8/P1P1P2k/8/8/8/8/p6K/8 w - - 0 1 start(8/P1P1P2k/8/8/8/8/p6K/8 w - - 0 1) a8=Q a1=N Kh1 "
         "=*"},
    };
    CHECK(cases);
}

static void glyphs_are_numbers(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"suffixes", "e4! e5? Nf3!! Nc6?? Bb5!? a6?! *",
         "#0@1 start e4 $1 e5 $2 Nf3 $3 Nc6 $4 Bb5 $5 a6 $6 =*"},
        {"apart", "e4 ! e5 ?! Nf3 = Nc6 \u00B1 Bb5 -+ a6 \u221E *",
         "#0@1 start e4 $1 e5 $6 Nf3 $10 Nc6 $16 Bb5 $19 a6 $13 =*"},
        {"numeric", "e4 $1$2 e5$255 Nf3 $0 *", "#0@1 start e4 $1 $2 e5 $255 Nf3 $0 =*"},
        {"without a number", "e4 N e5 D Nf3 *", "#0@1 start e4 $146 e5 Nf3 =*"},
        {"before the first move", "$5 1. e4 *", "#0@1 start $5 e4 =*"},
        {"no number", "e4 $ e5 *", "#0@1 start e4 error:syntax@1:4/2'$' =*!"},
        {"no NAG", "e4 $x e5 *", "#0@1 start e4 error:syntax@1:4/2'$x' =*!"},
        {"digits and more", "e4 $12a e5 *", "#0@1 start e4 error:syntax@1:4/2'$12a' =*!"},
    };
    CHECK(cases);
    static const struct pgn_log_case warned[] = {
        {"too high", "e4 $256 e5 $99999999999 *",
         "#0@1 start e4 warning:syntax@1:4/2'$256' e5 error:syntax@1:12/3'$99999999999' =*!"},
    };
    CHECK_WITH_WARNINGS(warned);
}

static void variations_are_skipped(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"nested", "e4 e5 (c5 Nf3 (c3 {x} d5) d6 (d6 (d6))) Nf3 *", "#0@1 start e4 e5 Nf3 =*"},
        {"glued", "e4(d4)(c4)e5(c5)*", "#0@1 start e4 e5 =*"},
        {"over lines, with results", "e4 (d4\n1-0\n) e5 *", "#0@1 start e4 e5 =*"},
        {"nothing in it is a game's", "e4 (x [y] % Ke9 -- $) e5 *", "#0@1 start e4 e5 =*"},
        {"before the first move", "(d4) e4 *", "#0@1 start e4 =*"},
        {"never opened", "e4 ) e5 *", "#0@1 start e4 error:syntax@1:4/2')' =*!"},
        {"never closed", "e4 (d4 *", "#0@1 start e4 error:syntax@1:4/2'(' =*!"},
        {"never closed, behind a last rank", "Nf3 d5 Ng1(Nh3 *",
         "#0@1 start Nf3 d5 Ng1 error:syntax@1:11/4'(' =*!"},
        {"never closed, and the next game", "e4 (d4 *\n[White \"B\"]\n\nc4 1-0",
         "#0@1 start e4 error:syntax@1:4/2'(' =*! #1@2 White=B start c4 =1-0"},
    };
    CHECK(cases);
}

static void variations_are_checked_where_asked(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"e4 e5 (c5 Nf3 (Ke9) d6) (1... d5 2. exd5! $1 Qxd5 ) Nf3 *", "#0@1 start e4 e5 Nf3 =* "},
        {"e4 e5 (Qxh2 c4) (Ke2) Nf3 *",
         "#0@1 start e4 e5 warning:variation@1:8/3'Qxh2' warning:variation@1:18/3'Ke2' Nf3 =* "},
        {"e4 e5 (c5 -- Ke9) (c5 hello) Nf3 *", "#0@1 start e4 e5 warning:variation@1:23/3'hello' Nf3 =* "},
        {"(d4) e4 *", "#0@1 start e4 =* "},
        {"e4 e5 (c5 Nf3 1/2-1/2) (c5 1-0) Nf3 *", "#0@1 start e4 e5 Nf3 =* "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static struct pgn_log log;
        log = (struct pgn_log){.warnings = true};
        pgn_log_read(&log, cases[i].text, strlen(cases[i].text), &(struct pgn_options){.variations = true});
        assert_string_equal(log.text, cases[i].expected);
    }
}

static void a_game_goes_to_its_first_error(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"illegal", "1. e4 e5 2. Ke3 Nc6 *", "#0@1 start e4 e5 error:illegal_move@1:13/3'Ke3' =*!"},
        {"glued to its number", "1.e4 e5\n2.Ke3", "#0@1 start e4 e5 error:illegal_move@2:3/3'Ke3' =*!"},
        {"ambiguous", "Nf3 d5 d4 d4 *", "#0@1 start Nf3 d5 d4 error:illegal_move@1:11/4'd4' =*!"},
        {"two knights", "Nf3 d5 d3 d4 Nd2 *", "#0@1 start Nf3 d5 d3 d4 error:ambiguous_move@1:14/5'Nd2' =*!"},
        {"null move", "e4 -- *", "#0@1 start e4 error:illegal_move@1:4/2'--' =*!"},
        {"no move", "e4 hello, world *", "#0@1 start e4 error:syntax@1:4/2'hello,' =*!"},
        {"reserved", "e4 <x> *", "#0@1 start e4 error:syntax@1:4/2'<' =*!"},
        {"brackets in the line", "e4 [x] *", "#0@1 start e4 error:syntax@1:4/2'[' =*!"},
        {"brackets that begin a line", "e4\n[%clk 1]\n*", "#0@1 start e4 error:syntax@2:1/2'[' =*!"},
        {"closing brace", "e4 } e5 *", "#0@1 start e4 error:syntax@1:4/2'}' =*!"},
        {"quote", "e4 \" e5 *", "#0@1 start e4 error:syntax@1:4/2'\"' =*!"},
        {"percent in the line", "e4 % e5 *", "#0@1 start e4 error:syntax@1:4/2'%' =*!"},
        {"missing promotion", "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\na8 *",
         "#0@1 FEN=8/P6k/8/8/8/8/8/K7 w - - 0 1 start(8/P6k/8/8/8/8/8/K7 w - - 0 1) "
         "error:illegal_move@2:1/1'a8' =*!"},
        {"what follows is not told", "e4 x {a} $1 (b) e5 } ) y *", "#0@1 start e4 error:syntax@1:4/2'x' =*!"},
    };
    CHECK(cases);
}

static void an_error_never_costs_the_next_game(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"behind a marker", "e4 x 1-0 d4 0-1",
         "#0@1 start e4 error:syntax@1:4/2'x' =1-0! #1@1 start d4 =0-1"},
        {"behind tags", "e4 x\n[White \"B\"]\nd4 0-1",
         "#0@1 start e4 error:syntax@1:4/2'x' =*! #1@2 White=B start d4 =0-1"},
        {"no marker in a variation", "e4 x (d4 1-0) 0-1 d4 *",
         "#0@1 start e4 error:syntax@1:4/2'x' =0-1! #1@1 start d4 =*"},
        {"no tags in a comment", "e4 x {\n[White \"B\"]\n} 0-1 d4 *",
         "#0@1 start e4 error:syntax@1:4/2'x' =0-1! #1@3 start d4 =*"},
        {"blanks before the tag", "e4 x\n  [White \"B\"]\nd4 0-1",
         "#0@1 start e4 error:syntax@1:4/2'x' =*! #1@2 White=B start d4 =0-1"},
        {"no tag in the line", "e4 x [White \"B\"]\nd4 0-1", "#0@1 start e4 error:syntax@1:4/2'x' =0-1!"},
        {"a bad first position", "[FEN \"x\"]\ne4 1-0\n[White \"B\"]\nd4 0-1",
         "#0@1 FEN=x error:fen@1:1/0'x' =1-0! #1@3 White=B start d4 =0-1"},
    };
    CHECK(cases);
}

static void markers_end_games(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"in a line", "e4 1-0 d4 0-1 c4 1/2-1/2 b4 *",
         "#0@1 start e4 =1-0 #1@1 start d4 =0-1 #2@1 start c4 =1/2-1/2 #3@1 start b4 =*"},
        {"other draws", "e4 1/2 d4 \u00BD c4 \u00BD-\u00BD b4 \u00BD\u2013\u00BD",
         "#0@1 start e4 =1/2-1/2 #1@1 start d4 =1/2-1/2 #2@1 start c4 =1/2-1/2 #3@1 start b4 =1/2-1/2"},
        {"with a dash", "e4 1\u20130 d4 0\u20131\n*", "#0@1 start e4 =1-0 #1@1 start d4 =0-1 #2@2 start =*"},
        {"blank lines do not", "1. e4\n\n\n1... e5\n\n*", "#0@1 start e4 e5 =*"},
        {"no moves", "*\n1-0\n", "#0@1 start =* #1@2 start =1-0"},
    };
    CHECK(cases);
}

/* Among the games of a newspaper or a broadcast somebody says more of the result than PGN can. */
static void what_is_added_to_a_marker_is_no_game(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"another marker", "e4 * *\nd4 1-0 1-0\nc4 1-0 *",
         "#0@1 start e4 =* #1@2 start d4 =1-0 #2@3 start c4 =1-0"},
        {"words", "e4 1-0 ff on time\n[A \"x\"]\n\nd4 *", "#0@1 start e4 =1-0 #1@2 A=x start d4 =*"},
        {"in brackets", "e4 1-0 (1... c5 2. Nf3 (2. d4)) ! $10 +- {x}\nd4 1-0 (time) <b> 40 }\n",
         "#0@1 start e4 =1-0 #1@2 start d4 =1-0"},
        {"a bracket too many", "e4 1-0 )\nd4 1-0 (", "#0@1 start e4 =1-0 #1@2 start d4 =1-0"},
        {"a bracket that is not closed in its line", "e4 1-0 (d4\n1. c4 *",
         "#0@1 start e4 =1-0 #1@2 start c4 =*"},
        {"but the next game is", "e4 1-0 1. d4 d5 0-1 Nf3 1/2 1... c5 *",
         "#0@1 start e4 =1-0 #1@1 start d4 d5 =0-1 #2@1 start Nf3 =1/2-1/2 #3@1 start "
         "error:illegal_move@1:34/1'c5' =*!"},
        {"and its tags", "e4 1-0 ff [A \"x\"] d4 *", "#0@1 start e4 =1-0 #1@1 A=x start d4 =*"},
    };
    CHECK(cases);
}

/* No move has ended: what looks like a mark is the beginning of one's name. Nor are zeros a number. */
static void a_move_that_is_cut_in_two_is_an_error(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"a knight", "1. e4 e5 2. N f3 Nc6 *", "#0@1 start e4 e5 error:syntax@1:13/3'N' =*!"},
        {"glued to its number", "1. e4 e5 2.N f3 *", "#0@1 start e4 e5 error:syntax@1:12/3'N' =*!"},
        {"in the first move", "N e4 *", "#0@1 start error:syntax@1:1/1'N' =*!"},
        {"a queen, in German", "e4 e5 2. D h5 *", "#0@1 start e4 e5 error:syntax@1:10/3'D' =*!"},
        {"a novelty", "1. e4 e5 2. Nf3 {new} N 2... Nc6 N *", "#0@1 start e4 e5 Nf3 {new} $146 Nc6 $146 =*"},
        {"castling without a dash", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 00 d6 *",
         "#0@1 start e4 e5 Nf3 Nf6 Bc4 Bc5 error:syntax@1:35/7'00' =*!"},
        {"to the other side", "d4 000 *", "#0@1 start d4 error:syntax@1:4/2'000' =*!"},
        {"numbers of zeros", "0. e4 00. e5 0 Nf3 *", "#0@1 start e4 e5 Nf3 =*"},
    };
    CHECK(cases);
}

/* Both may lose, by the arbiter's decision. PGN 8.2.6 has no marker for it, but files have. */
static void a_result_of_zeros_is_no_castling(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"nobody can castle", "[Result \"0-0\"]\ne4 e5 0-0\n\n[A \"x\"]\n*",
         "#0@1 Result=0-0 start e4 e5 =* #1@4 A=x start =*"},
        {"somebody can", "[Result \"0-0\"] e4 e5 Nf3 Nf6 Bc4 Bc5 0-0",
         "#0@1 Result=0-0 start e4 e5 Nf3 Nf6 Bc4 Bc5 error:ambiguous_move@1:38/7'0-0' =*!"},
        {"O-O is castling", "[Result \"0-0\"] e4 e5 Nf3 Nf6 Bc4 Bc5 O-O *",
         "#0@1 Result=0-0 start e4 e5 Nf3 Nf6 Bc4 Bc5 O-O =*"},
    };
    CHECK(cases);
}

static void a_missing_marker_is_a_warning(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"at the end", "e4 e5", "#0@1 start e4 e5 warning:result@1:6/3'' =*"},
        {"before tags", "[Result \"1-0\"]\ne4\n\n[White \"B\"]\n\nd4 *",
         "#0@1 Result=1-0 start e4 warning:result@4:1/2'' =1-0 #1@4 White=B start d4 =*"},
        {"without movetext", "[Result \"1-0\"]\n", "#0@1 Result=1-0 start warning:result@2:1/0'' =1-0"},
    };
    CHECK_WITH_WARNINGS(cases);
}

static void tag_and_marker_are_compared(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"same", "[Result \"1-0\"] e4 1-0", "#0@1 Result=1-0 start e4 =1-0"},
        {"the tag counts", "[Result \"1-0\"] e4 0-1",
         "#0@1 Result=1-0 start e4 warning:result@1:19/2'0-1' =1-0"},
        {"behind a blank of a web page",
         "[Result \"1-0\"] e4\u00A0"
         "0-1",
         "#0@1 Result=1-0 start e4 warning:result@1:20/2'0-1' =1-0"},
        {"also where the marker says nothing", "[Result \"1-0\"] e4 *",
         "#0@1 Result=1-0 start e4 warning:result@1:19/2'*' =1-0"},
        {"but where the tag says nothing", "[Result \"*\"] e4 0-1",
         "#0@1 Result=* start e4 warning:result@1:17/2'0-1' =0-1"},
        {"no tag", "e4 0-1", "#0@1 start e4 =0-1"},
        {"no result", "[Result \"won\"] e4 0-1", "#0@1 warning:result@1:1/0'won' Result=won start e4 =0-1"},
    };
    CHECK_WITH_WARNINGS(cases);
}

#define MATE          "f3 e5 g4 Qh4# "
#define STALEMATE_FEN "7k/5K2/8/6Q1/8/8/8/8 w - - 0 1"
#define STALEMATE     "[FEN \"" STALEMATE_FEN "\"]"
#define STALEMATE_LOG "FEN=" STALEMATE_FEN " start(" STALEMATE_FEN ") Qg6"

/* Laws 5.1.1 and 5.2.1: mate and stalemate end the game at once, whatever is written. */
static void the_board_decides(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"as written", "[Result \"0-1\"]" MATE "0-1", "#0@1 Result=0-1 start f3 e5 g4 Qh4# =0-1"},
        {"unsaid", MATE "*", "#0@1 start f3 e5 g4 Qh4# =0-1"},
        {"against the marker", MATE "1-0", "#0@1 start f3 e5 g4 Qh4# warning:result@1:15/5'1-0' =0-1"},
        {"against the tag", "[A \"x\"][Result \"1-0\"]" MATE "0-1",
         "#0@1 A=x Result=1-0 start f3 e5 g4 Qh4# warning:result@1:8/5'1-0' =0-1"},
        {"against the tag, without a marker", "[Result \"1-0\"]" MATE "\n\n[A \"x\"]\n*",
         "#0@1 Result=1-0 start f3 e5 g4 Qh4# warning:result@3:1/5'' warning:result@1:1/5'1-0' =0-1 #1@3 A=x "
         "start =*"},
        {"against both", "[Result \"1-0\"]" MATE "1-0",
         "#0@1 Result=1-0 start f3 e5 g4 Qh4# error:result@1:29/5'1-0' =0-1!"},
        {"stalemate", STALEMATE "Qg6 *", "#0@1 " STALEMATE_LOG " =1/2-1/2"},
        {"stalemate against both", "[Result \"1-0\"]" STALEMATE "Qg6 1-0",
         "#0@1 Result=1-0 " STALEMATE_LOG " error:result@1:57/2'1-0' =1/2-1/2!"},
        {"moves after mate", MATE "a3 0-1",
         "#0@1 start f3 e5 g4 Qh4# error:moves_after_end@1:15/5'a3' =0-1!"},
        {"moves after stalemate", STALEMATE "Qg6 Kg7 *",
         "#0@1 " STALEMATE_LOG " error:moves_after_end@1:43/2'Kg7' =*!"},
    };
    CHECK_WITH_WARNINGS(cases);
}

static void a_text_without_a_game_is_refused(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"nothing", "", "error:empty@1:1/0''"},
        {"white space", " \t\n\r\n\n", "error:empty@1:1/0''"},
        {"a comment", "{ nothing } ; here\n", "error:empty@1:1/0''"},
        {"an escaped line", "%[White \"A\"]\n%e4 *", "error:empty@1:1/0''"},
    };
    CHECK(cases);
}

static void the_handler_may_stop(void **state)
{
    (void)state;
    static const char text[] = "[White \"A\"] {c} e4 $1 x *\n[White \"B\"]\nd4 *";
    static const char whole[] =
        "#0@1 White=A start {c} e4 $1 error:syntax@1:23/2'x' =*! #1@2 White=B start d4 =* ";
    static struct pgn_log log;
    const char *end = whole;
    for (unsigned events = 1; *end; events++) {
        end = strchr(end, ' ') + 1;
        log = (struct pgn_log){.stop_after = events};
        pgn_log_read(&log, text, sizeof text - 1, NULL);
        assert_int_equal(log.events, events);
        assert_int_equal(log.length, end - whole);
        assert_memory_equal(log.text, whole, log.length);
    }
}

static void a_handler_may_want_nothing(void **state)
{
    (void)state;
    static const char text[] = "[White \"A\"]\n{c} e4 {[%clk 0:00:01]} $1 x\n[White \"B\"]\nd4 *";
    static struct pgn_reader reader;
    const struct pgn_handler handler = {0};
    pgn_reader_init(&reader, &handler, NULL);
    assert_true(pgn_read(&reader, text, sizeof text - 1));
    assert_true(pgn_read_end(&reader));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_all_kinds_are_read),
        cmocka_unit_test(moves_are_read_leniently),
        cmocka_unit_test(glyphs_are_numbers),
        cmocka_unit_test(variations_are_skipped),
        cmocka_unit_test(variations_are_checked_where_asked),
        cmocka_unit_test(a_game_goes_to_its_first_error),
        cmocka_unit_test(an_error_never_costs_the_next_game),
        cmocka_unit_test(markers_end_games),
        cmocka_unit_test(what_is_added_to_a_marker_is_no_game),
        cmocka_unit_test(a_move_that_is_cut_in_two_is_an_error),
        cmocka_unit_test(a_result_of_zeros_is_no_castling),
        cmocka_unit_test(a_missing_marker_is_a_warning),
        cmocka_unit_test(tag_and_marker_are_compared),
        cmocka_unit_test(the_board_decides),
        cmocka_unit_test(a_text_without_a_game_is_refused),
        cmocka_unit_test(the_handler_may_stop),
        cmocka_unit_test(a_handler_may_want_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
