#include "api/unknown_field.h"

#include "api/exchange.h"
#include "api/problem.h"
#include "api/text.h"

static void write_members(struct writer *json, const void *context)
{
    const struct unknown_field *unknown = context;
    json_string(json, "field", unknown->name);
    json_string(json, "nearest", unknown->nearest);
}

static const char *describe(struct arena *arena, const struct unknown_field *unknown)
{
    if (unknown->detail)
        return unknown->detail;
    const char *name = text_shown(arena, unknown->name);
    if (!name)
        return NULL;
    if (!unknown->nearest)
        return arena_printf(arena, "There is no %s \"%s\" here.", unknown->what, name);
    return arena_printf(arena, "There is no %s \"%s\" here; did you mean \"%s\"?", unknown->what, name,
                        unknown->nearest);
}

void unknown_field_refuse(struct exchange *exchange, const struct unknown_field *unknown)
{
    struct problem problem = {
        .code = PROBLEM_UNKNOWN_FIELD,
        .detail = describe(exchange->arena, unknown),
        .pointer = unknown->pointer,
        .parameter = unknown->parameter,
        .members = write_members,
        .context = unknown,
    };
    problem_send(exchange, &problem);
}
