/* api/body: what came as a body, by kind. */
#include "api/body.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/exchange_fixture.h"

#define JSON "application/json"
#define FORM "application/x-www-form-urlencoded"
#define TEXT "text/plain"
#define PGN  "application/vnd.chess-pgn"
#define MARK "\xEF\xBB\xBF"

static const unsigned ALL = BODY_BIT(JSON) | BODY_BIT(FORM) | BODY_BIT(TEXT) | BODY_BIT(PGN);

struct kind_row {
    const char *label, *type, *body;
    enum body_kind kind;
    const char *text; /* of the body; NULL: the same */
};

static const struct kind_row KINDS[] = {
    {"nothing", NULL, "", BODY_EMPTY, NULL},
    {"nothing as a form", FORM, "", BODY_EMPTY, NULL},
    {"nothing of a type that is not read", "image/png", "", BODY_EMPTY, NULL},
    {"white space", TEXT, " \r\n\t", BODY_EMPTY, ""},
    {"JSON", JSON, "{}", BODY_JSON, NULL},
    {"JSON with a charset", "Application/JSON; charset=UTF-8", "{}", BODY_JSON, NULL},
    {"JSON without a type", NULL, " {\"a\":1} ", BODY_JSON, "{\"a\":1}"},
    {"JSON by curl -d", FORM, "{\"move\":\"e4\"}", BODY_JSON, NULL},
    {"text", TEXT, "e4\n", BODY_TEXT, "e4"},
    {"text that looks like JSON", TEXT, "{}", BODY_TEXT, NULL},
    {"a move by curl -T", NULL, "e4\r\n", BODY_TEXT, "e4"},
    {"a move by curl -d", FORM, "e4", BODY_TEXT, NULL},
    {"castling by curl -d", FORM, "O-O", BODY_TEXT, NULL},
    {"a promotion by curl -d", FORM, "e8=Q+", BODY_TEXT, NULL},
    {"a check by curl -d", FORM, "Qh5#", BODY_TEXT, NULL},
    {"a line with a promotion by curl -d", FORM, "a8=Q b1=N", BODY_TEXT, NULL},
    {"a FEN by curl -d", FORM, "8/8/8/8/8/8/8/8 w - - 0 1", BODY_TEXT, NULL},
    {"an encoded move by curl --data-urlencode", FORM, "e8=Q%2B", BODY_TEXT, "e8=Q+"},
    {"an encoded FEN by curl --data-urlencode", FORM, "8%2F8%20w%20-", BODY_TEXT, "8/8 w -"},
    {"a form", FORM, "move=e4", BODY_FORM, NULL},
    {"a form whose first name ends in a digit but is ignored", FORM, "x_1=2", BODY_FORM, NULL},
    {"a form with a digit in a name", FORM, "chess960_number=518", BODY_FORM, NULL},
    {"a form with a member of an object", FORM, "white.name=A", BODY_FORM, NULL},
    {"a form with a name in brackets", FORM, "white[name]=A", BODY_FORM, NULL},
    {"a form with an escaped name", FORM, "white%5Bname%5D=A", BODY_FORM, NULL},
    {"a form with a name beyond ASCII", FORM, "m\u00f8ve=e5", BODY_FORM, NULL},
    {"a form with a capital", FORM, "Move=e4", BODY_FORM, NULL},
    {"a form with a hyphen", FORM, "draw-offer=true", BODY_FORM, NULL},
    {"a FEN with a form behind it", FORM, "8/8 w&x=1", BODY_TEXT, NULL},
    {"JSON with an equals sign by curl -d", FORM, "{\"a\":\"=\"}", BODY_JSON, NULL},
    {"PGN", PGN, "[Event \"x\"]", BODY_PGN, NULL},
    {"PGN by its older type", "application/x-chess-pgn", "1. e4 *", BODY_PGN, NULL},
    {"PGN without a type", NULL, "[Event \"x\"]", BODY_PGN, NULL},
    {"PGN by curl -d", FORM, "[Event \"x\"]1. e4", BODY_PGN, NULL},
    {"PGN behind a byte order mark", NULL, MARK "[Event \"x\"]", BODY_PGN, NULL},
    {"PGN without tags", NULL, "1. e4 e5", BODY_PGN, NULL},
    {"PGN without tags by curl -d", FORM, "12. e4", BODY_PGN, NULL},
    {"PGN that begins with a comment to the end of its line", NULL, "; x\n1. e4", BODY_PGN, NULL},
    {"PGN that begins with an escaped line", NULL, "%x\n1. e4", BODY_PGN, NULL},
    {"an encoded PGN by curl --data-urlencode", FORM, "%5BEvent%20%22x%22%5D", BODY_TEXT, "[Event \"x\"]"},
    {"numbered moves that are called a text", TEXT, "1. e4 e5", BODY_TEXT, NULL},
    {"a FEN behind a byte order mark", NULL, MARK "8/8 w -", BODY_TEXT, "8/8 w -"},
    {"a byte order mark", NULL, MARK, BODY_TEXT, ""},
};

static void the_kind_follows_the_type_and_the_first_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        const struct kind_row *row = &KINDS[i];
        struct fixture fixture;
        fixture_begin(&fixture, "POST", row->type, row->body);
        if (!body_read(&fixture.exchange, ALL))
            fail_msg("%s: %s", row->label, fixture_body(&fixture));
        if (fixture.exchange.body.kind != row->kind)
            fail_msg("%s: kind %d", row->label, (int)fixture.exchange.body.kind);
        assert_string_equal(fixture.exchange.body.text, row->text ? row->text : row->body);
        if (row->kind != BODY_EMPTY)
            assert_int_equal(fixture.exchange.body.form_typed, row->type && strcmp(row->type, FORM) == 0);
        fixture_end(&fixture);
    }
}

/* What a bare body is depends on what its route reads. */
static void a_body_that_nothing_else_is_read_from_is_a_pgn(void **state)
{
    (void)state;
    static const unsigned MOVES = BODY_BIT(JSON) | BODY_BIT(FORM) | BODY_BIT(TEXT);
    static const struct {
        const char *type, *body;
        unsigned accepted;
        enum body_kind kind;
    } rows[] = {
        {NULL, "{a} 1. e4 *", BODY_BIT(PGN), BODY_PGN},
        {FORM, "{a} 1. e4 *", BODY_BIT(PGN), BODY_PGN},
        {NULL, MARK "{a} 1. e4 *", BODY_BIT(PGN), BODY_PGN},
        {TEXT, "{a} 1. e4 *", BODY_BIT(PGN), BODY_PGN},
        {TEXT, "1. e4 *", BODY_BIT(PGN), BODY_PGN},
        {NULL, "e4 *", BODY_BIT(PGN), BODY_PGN},
        {NULL, "1. e4 e5", MOVES, BODY_TEXT},
        {FORM, "1. e4 e5", MOVES, BODY_TEXT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fixture fixture;
        fixture_begin(&fixture, "POST", rows[i].type, rows[i].body);
        assert_true(body_read(&fixture.exchange, rows[i].accepted));
        assert_int_equal(fixture.exchange.body.kind, rows[i].kind);
        fixture_end(&fixture);
    }
}

static void a_bare_move_is_no_form_whatever_it_is_called(void **state)
{
    (void)state;
    static const char *const MOVES[] = {"e4",   "O-O",     "e8=Q+", "Qh5#",    "e2e4", "Nbd7",   "e7e8q",
                                        "a8=Q", "exd8=N+", "O-O=Q", "e4 e8=Q", "e4+=", "e4 (=)", "Nf3!="};
    struct fixture fixture;
    for (size_t i = 0; i < sizeof MOVES / sizeof MOVES[0]; i++) {
        fixture_begin(&fixture, "POST", FORM, MOVES[i]);
        assert_true(body_read(&fixture.exchange, ALL));
        assert_int_equal(fixture.exchange.body.kind, BODY_TEXT);
        assert_string_equal(fixture.exchange.body.text, MOVES[i]);
        fixture_end(&fixture);
    }
}

static void a_form_splits_at_the_first_equals_sign(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture, "POST", FORM, "move=e8=Q+&comment=a+b%26c&&empty=&flag");
    assert_true(body_read(&fixture.exchange, ALL));
    const struct body *body = &fixture.exchange.body;
    assert_int_equal(body->pair_count, 4);
    assert_string_equal(body->pairs[0].name, "move");
    assert_string_equal(body->pairs[0].value, "e8=Q");
    assert_string_equal(body->pairs[1].value, "a b&c");
    assert_string_equal(body->pairs[2].value, "");
    assert_string_equal(body->pairs[3].name, "flag");
    fixture_end(&fixture);
}

struct bad_row {
    const char *label, *type, *body;
    unsigned accepted;
    const char *code, *part;
};

static const struct bad_row BAD[] = {
    {"another type", "image/png", "x", BODY_BIT(JSON) | BODY_BIT(TEXT), "unsupported-media-type",
     "application/json, text/plain"},
    {"JSON that is called so where a PGN is read", JSON, "{}", BODY_BIT(PGN), "unsupported-media-type",
     "application/vnd.chess-pgn"},
    {"JSON behind a byte order mark", NULL, MARK "{}", BODY_BIT(JSON) | BODY_BIT(TEXT), "malformed-request",
     "byte order mark"},
    {"a kind that is not read here", PGN, "[x]", BODY_BIT(JSON), "unsupported-media-type",
     "application/json"},
    {"text where only fields are read", TEXT, "x", BODY_BIT(JSON) | BODY_BIT(FORM), "unsupported-media-type",
     "x-www-form-urlencoded"},
    {"another charset", "text/plain; charset=\"iso-8859-1\"", "x", BODY_BIT(TEXT), "unsupported-media-type",
     "text"},
    {"bad UTF-8", TEXT, "ab\xFF", BODY_BIT(TEXT), "malformed-request", "at byte 2"},
    {"bad UTF-8 behind white space", TEXT, "  ab\xFF", BODY_BIT(TEXT), "malformed-request", "at byte 4"},
    {"bad JSON", JSON, " {\"a\":}", BODY_BIT(JSON), "malformed-request", "at byte 6"},
    {"nothing that is called JSON", JSON, "", BODY_BIT(JSON), "malformed-request", "send {}"},
    {"white space that is called JSON", JSON, " \n", BODY_BIT(JSON), "malformed-request", "send {}"},
    {"JSON that is no object", JSON, "[1]", BODY_BIT(JSON), "malformed-request", "must be a JSON object"},
    {"JSON that is a string", JSON, "\"e4\"", BODY_BIT(JSON), "malformed-request", "must be a JSON object"},
    {"the same member twice", JSON, "{\"a\":1,\"a\":2}", BODY_BIT(JSON), "malformed-request", "twice"},
    {"a bad escape in a form", FORM, "a=%", BODY_BIT(FORM), "malformed-request", "hexadecimal"},
    {"a NUL in a form", FORM, "a=%00", BODY_BIT(FORM), "malformed-request", "NUL"},
    {"bad UTF-8 in a form", FORM, "a=%ff", BODY_BIT(FORM), "malformed-request", "UTF-8"},
    {"the same field twice", FORM, "a=1&a=2", BODY_BIT(FORM), "malformed-request", "twice"},
};

static void what_cannot_be_read_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        struct fixture fixture;
        fixture_begin(&fixture, "POST", BAD[i].type, BAD[i].body);
        if (body_read(&fixture.exchange, BAD[i].accepted))
            fail_msg("%s was accepted", BAD[i].label);
        fixture_expect(&fixture, BAD[i].code, BAD[i].part);
        fixture_end(&fixture);
    }
}

static const char *find_header(const struct fixture *fixture, const char *name)
{
    for (size_t i = 0; i < fixture->response.header_count; i++) {
        if (strcmp(fixture->response.headers[i].name, name) == 0)
            return fixture->response.headers[i].value;
    }
    return "";
}

/* RFC 9110 15.5.16 and 12.5.3. */
static void a_refused_coding_names_the_one_that_is_read(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture, "POST", JSON, "{}");
    fixture.request.headers[HEADER_CONTENT_ENCODING] = "gzip";
    assert_false(body_read(&fixture.exchange, BODY_BIT(JSON)));
    fixture_expect(&fixture, "unsupported-media-type", "without Content-Encoding");
    assert_string_equal(find_header(&fixture, "Accept-Encoding"), "identity");
    assert_string_equal(find_header(&fixture, "Accept-Post"), "");
    fixture_end(&fixture);
}

static void a_refused_type_names_those_that_are_read(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture, "POST", "image/png", "x");
    assert_false(body_read(&fixture.exchange, BODY_BIT(JSON) | BODY_BIT(FORM)));
    assert_string_equal(find_header(&fixture, "Accept-Post"), JSON ", " FORM);
    assert_string_equal(find_header(&fixture, "Accept-Encoding"), "");
    fixture_end(&fixture);
    fixture_begin(&fixture, "PATCH", "image/png", "x");
    assert_false(body_read(&fixture.exchange, BODY_BIT(JSON)));
    assert_string_equal(find_header(&fixture, "Accept-Patch"), JSON);
    fixture_end(&fixture);
    fixture_begin(&fixture, "POST", FORM, "1"); /* the type is one of those: what it holds is not */
    assert_false(body_read(&fixture.exchange, BODY_BIT(JSON) | BODY_BIT(FORM)));
    fixture_expect(&fixture, "unsupported-media-type",
                   "a bare text, where fields are read here, as in name=value");
    fixture_end(&fixture);
}

static void a_packed_body_is_refused(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture, "POST", TEXT, "x");
    fixture.request.headers[HEADER_CONTENT_ENCODING] = "gzip";
    assert_false(body_read(&fixture.exchange, ALL));
    fixture_expect(&fixture, "unsupported-media-type", "");
    fixture_end(&fixture);
}

static void a_nul_byte_in_a_text_is_refused(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture, "POST", TEXT, "abcd");
    fixture.request.body = "ab\0d";
    assert_false(body_read(&fixture.exchange, ALL));
    fixture_expect(&fixture, "malformed-request", "NUL byte at byte 2");
    fixture_end(&fixture);
}

static void expect_length(const char *type, size_t length, const char *first, bool good)
{
    struct fixture fixture;
    static char text[2048 + 2];
    memset(text, 'a', length);
    memcpy(text, first, strlen(first));
    text[length] = '\0';
    fixture_begin(&fixture, "POST", type, text);
    fixture.api.settings.limits.body_bytes = 1024;
    fixture.api.settings.limits.pgn_bytes = 2048;
    assert_int_equal(body_read(&fixture.exchange, ALL), good);
    if (!good)
        fixture_expect(&fixture, "payload-too-large", "at most");
    fixture_end(&fixture);
}

static void a_body_is_read_to_its_limit_and_not_one_byte_more(void **state)
{
    (void)state;
    expect_length(TEXT, 1024, "", true);
    expect_length(TEXT, 1025, "", false);
    expect_length(FORM, 2048, "pgn=", true); /* a PGN is read here, and may be one of the fields */
    expect_length(FORM, 2049, "pgn=", false);
    expect_length(PGN, 2048, "[", true);
    expect_length(PGN, 2049, "[", false);
}

/* They are no body, but not without end. */
static void blanks_count_as_what_they_were_sent_as(void **state)
{
    static const struct {
        const char *type;
        size_t most;
    } rows[] = {{NULL, 1024}, {TEXT, 1024}, {FORM, 1024}, {JSON, 2048}, {PGN, 2048}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t more = 0; more < 2; more++) {
            struct fixture fixture;
            char text[2048 + 2];
            memset(text, ' ', rows[i].most + more);
            text[rows[i].most + more] = '\0';
            fixture_begin(&fixture, "POST", rows[i].type, text);
            fixture.api.settings.limits.body_bytes = 1024;
            fixture.api.settings.limits.pgn_bytes = 2048;
            bool good = body_read(&fixture.exchange, ALL);
            if (more)
                fixture_expect(&fixture, "payload-too-large", "at most");
            else if (rows[i].type && strcmp(rows[i].type, JSON) == 0)
                fixture_expect(&fixture, "malformed-request", "no JSON");
            else
                assert_true(good && fixture.exchange.body.kind == BODY_EMPTY);
            fixture_end(&fixture);
        }
    }
}

static void a_form_has_at_most_64_fields(void **state)
{
    (void)state;
    char text[64 * 8 + 16] = "";
    size_t length = 0;
    for (int i = 0; i < 64; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%sx_%d=1", i ? "&" : "", i);
    struct fixture fixture;
    fixture_begin(&fixture, "POST", FORM, text);
    assert_true(body_read(&fixture.exchange, ALL));
    assert_int_equal(fixture.exchange.body.pair_count, 64);
    fixture_end(&fixture);
    (void)snprintf(text + length, sizeof text - length, "&x_64=1");
    fixture_begin(&fixture, "POST", FORM, text);
    assert_false(body_read(&fixture.exchange, ALL));
    fixture_expect(&fixture, "malformed-request", "too many");
    fixture_end(&fixture);
}

static void a_route_without_bodies_reads_none(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture, "GET", "image/png", "anything");
    assert_true(body_read(&fixture.exchange, 0));
    assert_int_equal(fixture.exchange.body.kind, BODY_EMPTY);
    fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kind_follows_the_type_and_the_first_bytes),
        cmocka_unit_test(a_body_that_nothing_else_is_read_from_is_a_pgn),
        cmocka_unit_test(a_bare_move_is_no_form_whatever_it_is_called),
        cmocka_unit_test(a_form_splits_at_the_first_equals_sign),
        cmocka_unit_test(what_cannot_be_read_is_refused),
        cmocka_unit_test(a_refused_coding_names_the_one_that_is_read),
        cmocka_unit_test(a_refused_type_names_those_that_are_read),
        cmocka_unit_test(a_packed_body_is_refused),
        cmocka_unit_test(a_nul_byte_in_a_text_is_refused),
        cmocka_unit_test(a_body_is_read_to_its_limit_and_not_one_byte_more),
        cmocka_unit_test(blanks_count_as_what_they_were_sent_as),
        cmocka_unit_test(a_form_has_at_most_64_fields),
        cmocka_unit_test(a_route_without_bodies_reads_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
