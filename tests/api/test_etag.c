/* api/etag: entity tags of games. */
#include "api/etag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/exchange_fixture.h"

static void ask(struct fixture *fixture, const char *method, const char *name, const char *value)
{
    fixture_begin(fixture, method, NULL, "");
    fixture->request.headers[header_field_of(name, strlen(name))] = value;
}

static const char *tag_of(struct etag etag, enum format format)
{
    static struct fixture fixture;
    fixture_begin(&fixture, "GET", NULL, "");
    fixture.exchange.format = format;
    etag_set(&fixture.exchange, etag);
    static char tag[64];
    (void)strncpy(tag, fixture.response.headers[0].value, sizeof tag - 1);
    fixture_end(&fixture);
    return tag;
}

static void the_tag_is_the_version_and_differs_by_format(void **state)
{
    (void)state;
    assert_string_equal(tag_of((struct etag){.version = 17}, FORMAT_JSON), "\"v17\"");
    assert_string_equal(tag_of((struct etag){.version = 17}, FORMAT_TEXT), "\"v17.txt\"");
    assert_string_equal(tag_of((struct etag){.version = 17}, FORMAT_PGN), "\"v17.pgn\"");
    assert_string_equal(tag_of((struct etag){.version = 17}, FORMAT_FEN), "\"v17.fen\"");
}

static void the_tag_tells_how_far_the_wall_clock_has_moved(void **state)
{
    (void)state;
    assert_string_equal(tag_of((struct etag){17, 250}, FORMAT_JSON), "\"v17+250\"");
    assert_string_equal(tag_of((struct etag){17, -3600000}, FORMAT_TEXT), "\"v17-3600000.txt\"");
    assert_string_equal(tag_of((struct etag){UINT32_MAX, -INT64_MAX}, FORMAT_NDJSON),
                        "\"v4294967295-9223372036854775807.ndjson\"");
}

struct none_match_row {
    const char *field;
    bool current;
};

static const struct none_match_row NONE_MATCH[] = {
    {NULL, false},
    {"\"v17\"", true},
    {"W/\"v17\"", true},
    {"\"v16\", \"v17\"", true},
    {"\"v16\",\"v17\",\"v18\"", true},
    {" \"a, b\" , W/\"v17\"", true},
    {"*", true},
    {" * ", true},
    {"\"v16\"", false},
    {"\"v17.txt\"", false},
    {"\"v17+250\"", false},
    {"v17", false},
    {"\"v17", false},
    {"\"v1\"", false},
    {"\"V17\"", false},
    {"", false},
};

static void if_none_match_is_compared_weakly_with_the_tag_of_the_format(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof NONE_MATCH / sizeof NONE_MATCH[0]; i++) {
        struct fixture fixture;
        ask(&fixture, "GET", "If-None-Match", NONE_MATCH[i].field);
        if (etag_is_current(&fixture.exchange, (struct etag){.version = 17}) != NONE_MATCH[i].current)
            fail_msg("%s", NONE_MATCH[i].field);
        fixture_end(&fixture);
    }
}

static void if_none_match_of_another_format_is_not_current(void **state)
{
    (void)state;
    struct fixture fixture;
    ask(&fixture, "GET", "If-None-Match", "\"v17\"");
    fixture.exchange.format = FORMAT_TEXT;
    assert_false(etag_is_current(&fixture.exchange, (struct etag){.version = 17}));
    fixture_end(&fixture);
}

static void if_none_match_of_another_shift_is_not_current(void **state)
{
    (void)state;
    struct fixture fixture;
    ask(&fixture, "GET", "If-None-Match", "\"v17+250\", \"v17\"");
    assert_true(etag_is_current(&fixture.exchange, (struct etag){17, 250}));
    assert_false(etag_is_current(&fixture.exchange, (struct etag){17, -250}));
    assert_false(etag_is_current(&fixture.exchange, (struct etag){17, 25}));
    fixture_end(&fixture);
}

static void if_none_match_is_for_reads_only(void **state)
{
    (void)state;
    struct fixture fixture;
    ask(&fixture, "POST", "If-None-Match", "*");
    assert_false(etag_is_current(&fixture.exchange, (struct etag){.version = 17}));
    fixture_end(&fixture);
}

struct match_row {
    const char *field;
    bool given, holds; /* for version 17 */
};

static const struct match_row MATCH[] = {
    {NULL, false, true},
    {"*", false, true},
    {"\"v17\"", true, true},
    {"\"v17.txt\"", true, true},
    {"\"v17.pgn\"", true, true},
    {"\"v17+250\"", true, true},
    {"\"v17-9223372036854775807.pgn\"", true, true},
    {"\"v17+0\"", true, false},
    {"\"v17+\"", true, false},
    {"\"v17-.txt\"", true, false},
    {"\"v17+1+1\"", true, false},
    {"\"v17+92233720368547758070\"", true, false},
    {"\"v17.txt+250\"", true, false},
    {"\"v16\"", true, false},
    {"\"v16\", \"v17\"", true, true},
    {"W/\"v17\"", true, false},
    {"\"v017\"", true, false},
    {"\"v17.exe\"", true, false},
    {"\"v17x\"", true, false},
    {"\"v\"", true, false},
    {"\"\"", true, false},
    {"\"17\"", true, false},
    {"v17", true, false},
    {"", true, false},
    {"\"v4294967313\"", true, false}, /* 17 in 32 bits */
    {"\"v1\",\"v2\",\"v3\",\"v4\",\"v5\",\"v6\",\"v7\",\"v8\",\"v9\",\"v17\"", true, true},
};

static bool holds(const struct action *action, uint32_t version)
{
    bool found = !action->if_given;
    for (unsigned i = 0; i < action->if_count; i++)
        found = found || action->if_versions[i] == version;
    return found;
}

static void if_match_is_compared_strongly_and_names_versions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof MATCH / sizeof MATCH[0]; i++) {
        struct fixture fixture;
        ask(&fixture, "POST", "If-Match", MATCH[i].field);
        struct action action = {.kind = ACTION_MOVE};
        assert_true(etag_condition(&fixture.exchange, &action));
        if (action.if_given != MATCH[i].given || holds(&action, 17) != MATCH[i].holds)
            fail_msg("%s", MATCH[i].field);
        fixture_end(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tag_is_the_version_and_differs_by_format),
        cmocka_unit_test(the_tag_tells_how_far_the_wall_clock_has_moved),
        cmocka_unit_test(if_none_match_is_compared_weakly_with_the_tag_of_the_format),
        cmocka_unit_test(if_none_match_of_another_format_is_not_current),
        cmocka_unit_test(if_none_match_of_another_shift_is_not_current),
        cmocka_unit_test(if_none_match_is_for_reads_only),
        cmocka_unit_test(if_match_is_compared_strongly_and_names_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
