/* games/time_control: what people write, and controls put together from numbers. */
#include "games/time_control.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
#define DAYS_31       2678400000U

/* "increment 0 0 40/7200000+0 0/3600000+0": mode, delay, bank, and moves/time+increment of each stage. */
static void describe(const struct time_control *control, char text[512])
{
    static const char *const modes[] = {"increment", "delay", "bronstein", "per move"};
    int length = snprintf(text, 512, "%s%s %u %u", modes[control->mode], control->immediate ? "!" : "",
                          control->delay_ms, control->bank_ms);
    for (unsigned i = 0; i < control->stage_count; i++) {
        const struct time_stage *stage = &control->stages[i];
        length += snprintf(text + length, 512 - (size_t)length, " %u/%u+%u", stage->moves, stage->time_ms,
                           stage->increment_ms);
    }
}

static bool same_text(const char *label, const char *expected, const char *actual)
{
    if (strcmp(expected, actual) == 0)
        return true;
    print_error("%s:\n  expected %s\n  actual   %s\n", label, expected, actual);
    return false;
}

static struct time_control control_of(const char *text)
{
    struct time_control control;
    size_t offset;
    if (time_control_read(text, strlen(text), &control, &offset) != TIME_OK)
        fail_msg("%s", text);
    return control;
}

/* ---- what people write ------------------------------------------------------------------------------ */

static void texts_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *label, *text, *expected;
    } cases[] = {
        {"five minutes", "300", "increment 0 0 0/300000+0"},
        {"an increment", "300+3", "increment 0 0 0/300000+3000"},
        {"an increment of nothing", "300+0", "increment 0 0 0/300000+0"},
        {"a delay", "300d5", "delay 5000 0 0/300000+0"},
        {"a Bronstein delay", "300b5", "bronstein 5000 0 0/300000+0"},
        {"two stages", "40/7200:3600", "increment 0 0 40/7200000+0 0/3600000+0"},
        {"PGN: 40 moves in 2.5 hours, repeated", "40/9000", "increment 0 0 40/9000000+0"},
        {"an increment in each", "40/5400+30:1800+30", "increment 0 0 40/5400000+30000 0/1800000+30000"},
        {"an increment in the second", "40/6000:900+30", "increment 0 0 40/6000000+0 0/900000+30000"},
        {"an increment in the first", "40/5400+30:900", "increment 0 0 40/5400000+30000 0/900000+0"},
        {"nothing but increments later", "30/300:0+30", "increment 0 0 30/300000+0 0/0+30000"},
        {"three stages, the last repeated", "40/7200:20/3600:15/900",
         "increment 0 0 40/7200000+0 20/3600000+0 15/900000+0"},
        {"a delay behind each stage", "40/7200d5:3600d5", "delay 5000 0 40/7200000+0 0/3600000+0"},
        {"a delay behind the last stage", "40/7200:3600d5", "delay 5000 0 40/7200000+0 0/3600000+0"},
        {"one delay written in two ways", "40/7200d5:3600d5.000", "delay 5000 0 40/7200000+0 0/3600000+0"},
        {"a delay behind the last of three", "40/7200:20/3600:900b2.5",
         "bronstein 2500 0 40/7200000+0 20/3600000+0 0/900000+0"},
        {"a day for each move", "1/86400", "per move 0 0 1/86400000+0"},
        {"one move, with an increment", "1/60+5", "increment 0 0 1/60000+5000"},
        {"one move, with an increment of nothing", "1/60+0", "increment 0 0 1/60000+0"},
        {"one move, with a delay", "1/60d5", "delay 5000 0 1/60000+0"},
        {"one move, then more", "1/60:300", "increment 0 0 1/60000+0 0/300000+0"},
        {"one move, repeated after others", "40/60:1/60", "increment 0 0 40/60000+0 1/60000+0"},
        {"decimals", "0.5+0.1", "increment 0 0 0/500+100"},
        {"three decimals", "0.001d10.010", "delay 10010 0 0/1+0"},
        {"leading zeros", "040/007.50+00", "increment 0 0 40/7500+0"},
        {"the longest time", "2678400+2678400", "increment 0 0 0/2678400000+2678400000"},
        {"many zeros", "1000/00000000000000000000000001", "increment 0 0 1000/1000+0"},
        {"eight stages", "1/1:2/2:3/3:4/4:5/5:6/6:7/7:8",
         "increment 0 0 1/1000+0 2/2000+0 3/3000+0 4/4000+0 5/5000+0 6/6000+0 7/7000+0 0/8000+0"},
    };
    unsigned failed = 0;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        char text[512];
        struct time_control control = control_of(cases[i].text);
        describe(&control, text);
        failed += !same_text(cases[i].label, cases[i].expected, text);
        assert_int_equal(time_control_check(&control), TIME_OK);
    }
    assert_int_equal(failed, 0);
}

static void refuse(const char *label, const char *text, size_t length, enum time_fault fault, size_t offset)
{
    struct time_control control, untouched;
    size_t at = SIZE_MAX;
    memset(&control, 0x55, sizeof control);
    memcpy(&untouched, &control, sizeof control);
    enum time_fault found = time_control_read(text, length, &control, &at);
    if (found != fault || at != offset)
        fail_msg("%s: %s: fault %d at %zu, expected %d at %zu", label, text, found, at, fault, offset);
    assert_memory_equal(&control, &untouched, sizeof control);
}

struct wrong {
    const char *label, *text;
    size_t offset;
};

static void refuse_all(const struct wrong *cases, size_t count, enum time_fault fault)
{
    for (size_t i = 0; i < count; i++)
        refuse(cases[i].label, cases[i].text, strlen(cases[i].text), fault, cases[i].offset);
}

static void what_is_no_time_control_is_refused_at_its_first_wrong_byte(void **state)
{
    (void)state;
    static const struct wrong cases[] = {
        {"nothing", "", 0},
        {"untimed is the caller's", "-", 0},
        {"unknown is the caller's", "?", 0},
        {"a word", "none", 0},
        {"a sandclock", "*180", 0},
        {"a sign", "+300", 0},
        {"below nothing", "-300", 0},
        {"a unit", "5m", 1},
        {"no increment", "300+", 4},
        {"no delay", "300d", 4},
        {"no time", "40/", 3},
        {"no moves", "/300", 0},
        {"two counts of moves", "40/20/300", 5},
        {"parts of a move", "4.5/300", 3},
        {"no stage behind the colon", "40/300:", 7},
        {"no stage before the colon", ":300", 0},
        {"no stage between", "40/300::300", 7},
        {"no digit before the point", ".5", 0},
        {"no digit behind the point", "5.", 2},
        {"no digit behind the point, more behind", "5.+1", 2},
        {"four decimals", "0.1234", 5},
        {"a comma", "0,5", 1},
        {"a second point", "0.5.5", 3},
        {"an exponent", "3e2", 1},
        {"two increments", "300+3+3", 5},
        {"two delays", "300d5d5", 5},
        {"capital letters", "300D5", 3},
    };
    refuse_all(cases, LENGTH(cases), TIME_FAULT_SYNTAX);
}

static void blanks_are_named(void **state)
{
    (void)state;
    static const struct wrong cases[] = {
        {"a blank before", " 300", 0},
        {"a blank behind", "300+3 ", 5},
        {"a blank between", "300 +3", 3},
        {"a tab", "300+\t3", 4},
        {"a blank before a stage", "40/300: 300", 7},
        {"a blank where the delay is due", "40/300d5:300 ", 12},
    };
    refuse_all(cases, LENGTH(cases), TIME_FAULT_BLANK);
}

static void numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    static const struct wrong cases[] = {
        {"no time at all", "0", 0},
        {"nothing to begin with", "0+3", 0},
        {"nothing to begin with, in a stage", "40/0+3:300", 3},
        {"nothing but a delay", "0d5", 0},
        {"no moves in a stage", "0/300", 0},
        {"a stage without time", "40/300:0", 7},
        {"a stage with an increment of nothing", "40/300:0+0", 7},
        {"a stage without time, with a delay", "40/300d5:0d5", 9},
        {"a delay of nothing", "300d0", 4},
        {"a Bronstein delay of nothing", "300b0.000", 4},
        {"1001 moves", "1001/300", 0},
        {"2^32 + 40 moves", "4294967336/300", 0},
        {"2^64 + 40 moves", "18446744073709551656/300", 0},
        {"a millisecond above the longest time", "2678400.001", 0},
        {"an increment above it", "300+2678401", 4},
        {"a delay above it", "40/300:300d2678401", 11},
        {"2^64 / 1000 seconds and 300", "18446744073709851.616", 0},
        {"2^64 + 300 seconds", "18446744073709551916", 0},
    };
    refuse_all(cases, LENGTH(cases), TIME_FAULT_RANGE);
}

static void stages_that_cannot_be_reached_are_refused(void **state)
{
    (void)state;
    static const struct wrong cases[] = {
        {"minutes and seconds", "5:00", 2},
        {"behind a stage for the rest", "300:300", 4},
        {"behind one with a delay", "300d5:60d5", 6},
        {"behind such a second stage", "40/300:300+3:20/300", 13},
        {"behind such an eighth stage", "1/1:1/1:1/1:1/1:1/1:1/1:1/1:1:1", 30},
    };
    refuse_all(cases, LENGTH(cases), TIME_FAULT_ENDLESS);
}

static void more_than_eight_stages_are_refused(void **state)
{
    (void)state;
    static const struct wrong cases[] = {
        {"nine stages", "1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1", 32},
    };
    refuse_all(cases, LENGTH(cases), TIME_FAULT_STAGES);
}

static void modes_are_not_mixed(void **state)
{
    (void)state;
    static const struct wrong cases[] = {
        {"an increment and a delay", "300+3d5", 5},
        {"a delay and an increment", "300d5+3", 5},
        {"a delay and an increment of nothing", "300d5+0", 5},
        {"two kinds of delay", "300d5b5", 5},
        {"an increment, then a delay", "40/300+3:300d5", 12},
        {"a delay, then a Bronstein delay", "40/300d5:300b5", 12},
        {"two lengths of delay", "40/300d5:300d3", 13},
        {"a delay in the first stage only", "40/300d5:300", 12},
        {"a delay in the first and the last", "40/300d5:20/300:300d5", 15},
        {"a delay from the second on", "40/300:20/300d5:300d5", 15},
    };
    refuse_all(cases, LENGTH(cases), TIME_FAULT_MODE);
}

static void a_text_ends_where_its_length_says(void **state)
{
    (void)state;
    struct time_control control;
    size_t offset;
    assert_int_equal(time_control_read("300+35", 5, &control, &offset), TIME_OK);
    assert_int_equal(control.stages[0].increment_ms, 3000);
    refuse("cut before the increment", "300+35", 4, TIME_FAULT_SYNTAX, 4);
    refuse("NUL behind", "300\0", 4, TIME_FAULT_SYNTAX, 3);
    refuse("NUL alone", "\0", 1, TIME_FAULT_SYNTAX, 0);
    refuse("NUL where the delay is due", "40/300d5:300\0", 13, TIME_FAULT_SYNTAX, 12);
}

static void texts_that_are_too_long_are_refused_unread(void **state)
{
    (void)state;
    struct time_control control;
    size_t offset;
    char text[TIME_CONTROL_TEXT_MAX + 1];
    memset(text, '0', sizeof text);
    text[TIME_CONTROL_TEXT_MAX - 1] = '7';
    assert_int_equal(time_control_read(text, TIME_CONTROL_TEXT_MAX, &control, &offset), TIME_OK);
    assert_int_equal(control.stages[0].time_ms, 7000);
    refuse("one byte more", text, TIME_CONTROL_TEXT_MAX + 1, TIME_FAULT_SYNTAX, TIME_CONTROL_TEXT_MAX);
}

/* ---- numbers ---------------------------------------------------------------------------------------- */

static void controls_from_numbers_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *label;
        struct time_control control;
        enum time_fault fault;
    } cases[] = {
        {"five minutes", {.stage_count = 1, .stages = {{0, 300000, 0}}}, TIME_OK},
        {"all limits reached",
         {.stage_count = 2, .stages = {{1000, DAYS_31, DAYS_31}, {1000, 0, DAYS_31}}},
         TIME_OK},
        {"the longest delay", {TIME_DELAY, 1, true, DAYS_31, 0, {{0, 1, 0}}}, TIME_OK},
        {"the longest bank", {TIME_PER_MOVE, 1, true, 0, DAYS_31, {{1, DAYS_31, 0}}}, TIME_OK},
        {"one move, as an increment", {.stage_count = 1, .stages = {{1, 60000, 0}}}, TIME_OK},

        {"no stage", {.stages = {{0, 300000, 0}}}, TIME_FAULT_STAGES},
        {"nine stages", {.stage_count = 9, .stages = {{1, 1, 0}, {1, 1, 0}}}, TIME_FAULT_STAGES},
        {"a stage without end", {.stage_count = 2, .stages = {{0, 1, 0}, {0, 1, 0}}}, TIME_FAULT_ENDLESS},
        {"per move, of two",
         {.mode = TIME_PER_MOVE, .stage_count = 1, .stages = {{2, 1, 0}}},
         TIME_FAULT_STAGES},
        {"per move, the whole game",
         {.mode = TIME_PER_MOVE, .stage_count = 1, .stages = {{0, 1, 0}}},
         TIME_FAULT_STAGES},
        {"per move, then more",
         {.mode = TIME_PER_MOVE, .stage_count = 2, .stages = {{1, 1, 0}, {0, 1, 0}}},
         TIME_FAULT_STAGES},

        {"1001 moves", {.stage_count = 1, .stages = {{1001, 1, 0}}}, TIME_FAULT_RANGE},
        {"no time", {.stage_count = 1, .stages = {{0, 0, 0}}}, TIME_FAULT_RANGE},
        {"an increment alone", {.stage_count = 1, .stages = {{0, 0, 3000}}}, TIME_FAULT_RANGE},
        {"a later stage that gives nothing",
         {.stage_count = 2, .stages = {{1, 1, 0}, {0, 0, 0}}},
         TIME_FAULT_RANGE},
        {"too long", {.stage_count = 1, .stages = {{0, DAYS_31 + 1, 0}}}, TIME_FAULT_RANGE},
        {"too long an increment", {.stage_count = 1, .stages = {{0, 1, DAYS_31 + 1}}}, TIME_FAULT_RANGE},
        {"too long a delay", {TIME_DELAY, 1, false, DAYS_31 + 1, 0, {{0, 1, 0}}}, TIME_FAULT_RANGE},
        {"too long a bank", {TIME_PER_MOVE, 1, false, 0, DAYS_31 + 1, {{1, 1, 0}}}, TIME_FAULT_RANGE},

        {"no mode", {.mode = TIME_MODE_COUNT, .stage_count = 1, .stages = {{0, 1, 0}}}, TIME_FAULT_MODE},
        {"increment with a delay", {TIME_INCREMENT, 1, false, 5000, 0, {{0, 1, 0}}}, TIME_FAULT_MODE},
        {"increment with a bank", {TIME_INCREMENT, 1, false, 0, 5000, {{0, 1, 0}}}, TIME_FAULT_MODE},
        {"delay without one", {TIME_DELAY, 1, false, 0, 0, {{0, 1, 0}}}, TIME_FAULT_MODE},
        {"delay with an increment", {TIME_DELAY, 1, false, 5000, 0, {{0, 1, 1}}}, TIME_FAULT_MODE},
        {"delay with a bank", {TIME_DELAY, 1, false, 5000, 1, {{0, 1, 0}}}, TIME_FAULT_MODE},
        {"Bronstein without delay", {TIME_BRONSTEIN, 1, false, 0, 0, {{0, 1, 0}}}, TIME_FAULT_MODE},
        {"Bronstein with an increment",
         {TIME_BRONSTEIN, 2, false, 5000, 0, {{1, 1, 0}, {0, 1, 1}}},
         TIME_FAULT_MODE},
        {"per move with a delay", {TIME_PER_MOVE, 1, false, 1, 0, {{1, 1, 0}}}, TIME_FAULT_MODE},
        {"per move with an increment", {TIME_PER_MOVE, 1, false, 0, 0, {{1, 1, 1}}}, TIME_FAULT_MODE},
    };
    for (size_t i = 0; i < LENGTH(cases); i++)
        if (time_control_check(&cases[i].control) != cases[i].fault)
            fail_msg("%s: %d", cases[i].label, time_control_check(&cases[i].control));
}

static void the_longest_time_is_31_days(void **state)
{
    (void)state;
    assert_int_equal(TIME_MS_MAX, 31LL * 24 * 3600 * 1000);
    assert_int_equal(TIME_MS_MAX, DAYS_31);
}

static void modes_and_faults_have_their_words(void **state)
{
    (void)state;
    static const char *const words[] = {"increment", "delay", "bronstein", "per_move"};
    for (unsigned i = 0; i < LENGTH(words); i++)
        assert_string_equal(time_mode_words[i], words[i]);
    assert_null(time_mode_words[LENGTH(words)]);
    assert_string_equal(time_start_words[false], "first_move");
    assert_string_equal(time_start_words[true], "immediate");
    assert_null(time_start_words[2]);
    for (unsigned fault = TIME_OK; fault <= TIME_FAULT_MODE; fault++) {
        const char *text = time_fault_text((enum time_fault)fault);
        assert_int_equal(text[strlen(text) - 1], '.');
        for (unsigned other = TIME_OK; other < fault; other++)
            assert_string_not_equal(text, time_fault_text((enum time_fault)other));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_read),
        cmocka_unit_test(what_is_no_time_control_is_refused_at_its_first_wrong_byte),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(blanks_are_named),
        cmocka_unit_test(stages_that_cannot_be_reached_are_refused),
        cmocka_unit_test(more_than_eight_stages_are_refused),
        cmocka_unit_test(modes_are_not_mixed),
        cmocka_unit_test(a_text_ends_where_its_length_says),
        cmocka_unit_test(texts_that_are_too_long_are_refused_unread),
        cmocka_unit_test(controls_from_numbers_are_checked),
        cmocka_unit_test(the_longest_time_is_31_days),
        cmocka_unit_test(modes_and_faults_have_their_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
