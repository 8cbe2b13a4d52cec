/* json_span: pieces of a JSON text that json_check has found good.
 *
 * Layer: api. For what must be taken from the text itself: whole numbers, and objects that are kept as they
 * are. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "api/text.h"

/* One string of checked JSON, quotes included, byte by byte as it reads after unescaping. */
struct json_string_reader {
    const char *at; /* behind the opening quote at first */
    unsigned char rest[3];
    unsigned rest_count;
};
/* The next byte, or -1 at the closing quote. */
int json_string_next(struct json_string_reader *reader);

/* The value of member `name` of an object (the span begins with "{"). False: there is none. */
bool json_span_member(struct text_span object, const char *name, struct text_span *value);

/* The member behind *at, which is NULL at first and moves on; the name is a string as it is written, quotes included.
 * False: there is none. */
bool json_span_next(struct text_span object, const char **at, struct text_span *name,
                    struct text_span *value);

/* Whether a string (the span begins with its quote) reads so after unescaping. */
bool json_span_is(struct text_span string, const char *text);

/* What a string (the span begins with its quote) reads after unescaping; NUL-terminated. NULL: memory is out. */
char *json_span_text(struct arena *arena, struct text_span string, size_t *length);

/* The element behind *at of an array (the span begins with "["); *at is NULL at first and moves on. False: there is none. */
bool json_span_next_element(struct text_span array, const char **at, struct text_span *value);

enum { JSON_WHOLE_SIZE = 24 };

/* Writes a number of whole value as its digits, without leading zeros: "1000.0" and "1e3" as "1000" (JSON Schema 2020-12,
 * 4.2.3). False: it is not whole, or longer than any that is read. */
bool json_span_whole(struct text_span number, char text[JSON_WHOLE_SIZE], size_t *length);

/* A copy without the white space between tokens; *length: of the copy. NULL: memory is out. */
char *json_span_compact(struct arena *arena, struct text_span value, size_t *length);
