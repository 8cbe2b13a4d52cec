/* clock_input: a time control as clients write it: a text in seconds, or an object in milliseconds (API 3).
 *
 * Layer: api. */
#pragma once

#include "api/fields.h"
#include "games/time_control.h"

struct exchange;

struct clock_input {
    struct field_text text; /* first: FIELD_TEXT_OR_OBJECT */
    struct field_word mode, start;
    struct field_objects stages;
    struct field_integer initial_ms, increment_ms, delay_ms, bank_ms;
};

enum { CLOCK_FIELD_COUNT = 7 };
extern const struct field clock_fields[CLOCK_FIELD_COUNT];

/* *control is NULL where the game is to be untimed (nothing given, null, "-", "none"), else in the arena. False: the
 * response is a problem with a pointer below /clock. */
bool clock_input_read(struct exchange *exchange, const struct clock_input *input,
                      const struct time_control **control);
