#include "api/setup_input.h"

#include "api/exchange.h"
#include "api/fields.h"
#include "api/problem.h"
#include "api/view_position.h"
#include "rules/fen.h"

const char *const setup_variant_words[] = {
    [VARIANT_STANDARD] = "standard", [VARIANT_CHESS960] = "chess960", NULL};

bool setup_input_take_variant(struct exchange *exchange, struct field_word *variant)
{
    if (!query_has(exchange, QUERY_VARIANT))
        return true;
    int asked = (int)query_integer(exchange, QUERY_VARIANT, VARIANT_STANDARD);
    if (variant->given && variant->value != asked) {
        problem_field(exchange, "/variant", "The query names another variant than the body.");
        return false;
    }
    *variant = (struct field_word){.given = true, .value = asked};
    return true;
}

void view_setup_faults(struct writer *json, const char *key, const struct setup_report *report)
{
    json_array_begin(json, key);
    for (unsigned i = 0; i < report->count; i++) {
        const struct setup_fault *fault = &report->faults[i];
        json_object_begin(json, NULL);
        json_string(json, "code", setup_fault_name(fault->code, fault->field));
        if (fault->field)
            json_int(json, "field", fault->field);
        else
            json_null(json, "field");
        json_int(json, "offset", fault->offset);
        view_square(json, "square", fault->square);
        json_string(json, "detail", setup_fault_text(fault->code, fault->field));
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_faults(struct writer *json, const void *context)
{
    view_setup_faults(json, "faults", context);
}

/* The first fault that stands in the way of playing; a text that cannot be read counts more than a bad
 * position. */
static const struct setup_fault *worst_fault(const struct setup_report *report)
{
    const struct setup_fault *worst = NULL;
    for (unsigned i = 0; i < report->count; i++) {
        const struct setup_fault *fault = &report->faults[i];
        if (fault->code == SETUP_BAD_FIELD)
            return fault;
        if (!worst && !setup_fault_is_playable(fault->code))
            worst = fault;
    }
    return worst ? worst : &report->faults[0];
}

static void refuse(struct exchange *exchange, const struct setup_report *report, const char *pointer,
                   const char *parameter)
{
    const struct setup_fault *fault = worst_fault(report);
    struct problem problem = {
        .code = fault->code == SETUP_BAD_FIELD ? PROBLEM_INVALID_FEN : PROBLEM_ILLEGAL_POSITION,
        .detail = arena_printf(exchange->arena, "%s (%s, at byte %u of the FEN)",
                               setup_fault_text(fault->code, fault->field),
                               setup_fault_name(fault->code, fault->field), fault->offset),
        .pointer = pointer,
        .parameter = parameter,
        .members = write_faults,
        .context = report,
    };
    problem_send(exchange, &problem);
}

bool setup_input_read(struct exchange *exchange, const char *fen, size_t length, bool chess960,
                      const char *pointer, const char *parameter, struct position *position)
{
    if (!fen) {
        *position = position_initial();
        position->chess960 = chess960;
        return true;
    }
    struct setup_report report = {0};
    if (fen_parse(fen, length, chess960, position, &report))
        return true;
    refuse(exchange, &report, pointer, parameter);
    return false;
}

bool setup_input_query(struct exchange *exchange, struct position *position)
{
    const struct query_value *fen = &exchange->query.values[QUERY_FEN];
    bool chess960 = query_integer(exchange, QUERY_VARIANT, VARIANT_STANDARD) == VARIANT_CHESS960;
    return setup_input_read(exchange, fen->text, fen->length, chess960, NULL, "fen", position);
}
