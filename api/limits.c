#include "api/limits.h"

#include <string.h>

struct api_limits api_limits_default(void)
{
#define INITIAL(name, initial, minimum, maximum, unit, sentence) .name = (initial),
    return (struct api_limits){API_LIMITS(INITIAL)};
#undef INITIAL
}

int64_t api_limit_at(const struct api_limits *limits, size_t offset)
{
    int64_t value;
    memcpy(&value, (const char *)limits + offset, sizeof value);
    return value;
}
