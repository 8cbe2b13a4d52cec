#include <stdlib.h>
#include <string.h>

#include "games/clock.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_input.h"

/* ---- texts ------------------------------------------------------------------------------------------ */

/* The store has one text for each control. */
static bool same_control(const struct time_control *a, const struct time_control *b)
{
    char text_a[TIME_CONTROL_SIZE], text_b[TIME_CONTROL_SIZE];
    time_control_format(a, text_a);
    time_control_format(b, text_b);
    return strcmp(text_a, text_b) == 0;
}

static void check_texts(const struct time_control *control)
{
    struct time_control again;
    char text[TIME_CONTROL_SIZE], tag[TIME_CONTROL_TAG_SIZE], words[TIME_CONTROL_WORDS_SIZE];
    size_t offset;
    FUZZ_CHECK(time_control_check(control) == TIME_OK);
    time_control_format(control, text);
    time_control_format_tag(control, tag);
    time_control_format_words(control, words);
    FUZZ_CHECK(strlen(text) < sizeof text && strlen(tag) < sizeof tag && strlen(words) < sizeof words);
    FUZZ_CHECK(*words && !strstr(words, "  ") && words[strlen(words) - 1] != ' ');
    FUZZ_CHECK(time_control_parse(text, &again) && same_control(&again, control));
    FUZZ_CHECK(time_control_read(tag, strlen(tag), &again, &offset) == TIME_OK);
    again.immediate = control->immediate; /* a tag has no form for these two */
    again.bank_ms = control->bank_ms;
    FUZZ_CHECK(same_control(&again, control));
}

static bool read_as_people_write(struct text_span line, struct time_control *control)
{
    const void *bytes = control;
    unsigned char untouched[sizeof *control];
    size_t offset = SIZE_MAX;
    memcpy(untouched, bytes, sizeof untouched);
    enum time_fault fault = time_control_read(line.text, line.length, control, &offset);
    FUZZ_CHECK(fault <= TIME_FAULT_MODE && *time_fault_text(fault));
    if (fault == TIME_OK) {
        FUZZ_CHECK(line.length <= TIME_CONTROL_TEXT_MAX && !control->immediate && control->bank_ms == 0);
        return true;
    }
    FUZZ_CHECK(offset <= line.length);
    FUZZ_CHECK(memcmp(untouched, bytes, sizeof untouched) == 0);
    return false;
}

static bool read_as_the_store_does(struct text_span line, struct time_control *control)
{
    char *copy = fuzz_copy(line);
    char again[TIME_CONTROL_SIZE];
    bool read = time_control_parse(copy, control);
    if (read) {
        time_control_format(control, again);
        FUZZ_CHECK(strcmp(copy, again) == 0);
    }
    free(copy);
    return read;
}

/* ---- clocks ----------------------------------------------------------------------------------------- */

static void check_side(const struct clock *clock, enum color color)
{
    int64_t remaining_ms = clock->remaining_ms[color];
    int64_t allowed_ms = clock_allowed_ms(clock, color);
    int64_t delay_ms = clock->control.mode == TIME_DELAY ? clock->control.delay_ms : 0;
    FUZZ_CHECK(remaining_ms >= 0 && remaining_ms <= CLOCK_MS_MAX);
    FUZZ_CHECK(allowed_ms == (remaining_ms ? remaining_ms + delay_ms : 0));
    FUZZ_CHECK(clock_shows_ms(clock, color, 0) == remaining_ms);
    FUZZ_CHECK(clock_shows_ms(clock, color, allowed_ms) == 0);
    FUZZ_CHECK(clock_shows_ms(clock, color, INT64_MAX) == 0);
    FUZZ_CHECK(allowed_ms == 0 || clock_shows_ms(clock, color, allowed_ms - 1) == 1);
    FUZZ_CHECK(allowed_ms == 0 || clock_shows_ms(clock, color, delay_ms) == remaining_ms);
}

/* A number of milliseconds, cut at INT64_MAX; 0 where none stands. */
static int64_t number_of(struct text_span digits)
{
    int64_t value = 0;
    for (size_t i = 0; i < digits.length && digits.text[i] >= '0' && digits.text[i] <= '9'; i++)
        if (value > (INT64_MAX - 9) / 10)
            return INT64_MAX;
        else
            value = value * 10 + (digits.text[i] - '0');
    return value;
}

static void make_move(struct clock *clock, enum color color, unsigned made, int64_t elapsed_ms)
{
    int64_t before_ms = clock->remaining_ms[color];
    int64_t allowed_ms = clock_allowed_ms(clock, color);
    int64_t shown_ms = clock_shows_ms(clock, color, elapsed_ms);
    unsigned stages = clock_stage(&clock->control, made) - clock_stage(&clock->control, made - 1);
    clock_move(clock, color, made, elapsed_ms);
    int64_t after_ms = clock->remaining_ms[color];
    FUZZ_CHECK(stages <= 1);
    FUZZ_CHECK((shown_ms == 0) == (elapsed_ms >= allowed_ms));
    FUZZ_CHECK((after_ms == 0) == (shown_ms == 0));
    FUZZ_CHECK(after_ms >= shown_ms);
    if (stages == 0 && clock->control.mode != TIME_INCREMENT)
        FUZZ_CHECK(after_ms <= before_ms);
}

/* 'm' and how long the move took, 'u' (untimed), 'a' and a time given, 'f' (flag), 'j' and the number of moves made. */
static void act(struct clock *clock, enum color color, unsigned *made, struct text_span line)
{
    int64_t other_ms = clock->remaining_ms[color_other(color)];
    int64_t before_ms = clock->remaining_ms[color];
    int64_t number = line.length ? number_of((struct text_span){line.text + 1, line.length - 1}) : 0;
    switch (line.length ? line.text[0] : '\0') {
    case 'm':
        make_move(clock, color, ++*made, number);
        break;
    case 'u':
        clock_move_untimed(clock, color, ++*made);
        FUZZ_CHECK(clock->remaining_ms[color] >= before_ms);
        break;
    case 'a':
        clock_add(clock, color, number);
        FUZZ_CHECK(clock->remaining_ms[color] - before_ms <= number);
        FUZZ_CHECK(clock->remaining_ms[color] >= before_ms);
        break;
    case 'f':
        clock_stop(clock, color, number);
        FUZZ_CHECK(clock->remaining_ms[color] >= 0 && clock->remaining_ms[color] <= before_ms);
        break;
    case 'j':
        *made = (unsigned)(number % 100000);
        break;
    default:
        break;
    }
    FUZZ_CHECK(clock->remaining_ms[color_other(color)] == other_ms);
}

static void check_clock(const struct time_control *control, struct text_span actions)
{
    struct clock clock;
    unsigned made[COLOR_COUNT] = {0, 0};
    enum color color = COLOR_WHITE;
    clock_begin(&clock, control);
    check_side(&clock, COLOR_WHITE);
    FUZZ_CHECK(clock.remaining_ms[COLOR_WHITE] > 0);
    FUZZ_CHECK(clock.remaining_ms[COLOR_WHITE] == clock.remaining_ms[COLOR_BLACK]);
    while (actions.length > 0) {
        act(&clock, color, &made[color], fuzz_take_line(&actions));
        check_side(&clock, color);
        color = color_other(color);
    }
    FUZZ_CHECK(same_control(&clock.control, control));
}

void fuzz_clock(const uint8_t *data, size_t size)
{
    struct time_control control;
    struct text_span input = {(const char *)data, size};
    struct text_span line = fuzz_take_line(&input);
    memset(&control, 0x55, sizeof control);
    if (!read_as_people_write(line, &control) && !read_as_the_store_does(line, &control))
        return;
    check_texts(&control);
    check_clock(&control, input);
}
