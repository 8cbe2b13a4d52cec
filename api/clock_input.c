#include "api/clock_input.h"

#include <stddef.h>
#include <string.h>

#include "api/exchange.h"
#include "api/problem.h"
#include "api/text.h"

/* One item of `stages`. */
struct stage_input {
    bool given, is_null;
    struct field_integer moves, time_ms, increment_ms;
};

#define AT(member)       .at = offsetof(struct clock_input, member)
#define STAGE_AT(member) .at = offsetof(struct stage_input, member)

static const struct field stage_fields[] = {
    {.name = "moves",
     .type = FIELD_INTEGER,
     STAGE_AT(moves),
     .min = 1,
     .max = TIME_STAGE_MOVES_MAX,
     .nullable = true},
    {.name = "time_ms", .type = FIELD_INTEGER, STAGE_AT(time_ms), .max = TIME_MS_MAX},
    {.name = "increment_ms", .type = FIELD_INTEGER, STAGE_AT(increment_ms), .max = TIME_MS_MAX},
};

const struct field clock_fields[CLOCK_FIELD_COUNT] = {
    {.name = "mode", .type = FIELD_WORD, AT(mode), .words = time_mode_words},
    {.name = "start", .type = FIELD_WORD, AT(start), .words = time_start_words},
    {.name = "stages",
     .type = FIELD_OBJECTS,
     AT(stages),
     .min = 1,
     .max = TIME_STAGES_MAX,
     .fields = stage_fields,
     .field_count = FIELDS_COUNT(stage_fields),
     .item_size = sizeof(struct stage_input)},
    {.name = "initial_ms", .type = FIELD_INTEGER, AT(initial_ms), .min = 1, .max = TIME_MS_MAX},
    {.name = "increment_ms", .type = FIELD_INTEGER, AT(increment_ms), .max = TIME_MS_MAX},
    {.name = "delay_ms", .type = FIELD_INTEGER, AT(delay_ms), .max = TIME_MS_MAX},
    {.name = "bank_ms", .type = FIELD_INTEGER, AT(bank_ms), .max = TIME_MS_MAX},
};

static bool has_members(const struct clock_input *input)
{
    return input->mode.given || input->start.given || input->stages.given || input->initial_ms.given ||
           input->increment_ms.given || input->delay_ms.given || input->bank_ms.given;
}

/* The text without the blanks around it; one that is not there is empty. */
static struct text_span trimmed(const struct field_text *text)
{
    struct text_span span = {text->value ? text->value : "", text->value ? text->length : 0};
    text_trim(&span.text, &span.length);
    return span;
}

static bool is_untimed(const struct clock_input *input)
{
    struct text_span text = trimmed(&input->text);
    if (!input->text.given || input->text.is_null)
        return true;
    return text_is(text, "-") || text_is(text, "none");
}

/* ---- text ---------------------------------------------------------------------------------------------- */

/* An unescaped "+" of a form has become a blank, of which a time control has none. */
static const char *plus_of_form(const struct exchange *exchange, struct text_span text)
{
    if (exchange->body.kind != BODY_FORM || memchr(text.text, '+', text.length))
        return text.text;
    char *copy = arena_copy(exchange->arena, text.text, text.length);
    for (char *at = copy; at && *at; at++) {
        if (*at == ' ')
            *at = '+';
    }
    return copy;
}

static bool read_text(struct exchange *exchange, struct text_span text, struct time_control *control)
{
    if (text.length == 0) {
        problem_field(
            exchange, "/clock",
            "The clock is empty. A game without one has \"-\", \"none\" or null, or no clock at all; "
            "five minutes, plus three seconds a move, are \"300+3\".");
        return false;
    }
    const char *value = plus_of_form(exchange, text);
    if (!value)
        return problem_no_memory(exchange);
    size_t offset = 0;
    enum time_fault fault = time_control_read(value, text.length, control, &offset);
    if (fault != TIME_OK)
        problem_field(
            exchange, "/clock",
            "%s (at byte %zu) A clock text is in seconds: five minutes, plus three seconds a move, are "
            "\"300+3\".",
            time_fault_text(fault), offset);
    return fault == TIME_OK;
}

/* ---- object -------------------------------------------------------------------------------------------- */

/* Where no mode is named the members tell. */
static enum time_mode mode_of(const struct clock_input *input)
{
    if (input->mode.given)
        return (enum time_mode)input->mode.value;
    if (input->bank_ms.value)
        return TIME_PER_MOVE;
    return input->delay_ms.value ? TIME_DELAY : TIME_INCREMENT;
}

static bool read_stages(struct exchange *exchange, const struct field_objects *stages,
                        struct time_control *control)
{
    const struct stage_input *items = stages->items;
    for (size_t i = 0; i < stages->count; i++) {
        if (!items[i].time_ms.given) {
            const char *pointer = arena_printf(exchange->arena, "/clock/stages/%zu/time_ms", i);
            if (!pointer)
                return problem_no_memory(exchange);
            problem_field(exchange, pointer, "time_ms is missing.");
            return false;
        }
        control->stages[i] = (struct time_stage){
            .moves = (uint32_t)items[i].moves.value,
            .time_ms = (uint32_t)items[i].time_ms.value,
            .increment_ms = (uint32_t)items[i].increment_ms.value,
        };
    }
    control->stage_count = (uint8_t)stages->count;
    return true;
}

static void take_short_form(const struct clock_input *input, struct time_control *control)
{
    control->stage_count = 1;
    control->stages[0] = (struct time_stage){
        .moves = control->mode == TIME_PER_MOVE,
        .time_ms = (uint32_t)input->initial_ms.value,
        .increment_ms = (uint32_t)input->increment_ms.value,
    };
}

/* One of the two forms. */
static bool check_forms(struct exchange *exchange, const struct clock_input *input)
{
    if (!input->stages.given && !input->initial_ms.given)
        problem_field(exchange, "/clock/initial_ms", "Say the time: `initial_ms`, or `stages`.");
    else if (input->stages.given && input->initial_ms.given)
        problem_field(exchange, "/clock/initial_ms", "The time is given twice: `initial_ms` and `stages`.");
    else if (input->stages.given && input->increment_ms.given)
        problem_field(exchange, "/clock/increment_ms", "With `stages` the increment stands in each of them.");
    else
        return true;
    return false;
}

static bool read_object(struct exchange *exchange, const struct clock_input *input,
                        struct time_control *control)
{
    if (!check_forms(exchange, input))
        return false;
    *control = (struct time_control){
        .mode = (uint8_t)mode_of(input),
        .immediate = input->start.given && input->start.value,
        .delay_ms = (uint32_t)input->delay_ms.value,
        .bank_ms = (uint32_t)input->bank_ms.value,
    };
    if (!input->stages.given)
        take_short_form(input, control);
    else if (!read_stages(exchange, &input->stages, control))
        return false;
    enum time_fault fault = time_control_check(control);
    if (fault != TIME_OK)
        problem_field(exchange, "/clock", "%s", time_fault_text(fault));
    return fault == TIME_OK;
}

bool clock_input_read(struct exchange *exchange, const struct clock_input *input,
                      const struct time_control **control)
{
    *control = NULL;
    if ((input->text.value || input->text.is_null) && has_members(input)) {
        problem_field(exchange, "/clock", "The clock is given as a text and by its members.");
        return false;
    }
    if (is_untimed(input))
        return true;
    struct time_control *read = arena_zalloc(exchange->arena, sizeof *read);
    if (!read)
        return problem_no_memory(exchange);
    *control = read;
    return input->text.value ? read_text(exchange, trimmed(&input->text), read)
                             : read_object(exchange, input, read);
}
