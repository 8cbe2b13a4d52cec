/* default_access: the access of games that do not say which, by the setting default-access.
 *
 * Layer: service. */
#pragma once

#include <stdbool.h>

#include "games/game.h"
#include "service/options.h"

/* auto: open where nobody from elsewhere reaches the service, be it through a trusted proxy, else seats. */
enum game_access default_access(const struct options_values *values, bool is_reached);
/* The same for who opens no address: as those of the settings would be reached. */
enum game_access default_access_of_settings(const struct options_values *values);
