/* api/query: the query part of a target. */
#include "api/query.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules/board.h"
#include "api/setup_input.h"
#include "tests/api/exchange_fixture.h"

static const uint64_t ALL = (UINT64_C(1) << QUERY_COUNT) - 1;

static bool read_into(struct fixture *fixture, const char *text, uint64_t allowed)
{
    fixture_begin(fixture, "GET", NULL, "");
    return query_read(&fixture->exchange, text, allowed);
}

static void nothing_gives_nothing(void **state)
{
    (void)state;
    static const char *const NOTHING[] = {NULL, "", "&&"};
    struct fixture fixture;
    for (size_t i = 0; i < sizeof NOTHING / sizeof NOTHING[0]; i++) {
        assert_true(read_into(&fixture, NOTHING[i], ALL));
        assert_int_equal(fixture.exchange.query.given, 0);
        fixture_end(&fixture);
    }
    assert_true(read_into(&fixture, "&", ALL));
    assert_false(query_has(&fixture.exchange, QUERY_FEN));
    assert_null(query_text(&fixture.exchange, QUERY_FEN));
    assert_int_equal(query_integer(&fixture.exchange, QUERY_LIMIT, 50), 50);
    assert_true(query_bool(&fixture.exchange, QUERY_TAGS, true));
    fixture_end(&fixture);
}

static void values_of_every_type_are_read(void **state)
{
    (void)state;
    struct fixture fixture;
    assert_true(read_into(&fixture,
                          "fen=8%2F8+w_-&ply=7&divide=false&variant=chess960&from=E2&piece=knight&"
                          "since=2026-01-02T03:04:05Z&order=desc",
                          ALL));
    const struct exchange *exchange = &fixture.exchange;
    assert_string_equal(query_text(exchange, QUERY_FEN), "8/8 w_-");
    assert_int_equal(query_integer(exchange, QUERY_PLY, 0), 7);
    assert_false(query_bool(exchange, QUERY_DIVIDE, true));
    assert_int_equal(query_integer(exchange, QUERY_VARIANT, 0), VARIANT_CHESS960);
    assert_int_equal(query_integer(exchange, QUERY_FROM, 64), 12);
    assert_int_equal(query_integer(exchange, QUERY_PIECE, 0), PIECE_KNIGHT);
    assert_int_equal(query_integer(exchange, QUERY_SINCE, 0), 1767323045000);
    assert_int_equal(query_integer(exchange, QUERY_ORDER, 0), QUERY_ORDER_DESC);
    fixture_end(&fixture);
}

static void a_flag_without_a_value_is_true(void **state)
{
    (void)state;
    struct fixture fixture;
    assert_true(read_into(&fixture, "validate_only", ALL));
    assert_true(query_bool(&fixture.exchange, QUERY_VALIDATE_ONLY, false));
    fixture_end(&fixture);
}

static void an_unescaped_plus_at_the_end_of_a_move_is_dropped(void **state)
{
    (void)state;
    struct fixture fixture;
    assert_true(read_into(&fixture, "moves=e4+e5+Qh5+", ALL));
    assert_string_equal(query_text(&fixture.exchange, QUERY_MOVES), "e4 e5 Qh5");
    fixture_end(&fixture);
}

struct bad_row {
    const char *text, *code, *part;
};

static const struct bad_row BAD[] = {
    {"limt=3", "unknown-field", "\"nearest\":\"limit\""},
    {"zzzzzz=3", "unknown-field", "\"nearest\":null"},
    {"=3", "unknown-field", "\"field\":\"\""},
    {"limit=3&limit=4", "invalid-parameter", "more than once"},
    {"limit=0", "invalid-parameter", "from 1 to 500"},
    {"limit=501", "invalid-parameter", "\"parameter\":\"limit\""},
    {"limit=", "invalid-parameter", "whole number"},
    {"limit=1.0", "invalid-parameter", "whole number"},
    {"limit=99999999999999999999", "invalid-parameter", "whole number"},
    {"ply=-1", "invalid-parameter", "from 0 to 20000"},
    {"ply=20001", "invalid-parameter", "from 0 to 20000"},
    {"depth=16", "invalid-parameter", "from 0 to 15"},
    {"divide=maybe", "invalid-parameter", "true or false"},
    {"variant=atomic", "invalid-parameter", "standard, chess960"},
    {"variant=", "invalid-parameter", "standard, chess960"},
    {"piece=", "invalid-parameter", "one of: pawn, knight"},
    {"from=e9", "invalid-parameter", "a1 to h8"},
    {"since=yesterday", "invalid-parameter", "RFC 3339"},
    {"fen=%", "malformed-request", "hexadecimal"},
    {"fen=%00", "malformed-request", "NUL"},
    {"fen=%C0%AF", "malformed-request", "UTF-8"},
    {"%=1", "malformed-request", "hexadecimal"},
};

static void what_is_wrong_is_refused_by_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        struct fixture fixture;
        assert_false(read_into(&fixture, BAD[i].text, ALL));
        fixture_expect(&fixture, BAD[i].code, BAD[i].part);
        fixture_end(&fixture);
    }
}

static void limits_are_accepted_to_the_last_value(void **state)
{
    (void)state;
    struct fixture fixture;
    assert_true(read_into(&fixture, "limit=500&ply=20000&depth=15", ALL));
    fixture_end(&fixture);
    assert_true(read_into(&fixture, "limit=1&ply=0&depth=0", ALL));
    fixture_end(&fixture);
}

static void a_name_has_as_many_bytes_as_one_of_a_pgn_may_have(void **state)
{
    (void)state;
    struct fixture fixture;
    enum { MOST = 4096 };
    char text[MOST + 16] = "player=";
    memset(text + 7, 'n', MOST);
    text[7 + MOST] = '\0';
    assert_true(read_into(&fixture, text, ALL));
    fixture_end(&fixture);
    text[7 + MOST] = 'n';
    text[8 + MOST] = '\0';
    assert_false(read_into(&fixture, text, ALL));
    fixture_expect(&fixture, "invalid-parameter", "at most 4096 bytes");
    fixture_end(&fixture);
}

static void a_parameter_of_another_route_is_unknown_here(void **state)
{
    (void)state;
    struct fixture fixture;
    assert_false(read_into(&fixture, "depth=3", QUERY_BIT(FEN)));
    fixture_expect(&fixture, "unknown-field", "\"field\":\"depth\"");
    fixture_end(&fixture);
}

static void names_of_others_are_ignored(void **state)
{
    (void)state;
    struct fixture fixture;
    assert_true(read_into(&fixture, "x_trace=1&x_trace=2&x_=&fen=a", ALL));
    assert_string_equal(query_text(&fixture.exchange, QUERY_FEN), "a");
    fixture_end(&fixture);
}

static void every_parameter_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < QUERY_COUNT; i++) {
        for (int j = 0; j < i; j++)
            assert_string_not_equal(query_name((enum query_parameter)i), query_name((enum query_parameter)j));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_gives_nothing),
        cmocka_unit_test(values_of_every_type_are_read),
        cmocka_unit_test(a_flag_without_a_value_is_true),
        cmocka_unit_test(an_unescaped_plus_at_the_end_of_a_move_is_dropped),
        cmocka_unit_test(what_is_wrong_is_refused_by_name),
        cmocka_unit_test(limits_are_accepted_to_the_last_value),
        cmocka_unit_test(a_name_has_as_many_bytes_as_one_of_a_pgn_may_have),
        cmocka_unit_test(a_parameter_of_another_route_is_unknown_here),
        cmocka_unit_test(names_of_others_are_ignored),
        cmocka_unit_test(every_parameter_has_a_name_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
