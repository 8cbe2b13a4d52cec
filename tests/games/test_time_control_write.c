/* games/time_control: what the store, the PGN tag (standard 9.6.1) and people are given, and that it comes back. */
#include "games/time_control.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/games/random_controls.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
#define DAYS_31       2678400000U

enum { CONTROLS = 20000 };

static struct time_control control_of(const char *text)
{
    struct time_control control;
    size_t offset;
    if (time_control_read(text, strlen(text), &control, &offset) != TIME_OK)
        fail_msg("%s", text);
    return control;
}

static struct time_control control_kept(const char *text)
{
    struct time_control control;
    if (!time_control_parse(text, &control))
        fail_msg("%s", text);
    return control;
}

/* ---- the store -------------------------------------------------------------------------------------- */

static void the_store_keeps_words_and_milliseconds(void **state)
{
    (void)state;
    static const struct {
        struct time_control control;
        const char *text;
    } cases[] = {
        {{TIME_INCREMENT, 2, false, 0, 0, {{40, 7200000, 0}, {0, 3600000, 30000}}},
         "mode=increment start=first_move delay_ms=0 bank_ms=0 stages=40/7200000+0,0/3600000+30000"},
        {{TIME_DELAY, 1, true, 5000, 0, {{0, 300000, 0}}},
         "mode=delay start=immediate delay_ms=5000 bank_ms=0 stages=0/300000+0"},
        {{TIME_BRONSTEIN, 1, false, 1, 0, {{40, 1, 0}}},
         "mode=bronstein start=first_move delay_ms=1 bank_ms=0 stages=40/1+0"},
        {{TIME_PER_MOVE, 1, true, 0, 600000, {{1, DAYS_31, 0}}},
         "mode=per_move start=immediate delay_ms=0 bank_ms=600000 stages=1/2678400000+0"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        char text[TIME_CONTROL_SIZE];
        struct time_control again = control_kept(cases[i].text);
        time_control_format(&cases[i].control, text);
        assert_string_equal(text, cases[i].text);
        assert_true(controls_same(&again, &cases[i].control));
    }
}

static void the_store_reads_nothing_else(void **state)
{
    (void)state;
#define HEAD "mode=increment start=first_move delay_ms=0 bank_ms=0 stages="
    static const char *const texts[] = {
        "",
        "300+3",
        HEAD,
        HEAD "0/300000",
        HEAD "0/300000+",
        HEAD "0/300000+0 ",
        HEAD "0/300000+0,",
        HEAD "0/300000+0\n",
        HEAD "0/300000+0+0",
        HEAD " 0/300000+0",
        HEAD "/300000+0",
        HEAD "-1/300000+0",
        HEAD "0/+300000+0",
        HEAD "00/300000+0",
        HEAD "0/0300000+0",
        HEAD "0/300000+00",
        HEAD "0/4295267296+0", /* 2^32 + 300000 */
        HEAD "0/18446744073709851616+0",
        HEAD "0/0+3000",
        HEAD "0/300000+0,0/300000+0",
        HEAD "1/1+0,1/1+0,1/1+0,1/1+0,1/1+0,1/1+0,1/1+0,1/1+0,1/1+0",
        "mode=increment start=first_move delay_ms=0 stages=0/300000+0",
        "mode=increment start=first_move bank_ms=0 delay_ms=0 stages=0/300000+0",
        "mode=increment start=first_move  delay_ms=0 bank_ms=0 stages=0/300000+0",
        "mode=increment start=first_move delay_ms= bank_ms=0 stages=0/300000+0",
        "mode=increment start=first_move delay_ms=00 bank_ms=0 stages=0/300000+0",
        "mode=increment start=first_move delay_ms=5000 bank_ms=0 stages=0/300000+0",
        "mode=increment start= delay_ms=0 bank_ms=0 stages=0/300000+0",
        "mode=increment start=immediately delay_ms=0 bank_ms=0 stages=0/300000+0",
        "mode=Increment start=immediate delay_ms=0 bank_ms=0 stages=0/300000+0",
        "mode=per move start=immediate delay_ms=0 bank_ms=0 stages=1/300000+0",
        "mode= start=immediate delay_ms=0 bank_ms=0 stages=0/300000+0",
        " " HEAD "0/300000+0",
    };
    struct time_control control, untouched;
    memset(&control, 0x55, sizeof control);
    memcpy(&untouched, &control, sizeof control);
    for (size_t i = 0; i < LENGTH(texts); i++) {
        if (time_control_parse(texts[i], &control))
            fail_msg("read: %s", texts[i]);
        assert_memory_equal(&control, &untouched, sizeof control);
    }
    assert_true(time_control_parse(HEAD "0/300000+0", &control));
#undef HEAD
}

/* ---- PGN and words ---------------------------------------------------------------------------------- */

static void the_tag_is_that_of_the_pgn_standard(void **state)
{
    (void)state;
    static const struct {
        struct time_control control;
        const char *tag;
    } cases[] = {
        {{TIME_INCREMENT, 1, false, 0, 0, {{0, 300000, 0}}}, "300"},
        {{TIME_INCREMENT, 1, true, 0, 0, {{0, 300000, 3000}}}, "300+3"},
        {{TIME_INCREMENT, 1, false, 0, 0, {{40, 9000000, 0}}}, "40/9000"},
        {{TIME_INCREMENT, 2, false, 0, 0, {{40, 7200000, 0}, {0, 3600000, 0}}}, "40/7200:3600"},
        {{TIME_INCREMENT, 2, false, 0, 0, {{40, 5400000, 30000}, {0, 0, 30000}}}, "40/5400+30:0+30"},
        {{TIME_INCREMENT, 1, false, 0, 0, {{0, 500, 100}}}, "0.5+0.1"},
        {{TIME_INCREMENT, 1, false, 0, 0, {{0, 1, 60050}}}, "0.001+60.05"},
        {{TIME_INCREMENT, 1, false, 0, 0, {{1, 60000, 0}}}, "1/60+0"},
        {{TIME_INCREMENT, 2, false, 0, 0, {{1, 60000, 0}, {1, 60000, 0}}}, "1/60:1/60"},
        {{TIME_DELAY, 1, false, 5000, 0, {{0, 300000, 0}}}, "300d5"},
        {{TIME_BRONSTEIN, 2, false, 2500, 0, {{40, 7200000, 0}, {0, 60000, 0}}}, "40/7200b2.5:60b2.5"},
        {{TIME_PER_MOVE, 1, false, 0, 600000, {{1, 86400000, 0}}}, "1/86400"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        char tag[TIME_CONTROL_TAG_SIZE];
        time_control_format_tag(&cases[i].control, tag);
        assert_string_equal(tag, cases[i].tag);
    }
}

static void words_tell_people_what_was_agreed(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"300", "5 minutes"},
        {"60", "1 minute"},
        {"1", "1 second"},
        {"0.5", "0.5 seconds"},
        {"1.001", "1.001 seconds"},
        {"5400", "1 hour 30 minutes"},
        {"90061.25", "1 day 1 hour 1 minute 1.25 seconds"},
        {"2678400", "31 days"},
        {"300+3", "5 minutes plus 3 seconds a move"},
        {"60+1", "1 minute plus 1 second a move"},
        {"300d5", "5 minutes with a delay of 5 seconds a move"},
        {"300b5", "5 minutes with a Bronstein delay of 5 seconds a move"},
        {"40/7200:3600", "40 moves in 2 hours, then 1 hour for the rest of the game"},
        {"40/7200", "2 hours for every 40 moves"},
        {"40/5400+30", "1 hour 30 minutes plus 30 seconds a move for every 40 moves"},
        {"40/5400+30:1800+30", "40 moves in 1 hour 30 minutes plus 30 seconds a move, then 30 minutes plus "
                               "30 seconds a move for the "
                               "rest of the game"},
        {"40/7200:20/3600:900",
         "40 moves in 2 hours, then 20 moves in 1 hour, then 15 minutes for the rest of the game"},
        {"40/7200:20/3600", "40 moves in 2 hours, then 1 hour for every 20 moves"},
        {"1/60:300", "1 move in 1 minute, then 5 minutes for the rest of the game"},
        {"30/300:0+30",
         "30 moves in 5 minutes, then an increment of 30 seconds a move for the rest of the game"},
        {"30/300:20/0+30",
         "30 moves in 5 minutes, then an increment of 30 seconds a move for the rest of the game"},
        {"30/300:20/0+30:60",
         "30 moves in 5 minutes, then 20 moves with an increment of 30 seconds a move, then 1 minute for the "
         "rest of the game"},
        {"40/7200:3600d5",
         "40 moves in 2 hours, then 1 hour for the rest of the game, with a delay of 5 seconds a move"},
        {"40/7200b5", "2 hours for every 40 moves, with a Bronstein delay of 5 seconds a move"},
        {"1/60+0", "1 minute for every move, unused time kept"},
        {"1/86400", "1 day for each move"},
        {"1/259200", "3 days for each move"},
    };
    char words[TIME_CONTROL_WORDS_SIZE];
    unsigned failed = 0;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct time_control control = control_of(cases[i].text);
        time_control_format_words(&control, words);
        if (strcmp(words, cases[i].words) != 0) {
            print_error("%s:\n  expected %s\n  actual   %s\n", cases[i].text, cases[i].words, words);
            failed++;
        }
    }
    assert_int_equal(failed, 0);
    struct time_control bank =
        control_kept("mode=per_move start=immediate delay_ms=0 bank_ms=600000 stages=1/86400000+0");
    time_control_format_words(&bank, words);
    assert_string_equal(words, "1 day for each move, with a reserve of 10 minutes");
}

/* Each text is cut nowhere: its last part is what it must be, and it stays below its size. */
static void the_longest_texts_fit(void **state)
{
    (void)state;
    const uint32_t longest_ms = DAYS_31 - 1; /* 30 days 23 hours 59 minutes 59.999 seconds */
    struct time_control control = {.stage_count = TIME_STAGES_MAX};
    char kept[TIME_CONTROL_SIZE], tag[TIME_CONTROL_TAG_SIZE], words[TIME_CONTROL_WORDS_SIZE];
    for (unsigned i = 0; i < TIME_STAGES_MAX; i++)
        control.stages[i] = (struct time_stage){TIME_STAGE_MOVES_MAX, longest_ms, longest_ms};
    assert_int_equal(time_control_check(&control), TIME_OK);
    time_control_format(&control, kept);
    time_control_format_tag(&control, tag);
    time_control_format_words(&control, words);
    /* "1000/2678399.999+2678399.999": 28 bytes; 8 of them and 7 colons. */
    assert_int_equal(strlen(tag), 8 * 28 + 7);
    assert_true(strlen(tag) <= TIME_CONTROL_TEXT_MAX);
    /* "1000/2678399999+2678399999": 26 bytes. */
    assert_string_equal(strrchr(kept, ','), ",1000/2678399999+2678399999");
    assert_int_equal(strlen(kept),
                     strlen("mode=increment start=first_move delay_ms=0 bank_ms=0 stages=") + 8UL * 26 + 7);
    assert_non_null(
        strstr(words, " plus 30 days 23 hours 59 minutes 59.999 seconds a move for every 1000 moves"));
    assert_int_equal(words[strlen(words) - 1], 's');
}

/* ---- any control ------------------------------------------------------------------------------------ */

static void every_control_comes_back_from_the_store(void **state)
{
    struct random random = random_begin(*(uint64_t *)*state, 1);
    for (unsigned n = random_work(CONTROLS); n > 0; n--) {
        struct time_control again, control = random_control(&random, TIME_MS_MAX, TIME_STAGE_MOVES_MAX);
        char text[TIME_CONTROL_SIZE];
        assert_int_equal(time_control_check(&control), TIME_OK);
        time_control_format(&control, text);
        assert_true(strlen(text) < sizeof text);
        if (!time_control_parse(text, &again) || !controls_same(&again, &control))
            fail_msg("%s", text);
    }
}

static void every_control_comes_back_from_its_tag(void **state)
{
    struct random random = random_begin(*(uint64_t *)*state, 2);
    for (unsigned n = random_work(CONTROLS); n > 0; n--) {
        struct time_control again, control = random_control(&random, TIME_MS_MAX, TIME_STAGE_MOVES_MAX);
        char tag[TIME_CONTROL_TAG_SIZE];
        size_t offset;
        time_control_format_tag(&control, tag);
        assert_true(strlen(tag) < sizeof tag);
        if (time_control_read(tag, strlen(tag), &again, &offset) != TIME_OK)
            fail_msg("%s: refused at %zu", tag, offset);
        again.immediate = control.immediate;
        again.bank_ms = control.bank_ms;
        if (!controls_same(&again, &control))
            fail_msg("%s", tag);
    }
}

/* A byte put in, taken out or changed: what is still read holds, and is the text of no other control. */
static void spoil(struct random *random, char *text)
{
    static const char bytes[] = "0123456789+db:/.,=_ -e";
    size_t length = strlen(text);
    size_t at = random_below(random, (unsigned)length);
    char byte = bytes[random_below(random, sizeof bytes - 1)];
    switch (random_below(random, 3)) {
    case 0:
        memmove(text + at, text + at + 1, length - at);
        break;
    case 1:
        memmove(text + at + 1, text + at, length - at + 1);
        text[at] = byte;
        break;
    default:
        text[at] = byte;
    }
}

static void spoilt_texts_are_refused_or_hold(void **state)
{
    struct random random = random_begin(*(uint64_t *)*state, 3);
    for (unsigned n = random_work(CONTROLS); n > 0; n--) {
        struct time_control read, control = random_control(&random, TIME_MS_MAX, TIME_STAGE_MOVES_MAX);
        char text[TIME_CONTROL_SIZE + 1], again[TIME_CONTROL_SIZE];
        size_t offset = SIZE_MAX;
        time_control_format(&control, text);
        spoil(&random, text);
        if (time_control_parse(text, &read)) {
            assert_int_equal(time_control_check(&read), TIME_OK);
            time_control_format(&read, again);
            assert_string_equal(text, again);
        }
        time_control_format_tag(&control, text);
        spoil(&random, text);
        if (time_control_read(text, strlen(text), &read, &offset) == TIME_OK)
            assert_int_equal(time_control_check(&read), TIME_OK);
        else
            assert_true(offset <= strlen(text));
    }
}

int main(void)
{
    uint64_t seed = chance_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_store_keeps_words_and_milliseconds),
        cmocka_unit_test(the_store_reads_nothing_else),
        cmocka_unit_test(the_tag_is_that_of_the_pgn_standard),
        cmocka_unit_test(words_tell_people_what_was_agreed),
        cmocka_unit_test(the_longest_texts_fit),
        cmocka_unit_test_prestate(every_control_comes_back_from_the_store, &seed),
        cmocka_unit_test_prestate(every_control_comes_back_from_its_tag, &seed),
        cmocka_unit_test_prestate(spoilt_texts_are_refused_or_hold, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
