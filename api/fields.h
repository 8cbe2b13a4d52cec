/* fields: reading an object by a table of its members.
 *
 *     struct undo_input { struct field_integer plies; };
 *     static const struct field UNDO_FIELDS[] = {
 *         {.name = "plies",
 *          .type = FIELD_INTEGER,
 *          .at = offsetof(struct undo_input, plies),
 *          .min = 1,
 *          .max = 20000},
 *     };
 *     struct undo_input input = {0};
 *     if (!fields_read(exchange, UNDO_FIELDS, FIELDS_COUNT(UNDO_FIELDS), &input))
 *         return API_DONE;                  the response is a problem already
 *
 * Layer: api. The only place that knows cJSON. Memory: texts and lists go to the arena of the request.
 * Unknown members are refused (`unknown-field`, with the nearest known one) unless they begin with "x_";
 * wrong types and values out of bounds are `invalid-parameter` with the JSON pointer. Integers are taken
 * from the text, exactly.
 * A body of pairs is read by the same table: integers, words and so on are read from their text; lists are
 * split at blanks and commas; an object's member is written "white.name". A list of objects has no such form. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rules/board.h"

struct exchange;

/* What a field is read into. Every one begins with `given`; a zeroed one is absent. Where `nullable`, null
 * gives `given` with `is_null`. */
struct field_text {
    bool given, is_null;
    const char *value; /* NUL-terminated, no NUL inside; NULL when absent or null */
    size_t length;     /* bytes */
};
struct field_integer {
    bool given, is_null;
    int64_t value;
};
struct field_bool {
    bool given, is_null;
    bool value;
};
struct field_word {
    bool given, is_null;
    int value; /* index in `words` */
};
struct field_square {
    bool given, is_null;
    square value;
};
struct field_texts { /* an array of strings */
    bool given, is_null;
    const struct field_text *items;
    size_t count;
};
struct field_word_set { /* an array of words */
    bool given, is_null;
    unsigned value; /* bit set over `words` */
};
struct field_objects { /* an array of objects, each read by `fields` */
    bool given, is_null;
    void *items; /* field.item_size apart */
    size_t count;
};
struct field_json { /* an object that is kept as it is */
    bool given, is_null;
    const char *value; /* compact JSON, NUL-terminated */
    size_t length;
};

enum field_type {
    FIELD_TEXT, /* struct field_text; min, max: bytes */
    /* struct field_text; max: bytes; no control characters, the white space around it is left out, and where nothing is
     * left it is null. */
    FIELD_NAME,
    FIELD_COMMENT,  /* as FIELD_TEXT, with no control characters but blanks, tabs and ends of lines */
    FIELD_INTEGER,  /* struct field_integer; min, max */
    FIELD_BOOL,     /* struct field_bool */
    FIELD_WORD,     /* struct field_word; words */
    FIELD_SQUARE,   /* struct field_square */
    FIELD_TEXTS,    /* struct field_texts; min, max: items */
    FIELD_WORD_SET, /* struct field_word_set; words */
    FIELD_JSON,     /* struct field_json; max: bytes of compact JSON */
    FIELD_OBJECT,   /* a struct that begins with `bool given, is_null`; fields */
    FIELD_OBJECTS,  /* struct field_objects; min, max: items; fields, item_size */
    /* A struct that begins with a struct field_text, which has no value where an object came; min, max: bytes of the
     * text; fields: of the object. A form may bring both. */
    FIELD_TEXT_OR_OBJECT,
    FIELD_TYPE_COUNT
};

struct field {
    const char *name;
    enum field_type type;
    bool nullable; /* null is taken, in a form an empty text (but not for FIELD_TEXT_OR_OBJECT) */
    size_t at;     /* offset of the field in the structure read into */
    int64_t min, max;
    size_t max_limit;         /* not 0: `max` is the member of struct api_limits at this offset */
    const char *const *words; /* NULL at the end */
    const struct field *fields;
    size_t field_count;
    size_t item_size; /* FIELD_OBJECTS: of the structure of one; it begins with `bool given, is_null` */
};

#define FIELDS_COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Reads exchange->body (JSON or pairs; an empty body gives nothing) into the zeroed structure `into`. False:
 * the response is a problem. Not for BODY_TEXT and BODY_PGN. */
bool fields_read(struct exchange *exchange, const struct field *fields, size_t count, void *into);
/* The same where a bare text stands for the first field alone. */
bool fields_read_or_text(struct exchange *exchange, const struct field *fields, size_t count, void *into);
