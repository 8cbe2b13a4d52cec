#include "api/fields_store.h"

#include <string.h>

#include "api/exchange.h"
#include "api/json_check.h"
#include "api/problem.h"
#include "api/scalar.h"
#include "api/text.h"
#include "rules/pgn_text.h"

static int64_t maximum(const struct field_place *place)
{
    if (place->field->max_limit == 0)
        return place->field->max;
    return api_limit_at(&place->exchange->api->settings.limits, place->field->max_limit);
}

static void refuse_words(struct field_place *place, const char *sentence)
{
    const char *words = scalar_words(place->exchange->arena, place->field->words);
    if (words)
        problem_field(place->exchange, place->pointer, "%s %s: %s.", place->field->name, sentence, words);
    else
        problem_out_of_memory(place->exchange);
}

bool field_refuse(struct field_place *place)
{
    const struct field *field = place->field;
    struct exchange *exchange = place->exchange;
    long long min = field->min, max = maximum(place);
    switch (field->type) {
    case FIELD_TEXT:
        if (min > 0)
            problem_field(exchange, place->pointer, "%s must be a text of %lld to %lld bytes.", field->name,
                          min, max);
        else
            problem_field(exchange, place->pointer, "%s must be a text of at most %lld bytes.", field->name,
                          max);
        break;
    case FIELD_COMMENT:
    case FIELD_NAME:
        problem_field(exchange, place->pointer,
                      "%s must be a text of at most %lld bytes without control characters.", field->name,
                      max);
        break;
    case FIELD_INTEGER:
        problem_field(exchange, place->pointer, "%s must be a whole number from %lld to %lld.", field->name,
                      min, max);
        break;
    case FIELD_BOOL:
        problem_field(exchange, place->pointer, "%s must be true or false.", field->name);
        break;
    case FIELD_WORD:
        refuse_words(place, "must be one of");
        break;
    case FIELD_SQUARE:
        problem_field(exchange, place->pointer, "%s must be a square, a1 to h8.", field->name);
        break;
    case FIELD_TEXTS:
        problem_field(exchange, place->pointer, "%s must be a list of %lld to %lld texts.", field->name, min,
                      max);
        break;
    case FIELD_WORD_SET:
        refuse_words(place, "must be a list of these");
        break;
    case FIELD_JSON:
        problem_field(exchange, place->pointer, "%s must be an object of at most %lld bytes.", field->name,
                      max);
        break;
    case FIELD_OBJECT:
        problem_field(exchange, place->pointer, "%s must be an object.", field->name);
        break;
    case FIELD_OBJECTS:
        problem_field(exchange, place->pointer, "%s must be a list of %lld to %lld objects.", field->name,
                      min, max);
        break;
    case FIELD_TEXT_OR_OBJECT:
        problem_field(exchange, place->pointer, "%s must be an object, or a text of at most %lld bytes.",
                      field->name, max);
        break;
    case FIELD_TYPE_COUNT:
        break;
    }
    return false;
}

static bool store_plain(struct field_place *place, const char *text, size_t length)
{
    struct field_text *field = place->into;
    if (length < (size_t)place->field->min || length > (size_t)maximum(place))
        return field_refuse(place);
    const char *copy = arena_copy(place->exchange->arena, text, length);
    if (!copy)
        return problem_no_memory(place->exchange);
    *field = (struct field_text){.given = true, .value = copy, .length = length};
    return true;
}

/* Other than those of `spared`. */
static bool has_control(const char *text, size_t length, const char *spared)
{
    size_t at = 0;
    while (at < length &&
           (!pgn_text_control(text + at, length - at) || (text[at] && strchr(spared, text[at]))))
        at++;
    return at < length;
}

static bool store_name(struct field_place *place, const char *text, size_t length)
{
    text_trim(&text, &length);
    if (has_control(text, length, ""))
        return field_refuse(place);
    if (length > 0)
        return store_plain(place, text, length);
    *(struct field_text *)place->into = (struct field_text){.given = true, .is_null = true};
    return true;
}

static bool store_word(struct field_place *place, const char *text, size_t length)
{
    struct field_word *field = place->into;
    int word = 0;
    if (!scalar_word(text, length, place->field->words, &word))
        return field_refuse(place);
    *field = (struct field_word){.given = true, .value = word};
    return true;
}

static bool store_square(struct field_place *place, const char *text, size_t length)
{
    struct field_square *field = place->into;
    square s = SQUARE_NONE;
    if (!scalar_square(text, length, &s))
        return field_refuse(place);
    *field = (struct field_square){.given = true, .value = s};
    return true;
}

bool field_store_text(struct field_place *place, const char *text, size_t length)
{
    if (place->field->type == FIELD_COMMENT && has_control(text, length, "\t\n\r"))
        return field_refuse(place);
    if (place->field->type == FIELD_NAME)
        return store_name(place, text, length);
    if (place->field->type == FIELD_WORD)
        return store_word(place, text, length);
    if (place->field->type == FIELD_SQUARE)
        return store_square(place, text, length);
    return store_plain(place, text, length);
}

bool field_store_integer(struct field_place *place, const char *text, size_t length)
{
    struct field_integer *field = place->into;
    int64_t value = 0;
    if (!scalar_integer(text, length, &value) || value < place->field->min || value > maximum(place))
        return field_refuse(place);
    *field = (struct field_integer){.given = true, .value = value};
    return true;
}

static bool store_bool(struct field_place *place, const char *text, size_t length)
{
    struct field_bool *field = place->into;
    bool value = false;
    if (!scalar_bool(text, length, &value))
        return field_refuse(place);
    *field = (struct field_bool){.given = true, .value = value};
    return true;
}

bool field_store_json(struct field_place *place, struct text_span span)
{
    struct field_json *field = place->into;
    size_t length = 0;
    const char *copy = json_span_compact(place->exchange->arena, span, &length);
    if (!copy)
        return problem_no_memory(place->exchange);
    if (length > (size_t)maximum(place))
        return field_refuse(place);
    *field = (struct field_json){.given = true, .value = copy, .length = length};
    return true;
}

/* How deep the value may be: as deep as where its members stand in the objects of a JSON body. */
static unsigned depth_left(const struct field_place *place)
{
    unsigned depth = (unsigned)place->exchange->api->settings.limits.json_depth;
    for (const char *at = place->pointer; *at && depth > 0; at++)
        depth -= *at == '/';
    return depth;
}

/* An object as the text of a form. */
static bool store_json_text(struct field_place *place, const char *text, size_t length)
{
    struct json_fault fault;
    bool good = json_check(place->exchange->arena, text, length, depth_left(place), &fault);
    if (!good && !fault.sentence)
        return problem_no_memory(place->exchange);
    if (!good) {
        problem_field(place->exchange, place->pointer, "%s is not JSON that can be read, at byte %zu. %s",
                      place->field->name, fault.offset, fault.sentence);
        return false;
    }
    if (text[0] != '{')
        return field_refuse(place);
    return field_store_json(place, (struct text_span){text, length});
}

bool field_list_begin(struct field_place *place, size_t count, struct field_list *list)
{
    *list = (struct field_list){.place = place};
    if (place->field->type == FIELD_WORD_SET) {
        *(struct field_word_set *)place->into = (struct field_word_set){.given = true};
        return true;
    }
    if (count < (size_t)place->field->min || count > (size_t)maximum(place))
        return field_refuse(place);
    list->items = arena_zalloc(place->exchange->arena, count * sizeof *list->items);
    if (!list->items)
        return problem_no_memory(place->exchange);
    *(struct field_texts *)place->into =
        (struct field_texts){.given = true, .items = list->items, .count = count};
    return true;
}

bool field_list_refuse(struct field_list *list)
{
    struct field_place *place = list->place;
    const char *pointer = arena_printf(place->exchange->arena, "%s/%zu", place->pointer, list->index);
    if (!pointer)
        return problem_no_memory(place->exchange);
    if (place->field->type == FIELD_TEXTS) {
        problem_field(place->exchange, pointer, "Every element of %s must be a text.", place->field->name);
        return false;
    }
    struct field_place element = {place->exchange, place->field, NULL, pointer};
    return field_refuse(&element);
}

bool field_list_add(struct field_list *list, const char *text, size_t length)
{
    struct field_place *place = list->place;
    int word = 0;
    if (!list->items) { /* a set of words */
        if (!scalar_word(text, length, place->field->words, &word))
            return field_list_refuse(list);
        ((struct field_word_set *)place->into)->value |= 1u << word;
        list->index++;
        return true;
    }
    const char *copy = arena_copy(place->exchange->arena, text, length);
    if (!copy)
        return problem_no_memory(place->exchange);
    list->items[list->index++] = (struct field_text){.given = true, .value = copy, .length = length};
    return true;
}

void *field_objects_begin(struct field_place *place, size_t count)
{
    const struct field *field = place->field;
    if (count < (size_t)field->min || count > (size_t)maximum(place)) {
        field_refuse(place);
        return NULL;
    }
    void *items = arena_zalloc(place->exchange->arena, count * field->item_size);
    if (!items)
        problem_out_of_memory(place->exchange);
    *(struct field_objects *)place->into =
        (struct field_objects){.given = true, .items = items, .count = items ? count : 0};
    return items;
}

static const char SEPARATORS[] = " ,\t\r\n";

static bool store_pieces(struct field_place *place, const char *text)
{
    struct field_list list;
    struct text_span piece;
    if (!field_list_begin(place, text_count_pieces(text, SEPARATORS), &list))
        return false;
    while (text_next_piece(&text, SEPARATORS, &piece)) {
        if (!field_list_add(&list, piece.text, piece.length))
            return false;
    }
    return true;
}

bool field_store_pair(struct field_place *place, const char *text, size_t length)
{
    switch (place->field->type) {
    case FIELD_TEXT:
    case FIELD_COMMENT:
    case FIELD_NAME:
    case FIELD_WORD:
    case FIELD_SQUARE:
    case FIELD_TEXT_OR_OBJECT:
        return field_store_text(place, text, length);
    case FIELD_INTEGER:
        return field_store_integer(place, text, length);
    case FIELD_BOOL:
        return store_bool(place, text, length);
    case FIELD_TEXTS:
    case FIELD_WORD_SET:
        return store_pieces(place, text);
    case FIELD_JSON:
        return store_json_text(place, text, length);
    case FIELD_OBJECT:  /* its members are named one by one */
    case FIELD_OBJECTS: /* JSON alone can say this */
    case FIELD_TYPE_COUNT:
        break;
    }
    return field_refuse(place);
}
