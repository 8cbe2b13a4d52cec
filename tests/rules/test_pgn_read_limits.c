/* rules/pgn_read: each limit at its edge, and texts that want to be large. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/rules/pgn_log.h"

enum { TEXT_SIZE = 1 << 20 };

/* A text put together of pieces. */
static struct {
    char bytes[TEXT_SIZE];
    size_t length;
} text;

static void begin(const char *piece)
{
    text.length = strlen(piece);
    memcpy(text.bytes, piece, text.length);
}

static void add(const char *piece, size_t count)
{
    size_t length = strlen(piece);
    for (; count > 0; count--) {
        assert_true(length < sizeof text.bytes - text.length);
        memcpy(text.bytes + text.length, piece, length);
        text.length += length;
    }
}

static struct pgn_log logged;

static const char *read_text(void)
{
    logged = (struct pgn_log){.no_moves = true};
    pgn_log_read(&logged, text.bytes, text.length, NULL);
    return logged.text;
}

/* The pieces that were told of the tag or comment are too long for a log: only what is wrong is looked at. */
static struct pgn_handler only(bool (*fault)(void *, const struct pgn_fault *), void *context)
{
    return (struct pgn_handler){.context = context, .fault = fault};
}

static bool count_errors(void *context, const struct pgn_fault *fault)
{
    unsigned *errors = context;
    *errors += fault->severity == PGN_ERROR;
    assert_true(strlen(fault->token) <= 3 * FEN_TEXT_MAX);
    return true;
}

static unsigned errors_of_text(void)
{
    static struct pgn_reader reader;
    unsigned errors = 0;
    struct pgn_handler handler = only(count_errors, &errors);
    pgn_reader_init(&reader, &handler, NULL);
    assert_true(pgn_read(&reader, text.bytes, text.length) && pgn_read_end(&reader));
    return errors;
}

static void a_tag_name_has_255_bytes(void **state)
{
    (void)state;
    begin("[");
    add("n", PGN_TAG_NAME_MAX);
    add(" \"x\"]\n[B \"y\"]\n*", 1);
    assert_int_equal(errors_of_text(), 0);
    begin("[");
    add("n", PGN_TAG_NAME_MAX + 1);
    add(" \"x\"]\n[B \"y\"]\n*", 1);
    assert_string_equal(read_text(), "#0@1 error:syntax@1:1/0'[' B=y =*! ");
}

static void a_tag_value_has_4096_bytes(void **state)
{
    (void)state;
    static const char *const letters[] = {"v", "\u00FC", "\xFC"}; /* the last becomes two bytes */
    static const size_t sizes[] = {1, 2, 2};
    for (size_t i = 0; i < 3; i++) {
        begin("[A \"");
        add(letters[i], PGN_TAG_VALUE_MAX / sizes[i]);
        add("\"]\n*", 1);
        assert_int_equal(errors_of_text(), 0);
        begin("[A \"");
        add(letters[i], PGN_TAG_VALUE_MAX / sizes[i] + 1);
        add("\"]\n[B \"y\"]\n*", 1);
        assert_string_equal(read_text(), "#0@1 error:syntax@1:1/0'A' B=y =*! ");
    }
}

static void a_game_has_160_tags(void **state)
{
    (void)state;
    begin("");
    for (unsigned i = 0; i < PGN_TAGS_MAX; i++) {
        char tag[32];
        (void)snprintf(tag, sizeof tag, "[T%u \"x\"]\n", i);
        add(tag, 1);
    }
    size_t length = text.length;
    add("[T5 \"y\"]\n*", 1);
    assert_int_equal(errors_of_text(), 0);
    text.length = length;
    add("[U \"y\"]\ne4 *\n[A \"x\"]\n*", 1);
    const char *end = strstr(read_text(), " error");
    assert_non_null(end);
    assert_string_equal(end, " error:syntax@161:1/0'U' =*! #1@163 A=x start =* ");
}

static void a_fen_has_512_bytes(void **state)
{
    (void)state;
    static const char fen[] = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 30";
    begin("[FEN \"");
    add(fen, 1);
    add(" ", FEN_TEXT_MAX - (sizeof fen - 1));
    add("\"]\nKd7 *", 1);
    assert_int_equal(errors_of_text(), 0);
    begin("[FEN \"");
    add(fen, 1);
    add(" ", FEN_TEXT_MAX - (sizeof fen - 1) + 1);
    add("\"]\nKd7 *", 1);
    assert_int_equal(errors_of_text(), 1);
    begin("[FEN \"");
    add("\xFC", PGN_TAG_VALUE_MAX / 2);
    add("\"]\n*", 1);
    assert_int_equal(errors_of_text(), 1);
}

static void a_token_has_255_bytes(void **state)
{
    (void)state;
    begin("");
    add("1", PGN_TOKEN_MAX - 3);
    add(".e4 e5 *", 1);
    assert_string_equal(read_text(), "#0@1 start =* ");
    assert_int_equal(errors_of_text(), 0);
    begin("");
    add("1", PGN_TOKEN_MAX + 1);
    add(" e4 *", 1);
    assert_int_equal(errors_of_text(), 1);
    begin("");
    add("1", PGN_TOKEN_MAX - 2);
    add(".e4 e5 *", 1);
    assert_int_equal(errors_of_text(), 1);
    begin("e4 ");
    add("\xFC", TEXT_SIZE / 2);
    add(" *", 1);
    assert_int_equal(errors_of_text(), 1);
}

static bool take_comment(void *context, const struct pgn_comment *comment)
{
    size_t *length = context;
    *length = comment->length;
    return true;
}

static size_t comment_length(void)
{
    static struct pgn_reader reader;
    size_t length = 0;
    const struct pgn_handler handler = {.context = &length, .comment = take_comment};
    pgn_reader_init(&reader, &handler, NULL);
    assert_true(pgn_read(&reader, text.bytes, text.length) && pgn_read_end(&reader));
    return length;
}

static void a_comment_has_32768_bytes(void **state)
{
    (void)state;
    static const char *const brackets[][2] = {{"e4 {", "} e5 *"}, {"e4 ;", "\ne5 *"}};
    for (size_t i = 0; i < 2; i++) {
        begin(brackets[i][0]);
        add("c", PGN_COMMENT_MAX);
        add(brackets[i][1], 1);
        assert_int_equal(errors_of_text(), 0);
        assert_int_equal(comment_length(), PGN_COMMENT_MAX);
        begin(brackets[i][0]);
        add("c", PGN_COMMENT_MAX + 1);
        add(brackets[i][1], 1);
        add(" d4 1-0", 1);
        char expected[128];
        (void)snprintf(expected, sizeof expected, "#0@1 start error:syntax@1:4/2'%c' =*! #1@%u start =1-0 ",
                       brackets[i][0][3], (unsigned)i + 1);
        assert_string_equal(read_text(), expected);
    }
}

static void a_comment_has_as_many_bytes_when_it_is_utf8(void **state)
{
    (void)state;
    begin("e4 {");
    add("\xFC", PGN_COMMENT_MAX / 2);
    add("} *", 1);
    assert_int_equal(comment_length(), PGN_COMMENT_MAX);
    begin("e4 {");
    add("\xFC", PGN_COMMENT_MAX / 2 + 1);
    add("} e5 * d4 1-0", 1);
    assert_string_equal(read_text(), "#0@1 start error:syntax@1:4/2'{' =*! #1@1 start =1-0 ");
}

static void comments_before_the_first_move_have_that_together(void **state)
{
    (void)state;
    begin("{");
    add("c", PGN_COMMENT_MAX / 2);
    add("}{", 1);
    add("c", PGN_COMMENT_MAX / 2 - 1);
    add("} e4 *", 1);
    assert_int_equal(errors_of_text(), 0);
    assert_int_equal(comment_length(), PGN_COMMENT_MAX);
    begin("{");
    add("c", PGN_COMMENT_MAX / 2);
    add("}{", 1);
    add("c", PGN_COMMENT_MAX / 2);
    add("} e4 *", 1);
    assert_int_equal(errors_of_text(), 1);
}

/* Each costs its own bytes, not those of all before it; one without words adds no blank. */
static void many_comments_before_the_first_move_are_one(void **state)
{
    (void)state;
    begin("");
    add("{ a }{  }", PGN_COMMENT_MAX / 2 - 8);
    add(" e4 *", 1);
    assert_int_equal(errors_of_text(), 0);
    assert_int_equal(comment_length(), 2 * (PGN_COMMENT_MAX / 2 - 8) - 1);
}

/* However long the rest is, the comment that is never closed does not swallow it. */
static void an_open_comment_ends_at_the_limit(void **state)
{
    (void)state;
    for (size_t before = PGN_COMMENT_MAX - 20; before < PGN_COMMENT_MAX + 20; before++) {
        begin("e4 {");
        add("c", before);
        add("\n[A \"x\"]\nd4 1-0\n", 1);
        add("c", PGN_COMMENT_MAX);
        assert_string_equal(read_text(), "#0@1 start error:syntax@1:4/2'{' =*! #1@2 A=x start =1-0 "
                                         "#2@4 start error:syntax@4:1/1'"
                                         "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
                                         "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
                                         "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
                                         "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
                                         "' =*! ");
    }
    begin("e4 {");
    add("c", 3 * PGN_COMMENT_MAX);
    add("\n[%clk 1]\n[A \"x\"]\nd4 1-0\n", 1);
    assert_string_equal(read_text(), "#0@1 start error:syntax@1:4/2'{' =*! #1@3 A=x start =1-0 ");
}

static void a_game_has_20000_half_moves(void **state)
{
    (void)state;
    begin("");
    add("Nf3 Nf6 Ng1 Ng8 ", PGN_PLIES_MAX / 4);
    size_t length = text.length;
    add("1-0", 1);
    assert_string_equal(read_text(), "#0@1 start =1-0 ");
    text.length = length;
    add("Nf3 1-0 d4 *", 1);
    assert_string_equal(read_text(), "#0@1 start error:syntax@1:80001/20001'Nf3' =1-0! #1@1 start =* ");
}

static void variations_nest_as_deep_as_they_like(void **state)
{
    (void)state;
    begin("e4 ");
    add("(", 400000);
    add(")", 399999);
    size_t length = text.length;
    add(") e5 *", 1);
    assert_string_equal(read_text(), "#0@1 start =* ");
    text.length = length;
    add(" e5 *", 1);
    assert_string_equal(read_text(), "#0@1 start error:syntax@1:4/2'(' =*! ");
}

static bool count_warnings(void *context, const struct pgn_fault *fault)
{
    unsigned *warnings = context;
    *warnings += fault->severity == PGN_WARNING;
    return true;
}

static void a_game_has_16_warnings_and_its_tags_16_errors(void **state)
{
    (void)state;
    static struct pgn_reader reader;
    unsigned warnings = 0;
    struct pgn_handler handler = only(count_warnings, &warnings);
    begin("e4 ");
    add("$256 ", 1000);
    add("* d4 $256 *", 1);
    pgn_reader_init(&reader, &handler, NULL);
    assert_true(pgn_read(&reader, text.bytes, text.length) && pgn_read_end(&reader));
    assert_int_equal(warnings, PGN_WARNINGS_MAX + 1);
    begin("");
    add("[A]\n", 1000);
    assert_int_equal(errors_of_text(), PGN_ERRORS_MAX);
}

static void the_reader_is_small(void **state)
{
    (void)state;
    assert_true(sizeof(struct pgn_reader) < 80 * 1024);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tag_name_has_255_bytes),
        cmocka_unit_test(a_tag_value_has_4096_bytes),
        cmocka_unit_test(a_game_has_160_tags),
        cmocka_unit_test(a_fen_has_512_bytes),
        cmocka_unit_test(a_token_has_255_bytes),
        cmocka_unit_test(a_comment_has_32768_bytes),
        cmocka_unit_test(a_comment_has_as_many_bytes_when_it_is_utf8),
        cmocka_unit_test(comments_before_the_first_move_have_that_together),
        cmocka_unit_test(many_comments_before_the_first_move_are_one),
        cmocka_unit_test(an_open_comment_ends_at_the_limit),
        cmocka_unit_test(a_game_has_20000_half_moves),
        cmocka_unit_test(variations_nest_as_deep_as_they_like),
        cmocka_unit_test(a_game_has_16_warnings_and_its_tags_16_errors),
        cmocka_unit_test(the_reader_is_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
