#include "games/time_control.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* The sizes in the header are those of the longest texts, so nothing is cut. */
struct text {
    char *bytes;
    size_t size, length;
};

static struct text text_begin(char *bytes, size_t size)
{
    return (struct text){bytes, size, 0};
}

__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text->length +=
        (size_t)vsnprintf(text->bytes + text->length, text->size - text->length, format, arguments);
    va_end(arguments);
    assert(text->length < text->size);
}

/* "300", "0.5". */
static void put_seconds(struct text *text, uint32_t ms)
{
    unsigned digits = 3;
    unsigned fraction = ms % 1000;
    put(text, "%" PRIu32, ms / 1000);
    if (fraction == 0)
        return;
    for (; fraction % 10 == 0; fraction /= 10)
        digits--;
    put(text, ".%0*u", (int)digits, fraction);
}

/* ---- for the store ---------------------------------------------------------------------------------- */

void time_control_format(const struct time_control *control, char text[TIME_CONTROL_SIZE])
{
    struct text out = text_begin(text, TIME_CONTROL_SIZE);
    put(&out,
        "mode=%s start=%s delay_ms=%" PRIu32 " bank_ms=%" PRIu32 " stages=", time_mode_words[control->mode],
        time_start_words[control->immediate], control->delay_ms, control->bank_ms);
    for (unsigned i = 0; i < control->stage_count; i++) {
        const struct time_stage *stage = &control->stages[i];
        put(&out, "%s%" PRIu32 "/%" PRIu32 "+%" PRIu32, i ? "," : "", stage->moves, stage->time_ms,
            stage->increment_ms);
    }
}

/* ---- for PGN ---------------------------------------------------------------------------------------- */

/* Whether without a mark it would read as time for each move. */
static bool looks_per_move(const struct time_control *control)
{
    return control->stage_count == 1 && control->stages[0].moves == 1;
}

static void put_extra(struct text *text, const struct time_control *control, uint32_t increment_ms)
{
    switch ((enum time_mode)control->mode) {
    case TIME_INCREMENT:
        if (increment_ms == 0 && !looks_per_move(control))
            return;
        put(text, "+");
        put_seconds(text, increment_ms);
        return;
    case TIME_DELAY:
    case TIME_BRONSTEIN:
        put(text, control->mode == TIME_DELAY ? "d" : "b");
        put_seconds(text, control->delay_ms);
        return;
    case TIME_PER_MOVE:
    case TIME_MODE_COUNT:
        return;
    }
}

void time_control_format_tag(const struct time_control *control, char text[TIME_CONTROL_TAG_SIZE])
{
    struct text out = text_begin(text, TIME_CONTROL_TAG_SIZE);
    for (unsigned i = 0; i < control->stage_count; i++) {
        const struct time_stage *stage = &control->stages[i];
        if (i > 0)
            put(&out, ":");
        if (stage->moves > 0)
            put(&out, "%" PRIu32 "/", stage->moves);
        put_seconds(&out, stage->time_ms);
        put_extra(&out, control, stage->increment_ms);
    }
}

/* ---- for people ------------------------------------------------------------------------------------- */

/* "1 hour 30 minutes"; of 0 nothing. */
static void put_duration(struct text *text, uint32_t ms)
{
    static const struct {
        uint32_t ms;
        const char *name;
    } units[] = {{24 * 60 * 60 * 1000, "day"}, {60 * 60 * 1000, "hour"}, {60 * 1000, "minute"}};
    const char *space = "";
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        uint32_t count = ms / units[i].ms;
        ms %= units[i].ms;
        if (count > 0) {
            put(text, "%s%" PRIu32 " %s%s", space, count, units[i].name, count == 1 ? "" : "s");
            space = " ";
        }
    }
    if (ms > 0) {
        put(text, "%s", space);
        put_seconds(text, ms);
        put(text, " second%s", ms == 1000 ? "" : "s");
    }
}

/* "2 hours plus 30 seconds a move". */
static void put_time(struct text *text, const struct time_stage *stage)
{
    put_duration(text, stage->time_ms);
    if (stage->increment_ms > 0) {
        put(text, stage->time_ms > 0 ? " plus " : "an increment of ");
        put_duration(text, stage->increment_ms);
        put(text, " a move");
    }
}

static void put_stage_with_end(struct text *text, const struct time_stage *stage)
{
    put(text, "%" PRIu32 " move%s %s ", stage->moves, stage->moves == 1 ? "" : "s",
        stage->time_ms > 0 ? "in" : "with");
    put_time(text, stage);
}

static void put_last_stage(struct text *text, const struct time_stage *stage, bool only)
{
    bool repeats = stage->moves > 0 && stage->time_ms > 0;
    put_time(text, stage);
    if (repeats && stage->moves == 1)
        put(text, " for every move, unused time kept");
    else if (repeats)
        put(text, " for every %" PRIu32 " moves", stage->moves);
    else if (!only)
        put(text, " for the rest of the game");
}

static void put_tail(struct text *text, const char *words, uint32_t ms, const char *end)
{
    put(text, "%s", words);
    put_duration(text, ms);
    put(text, "%s", end);
}

void time_control_format_words(const struct time_control *control, char text[TIME_CONTROL_WORDS_SIZE])
{
    struct text out = text_begin(text, TIME_CONTROL_WORDS_SIZE);
    const struct time_stage *last = &control->stages[control->stage_count - 1];
    bool plain = control->stage_count == 1 && last->moves == 0;
    if (control->mode == TIME_PER_MOVE) {
        put_tail(&out, "", last->time_ms, " for each move");
        if (control->bank_ms > 0)
            put_tail(&out, ", with a reserve of ", control->bank_ms, "");
        return;
    }
    for (const struct time_stage *stage = control->stages; stage < last; stage++) {
        put_stage_with_end(&out, stage);
        put(&out, ", then ");
    }
    put_last_stage(&out, last, control->stage_count == 1);
    if (control->delay_ms > 0) {
        put(&out, plain ? " with a " : ", with a ");
        put_tail(&out, control->mode == TIME_DELAY ? "delay of " : "Bronstein delay of ", control->delay_ms,
                 " a move");
    }
}
