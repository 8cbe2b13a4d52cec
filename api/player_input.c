#include "api/player_input.h"

#include "api/limits.h"

const struct field player_fields[] = {
    {.name = "name",
     .type = FIELD_NAME,
     .at = offsetof(struct player_input, name),
     .max_limit = offsetof(struct api_limits, name_bytes),
     .nullable = true},
};
