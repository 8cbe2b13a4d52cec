/* rules/pgn_write: the export form, byte by byte. */
#include "rules/pgn_write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT_SIZE = 8192 };

struct text {
    char bytes[TEXT_SIZE];
    size_t length;
};

static void add(void *context, const char *bytes, size_t length)
{
    struct text *text = context;
    assert_true(length < TEXT_SIZE - text->length);
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

/* A movetext of this comment alone. */
static const char *comment_of(const char *comment)
{
    static struct text text;
    text = (struct text){0};
    struct pgn_writer pgn = {.write = add, .context = &text};
    pgn_write_movetext(&pgn);
    pgn_write_comment(&pgn, comment);
    pgn_write_result(&pgn, "*");
    assert_int_equal(text.bytes[0], '\n');
    return text.bytes + 1;
}

static void tags_escape_what_their_quotes_cannot_hold(void **state)
{
    (void)state;
    struct text text = {0};
    struct pgn_writer pgn = {.write = add, .context = &text};
    pgn_write_tag(&pgn, "White", "a \"b\" \\ c\n\x7f\xC2\x9B\xC2\xA0");
    assert_string_equal(text.bytes, "[White \"a \\\"b\\\" \\\\ c   \xC2\xA0\"]\n");
}

static void black_has_a_number_only_where_white_does_not_stand_before(void **state)
{
    (void)state;
    struct text text = {0};
    struct pgn_writer pgn = {.write = add, .context = &text};
    struct position first = position_initial(), second, third;
    move e4 = move_make(square_at(FILE_E, RANK_2), square_at(FILE_E, RANK_4));
    move e5 = move_make(square_at(FILE_E, RANK_7), square_at(FILE_E, RANK_5));
    position_play(&first, e4, &second);
    position_play(&second, e5, &third);
    pgn_write_movetext(&pgn);
    pgn_write_move(&pgn, &first, e4);
    pgn_write_move(&pgn, &second, e5);
    pgn_write_move(&pgn, &first, e4);
    pgn_write_comment(&pgn, "best by test");
    pgn_write_move(&pgn, &second, e5);
    pgn_write_result(&pgn, "1/2-1/2");
    assert_string_equal(text.bytes, "\n1. e4 e5 1. e4 { best by test } 1... e5 1/2-1/2\n");
}

static void comments_have_no_closing_brace_and_single_blanks(void **state)
{
    (void)state;
    assert_string_equal(comment_of("  a}b  {c\r\n\td}} "), "{ a)b {c d)) } *\n");
    assert_string_equal(comment_of(" \n "), "{ } *\n");
}

static const char *annotation_of(int64_t clock_ms, const char *comment)
{
    static struct text text;
    text = (struct text){0};
    struct pgn_writer pgn = {.write = add, .context = &text};
    pgn_write_movetext(&pgn);
    pgn_write_annotation(&pgn, clock_ms, comment);
    pgn_write_result(&pgn, "*");
    return text.bytes + 1;
}

static void a_clock_stands_first_in_the_comment(void **state)
{
    (void)state;
    assert_string_equal(annotation_of(0, NULL), "{ [%clk 0:00:00] } *\n");
    assert_string_equal(annotation_of(176500, "good move"), "{ [%clk 0:02:56.5] good move } *\n");
    assert_string_equal(annotation_of(-1, "good move"), "{ good move } *\n");
    assert_string_equal(annotation_of(-1, ""), "*\n");
    assert_string_equal(annotation_of(-1, NULL), "*\n");
}

static void a_comment_gives_black_a_number(void **state)
{
    (void)state;
    struct text text = {0};
    struct pgn_writer pgn = {.write = add, .context = &text};
    struct position first = position_initial(), second;
    move e4 = move_make(square_at(FILE_E, RANK_2), square_at(FILE_E, RANK_4));
    position_play(&first, e4, &second);
    pgn_write_movetext(&pgn);
    pgn_write_comment(&pgn, "before");
    pgn_write_move(&pgn, &first, e4);
    pgn_write_annotation(&pgn, 1000, NULL);
    pgn_write_move(&pgn, &second, move_make(square_at(FILE_E, RANK_7), square_at(FILE_E, RANK_5)));
    pgn_write_result(&pgn, "*");
    assert_string_equal(text.bytes, "\n{ before } 1. e4 { [%clk 0:00:01] } 1... e5 *\n");
}

/* PGN standard 8.1.1. */
static void the_roster_stands_first(void **state)
{
    (void)state;
    static const struct pgn_pair pairs[] = {
        {"ECO", "C20"}, {"Black", "B"}, {"White", "a"}, {"White", "A"}, {"Annotator", "\""}, {"ECO", "C21"},
    };
    struct text text = {0};
    struct pgn_writer pgn = {.write = add, .context = &text};
    pgn_write_tags(&pgn, pairs, sizeof pairs / sizeof pairs[0]);
    assert_string_equal(text.bytes, "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n"
                                    "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n"
                                    "[ECO \"C21\"]\n[Annotator \"\\\"\"]\n");
}

/* A line of `width` x, a blank, and `word`. */
static const char *wrapped(unsigned width, const char *word)
{
    char comment[512];
    memset(comment, 'x', width);
    comment[width] = ' ';
    memcpy(comment + width + 1, word, strlen(word) + 1);
    return comment_of(comment);
}

static void no_line_of_a_comment_begins_with_a_percent_sign(void **state)
{
    (void)state;
    for (unsigned width = 60; width < 90; width++) {
        const char *text = wrapped(width, "%escape");
        assert_null(strstr(text, "\n%"));
        assert_non_null(strstr(text, " %escape"));
    }
    assert_non_null(strstr(wrapped(77, "%escape"), "x\n %escape } *\n"));
    assert_non_null(strstr(wrapped(77, "escape%"), "x\nescape% } *\n"));
    assert_string_equal(comment_of("%"), "{ % } *\n");
}

/* A reader could take it for a tag pair where a comment before it was never closed. */
static void no_line_of_a_comment_begins_with_a_bracket(void **state)
{
    (void)state;
    for (unsigned width = 60; width < 90; width++)
        assert_null(strstr(wrapped(width, "[x"), "\n["));
    assert_non_null(strstr(wrapped(77, "[x"), "x\n [x } *\n"));
    assert_non_null(
        strstr(wrapped(77, "\xEF\xBB\xBF[x"), "x\n \xEF\xBB\xBF[x } *\n")); /* readers pass over the mark */
}

static void control_characters_part_words(void **state)
{
    (void)state;
    assert_string_equal(comment_of("a\x01"
                                   "b\x7f"
                                   "c\xC2\x85"
                                   "d\xC2\xA0"
                                   "e"),
                        "{ a b c d\xC2\xA0"
                        "e } *\n");
}

static void a_long_word_is_not_cut(void **state)
{
    (void)state;
    char comment[3 * 200 + 1], expected[sizeof comment + 16];
    for (size_t i = 0; i < sizeof comment - 1; i += 3)
        memcpy(comment + i, "\xe6\xa3\x8b", 3);
    comment[sizeof comment - 1] = '\0';
    expected[0] = '{';
    expected[1] = '\n';
    memcpy(expected + 2, comment, sizeof comment - 1);
    memcpy(expected + 1 + sizeof comment, "\n} *\n", sizeof "\n} *\n");
    assert_string_equal(comment_of(comment), expected);
}

static void a_command_stays_on_one_line(void **state)
{
    (void)state;
    static const char *const commands[] = {"[%cal Ga1a2]", "[%clk 0:00:01]", "[%eval 0.3 ]", "[%x a b c]d"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        for (unsigned width = 50; width < 90; width++)
            assert_non_null(strstr(wrapped(width, commands[i]), commands[i]));
    assert_string_equal(comment_of("[%x a\n\nb] c"), "{ [%x a b] c } *\n");
    assert_string_equal(comment_of("[%x a"), "{ [%x a } *\n");
    /* One that is longer than a line is broken as words are. */
    const char *text = wrapped(
        60, "[%x aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]");
    assert_non_null(strstr(text, "x [%x\naaa"));
}

static void columns_are_characters(void **state)
{
    (void)state;
    /* "{ ä ä …": a brace and 39 letters of two bytes fill 79 columns. */
    char comment[3 * 60 + 1];
    for (size_t i = 0; i < sizeof comment - 1; i += 3)
        memcpy(comment + i, "\xc3\xa4 ", 3);
    comment[sizeof comment - 1] = '\0';
    const char *text = comment_of(comment);
    assert_int_equal(strcspn(text, "\n"), 79 + 39);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tags_escape_what_their_quotes_cannot_hold),
        cmocka_unit_test(black_has_a_number_only_where_white_does_not_stand_before),
        cmocka_unit_test(comments_have_no_closing_brace_and_single_blanks),
        cmocka_unit_test(no_line_of_a_comment_begins_with_a_percent_sign),
        cmocka_unit_test(a_clock_stands_first_in_the_comment),
        cmocka_unit_test(a_comment_gives_black_a_number),
        cmocka_unit_test(the_roster_stands_first),
        cmocka_unit_test(no_line_of_a_comment_begins_with_a_bracket),
        cmocka_unit_test(control_characters_part_words),
        cmocka_unit_test(a_long_word_is_not_cut),
        cmocka_unit_test(a_command_stays_on_one_line),
        cmocka_unit_test(columns_are_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
