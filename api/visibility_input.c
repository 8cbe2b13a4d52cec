#include "api/visibility_input.h"

#include "api/exchange.h"
#include "api/fields.h"
#include "api/problem.h"
#include "games/action.h"

enum game_access access_default(const struct exchange *exchange)
{
    return exchange->api->settings.seats_by_default ? ACCESS_SEATS : ACCESS_OPEN;
}

enum game_visibility visibility_default(const struct exchange *exchange)
{
    return game_visibility_default(access_default(exchange));
}

bool visibility_input_read(struct exchange *exchange, const struct field_word *access,
                           const struct field_word *visibility, struct action_create *create)
{
    create->access = access->given ? (enum game_access)access->value : access_default(exchange);
    create->visibility =
        visibility->given ? (enum game_visibility)visibility->value : visibility_default(exchange);
    if (create->access != ACCESS_OPEN || create->visibility != VISIBILITY_PRIVATE)
        return true;
    problem_field(exchange, "/visibility",
                  "private needs access \"seats\": nobody could show that he may read an open game.");
    return false;
}
