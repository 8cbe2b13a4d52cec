/* api/negotiate and api/format: which representation an Accept field and a suffix mean. */
#include "api/negotiate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct accept_row {
    const char *label, *accept;
    enum format expected;
};

/* JSON is the default, then text, then PGN. */
static const enum format GAME[] = {FORMAT_JSON, FORMAT_TEXT, FORMAT_PGN, FORMAT_NONE};

static const struct accept_row ROWS[] = {
    {"no field", NULL, FORMAT_JSON},
    {"an empty field", "", FORMAT_JSON},
    {"anything", "*/*", FORMAT_JSON},
    {"json", "application/json", FORMAT_JSON},
    {"in capitals", "TEXT/Plain", FORMAT_TEXT},
    {"a subtype range", "text/*", FORMAT_TEXT},
    {"the vendor type of PGN", "application/vnd.chess-pgn", FORMAT_PGN},
    {"the older alias of PGN", "application/x-chess-pgn", FORMAT_PGN},
    {"a parameter", "text/plain; charset=utf-8", FORMAT_TEXT},
    {"a quoted parameter with a comma in it", "text/html;x=\"a,b\", text/plain", FORMAT_TEXT},
    {"a greater quality", "application/json;q=0.5, text/plain;q=0.8", FORMAT_TEXT},
    {"the same quality: our order", "text/plain, application/json", FORMAT_JSON},
    {"quality in thousandths", "application/json;q=0.001, text/plain;q=0.002", FORMAT_TEXT},
    {"the specific range decides", "*/*, application/json;q=0.1", FORMAT_TEXT},
    {"the specific range excludes", "*/*, application/json;q=0", FORMAT_TEXT},
    {"a subtype range against any", "application/*;q=0.2, */*;q=0.1", FORMAT_JSON},
    {"a browser", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", FORMAT_JSON},
    {"nothing that we have", "image/png", FORMAT_NONE},
    {"all excluded", "*/*;q=0", FORMAT_NONE},
    {"json excluded and nothing else named", "application/json;q=0", FORMAT_NONE},
    {"blanks everywhere", "  text/plain  ; q=0.3 ,  application/json ; q=0.2 ", FORMAT_TEXT},
    {"empty elements", ",, text/plain ,,", FORMAT_TEXT},
    {"unreadable ranges are left out", "text, /json, text/plain;q=2, application/json;q=0.4", FORMAT_JSON},
    {"only unreadable ranges", "garbage", FORMAT_JSON},
    {"quality with four digits is not read", "text/plain;q=0.1234, */*;q=0.5", FORMAT_JSON},
    {"quality 1.001 is not read", "text/plain;q=1.001", FORMAT_JSON},
    {"quality in capitals", "text/plain;Q=0.9, application/json;Q=0.1", FORMAT_TEXT},
    {"a string that does not end", "text/plain;x=\"abc", FORMAT_TEXT},
};

static void accept_fields_choose_by_quality_then_by_our_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        enum format format = negotiate(ROWS[i].accept, GAME);
        if (format != ROWS[i].expected)
            fail_msg("%s: %d, expected %d", ROWS[i].label, (int)format, (int)ROWS[i].expected);
    }
}

static void the_default_of_a_route_is_its_first_format(void **state)
{
    (void)state;
    static const enum format BOARD[] = {FORMAT_TEXT, FORMAT_JSON, FORMAT_NONE};
    assert_int_equal(negotiate("*/*", BOARD), FORMAT_TEXT);
    assert_int_equal(negotiate(NULL, BOARD), FORMAT_TEXT);
    assert_int_equal(negotiate("application/json", BOARD), FORMAT_JSON);
    assert_int_equal(negotiate("*/*;q=0.1, application/json", BOARD), FORMAT_JSON);
}

static void problems_are_text_where_text_alone_is_accepted(void **state)
{
    (void)state;
    assert_true(negotiate_wants_text_problem("text/plain"));
    assert_true(negotiate_wants_text_problem("text/*"));
    assert_true(negotiate_wants_text_problem("text/plain, application/json;q=0"));
    assert_true(negotiate_wants_text_problem("text/plain, application/vnd.chess-pgn"));
    assert_false(negotiate_wants_text_problem(NULL));
    assert_false(negotiate_wants_text_problem("*/*"));
    assert_false(negotiate_wants_text_problem("text/plain, */*;q=0.1"));
    assert_false(negotiate_wants_text_problem("text/plain, application/problem+json"));
    assert_false(negotiate_wants_text_problem("text/plain, application/json"));
    assert_false(negotiate_wants_text_problem("image/png"));
}

static const struct {
    const char *label, *field;
    bool takes;
} ENCODINGS[] = {
    {"no field", NULL, false},
    {"an empty field", "", false},
    {"a browser", "gzip, deflate, br, zstd", true},
    {"in capitals", "GZIP", true},
    {"the old name", "x-gzip", true},
    {"another coding", "br", false},
    {"anything", "*", true},
    {"refused by name", "*, gzip;q=0", false},
    {"taken by name", "*;q=0, gzip;q=0.1", true},
    {"anything is refused", "*;q=0", false},
    {"the plain text alone", "identity", false},
    {"blanks", " br ;q=1.0 ,\tgzip ; q=0.5", true},
    {"a quality that cannot be read", "gzip;q=x", false},
    {"signs that are no token", "=;,/, gzip", true},
};

static void gzip_is_taken_by_name_or_by_the_asterisk(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ENCODINGS / sizeof ENCODINGS[0]; i++) {
        if (negotiate_takes_gzip(ENCODINGS[i].field) != ENCODINGS[i].takes)
            fail_msg("%s", ENCODINGS[i].label);
    }
}

static const struct {
    const char *segment;
    enum format format;
    size_t length;
} SUFFIXES[] = {
    {"board.txt", FORMAT_TEXT, 5}, {"abc.pgn", FORMAT_PGN, 3},   {"abc.fen", FORMAT_FEN, 3},
    {"abc.json", FORMAT_JSON, 3},  {"abc.JSON", FORMAT_NONE, 0}, {".txt", FORMAT_NONE, 0},
    {"abc", FORMAT_NONE, 0},       {"board.svg", FORMAT_SVG, 5}, {"board.png", FORMAT_PNG, 5},
    {"board.gif", FORMAT_NONE, 0},
};

static void suffixes_name_formats(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof SUFFIXES / sizeof SUFFIXES[0]; i++) {
        struct text_span segment = {SUFFIXES[i].segment, strlen(SUFFIXES[i].segment)};
        size_t length = 0;
        assert_int_equal(format_of_suffix(segment, &length), SUFFIXES[i].format);
        assert_int_equal(length, SUFFIXES[i].length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accept_fields_choose_by_quality_then_by_our_order),
        cmocka_unit_test(the_default_of_a_route_is_its_first_format),
        cmocka_unit_test(problems_are_text_where_text_alone_is_accepted),
        cmocka_unit_test(gzip_is_taken_by_name_or_by_the_asterisk),
        cmocka_unit_test(suffixes_name_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
