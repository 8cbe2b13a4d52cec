/* api/scalar, api/text and api/nearest: single values, bytes and names. */
#include "api/scalar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "api/nearest.h"
#include "api/text.h"
#include "api/timestamp.h"

static void whole_numbers_are_read_exactly_or_not_at_all(void **state)
{
    (void)state;
    int64_t value = 77;
    assert_true(scalar_integer("0", 1, &value));
    assert_int_equal(value, 0);
    assert_true(scalar_integer("-42", 3, &value));
    assert_int_equal(value, -42);
    assert_true(scalar_integer("999999999999999", 15, &value));
    assert_int_equal(value, 999999999999999);
    static const char *const BAD[] = {
        "", "-", "-0", "007", "+1", "1.0", "1e2", " 1", "1 ", "0x1", "1000000000000000"};
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        value = 77;
        assert_false(scalar_integer(BAD[i], strlen(BAD[i]), &value));
        assert_int_equal(value, 77);
    }
}

static void truth_has_four_words_and_the_empty_one(void **state)
{
    (void)state;
    bool value = false;
    assert_true(scalar_bool("true", 4, &value) && value);
    assert_true(scalar_bool("1", 1, &value) && value);
    assert_true(scalar_bool("", 0, &value) && value);
    assert_true(scalar_bool("false", 5, &value) && !value);
    assert_true(scalar_bool("0", 1, &value) && !value);
    assert_false(scalar_bool("yes", 3, &value));
    assert_false(scalar_bool("TRUE", 4, &value));
}

static void squares_are_read_in_both_cases(void **state)
{
    (void)state;
    square s = 0;
    assert_true(scalar_square("a1", 2, &s));
    assert_int_equal(s, 0);
    assert_true(scalar_square("H8", 2, &s));
    assert_int_equal(s, 63);
    assert_false(scalar_square("i1", 2, &s));
    assert_false(scalar_square("a9", 2, &s));
    assert_false(scalar_square("a0", 2, &s));
    assert_false(scalar_square("a", 1, &s));
    assert_false(scalar_square("!1", 2, &s));
}

struct time_row {
    const char *text;
    int64_t ms; /* -1: is no time */
};

static const struct time_row TIMES[] = {
    {"1970-01-01", 0},
    {"1970-01-01T00:00:00Z", 0},
    {"2026-01-02T03:04:05.678Z", 1767323045678},
    {"2026-01-02T03:04:05.6789999Z", 1767323045678},
    {"2026-01-02T03:04:05.6Z", 1767323045600},
    {"2026-01-02 03:04:05z", 1767323045000},
    {"2026-01-02T05:04:05+02:00", 1767323045000},
    {"2026-01-02T05:04:05 02:00", 1767323045000},
    {"2026-01-01T22:04:05-05:00", 1767323045000},
    {"2000-02-29", 951782400000},
    {"2016-12-31T23:59:60Z", 1483228800000},
    {"1969-12-31T23:59:59.000Z", -1000},
    {"2026-02-29", -1},
    {"1900-02-29", -1},
    {"2026-13-01", -1},
    {"2026-00-01", -1},
    {"2026-01-32", -1},
    {"2026-01-02T24:00:00Z", -1},
    {"2026-01-02T03:04:05", -1},
    {"2026-01-02T03:04Z", -1},
    {"2026-01-02T03:04:05.Z", -1},
    {"2026-01-02T03:04:05Zx", -1},
    {"2026-1-2", -1},
    {"yesterday", -1},
    {"", -1},
};

static void times_are_those_of_rfc_3339(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof TIMES / sizeof TIMES[0]; i++) {
        int64_t ms = -1;
        bool read = scalar_time(TIMES[i].text, strlen(TIMES[i].text), &ms);
        if (read != (TIMES[i].ms != -1) || ms != TIMES[i].ms)
            fail_msg("%s: %d %lld", TIMES[i].text, read, (long long)ms);
    }
}

static void a_written_time_is_read_back(void **state)
{
    (void)state;
    for (int64_t ms = -60000000000000; ms < 250000000000000; ms += 123456789012) {
        char text[TIMESTAMP_SIZE];
        int64_t read = 0;
        timestamp_format(ms, text);
        assert_true(scalar_time(text, TIMESTAMP_LENGTH, &read));
        assert_int_equal(read, ms);
    }
}

struct decode_row {
    const char *text;
    enum text_form form;
    enum text_decode_status status;
    const char *decoded;
};

static const struct decode_row DECODED[] = {
    {"abc", TEXT_QUERY, TEXT_DECODED, "abc"},
    {"a+b%20c", TEXT_QUERY, TEXT_DECODED, "a b c"},
    {"a+b%20c", TEXT_SEGMENT, TEXT_DECODED, "a+b c"},
    {"%2B%2b", TEXT_QUERY, TEXT_DECODED, "++"},
    {"a%2Fb", TEXT_QUERY, TEXT_DECODED, "a/b"},
    {"%C3%A9", TEXT_QUERY, TEXT_DECODED, "\xC3\xA9"},
    {"", TEXT_QUERY, TEXT_DECODED, ""},
    {"%", TEXT_QUERY, TEXT_BAD_ESCAPE, NULL},
    {"%2", TEXT_QUERY, TEXT_BAD_ESCAPE, NULL},
    {"%zz", TEXT_QUERY, TEXT_BAD_ESCAPE, NULL},
    {"%u0041", TEXT_QUERY, TEXT_BAD_ESCAPE, NULL},
    {"a%00b", TEXT_QUERY, TEXT_NUL, NULL},
    {"a%2Fb", TEXT_SEGMENT, TEXT_SLASH, NULL},
    {"a%2fb", TEXT_SEGMENT, TEXT_SLASH, NULL},
    {"%C3", TEXT_QUERY, TEXT_BAD_UTF8, NULL},
    {"%C0%AF", TEXT_SEGMENT, TEXT_BAD_UTF8, NULL},
    {"\xFF", TEXT_SEGMENT, TEXT_BAD_UTF8, NULL},
};

static void percent_escapes_are_decoded_or_refused(void **state)
{
    (void)state;
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof DECODED / sizeof DECODED[0]; i++) {
        const struct decode_row *row = &DECODED[i];
        const char *decoded = NULL;
        size_t length = 0;
        enum text_decode_status status =
            text_decode(&arena, row->text, strlen(row->text), row->form, &decoded, &length);
        if (status != row->status)
            fail_msg("%s: %d", row->text, (int)status);
        if (row->decoded) {
            assert_string_equal(decoded, row->decoded);
            assert_int_equal(length, strlen(row->decoded));
        } else {
            assert_null(decoded);
            assert_string_not_equal(text_decode_fault(status), "");
        }
    }
    arena_finish(&arena);
}

static void the_nearest_name_is_one_that_could_be_meant(void **state)
{
    (void)state;
    assert_int_equal(nearest_distance("limit", "limt"), 1);
    assert_int_equal(nearest_distance("from", "form"), 1);
    assert_int_equal(nearest_distance("from-ply", "from_ply"), 0);
    assert_string_equal(nearest_of("limt", NULL, "limit"), "limit");
    assert_string_equal(nearest_of("limt", "limit", "from"), "limit");
    assert_null(nearest_of("elephant", NULL, "limit"));
    assert_null(nearest_of("clock", NULL, "black"));
    assert_null(nearest_of("pgn", NULL, "fen"));
    assert_null(nearest_of("tokens", NULL, "moves"));
    assert_string_equal(nearest_of("fem", NULL, "fen"), "fen");
    assert_string_equal(nearest_of("validateonly", NULL, "validate_only"), "validate_only");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_are_read_exactly_or_not_at_all),
        cmocka_unit_test(truth_has_four_words_and_the_empty_one),
        cmocka_unit_test(squares_are_read_in_both_cases),
        cmocka_unit_test(times_are_those_of_rfc_3339),
        cmocka_unit_test(a_written_time_is_read_back),
        cmocka_unit_test(percent_escapes_are_decoded_or_refused),
        cmocka_unit_test(the_nearest_name_is_one_that_could_be_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
