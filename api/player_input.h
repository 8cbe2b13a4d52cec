/* player_input: a player as games are made and changed with one: {"name": "Anna"}.
 *
 * Layer: api. */
#pragma once

#include "api/fields.h"

struct player_input {
    bool given, is_null;
    struct field_text name; /* null takes it away */
};

enum { PLAYER_FIELD_COUNT = 1 };
extern const struct field player_fields[PLAYER_FIELD_COUNT];
