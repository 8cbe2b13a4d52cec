/* games/clock: FIDE 6.3, 6.8, Guideline III.3; each mode worked out by hand. */
#include "games/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
#define DAYS_31       INT64_C(2678400000)

enum { STEPS_MAX = 6 };

static struct clock clock_of(const char *text)
{
    struct time_control control;
    struct clock clock;
    size_t offset;
    if (!time_control_parse(text, &control) &&
        time_control_read(text, strlen(text), &control, &offset) != TIME_OK)
        fail_msg("%s", text);
    clock_begin(&clock, &control);
    return clock;
}

/* ---- each mode by hand ------------------------------------------------------------------------------ */

/* The time that a move took, and what the player has at his next one. */
struct step {
    unsigned made;
    int64_t elapsed_ms, remaining_ms;
};

struct play {
    const char *label, *control;
    int64_t first_ms;
    struct step steps[STEPS_MAX]; /* up to the one with `made` 0 */
};

static void run(const struct play *plays, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct clock clock = clock_of(plays[i].control);
        if (clock.remaining_ms[COLOR_BLACK] != plays[i].first_ms)
            fail_msg("%s: begins with %lld", plays[i].label, (long long)clock.remaining_ms[COLOR_BLACK]);
        for (const struct step *step = plays[i].steps; step < plays[i].steps + STEPS_MAX && step->made;
             step++) {
            clock_move(&clock, COLOR_BLACK, step->made, step->elapsed_ms);
            if (clock.remaining_ms[COLOR_BLACK] != step->remaining_ms)
                fail_msg("%s: move %u: %lld, expected %lld", plays[i].label, step->made,
                         (long long)clock.remaining_ms[COLOR_BLACK], (long long)step->remaining_ms);
        }
        assert_int_equal(clock.remaining_ms[COLOR_WHITE], plays[i].first_ms);
    }
}

static void time_is_taken_and_increments_are_given(void **state)
{
    (void)state;
    static const struct play plays[] = {
        /* 300 - 10 = 290; all but 1 ms of it */
        {"no increment", "300", 300000, {{1, 10000, 290000}, {2, 289999, 1}}},
        /* 300 - 10 + 3 = 293; 293 - 1 + 3 = 295; 295 - 0 + 3 = 298; 0.001 + 3 */
        {"three seconds",
         "300+3",
         300000,
         {{1, 10000, 293000}, {2, 1000, 295000}, {3, 0, 298000}, {4, 297999, 3001}}},
        {"parts of a second", "0.5+0.1", 500, {{1, 250, 350}, {2, 349, 101}}},
    };
    run(plays, LENGTH(plays));
}

static void stages_add_their_time_to_what_was_saved(void **state)
{
    (void)state;
    static const struct play plays[] = {
        /* 7200 - 7100 = 100; 100 - 99.999 = 0.001, and 3600 */
        {"6.3.1: 40 moves, then the rest",
         "40/7200:3600",
         7200000,
         {{39, 7100000, 100000}, {40, 99999, 3600001}, {41, 1, 3600000}, {80, 600000, 3000000}}},
        /* 5400 - 3000 + 30 = 2430; 2430 - 430 + 30 + 1800 = 3830; 3830 - 10 + 30 = 3850 */
        {"90 minutes, then 30, and 30 seconds a move",
         "40/5400+30:1800+30",
         5400000,
         {{39, 3000000, 2430000}, {40, 430000, 3830000}, {41, 10000, 3850000}}},
        /* 6000 - 5000 + 900 = 1900, without increment; 1900 - 60 + 30 = 1870 */
        {"an increment that begins with the second stage",
         "40/6000:900+30",
         6000000,
         {{40, 5000000, 1900000}, {41, 60000, 1870000}}},
        /* 5400 - 5000 + 30 + 900 = 1330, with the increment of its stage; 1330 - 60 = 1270 */
        {"an increment that ends with the first stage",
         "40/5400+30:900",
         5400000,
         {{40, 5000000, 1330000}, {41, 60000, 1270000}}},
        /* 6000 - 4000 + 3000 = 5000; 5000 - 4000 = 1000; 1000 - 100 + 900 = 1800; 1800 - 50 + 30 = 1780 */
        {"three stages",
         "40/6000:20/3000:900+30",
         6000000,
         {{40, 4000000, 5000000}, {59, 4000000, 1000000}, {60, 100000, 1800000}, {61, 50000, 1780000}}},
        /* 300 - 200 + 0 = 100; 100 - 5 + 30 = 125 */
        {"a second stage of increments alone",
         "30/300:0+30",
         300000,
         {{30, 200000, 100000}, {31, 5000, 125000}}},
    };
    run(plays, LENGTH(plays));
}

static void the_last_stage_is_repeated(void **state)
{
    (void)state;
    static const struct play plays[] = {
        {"one stage for every 40 moves",
         "40/7200",
         7200000,
         {{39, 1000, 7199000},
          {40, 1000, 14398000},
          {79, 0, 14398000},
          {80, 1000, 21597000},
          {81, 0, 21597000}}},
        {"the second for every 20 moves",
         "40/7200:20/3600",
         7200000,
         {{40, 7000000, 3800000},
          {59, 0, 3800000},
          {60, 3799999, 3600001},
          {80, 1, 7200000},
          {100, 0, 10800000}}},
        /* 60 - 20 + 60 = 100: what is saved is kept, unlike with time for each move */
        {"one move at a time", "1/60+0", 60000, {{1, 20000, 100000}, {2, 99999, 60001}, {3, 0, 120001}}},
        /* 60 - 20 + 5 + 60 */
        {"one move at a time with an increment", "1/60+5", 60000, {{1, 20000, 105000}}},
    };
    run(plays, LENGTH(plays));
}

static void a_delay_is_not_counted(void **state)
{
    (void)state;
    static const struct play plays[] = {
        {"shorter, as long, longer",
         "300d5",
         300000,
         {{1, 0, 300000}, {2, 4999, 300000}, {3, 5000, 300000}, {4, 5001, 299999}, {5, 12000, 292999}}},
        /* 300 + 5 - 0.001 may be thought: 0.001 is left, and then 5 s more may be thought again */
        {"to the end", "300d5", 300000, {{1, 304999, 1}, {2, 5000, 1}}},
        /* 7200 - (10 - 5) + 3600 */
        {"with stages", "40/7200d5:3600d5", 7200000, {{40, 10000, 10795000}, {41, 10000, 10790000}}},
    };
    run(plays, LENGTH(plays));
}

static void bronstein_gives_back_what_was_used_of_the_delay(void **state)
{
    (void)state;
    static const struct play plays[] = {
        {"shorter, as long, longer",
         "300b5",
         300000,
         {{1, 0, 300000}, {2, 3000, 300000}, {3, 5000, 300000}, {4, 5001, 299999}, {5, 12000, 292999}}},
        /* 300 - 299.999 + 5: counted until the move is made */
        {"to the end", "300b5", 300000, {{1, 299999, 5001}, {2, 5000, 5001}}},
        /* 7200 - 10 + 5 + 3600 */
        {"with stages", "40/7200:3600b5", 7200000, {{40, 10000, 10795000}, {41, 2000, 10795000}}},
    };
    run(plays, LENGTH(plays));
}

static void time_for_each_move_has_a_bank_behind_it(void **state)
{
    (void)state;
    static const struct play plays[] = {
        {"no bank", "1/86400", 86400000, {{1, 0, 86400000}, {2, 86399999, 86400000}}},
        /* 86400 + 600; as long as a move may be; 400 s longer: 200 are left; 199.999 longer */
        {"ten minutes",
         "mode=per_move start=immediate delay_ms=0 bank_ms=600000 stages=1/86400000+0",
         87000000,
         {{1, 1000, 87000000},
          {2, 86400000, 87000000},
          {3, 86800000, 86600000},
          {4, 1000, 86600000},
          {5, 86599999, 86400001},
          {6, 86400000, 86400001}}},
    };
    run(plays, LENGTH(plays));
}

static void an_untimed_move_takes_and_earns_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *control;
        int64_t remaining_ms;
    } cases[] = {
        {"300+3", 300000},     {"300d5", 300000},        {"300b5", 300000}, {"1/86400", 86400000},
        {"40/300:60", 300000}, {"1/300+3:60+3", 360000}, /* the second stage begins: 300 + 60 */
        {"1/300+3", 600000},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct clock clock = clock_of(cases[i].control);
        clock_move_untimed(&clock, COLOR_WHITE, 1);
        if (clock.remaining_ms[COLOR_WHITE] != cases[i].remaining_ms)
            fail_msg("%s: %lld", cases[i].control, (long long)clock.remaining_ms[COLOR_WHITE]);
        assert_int_equal(clock.remaining_ms[COLOR_BLACK],
                         clock_of(cases[i].control).remaining_ms[COLOR_BLACK]);
    }
}

/* ---- what is shown, and the flag -------------------------------------------------------------------- */

static void a_clock_shows_what_is_left_until_the_flag_falls(void **state)
{
    (void)state;
    static const struct {
        const char *label, *control;
        int64_t allowed_ms;
        struct {
            int64_t elapsed_ms, shown_ms;
        } looks[5];
    } cases[] = {
        {"increment", "300+3", 300000, {{0, 300000}, {1, 299999}, {299999, 1}, {300000, 0}, {INT64_MAX, 0}}},
        {"delay", "300d5", 305000, {{0, 300000}, {5000, 300000}, {5001, 299999}, {304999, 1}, {305000, 0}}},
        {"delay, long after", "300d5", 305000, {{4999, 300000}, {305001, 0}, {1 << 30, 0}, {INT64_MAX, 0}}},
        {"Bronstein", "300b5", 300000, {{0, 300000}, {1, 299999}, {5000, 295000}, {299999, 1}, {300000, 0}}},
        {"per move", "1/60", 60000, {{0, 60000}, {1, 59999}, {59999, 1}, {60000, 0}, {60001, 0}}},
        {"per move with a bank",
         "mode=per_move start=immediate delay_ms=0 bank_ms=600 stages=1/60000+0",
         60600,
         {{0, 60600}, {60000, 600}, {60599, 1}, {60600, 0}, {60601, 0}}},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct clock clock = clock_of(cases[i].control);
        assert_int_equal(clock_allowed_ms(&clock, COLOR_WHITE), cases[i].allowed_ms);
        for (size_t look = 0; look < LENGTH(cases[i].looks); look++) {
            int64_t elapsed_ms = cases[i].looks[look].elapsed_ms;
            if (look > 0 && elapsed_ms == 0)
                break;
            if (clock_shows_ms(&clock, COLOR_WHITE, elapsed_ms) != cases[i].looks[look].shown_ms)
                fail_msg("%s at %lld", cases[i].label, (long long)elapsed_ms);
        }
    }
}

static void a_move_that_took_all_the_time_is_given_nothing(void **state)
{
    (void)state;
    static const struct play plays[] = {
        {"increment", "40/300+3:60", 300000, {{40, 300000, 0}}},
        {"delay", "300d5", 300000, {{1, 305000, 0}, {2, 0, 0}}},
        {"Bronstein", "300b5", 300000, {{1, 300000, 0}}},
        {"per move", "1/60", 60000, {{1, 60000, 0}}},
        {"long after", "40/300+3:60", 300000, {{40, INT64_MAX, 0}}},
    };
    run(plays, LENGTH(plays));
}

static void a_fallen_flag_allows_nothing(void **state)
{
    (void)state;
    static const char *const controls[] = {"300+3", "300d5", "300b5", "1/60"};
    for (size_t i = 0; i < LENGTH(controls); i++) {
        struct clock clock = clock_of(controls[i]);
        int64_t other_ms = clock.remaining_ms[COLOR_BLACK];
        clock_stop(&clock, COLOR_WHITE, clock_allowed_ms(&clock, COLOR_WHITE));
        assert_int_equal(clock_allowed_ms(&clock, COLOR_WHITE), 0);
        assert_int_equal(clock_shows_ms(&clock, COLOR_WHITE, 0), 0);
        assert_int_equal(clock.remaining_ms[COLOR_BLACK], other_ms);
    }
}

static void a_clock_that_is_stopped_stays_at_what_it_shows(void **state)
{
    (void)state;
    static const struct {
        const char *control;
        int64_t elapsed_ms, shown_ms;
    } rows[] = {
        {"300+3", 60000, 240000}, /* no increment: the move was not completed */
        {"300d5", 60000, 245000}, {"300d5", 4000, 300000}, {"300b5", 60000, 240000}, {"1/60", 15000, 45000},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct clock clock = clock_of(rows[i].control);
        int64_t other_ms = clock.remaining_ms[COLOR_WHITE];
        clock_stop(&clock, COLOR_BLACK, rows[i].elapsed_ms);
        assert_int_equal(clock.remaining_ms[COLOR_BLACK], rows[i].shown_ms);
        assert_int_equal(clock.remaining_ms[COLOR_WHITE], other_ms);
    }
}

/* ---- time that is given ----------------------------------------------------------------------------- */

static void an_arbiter_gives_time(void **state)
{
    (void)state;
    struct clock clock = clock_of("300+3");
    clock_add(&clock, COLOR_BLACK, 120000); /* two minutes: 7.5.5, 9.5.3 */
    assert_int_equal(clock.remaining_ms[COLOR_BLACK], 420000);
    assert_int_equal(clock.remaining_ms[COLOR_WHITE], 300000);
    clock_add(&clock, COLOR_BLACK, 0);
    assert_int_equal(clock.remaining_ms[COLOR_BLACK], 420000);
    clock_move(&clock, COLOR_BLACK, 1, 20000); /* 420 - 20 + 3 */
    assert_int_equal(clock.remaining_ms[COLOR_BLACK], 403000);
}

static void with_time_for_each_move_it_goes_to_the_bank(void **state)
{
    (void)state;
    struct clock clock = clock_of("1/60");
    clock_add(&clock, COLOR_WHITE, 120000);
    clock_move(&clock, COLOR_WHITE, 1, 30000); /* within the 60 s of a move */
    assert_int_equal(clock.remaining_ms[COLOR_WHITE], 180000);
    clock_move(&clock, COLOR_WHITE, 2, 100000); /* 40 s above them */
    assert_int_equal(clock.remaining_ms[COLOR_WHITE], 140000);
}

static void no_clock_shows_more_than_its_most(void **state)
{
    (void)state;
    struct clock clock = clock_of("2678400+2678400");
    clock_move(&clock, COLOR_WHITE, 1, 0); /* 31 days and 31 are more */
    assert_int_equal(clock.remaining_ms[COLOR_WHITE], INT64_C(4200000000));
    clock_move(&clock, COLOR_WHITE, 2, INT64_C(4199999999)); /* 0.001 s and 31 days */
    assert_int_equal(clock.remaining_ms[COLOR_WHITE], DAYS_31 + 1);
    clock_add(&clock, COLOR_BLACK, INT64_MAX);
    assert_int_equal(clock.remaining_ms[COLOR_BLACK], CLOCK_MS_MAX);
    clock_add(&clock, COLOR_BLACK, INT64_MAX);
    assert_int_equal(clock.remaining_ms[COLOR_BLACK], CLOCK_MS_MAX);

    clock = clock_of("1/2678400:2678400");
    clock_move_untimed(&clock, COLOR_WHITE, 1);
    assert_int_equal(clock.remaining_ms[COLOR_WHITE], CLOCK_MS_MAX);

    clock = clock_of("mode=per_move start=immediate delay_ms=0 bank_ms=2678400000 stages=1/2678400000+0");
    assert_int_equal(clock.remaining_ms[COLOR_WHITE], CLOCK_MS_MAX);
    clock_move(&clock, COLOR_WHITE, 1, DAYS_31 + 1000);
    assert_int_equal(clock.remaining_ms[COLOR_WHITE], CLOCK_MS_MAX - 1000);
}

/* ---- stages ----------------------------------------------------------------------------------------- */

static void stages_are_counted_by_completed_moves(void **state)
{
    (void)state;
    static const struct {
        const char *control;
        unsigned made, stage;
    } cases[] = {
        {"300", 0, 0},           {"300", 1000000, 0},     {"40/7200", 0, 0},        {"40/7200", 39, 0},
        {"40/7200", 40, 1},      {"40/7200", 79, 1},      {"40/7200", 80, 2},       {"40/7200:3600", 39, 0},
        {"40/7200:3600", 40, 1}, {"40/7200:3600", 99, 1}, {"40/9:20/9:9", 40, 1},   {"40/9:20/9:9", 59, 1},
        {"40/9:20/9:9", 60, 2},  {"40/9:20/9:9", 999, 2}, {"40/9:20/9", 59, 1},     {"40/9:20/9", 60, 2},
        {"40/9:20/9", 79, 2},    {"40/9:20/9", 80, 3},    {"1/60+0", 7, 7},         {"1/86400", 0, 0},
        {"1/86400", 7, 0},       {"1/1:1/1:1/1", 2, 2},   {"1/1:1/1:1/1:1", 50, 3}, {"1/1:1/1:1/1", 50, 50},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct clock clock = clock_of(cases[i].control);
        if (clock_stage(&clock.control, cases[i].made) != cases[i].stage)
            fail_msg("%s after %u moves", cases[i].control, cases[i].made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_taken_and_increments_are_given),
        cmocka_unit_test(stages_add_their_time_to_what_was_saved),
        cmocka_unit_test(the_last_stage_is_repeated),
        cmocka_unit_test(a_delay_is_not_counted),
        cmocka_unit_test(bronstein_gives_back_what_was_used_of_the_delay),
        cmocka_unit_test(time_for_each_move_has_a_bank_behind_it),
        cmocka_unit_test(an_untimed_move_takes_and_earns_nothing),
        cmocka_unit_test(a_clock_shows_what_is_left_until_the_flag_falls),
        cmocka_unit_test(a_move_that_took_all_the_time_is_given_nothing),
        cmocka_unit_test(a_fallen_flag_allows_nothing),
        cmocka_unit_test(a_clock_that_is_stopped_stays_at_what_it_shows),
        cmocka_unit_test(an_arbiter_gives_time),
        cmocka_unit_test(with_time_for_each_move_it_goes_to_the_bank),
        cmocka_unit_test(no_clock_shows_more_than_its_most),
        cmocka_unit_test(stages_are_counted_by_completed_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
