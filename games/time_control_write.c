#include "games/time_control.h"

#include "games/text_room.h"

/* The sizes in the header are those of the longest texts, so nothing is cut. */

/* "40/", "2 hour". */
static void put_count(struct text_room *text, uint32_t count, const char *what)
{
    text_room_put_number(text, count);
    text_room_put(text, what);
}

/* "300", "0.5". */
static void put_seconds(struct text_room *text, uint32_t ms)
{
    text_room_put_number(text, ms / 1000);
    unsigned fraction = ms % 1000;
    if (fraction == 0)
        return;
    text_room_put(text, fraction < 10 ? ".00" : fraction < 100 ? ".0" : ".");
    while (fraction % 10 == 0)
        fraction /= 10;
    text_room_put_number(text, fraction);
}

/* ---- for the store ---------------------------------------------------------------------------------- */

static void put_named(struct text_room *text, const char *name, uint32_t number)
{
    text_room_put(text, name);
    text_room_put_number(text, number);
}

void time_control_format(const struct time_control *control, char text[TIME_CONTROL_SIZE])
{
    struct text_room out = text_room_begin(text, TIME_CONTROL_SIZE);
    text_room_put(&out, "mode=");
    text_room_put(&out, time_mode_words[control->mode]);
    text_room_put(&out, " start=");
    text_room_put(&out, time_start_words[control->immediate]);
    put_named(&out, " delay_ms=", control->delay_ms);
    put_named(&out, " bank_ms=", control->bank_ms);
    for (unsigned i = 0; i < control->stage_count; i++) {
        const struct time_stage *stage = &control->stages[i];
        put_named(&out, i ? "," : " stages=", stage->moves);
        put_named(&out, "/", stage->time_ms);
        put_named(&out, "+", stage->increment_ms);
    }
}

/* ---- for PGN ---------------------------------------------------------------------------------------- */

/* Whether without a mark it would read as time for each move. */
static bool looks_per_move(const struct time_control *control)
{
    return control->stage_count == 1 && control->stages[0].moves == 1;
}

static void put_extra(struct text_room *text, const struct time_control *control, uint32_t increment_ms)
{
    switch ((enum time_mode)control->mode) {
    case TIME_INCREMENT:
        if (increment_ms == 0 && !looks_per_move(control))
            return;
        text_room_put(text, "+");
        put_seconds(text, increment_ms);
        return;
    case TIME_DELAY:
    case TIME_BRONSTEIN:
        text_room_put(text, control->mode == TIME_DELAY ? "d" : "b");
        put_seconds(text, control->delay_ms);
        return;
    case TIME_PER_MOVE:
    case TIME_MODE_COUNT:
        return;
    }
}

void time_control_format_tag(const struct time_control *control, char text[TIME_CONTROL_TAG_SIZE])
{
    struct text_room out = text_room_begin(text, TIME_CONTROL_TAG_SIZE);
    for (unsigned i = 0; i < control->stage_count; i++) {
        const struct time_stage *stage = &control->stages[i];
        if (i > 0)
            text_room_put(&out, ":");
        if (stage->moves > 0)
            put_count(&out, stage->moves, "/");
        put_seconds(&out, stage->time_ms);
        put_extra(&out, control, stage->increment_ms);
    }
}

/* ---- for people ------------------------------------------------------------------------------------- */

/* "1 hour 30 minutes"; of 0 nothing. */
static void put_duration(struct text_room *text, uint32_t ms)
{
    static const struct {
        uint32_t ms;
        const char *name;
    } units[] = {{24 * 60 * 60 * 1000, " day"}, {60 * 60 * 1000, " hour"}, {60 * 1000, " minute"}};
    const char *space = "";
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        uint32_t count = ms / units[i].ms;
        ms %= units[i].ms;
        if (count > 0) {
            text_room_put(text, space);
            put_count(text, count, units[i].name);
            text_room_put(text, count == 1 ? "" : "s");
            space = " ";
        }
    }
    if (ms > 0) {
        text_room_put(text, space);
        put_seconds(text, ms);
        text_room_put(text, ms == 1000 ? " second" : " seconds");
    }
}

/* "2 hours plus 30 seconds a move". */
static void put_time(struct text_room *text, const struct time_stage *stage)
{
    put_duration(text, stage->time_ms);
    if (stage->increment_ms > 0) {
        text_room_put(text, stage->time_ms > 0 ? " plus " : "an increment of ");
        put_duration(text, stage->increment_ms);
        text_room_put(text, " a move");
    }
}

static void put_stage_with_end(struct text_room *text, const struct time_stage *stage)
{
    put_count(text, stage->moves, stage->moves == 1 ? " move" : " moves");
    text_room_put(text, stage->time_ms > 0 ? " in " : " with ");
    put_time(text, stage);
}

static void put_last_stage(struct text_room *text, const struct time_stage *stage, bool only)
{
    bool repeats = stage->moves > 0 && stage->time_ms > 0;
    put_time(text, stage);
    if (repeats && stage->moves == 1) {
        text_room_put(text, " for every move, unused time kept");
    } else if (repeats) {
        text_room_put(text, " for every ");
        put_count(text, stage->moves, " moves");
    } else if (!only) {
        text_room_put(text, " for the rest of the game");
    }
}

static void put_tail(struct text_room *text, const char *words, uint32_t ms, const char *end)
{
    text_room_put(text, words);
    put_duration(text, ms);
    text_room_put(text, end);
}

void time_control_format_words(const struct time_control *control, char text[TIME_CONTROL_WORDS_SIZE])
{
    struct text_room out = text_room_begin(text, TIME_CONTROL_WORDS_SIZE);
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
        text_room_put(&out, ", then ");
    }
    put_last_stage(&out, last, control->stage_count == 1);
    if (control->delay_ms > 0) {
        text_room_put(&out, plain ? " with a " : ", with a ");
        put_tail(&out, control->mode == TIME_DELAY ? "delay of " : "Bronstein delay of ", control->delay_ms,
                 " a move");
    }
}
