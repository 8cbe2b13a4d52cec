#include "api/visibility_input.h"

#include "api/fields.h"
#include "api/problem.h"
#include "games/game.h"

bool visibility_input_check(struct exchange *exchange, const struct field_word *visibility)
{
    if (!visibility->given || visibility->value != VISIBILITY_PRIVATE)
        return true;
    problem_field(
        exchange, "/visibility",
        "visibility must be one of: public, unlisted; private needs tokens, which come with seats.");
    return false;
}
