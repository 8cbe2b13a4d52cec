#include "api/limits.h"

struct api_limits api_limits_default(void)
{
#define INITIAL(name, initial, minimum, maximum, unit, sentence) .name = (initial),
    return (struct api_limits){API_LIMITS(INITIAL)};
#undef INITIAL
}
