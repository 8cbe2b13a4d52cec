#include "games/time_control.h"

#include <string.h>

/* ---- what people write ------------------------------------------------------------------------------ */

struct reader {
    const char *text;
    size_t length, at;
    enum time_fault fault;
    char mark;      /* '+', 'd' or 'b': the one of this control; 0 until it comes */
    bool undelayed; /* a stage without a delay was read */
    struct time_control control;
};

/* The next byte; at the end, 0. */
static char peek(const struct reader *reader)
{
    return (char)(reader->at < reader->length ? reader->text[reader->at] : '\0');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_mark(char c)
{
    return c == '+' || c == 'd' || c == 'b';
}

static bool fail(struct reader *reader, enum time_fault fault, size_t offset)
{
    reader->fault = fault;
    reader->at = offset;
    return false;
}

/* Digits as a number. One above TIME_MS_MAX is above every limit and not counted on. */
static bool read_digits(struct reader *reader, uint64_t *value)
{
    if (!is_digit(peek(reader)))
        return fail(reader, TIME_FAULT_SYNTAX, reader->at);
    *value = 0;
    for (; is_digit(peek(reader)); reader->at++)
        if (*value <= TIME_MS_MAX)
            *value = *value * 10 + (uint64_t)(peek(reader) - '0');
    return true;
}

static bool read_seconds(struct reader *reader, uint32_t *ms)
{
    size_t first = reader->at;
    uint64_t value;
    if (!read_digits(reader, &value))
        return false;
    value *= 1000;
    if (peek(reader) == '.') {
        reader->at++;
        if (!is_digit(peek(reader)))
            return fail(reader, TIME_FAULT_SYNTAX, reader->at);
        for (unsigned unit = 100; unit > 0 && is_digit(peek(reader)); unit /= 10, reader->at++)
            value += (uint64_t)(peek(reader) - '0') * unit;
    }
    if (value > TIME_MS_MAX)
        return fail(reader, TIME_FAULT_RANGE, first);
    *ms = (uint32_t)value;
    return true;
}

/* "40/", or nothing. */
static bool read_moves(struct reader *reader, uint32_t *moves)
{
    size_t first = reader->at;
    uint64_t value;
    if (!read_digits(reader, &value))
        return false;
    if (peek(reader) != '/') {
        reader->at = first;
        return true;
    }
    if (value == 0 || value > TIME_STAGE_MOVES_MAX)
        return fail(reader, TIME_FAULT_RANGE, first);
    reader->at++;
    *moves = (uint32_t)value;
    return true;
}

static bool ends_stage(const struct reader *reader)
{
    return reader->at == reader->length || peek(reader) == ':';
}

static bool read_delay(struct reader *reader)
{
    size_t first = reader->at;
    uint32_t *delay_ms = &reader->control.delay_ms;
    uint32_t before = *delay_ms;
    if (!read_seconds(reader, delay_ms))
        return false;
    if (*delay_ms == 0)
        return fail(reader, TIME_FAULT_RANGE, first);
    if (before && before != *delay_ms)
        return fail(reader, TIME_FAULT_MODE, first);
    if (reader->undelayed && peek(reader) == ':') /* behind the last stage, or behind each */
        return fail(reader, TIME_FAULT_MODE, reader->at);
    return true;
}

static bool read_extra(struct reader *reader, uint32_t *increment_ms)
{
    char mark = peek(reader);
    if (!is_mark(mark)) {
        reader->undelayed = true;
        if (reader->control.delay_ms && ends_stage(reader))
            return fail(reader, TIME_FAULT_MODE, reader->at);
        return true;
    }
    if (reader->mark && reader->mark != mark)
        return fail(reader, TIME_FAULT_MODE, reader->at);
    reader->mark = mark;
    reader->at++;
    return mark == '+' ? read_seconds(reader, increment_ms) : read_delay(reader);
}

static bool read_stage(struct reader *reader)
{
    struct time_stage stage = {0};
    if (!read_moves(reader, &stage.moves))
        return false;
    size_t time_at = reader->at;
    if (!read_seconds(reader, &stage.time_ms) || !read_extra(reader, &stage.increment_ms))
        return false;
    if (!ends_stage(reader)) {
        bool mixed = is_mark(peek(reader)) && peek(reader) != reader->mark;
        return fail(reader, mixed ? TIME_FAULT_MODE : TIME_FAULT_SYNTAX, reader->at);
    }
    if (stage.time_ms == 0 && (reader->control.stage_count == 0 || stage.increment_ms == 0))
        return fail(reader, TIME_FAULT_RANGE, time_at);
    reader->control.stages[reader->control.stage_count++] = stage;
    return true;
}

/* Of one stage more; TIME_OK: it fits. */
static enum time_fault next_stage_fault(const struct time_control *control)
{
    if (control->stages[control->stage_count - 1].moves == 0)
        return TIME_FAULT_ENDLESS;
    return control->stage_count < TIME_STAGES_MAX ? TIME_OK : TIME_FAULT_STAGES;
}

static bool read_stages(struct reader *reader)
{
    if (!read_stage(reader))
        return false;
    while (peek(reader) == ':') {
        reader->at++;
        enum time_fault fault = next_stage_fault(&reader->control);
        if (is_digit(peek(reader)) && fault)
            return fail(reader, fault, reader->at);
        if (!read_stage(reader))
            return false;
    }
    return true;
}

static enum time_mode mode_read(const struct reader *reader)
{
    const struct time_control *control = &reader->control;
    switch (reader->mark) {
    case 'd':
        return TIME_DELAY;
    case 'b':
        return TIME_BRONSTEIN;
    case '+':
        return TIME_INCREMENT;
    default:
        return control->stage_count == 1 && control->stages[0].moves == 1 ? TIME_PER_MOVE : TIME_INCREMENT;
    }
}

static enum time_fault fault_of(const struct reader *reader)
{
    bool blank = peek(reader) == ' ' || peek(reader) == '\t';
    return reader->fault == TIME_FAULT_SYNTAX && blank ? TIME_FAULT_BLANK : reader->fault;
}

enum time_fault time_control_read(const char *text, size_t length, struct time_control *control,
                                  size_t *offset)
{
    struct reader reader = {.text = text, .length = length};
    bool whole = length <= TIME_CONTROL_TEXT_MAX ? read_stages(&reader)
                                                 : fail(&reader, TIME_FAULT_SYNTAX, TIME_CONTROL_TEXT_MAX);
    if (!whole) {
        *offset = reader.at;
        return fault_of(&reader);
    }
    reader.control.mode = (uint8_t)mode_read(&reader);
    *control = reader.control;
    return TIME_OK;
}

/* ---- what the store keeps --------------------------------------------------------------------------- */

static bool take(const char **at, const char *expected)
{
    size_t length = strlen(expected);
    if (strncmp(*at, expected, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool take_number(const char **at, uint32_t *value)
{
    uint64_t sum = 0;
    if (!is_digit(**at))
        return false;
    for (; is_digit(**at); ++*at) {
        sum = sum * 10 + (uint64_t)(**at - '0');
        if (sum > UINT32_MAX)
            return false;
    }
    *value = (uint32_t)sum;
    return true;
}

static bool take_mode(const char **at, uint8_t *mode)
{
    for (unsigned i = 0; i < TIME_MODE_COUNT; i++)
        if (take(at, time_mode_words[i])) {
            *mode = (uint8_t)i;
            return true;
        }
    return false;
}

static bool take_stages(const char **at, struct time_control *control)
{
    do {
        if (control->stage_count == TIME_STAGES_MAX)
            return false;
        struct time_stage *stage = &control->stages[control->stage_count++];
        if (!take_number(at, &stage->moves) || !take(at, "/") || !take_number(at, &stage->time_ms) ||
            !take(at, "+") || !take_number(at, &stage->increment_ms))
            return false;
    } while (take(at, ","));
    return **at == '\0';
}

bool time_control_parse(const char *text, struct time_control *control)
{
    struct time_control read = {0};
    const char *at = text;
    char again[TIME_CONTROL_SIZE];
    if (!take(&at, "mode=") || !take_mode(&at, &read.mode) || !take(&at, " start="))
        return false;
    read.immediate = take(&at, time_start_words[true]);
    if ((!read.immediate && !take(&at, time_start_words[false])) || !take(&at, " delay_ms=") ||
        !take_number(&at, &read.delay_ms) || !take(&at, " bank_ms=") || !take_number(&at, &read.bank_ms) ||
        !take(&at, " stages=") || !take_stages(&at, &read) || time_control_check(&read) != TIME_OK)
        return false;
    time_control_format(&read, again); /* one text for each control: no leading zeros */
    if (strcmp(text, again) != 0)
        return false;
    *control = read;
    return true;
}
