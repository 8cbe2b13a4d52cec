#include "service/default_access.h"

#include "service/listener.h"

enum game_access default_access(const struct options_values *values, bool is_reached)
{
    if (values->default_access == OPTIONS_ACCESS_AUTO)
        return is_reached ? ACCESS_SEATS : ACCESS_OPEN;
    return values->default_access == OPTIONS_ACCESS_SEATS ? ACCESS_SEATS : ACCESS_OPEN;
}

enum game_access default_access_of_settings(const struct options_values *values)
{
    bool is_reached = *values->trusted_proxy;
    for (const char **address = values->listen; *address; address++)
        is_reached |= listener_is_reached(*address);
    return default_access(values, is_reached);
}
