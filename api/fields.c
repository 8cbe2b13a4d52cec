#include "api/fields.h"

#include <string.h>

#include <cjson/cJSON.h>

#include "api/exchange.h"
#include "api/fields_store.h"
#include "api/json_span.h"
#include "api/nearest.h"
#include "api/problem.h"
#include "api/unknown_field.h"

/* An object that is being read: the tree for its shape and strings, the text for its numbers. */
struct source {
    const cJSON *object;
    struct text_span span;
    const char *pointer; /* of the object; "" at the top */
};

static bool read_object(struct exchange *exchange, const struct source *source, const struct field *fields,
                        size_t count, void *into);

static const struct field *find_field(const struct field *fields, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    }
    return NULL;
}

/* "/" and "~" are escaped (RFC 6901 3). */
static const char *join_pointer(struct arena *arena, const char *pointer, const char *name)
{
    size_t length = strlen(pointer), put = length;
    char *joined = arena_alloc(arena, length + 2 * strlen(name) + 2);
    if (!joined)
        return NULL;
    memcpy(joined, pointer, length);
    joined[put++] = '/';
    for (; *name; name++) {
        if (*name != '/' && *name != '~') {
            joined[put++] = *name;
            continue;
        }
        joined[put++] = '~';
        joined[put++] = *name == '/' ? '1' : '0';
    }
    joined[put] = '\0';
    return joined;
}

static bool refuse_unknown(struct exchange *exchange, const char *name, const char *pointer,
                           const struct field *fields, size_t count)
{
    struct unknown_field unknown = {.what = "field", .name = name, .pointer = pointer};
    for (size_t i = 0; i < count; i++)
        unknown.nearest = nearest_of(name, unknown.nearest, fields[i].name);
    unknown_field_refuse(exchange, &unknown);
    return false;
}

/* Whole numbers from the text: a double would round them. */
static bool read_integer(struct field_place *place, const struct source *source, const cJSON *item)
{
    struct text_span span;
    char text[JSON_WHOLE_SIZE];
    size_t length;
    if (!cJSON_IsNumber(item) || !json_span_member(source->span, item->string, &span) ||
        !json_span_whole(span, text, &length))
        return field_refuse(place);
    return field_store_integer(place, text, length);
}

static bool read_bool(struct field_place *place, const cJSON *item)
{
    if (!cJSON_IsBool(item))
        return field_refuse(place);
    struct field_bool *field = place->into;
    *field = (struct field_bool){.given = true, .value = cJSON_IsTrue(item) != 0};
    return true;
}

static bool read_string(struct field_place *place, const cJSON *item)
{
    if (!cJSON_IsString(item))
        return field_refuse(place);
    return field_store_text(place, item->valuestring, strlen(item->valuestring));
}

static bool read_strings(struct field_place *place, const cJSON *item)
{
    if (!cJSON_IsArray(item))
        return field_refuse(place);
    struct field_list list;
    if (!field_list_begin(place, (size_t)cJSON_GetArraySize(item), &list))
        return false;
    const cJSON *element;
    cJSON_ArrayForEach(element, item)
    {
        if (!cJSON_IsString(element))
            return field_list_refuse(&list);
        if (!field_list_add(&list, element->valuestring, strlen(element->valuestring)))
            return false;
    }
    return true;
}

static bool read_json(struct field_place *place, const struct source *source, const cJSON *item)
{
    struct text_span span;
    if (!cJSON_IsObject(item) || !json_span_member(source->span, item->string, &span))
        return field_refuse(place);
    return field_store_json(place, span);
}

static bool read_nested(struct field_place *place, const struct source *source, const cJSON *item)
{
    struct source nested = {.object = item, .pointer = place->pointer};
    if (!cJSON_IsObject(item) || !json_span_member(source->span, item->string, &nested.span))
        return field_refuse(place);
    *(bool *)place->into = true;
    return read_object(place->exchange, &nested, place->field->fields, place->field->field_count,
                       place->into);
}

static bool read_element(const struct field_place *place, const struct source *source, void *into)
{
    if (!cJSON_IsObject(source->object)) {
        problem_field(place->exchange, source->pointer, "Every element of %s must be an object.",
                      place->field->name);
        return false;
    }
    *(bool *)into = true;
    return read_object(place->exchange, source, place->field->fields, place->field->field_count, into);
}

static bool read_objects(struct field_place *place, const struct source *source, const cJSON *item)
{
    struct text_span array;
    if (!cJSON_IsArray(item) || !json_span_member(source->span, item->string, &array))
        return field_refuse(place);
    char *items = field_objects_begin(place, (size_t)cJSON_GetArraySize(item));
    size_t index = 0;
    const char *at = NULL;
    const cJSON *element;
    cJSON_ArrayForEach(element, item)
    {
        struct source nested = {.object = element};
        nested.pointer = items ? arena_printf(place->exchange->arena, "%s/%zu", place->pointer, index) : NULL;
        if (items && !nested.pointer)
            return problem_no_memory(place->exchange);
        if (!items || !json_span_next_element(array, &at, &nested.span) ||
            !read_element(place, &nested, items + index * place->field->item_size))
            return false;
        index++;
    }
    return items != NULL;
}

static bool read_null(struct field_place *place)
{
    if (!place->field->nullable)
        return field_refuse(place);
    bool *flags = place->into; /* `given` and `is_null` come first in all of them */
    flags[0] = flags[1] = true;
    return true;
}

static bool read_item(struct field_place *place, const struct source *source, const cJSON *item)
{
    if (cJSON_IsNull(item))
        return read_null(place);
    switch (place->field->type) {
    case FIELD_TEXT:
    case FIELD_COMMENT:
    case FIELD_NAME:
    case FIELD_WORD:
    case FIELD_SQUARE:
        return read_string(place, item);
    case FIELD_INTEGER:
        return read_integer(place, source, item);
    case FIELD_BOOL:
        return read_bool(place, item);
    case FIELD_TEXTS:
    case FIELD_WORD_SET:
        return read_strings(place, item);
    case FIELD_JSON:
        return read_json(place, source, item);
    case FIELD_OBJECT:
        return read_nested(place, source, item);
    case FIELD_OBJECTS:
        return read_objects(place, source, item);
    case FIELD_TEXT_OR_OBJECT:
        return cJSON_IsString(item) ? read_string(place, item) : read_nested(place, source, item);
    case FIELD_TYPE_COUNT:
        break;
    }
    return false;
}

static bool read_member(struct exchange *exchange, const struct source *source, const cJSON *item,
                        const struct field *fields, size_t count, void *into)
{
    if (strncmp(item->string, "x_", 2) == 0)
        return true;
    const char *pointer = join_pointer(exchange->arena, source->pointer, item->string);
    if (!pointer)
        return problem_no_memory(exchange);
    const struct field *field = find_field(fields, count, item->string);
    if (!field)
        return refuse_unknown(exchange, item->string, pointer, fields, count);
    struct field_place place = {exchange, field, (char *)into + field->at, pointer};
    return read_item(&place, source, item);
}

static bool read_object(struct exchange *exchange, const struct source *source, const struct field *fields,
                        size_t count, void *into)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, source->object)
    {
        if (!read_member(exchange, source, item, fields, count, into))
            return false;
    }
    return true;
}

static bool read_tree(struct exchange *exchange, const struct field *fields, size_t count, void *into)
{
    const struct body *body = &exchange->body;
    /* The final NUL counts: cJSON wants it there to see that nothing follows the value. */
    cJSON *tree = cJSON_ParseWithLengthOpts(body->text, body->length + 1, NULL, true);
    if (!tree)
        return problem_no_memory(exchange);
    struct source source = {tree, {body->text, body->length}, ""};
    bool good = read_object(exchange, &source, fields, count, into);
    cJSON_Delete(tree);
    return good;
}

/* Finds the field of "name" or "object.name"; moves *into to the structure that holds it. */
static const struct field *find_path(const struct field *fields, size_t count, const char *name, char **into)
{
    const char *dot = strchr(name, '.');
    if (!dot)
        return find_field(fields, count, name);
    struct text_span first = {name, (size_t)(dot - name)};
    for (size_t i = 0; i < count; i++) {
        bool has_members = fields[i].type == FIELD_OBJECT || fields[i].type == FIELD_TEXT_OR_OBJECT;
        if (!has_members || !text_is(first, fields[i].name))
            continue;
        *into += fields[i].at;
        const struct field *field = find_path(fields[i].fields, fields[i].field_count, dot + 1, into);
        if (field)
            *(bool *)*into = true;
        return field;
    }
    return NULL;
}

/* "/white/name" for "white.name". */
static const char *pair_pointer(struct arena *arena, const char *name)
{
    char *pointer = arena_printf(arena, "/%s", name);
    for (char *at = pointer; at && *at; at++) {
        if (*at == '.')
            *at = '/';
    }
    return pointer;
}

static bool read_pair(struct exchange *exchange, const struct body_pair *pair, const struct field *fields,
                      size_t count, char *into)
{
    if (strncmp(pair->name, "x_", 2) == 0)
        return true;
    const struct field *field = find_path(fields, count, pair->name, &into);
    const char *pointer =
        field ? pair_pointer(exchange->arena, pair->name) : join_pointer(exchange->arena, "", pair->name);
    if (!pointer)
        return problem_no_memory(exchange);
    if (!field)
        return refuse_unknown(exchange, pair->name, pointer, fields, count);
    struct field_place place = {exchange, field, into + field->at, pointer};
    /* An empty text of a form is null, but where a text of its own may say so: that of a shell variable that was never
     * set is no such word. */
    if (field->nullable && pair->value_length == 0 && field->type != FIELD_TEXT_OR_OBJECT)
        return read_null(&place);
    return field_store_pair(&place, pair->value, pair->value_length);
}

bool fields_read(struct exchange *exchange, const struct field *fields, size_t count, void *into)
{
    const struct body *body = &exchange->body;
    if (body->kind == BODY_JSON)
        return read_tree(exchange, fields, count, into);
    for (size_t i = 0; i < body->pair_count; i++) {
        if (!read_pair(exchange, &body->pairs[i], fields, count, into))
            return false;
    }
    return true;
}

bool fields_read_or_text(struct exchange *exchange, const struct field *fields, size_t count, void *into)
{
    const struct body *body = &exchange->body;
    if (body->kind != BODY_TEXT)
        return fields_read(exchange, fields, count, into);
    const char *pointer = join_pointer(exchange->arena, "", fields[0].name);
    struct field_place place = {exchange, &fields[0], (char *)into + fields[0].at, pointer};
    return pointer ? field_store_pair(&place, body->text, body->length) : problem_no_memory(exchange);
}
