/* json_check: whether a text is JSON, strictly, before anything reads it.
 *
 * Layer: api. Refused: bytes that are not UTF-8, a byte order mark, control characters in strings, numbers
 * outside the grammar or longer than any that is read, \u0000, escapes of lone surrogates, the same member twice
 * (after unescaping), deeper nesting than allowed, anything behind the value.
 * Source: RFC 8259; RFC 7493 (I-JSON) for names and surrogates. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "api/arena.h"

/* Characters of a number. What a double tells apart needs 24; of longer ones some versions of cJSON read 63 characters
 * and fail at the next. */
enum { JSON_NUMBER_MAX = 63 };

struct json_fault {
    size_t offset;        /* of the byte at fault */
    const char *sentence; /* static; NULL: memory is out */
};

/* `depth`: the most arrays and objects in one another. False: *fault says what and where. */
bool json_check(struct arena *arena, const char *text, size_t length, unsigned depth,
                struct json_fault *fault);
