/* rules/pgn_read: encodings, lines, comments and the clocks in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/rules/pgn_log.h"

#define CHECK(cases)               pgn_log_check(cases, sizeof(cases) / sizeof(cases)[0], false)
#define CHECK_WITH_WARNINGS(cases) pgn_log_check(cases, sizeof(cases) / sizeof(cases)[0], true)
/* Bytes that may be NUL. */
#define CHECK_BYTES(bytes, expected) check_bytes(bytes, sizeof(bytes) - 1, expected)

static void check_bytes(const char *bytes, size_t length, const char *expected)
{
    static struct pgn_log log;
    log = (struct pgn_log){.warnings = true};
    pgn_log_read(&log, bytes, length, NULL);
    assert_string_equal(log.text, expected);
}

static void lines_end_in_any_way(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"LF", "[A \"x\"]\n\ne4\ne5 x", "#0@1 A=x start e4 e5 error:syntax@4:4/3'x' =*!"},
        {"CRLF", "[A \"x\"]\r\n\r\ne4\r\ne5 x", "#0@1 A=x start e4 e5 error:syntax@4:4/3'x' =*!"},
        {"CR", "[A \"x\"]\r\re4\re5 x", "#0@1 A=x start e4 e5 error:syntax@4:4/3'x' =*!"},
        {"mixed", "[A \"x\"]\n\r\ne4\re5 x", "#0@1 A=x start e4 e5 error:syntax@4:4/3'x' =*!"},
        {"no last one", "e4 e5 *", "#0@1 start e4 e5 =*"},
        {"the last one of DOS", "e4 e5 *\r\n\x1A", "#0@1 start e4 e5 =*"},
    };
    CHECK(cases);
}

/* PGN standard 6. */
static void lines_that_begin_with_a_percent_sign_are_not_there(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"first", "%x } [\ne4 *", "#0@2 start e4 =*"},
        {"between", "e4\n%x }\r\n%y\re5 z", "#0@1 start e4 e5 error:syntax@4:4/3'z' =*!"},
        {"behind a comment", "e4 {a}\n% } b\ne5 *", "#0@1 start e4 {a} e5 =*"},
        {"not in the second column", "e4 {\n % a}\n %", "#0@1 start e4 {% a} error:syntax@3:2/2'%' =*!"},
    };
    CHECK(cases);
}

/* Broken at some width, a comment may have the sign at the beginning of a line: 6 names no such place, and every reader
 * goes on to the brace. */
static void in_a_comment_a_percent_sign_is_text(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"the brace behind it", "e4 e5 Nf3 {\n%02 a} Nc6 Bb5 {\nb} a6 *",
         "#0@1 start e4 e5 Nf3 {%02 a} Nc6 Bb5 {b} a6 =*"},
        {"the brace in the next line", "e4 {a\r\n% b\r\nc} e5 *", "#0@1 start e4 {a % b c} e5 =*"},
        {"never closed", "e4 {a\n% b\n[B \"y\"]\n% ) c\nd4 {e} d5 *",
         "#0@1 start e4 error:syntax@1:4/2'{' =*! #1@3 B=y start d4 {e} d5 =*"},
        {"never closed, the next one in an escaped line", "e4 {a\n[B \"y\"]\n% { c\nd4 {e} *",
         "#0@1 start e4 error:syntax@1:4/2'{' =*! #1@2 B=y start d4 {e} =*"},
    };
    CHECK(cases);
}

static void byte_order_marks_are_dropped(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"before a tag", "\xEF\xBB\xBF[A \"x\"] *", "#0@1 A=x start =*"},
        {"before a move",
         "\xEF\xBB\xBF"
         "e4 *",
         "#0@1 start e4 =*"},
        {"where files were joined", "e4 *\n\xEF\xBB\xBF[A \"x\"] *", "#0@1 start e4 =* #1@2 A=x start =*"},
        {"before an escaped line", "\xEF\xBB\xBF%x\ne4 *", "#0@2 start e4 =*"},
        {"alone", "\xEF\xBB\xBF", "error:empty@1:1/0''"},
        {"half of it", "\xEF\xBB", "#0@1 start error:syntax@1:1/1'\u00EF\u00BB' =*!"},
        {"not in the line", "e4 \xEF\xBB\xBF *", "#0@1 start e4 error:syntax@1:4/2'\uFEFF' =*!"},
        {"part of a comment", "e4 {\n\xEF\xBB\xBF} *", "#0@1 start e4 {\uFEFF} =*"},
    };
    CHECK(cases);
}

static void utf16_is_refused(void **state)
{
    (void)state;
    CHECK_BYTES("\xFF\xFE[\0A\0 \0", "error:encoding@1:1/0'' ");
    CHECK_BYTES("\xFE\xFF\0[\0A\0 ", "error:encoding@1:1/0'' ");
    CHECK_BYTES("e\0"
                "4\0",
                "#0@1 error:encoding@1:2/0'' warning:result@1:5/1'' =*! ");
}

static void nul_bytes_are_an_error_of_their_game(void **state)
{
    (void)state;
    CHECK_BYTES("[A \"x\0y\"]\n[B \"z\"]\ne4 *\nd4 *",
                "#0@1 error:encoding@1:6/0'' A=xy B=z =*! #1@4 start d4 =* ");
    CHECK_BYTES("e4 {a\0b} e5 *\nd4 *", "#0@1 start e4 error:encoding@1:6/2'' =*! #1@2 start d4 =* ");
    CHECK_BYTES("e4\0 e5 *\nd4 *", "#0@1 error:encoding@1:3/0'' =*! #1@2 start d4 =* ");
    CHECK_BYTES("%\0\ne4 *", "#0@2 start e4 =* ");
}

static void what_is_not_utf8_is_latin1(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"a tag", "[A \"M\xFCller\"] *", "#0@1 warning:encoding@1:1/0'M\u00FCller' A=M\u00FCller start =*"},
        {"a comment", "e4 {sch\xF6n} *", "#0@1 start e4 warning:encoding@1:4/2'{' {sch\u00F6n} =*"},
        {"a glyph", "e4 \xB1 e5 *", "#0@1 start e4 $16 e5 =*"},
        {"a token", "e4 caf\xE9 *", "#0@1 start e4 error:syntax@1:4/2'caf\u00E9' =*!"},
        {"UTF-8 stays", "[A \"\u0428\u0430\u0445\"] {\u265E} *",
         "#0@1 A=\u0428\u0430\u0445 start {\u265E} =*"},
        {"both", "[A \"\u00FC\xFC\"] *", "#0@1 warning:encoding@1:1/0'\u00FC\u00FC' A=\u00FC\u00FC start =*"},
        {"Windows-1252", "[A \"\x93x\x94 \x80\"] *",
         "#0@1 warning:encoding@1:1/0'\u201Cx\u201D \u20AC' A=\u201Cx\u201D \u20AC start =*"},
    };
    CHECK_WITH_WARNINGS(cases);
}

static void comments_belong_to_the_move_before(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"before the first", "{a} 1. e4 *", "#0@1 start {a} e4 =*"},
        {"before it, several", "{a} ; b\n {c} 1. {d} e4 *", "#0@2 start {a b c} {d} e4 =*"},
        {"behind tags", "[A \"x\"] {a} {b} e4 *", "#0@1 A=x start {a b} e4 =*"},
        {"several", "e4 {a} {b} e5 ; c } d\n *", "#0@1 start e4 {a} {b} e5 {c } d} =*"},
        {"they do not nest", "e4 {a {b} e5 *", "#0@1 start e4 {a {b} e5 =*"},
        {"a semicolon in braces", "e4 {a ; b} e5 ; {\n*", "#0@1 start e4 {a ; b} e5 {{} =*"},
        {"empty", "e4 {} { \n } ;\n e5 *", "#0@1 start e4 e5 =*"},
        {"single blanks", "e4 {  a\n\tb\r\nc  } *", "#0@1 start e4 {a b c} =*"},
        {"control characters",
         "e4 {a\x01"
         "b\x7F} *",
         "#0@1 start e4 {a b} =*"},
        {"tags, results and empty lines", "e4 {\n[Event \"x\"]\n\n1-0 * } e5 *",
         "#0@1 start e4 {[Event \"x\"] 1-0 *} e5 =*"},
        {"in a variation", "e4 (d4 {a}) {b} *", "#0@1 start e4 {b} =*"},
        {"at the end of the text", "e4 ; a", "#0@1 start e4 {a} =*"},
        {"behind the marker in its line", "e4 1-0 {a} ; b\n{c} d4 *",
         "#0@1 start e4 =1-0 #1@2 start {c} d4 =*"},
        {"before the first tags", "{a}\n[A \"x\"] e4 *", "#0@2 A=x start {a} e4 =*"},
        {"between a game and tags", "e4 *\n{a}\n[A \"x\"] e4 *", "#0@1 start e4 =* #1@3 A=x start e4 =*"},
    };
    CHECK(cases);
}

static void clocks_are_taken_out_of_comments(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"alone", "e4 {[%clk 0:03:00]} e5 { [%clk 1:02:03.5] } *",
         "#0@1 start e4 {|180000} e5 {|3723500} =*"},
        {"with words", "e4 {good [%clk 0:00:59.999] move} *", "#0@1 start e4 {good move|59999} =*"},
        {"other commands stay", "e4 {[%eval 0.3] [%clk 0:00:01] [%csl Ga4][%emt 0:00:01]} *",
         "#0@1 start e4 {[%eval 0.3] [%csl Ga4][%emt 0:00:01]|1000} =*"},
        {"over lines", "e4 {[%clk\n 0:00:01\n]} *", "#0@1 start e4 {|1000} =*"},
        {"the first one counts", "e4 {[%clk 0:00:01] a [%clk 0:00:02]} *", "#0@1 start e4 {a|1000} =*"},
        {"what is no clock stays", "e4 {[%clk 3:00] [%clk 0:60:00] [%clk]} *",
         "#0@1 start e4 {[%clk 3:00] [%clk 0:60:00] [%clk]} =*"},
        {"before the first move it is nobody's", "{[%clk 0:00:01]} e4 *",
         "#0@1 start {[%clk 0:00:01]} e4 =*"},
        {"one in another", "e4 {[%clk [%clk 0:00:01] 0:00:02]} *", "#0@1 start e4 {|1000} =*"},
    };
    CHECK(cases);
}

/* The games behind a comment without an end are read, if they can be told from it. */
static void an_open_comment_costs_one_game(void **state)
{
    (void)state;
    static const struct pgn_log_case cases[] = {
        {"nothing behind it", "e4 e5 { a Nf3 *", "#0@1 start e4 e5 error:syntax@1:7/3'{' =*!"},
        {"games without comments", "e4 { a\n[A \"x\"]\nd4 *\n[A \"y\"]\nc4 x",
         "#0@1 start e4 error:syntax@1:4/2'{' =*! #1@2 A=x start d4 =* #2@4 A=y start c4 "
         "error:syntax@5:4/2'x' =*!"},
        {"a game with comments", "e4 { a\n[A \"x\"]\nd4 {b} * c4 x",
         "#0@1 start e4 error:syntax@1:4/2'{' =*! #1@2 A=x start d4 {b} =* #2@3 start c4 "
         "error:syntax@3:13/2'x' =*!"},
        {"joined files", "e4 { a\n\xEF\xBB\xBF[A \"x\"]\nd4 {b} *",
         "#0@1 start e4 error:syntax@1:4/2'{' =*! #1@2 A=x start d4 {b} =*"},
        {"a rest of line in it", "e4 { a\n[A \"x\"]\n; \xE4\nd4 {b} *",
         "#0@1 start e4 error:syntax@1:4/2'{' =*! #1@2 A=x start {\u00E4} d4 {b} =*"},
        {"before the first game", "{ a\n[A \"x\"]\nd4 {b} *",
         "#0@1 error:syntax@1:1/0'{' =*! #1@2 A=x start d4 {b} =*"},
        {"among tags", "[A \"x\"]\n{ a\n[A \"y\"]\n*",
         "#0@1 A=x error:syntax@2:1/0'{' =*! #1@3 A=y start =*"},
        {"a tag not at the start of a line", "e4 { a\n [A \"x\"]\nd4 {b} e5 *",
         "#0@1 start e4 {a [A \"x\"] d4 {b} e5 =*"},
    };
    CHECK(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_in_any_way),
        cmocka_unit_test(lines_that_begin_with_a_percent_sign_are_not_there),
        cmocka_unit_test(in_a_comment_a_percent_sign_is_text),
        cmocka_unit_test(byte_order_marks_are_dropped),
        cmocka_unit_test(utf16_is_refused),
        cmocka_unit_test(nul_bytes_are_an_error_of_their_game),
        cmocka_unit_test(what_is_not_utf8_is_latin1),
        cmocka_unit_test(comments_belong_to_the_move_before),
        cmocka_unit_test(clocks_are_taken_out_of_comments),
        cmocka_unit_test(an_open_comment_costs_one_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
