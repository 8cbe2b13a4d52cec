#include "api/metadata.h"

#include <string.h>

#include "api/arena.h"
#include "api/json_check.h"
#include "api/limits.h"

/* Whoever sent it may have been allowed more than is allowed now. */
static const struct api_limits most = {
#define MOST(name, initial, minimum, maximum, unit, sentence) .name = (maximum),
    API_LIMITS(MOST)
#undef MOST
};

enum metadata_state metadata_read(const char *text)
{
    struct arena arena;
    struct json_fault fault = {0};
    if (*text != '{' || strpbrk(text, "\r\n"))
        return METADATA_DAMAGED;
    arena_init(&arena);
    bool good = json_check(&arena, text, strlen(text), (unsigned)most.json_depth, &fault);
    arena_finish(&arena);
    if (good)
        return METADATA_WHOLE;
    return fault.sentence ? METADATA_DAMAGED : METADATA_UNREAD;
}
