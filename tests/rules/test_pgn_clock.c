/* rules/pgn_clock: [%clk h:mm:ss] read, written and taken out. */
#include "rules/pgn_clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/chance.h"

enum { TRIALS = 20000 };

static void clocks_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t ms;
    } cases[] = {
        {"0:00:00", 0},
        {"1:02:03", 3723000},
        {"01:02:03", 3723000},
        {"0:02:56.5", 176500},
        {"0:00:00.001", 1},
        {"0:00:00.0019", 1},
        {"0:00:01.123456789", 1123},
        {"0:59:59.999", 3599999},
        {"9999:59:59.999", PGN_CLOCK_MAX_MS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t ms = -1;
        assert_true(pgn_clock_parse(cases[i].text, strlen(cases[i].text), &ms));
        assert_int_equal(ms, cases[i].ms);
    }
}

static void what_is_no_clock_is_not_read(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "0",
        "3:00",
        "0:3:00",
        "0:03:0",
        "0:60:00",
        "0:00:60",
        "-0:00:01",
        ":00:01",
        "0:00:",
        "0:00:01.",
        "0:00:01 ",
        " 0:00:01",
        "0:00:01x",
        "0:00:01.1234567890",
        "10000:00:00",
        "0:00:001",
        "0.00:01",
        "0:00:01,5",
        "0::00:01",
        "a:00:01",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t ms = 77;
        assert_false(pgn_clock_parse(cases[i], strlen(cases[i]), &ms));
        assert_int_equal(ms, 77);
    }
}

static void clocks_are_written(void **state)
{
    (void)state;
    static const struct {
        int64_t ms;
        const char *text;
    } cases[] = {
        {0, "0:00:00"},
        {1, "0:00:00.001"},
        {10, "0:00:00.01"},
        {176500, "0:02:56.5"},
        {3723000, "1:02:03"},
        {36000000, "10:00:00"},
        {PGN_CLOCK_MAX_MS, "9999:59:59.999"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[PGN_CLOCK_SIZE];
        assert_int_equal(pgn_clock_format(cases[i].ms, text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (unsigned i = 0; i < TRIALS; i++) {
        char text[PGN_CLOCK_SIZE];
        int64_t ms = -1;
        int64_t chosen = (int64_t)(chance_next(&random) >> 20) % (PGN_CLOCK_MAX_MS + 1);
        assert_true(pgn_clock_parse(text, pgn_clock_format(chosen, text), &ms));
        assert_int_equal(ms, chosen);
    }
}

static void commands_are_taken_out(void **state)
{
    (void)state;
    static const struct {
        const char *comment, *left;
        int64_t ms;
    } cases[] = {
        {"", "", -1},
        {"words", "words", -1},
        {"[%clk 0:00:01]", "", 1000},
        {"a [%clk 0:00:01] b", "a b", 1000},
        {"a[%clk 0:00:01]b", "a b", 1000},
        {"[%clk 0:00:01 ] b", "b", 1000},
        {"[%clk 0:00:01][%clk 0:00:02]", "", 1000},
        {"[%clk 0:05:00] [%clk 9:59:59] hi", "hi", 300000},
        {"[%clk [%clk 0:00:01]0:00:02]", "", 1000},
        {"[%eval 0.3] [%clk 0:00:01]", "[%eval 0.3]", 1000},
        {"[%clk 0:00:61]", "[%clk 0:00:61]", -1},
        {"[%clk 0:00:01", "[%clk 0:00:01", -1},
        {"[%emt 0:00:01]", "[%emt 0:00:01]", -1},
        {"] [ ] [%clk]", "] [ ] [%clk]", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char comment[64];
        int64_t ms = -1;
        (void)strcpy(comment, cases[i].comment);
        assert_int_equal(pgn_clock_take(comment, strlen(comment), &ms), strlen(cases[i].left));
        assert_string_equal(comment, cases[i].left);
        assert_int_equal(ms, cases[i].ms);
    }
}

static void claims_of_time_are_seen(void **state)
{
    (void)state;
    static const char *const claims[] = {"[%clk 9:59:59]", "a [%emt 0:00:01] b", "[[%EGT 0:00:01]", "[%clk",
                                         "[%eval 0.3][%mct 1:00:00]"};
    static const char *const others[] = {"",          "[%",           "[%cal Ga1a2]", "[%eval 0.3]",
                                         "[ %clk 1]", "%clk 9:59:59", "[%cl"};
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++)
        assert_true(pgn_clock_is_claimed(claims[i]));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(pgn_clock_is_claimed(others[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_are_read),        cmocka_unit_test(what_is_no_clock_is_not_read),
        cmocka_unit_test(clocks_are_written),     cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(commands_are_taken_out), cmocka_unit_test(claims_of_time_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
