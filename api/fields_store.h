/* fields_store: one value into its place, checked. Private to api/fields.c.
 *
 * Layer: api. Every function that returns false has made the response a problem. */
#pragma once

#include "api/fields.h"
#include "api/json_span.h"

struct field_place {
    struct exchange *exchange;
    const struct field *field;
    void *into;          /* a struct field_… of field->type */
    const char *pointer; /* JSON pointer */
};

/* Says what the field must be. False. */
bool field_refuse(struct field_place *place);

/* From a string: FIELD_TEXT, FIELD_COMMENT, FIELD_NAME, FIELD_WORD, FIELD_SQUARE, FIELD_TEXT_OR_OBJECT. */
bool field_store_text(struct field_place *place, const char *text, size_t length);
bool field_store_integer(struct field_place *place, const char *text, size_t length);
bool field_store_json(struct field_place *place, struct text_span span);
/* From the text of a form, whatever the type. */
bool field_store_pair(struct field_place *place, const char *text, size_t length);

/* FIELD_OBJECTS: room for `count` of them, zeroed. NULL: refused. */
void *field_objects_begin(struct field_place *place, size_t count);

/* FIELD_TEXTS and FIELD_WORD_SET, element by element. */
struct field_list {
    struct field_place *place;
    struct field_text *items; /* FIELD_TEXTS */
    size_t index;
};
bool field_list_begin(struct field_place *place, size_t count, struct field_list *list);
bool field_list_add(struct field_list *list, const char *text, size_t length);
/* The next element is not a string. False. */
bool field_list_refuse(struct field_list *list);
